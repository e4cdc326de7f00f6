// Products of floats that are sums of two parts: the small part of one factor times the large one of the other, both ways, and the large ones last. What two small parts make is below the
// last bit of what the large ones make.
#ifndef BASALT_PARTS_H
#define BASALT_PARTS_H

#include "half.h"

namespace basalt {

// As FactorStages, where factors may be in two parts: of each line the large ones, then the small ones.
template <int ROWS, int COLUMNS, int THREADS>
struct PartStages : FactorStages<float, ROWS, COLUMNS, false, false, THREADS, true> {
    typedef FactorStages<float, ROWS, COLUMNS, false, false, THREADS, true> Whole;

    i64 depth;  // of a part
    int each;   // stages of a part, 0 where there is one
    int done;

    BASALT_DEVICE void begin(const Args& args, i64 problem, i64 i0, i64 j0, i64 inner) {
        Whole::begin(args, problem, i0, j0, inner);
        each = 0;
        done = 0;
        if (args.x != 0) {
            depth = inner;
            each = (int)(inner / Whole::DEPTH);
            this->k = 3 * inner;
            this->steps = 3 * each;
            this->fromA += inner;
        }
    }
    BASALT_DEVICE void bring(char* to) {
        Whole::bring(to);
        if (each != 0) {
            done++;
            if (done == each) {
                this->fromA -= 2 * depth;
            } else if (done == 2 * each) {
                this->fromA -= depth;
                this->fromB -= 2 * depth;
            }
        }
    }
};

// An infinite number has no small part, and what it makes is no number: such sums are formed once more, from the factors as they are. d, f: these; y: their inner dimension.
template <int ROWS, int COLUMNS, int THREADS>
BASALT_DEVICE void mendSums(const Args& args, float* sums, i64 i0, i64 j0) {
    int rows = (int)least(args.m - i0, ROWS);
    int columns = (int)least(args.n - j0, COLUMNS);
    for (int e = threadIdx.x; e < ROWS * COLUMNS; e += THREADS) {
        int r = e % ROWS;
        int c = e / ROWS;
        float* own = sums + c * Sums<ROWS>::PITCH + r;
        if (r >= rows || c >= columns || *own == *own) {
            continue;
        }
        const float* a = at<float>(args.d, 0) + (i0 + r) * (args.opA == NONE ? 1 : args.d.ld);
        const float* b = at<float>(args.f, 0) + (j0 + c) * (args.opB == NONE ? args.f.ld : 1);
        i64 alongA = args.opA == NONE ? args.d.ld : 1;
        i64 alongB = args.opB == NONE ? 1 : args.f.ld;
        float sum = 0;
        for (i64 l = 0; l < args.y; l++) {
            sum += a[l * alongA] * b[l * alongB];
        }
        *own = sum;
    }
    __syncthreads();
}

}  // namespace basalt

#endif
