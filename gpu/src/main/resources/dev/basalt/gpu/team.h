// Blocks of a cooperative launch that have a problem together.
#ifndef BASALT_TEAM_H
#define BASALT_TEAM_H
#include "cluster.h"
#include "steqr.h"

namespace basalt {

// Blocks of one problem follow each other; there are as many teams as go into the grid.
struct Team {
    unsigned* counters;
    int blocks, rank, number, all;
    unsigned round;

    BASALT_DEVICE Team(const Args& args, int size)
        : blocks(size), rank(blockIdx.x % size), number(blockIdx.x / size), all(gridDim.x / size), round(0) {
        counters = counter(args, 2 * number);
    }
    BASALT_DEVICE void barrier() {
        round++;
        gridBarrier(counters, round, blocks);
    }
    // The last of them leaves zeros.
    BASALT_DEVICE void leave() {
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(counters + 1, 1u) == (unsigned)blocks - 1) {
                counters[0] = 0;
                counters[1] = 0;
            }
        }
    }
    // The sum, or the largest, of what each block has shown behind a barrier; `scratch` has 32 numbers.
    template <typename R>
    BASALT_DEVICE R gather(const R* parts, bool sum, R* scratch) const {
        R x = 0;
        for (int b = threadIdx.x; b < blocks; b += blockDim.x) {
            x = sum ? x + parts[b] : most(x, parts[b]);
        }
        return ofBlock(x, sum, scratch);
    }
};

// Who meets in a round of a tournament of an even number of seats: two of a pair, the lower first.
struct Meeting {
    i64 lower, upper;

    BASALT_DEVICE Meeting(int seats, int round, int pair) {
        int one = (round + pair) % (seats - 1);
        int other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
        lower = one < other ? one : other;
        upper = one < other ? other : one;
    }
};

}  // namespace basalt
#endif
