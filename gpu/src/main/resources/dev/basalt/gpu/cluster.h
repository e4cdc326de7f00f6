// How blocks that run together tell each other something: those of a cluster, and all of a cooperative launch.
#ifndef BASALT_CLUSTER_H
#define BASALT_CLUSTER_H
#include "basalt.h"

namespace basalt {

// Who shares a panel: one block, those of a cluster, or all of a cooperative launch.
enum { ALONE, CLUSTER, GRID };

// A cluster's means: its barrier, in two halves between which other work fits; where in another block's shared memory lies what
// is here at p; and letters: a block expects so many bytes, others send them without waiting, and it waits until all are there.
// A letter counts for its election alone, since nobody sends for the next but one before it has heard from all in the next.
#if BASALT_CUDA_ARCH >= 900
BASALT_DEVICE void clusterArrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
BASALT_DEVICE void clusterWait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
template <typename P>
BASALT_DEVICE P* inBlock(P* p, int rank) {
    P* there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return there;
}
BASALT_DEVICE unsigned sharedAddress(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
BASALT_DEVICE unsigned sharedIn(unsigned address, int rank) {
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}
BASALT_DEVICE void openLetters(u64* letters) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(letters)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
BASALT_DEVICE void expectLetters(u64* letters, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(letters)), "r"(bytes)
                 : "memory");
}
// 16 bytes to where `to` is in that block.
BASALT_DEVICE void sendLetter(u64* to, const u64* from, u64* letters, int rank) {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];"
                 ::"r"(sharedIn(sharedAddress(to), rank)), "l"(from[0]), "l"(from[1]),
                 "r"(sharedIn(sharedAddress(letters), rank))
                 : "memory");
}
BASALT_DEVICE void awaitLetters(u64* letters, unsigned odd) {
    unsigned there;
    do {
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(there)
                     : "r"(sharedAddress(letters)), "r"(odd)
                     : "memory");
    } while (there == 0);
}
// Bytes, a multiple of 16, from where they lie in memory to this block's shared memory: letters that come by themselves.
BASALT_DEVICE void sendCopy(void* to, const void* from, unsigned bytes, u64* letters) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(sharedAddress(to)), "l"(from), "r"(bytes), "r"(sharedAddress(letters))
                 : "memory");
}
#else
#if defined(BASALT_SHIM)
BASALT_DEVICE void clusterWait() { shim::groupBarrier(); }
template <typename P>
BASALT_DEVICE P* inBlock(P* p, int rank) {
    return (P*)shim::inBlock((void*)p, rank);
}
#else
BASALT_DEVICE void clusterWait() {}
template <typename P>
BASALT_DEVICE P* inBlock(P* p, int) {
    return p;
}
#endif
BASALT_DEVICE void clusterArrive() {}
#if defined(BASALT_SHIM)
// A counter: bytes that have come, those expected, and how often all were there.
BASALT_DEVICE void count(u64* letters, unsigned come, unsigned expected) {
    u64 now = *letters + come + ((u64)expected << 24);
    u64 there = now & 0xffffff;
    if (there != 0 && there == (now >> 24 & 0xffffff)) {
        now = ((now >> 48) + 1) << 48;
    }
    *letters = now;
}
BASALT_DEVICE void openLetters(u64* letters) { *letters = 0; }
BASALT_DEVICE void expectLetters(u64* letters, unsigned bytes) { count(letters, 0, bytes); }
BASALT_DEVICE void sendLetter(u64* to, const u64* from, u64* letters, int rank) {
    u64* there = inBlock(to, rank);
    there[0] = from[0];
    there[1] = from[1];
    count(inBlock(letters, rank), 16, 0);
}
BASALT_DEVICE void awaitLetters(u64* letters, unsigned odd) {
    while ((*(volatile u64*)letters >> 48 & 1) == odd) {
        BASALT_SPIN();
    }
}
#else
BASALT_DEVICE void openLetters(u64*) {}
BASALT_DEVICE void expectLetters(u64*, unsigned) {}
BASALT_DEVICE void sendLetter(u64*, const u64*, u64*, int) {}
BASALT_DEVICE void awaitLetters(u64*, unsigned) {}
#endif
#endif
BASALT_DEVICE void clusterBarrier() {
    clusterArrive();
    clusterWait();
}

// So many blocks arrive before any goes on; `round` counts from 1. They must all be resident: a cooperative launch.
BASALT_DEVICE void gridBarrier(unsigned* count, unsigned round, unsigned blocks) {
    __syncthreads();
    if (threadIdx.x == 0) {
        addFlag(count);
        while (loadFlag(count) < round * blocks) {
            BASALT_SPIN();
        }
    }
    __syncthreads();
}
BASALT_DEVICE void gridBarrier(unsigned* count, unsigned round) { gridBarrier(count, round, gridDim.x); }
// The last block of a grid to leave puts the counters of its barrier back.
BASALT_DEVICE void leaveGrid(const Args& args) {
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(counter(args, 1), 1u) == gridDim.x - 1) {
            *counter(args, 0) = 0;
            *counter(args, 1) = 0;
        }
    }
}

}  // namespace basalt

#endif
