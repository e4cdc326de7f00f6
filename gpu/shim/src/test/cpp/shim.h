// Runs kernels on the CPU: every thread of a block is a fiber, barriers and shuffles switch fibers, blocks follow each
// other. A second order of threads (backwards) shows what a missing barrier hides in the first.
#ifndef BASALT_SHIM_H
#define BASALT_SHIM_H

#include <cmath>
#include <cstdint>
#include <cstring>

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)

namespace shim {

struct Index {
    unsigned x, y, z;
};

struct Thread {
    Index thread, block;
    char* shared;  // dynamic, of its block
    void* stack;
    bool done;
};

extern Thread* self;
extern Index blockCount, threadCount;

void blockBarrier();
// Of some warps of a block, which meet at no other one but that of all.
void partBarrier(int which, int threads);
// Of all blocks that run at once: those of a cluster.
void groupBarrier();
// Where p lies in the dynamic shared memory of a block (x) of the same cluster.
void* inBlock(void* p, int block);
void spin();
// Puts a value of up to 16 bytes before the warp's other lanes and gives that of one of them.
void exchange(const void* mine, void* theirs, unsigned bytes, unsigned lane);

template <typename V>
V shuffled(V v, unsigned lane) {
    V w;
    exchange(&v, &w, sizeof(V), lane);
    return w;
}

}  // namespace shim

#define threadIdx (shim::self->thread)
#define blockIdx (shim::self->block)
#define gridDim shim::blockCount
#define blockDim shim::threadCount
#define __syncthreads() shim::blockBarrier()
#define BASALT_SPIN() shim::spin()
#define __threadfence() ((void)0)
#define __shfl_xor_sync(all, v, mask) shim::shuffled(v, (threadIdx.x % 32) ^ (mask))
#define __shfl_sync(all, v, lane) shim::shuffled(v, lane)
#define BASALT_DYNAMIC_SHARED(T) ((T*)shim::self->shared)

inline unsigned atomicAdd(unsigned* p, unsigned v) {
    unsigned before = *p;
    *p += v;
    return before;
}

#endif
