// Small problems beside each other in one block: each has args.z of its threads, a power of two.
#ifndef BASALT_ABREAST_H
#define BASALT_ABREAST_H
#include "basalt.h"

namespace basalt {

// This thread among those of its problem.
BASALT_DEVICE int among(const Args& args) { return (int)threadIdx.x & (args.z - 1); }

// The problems that a block works on at a time, which of them is this thread's, and how many all blocks step over.
BASALT_DEVICE int abreast(const Args& args) { return (int)blockDim.x / args.z; }

}  // namespace basalt

// With capped extents each launch has one problem, and all threads of a block are for it.
#if defined(BASALT_CAPPED)
#define BASALT_ABREAST(problem) BASALT_PROBLEMS(problem)
#else
#define BASALT_ABREAST(problem)                                                                                           \
    for (basalt::i64 problem = (basalt::i64)blockIdx.z * basalt::abreast(args) + threadIdx.x / args.z; problem < args.count; \
         problem += (basalt::i64)gridDim.z * basalt::abreast(args))
#endif

#endif
