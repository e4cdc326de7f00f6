// What a merge of divide and conquer sets aside, by a block. Columns are decided on all at once; one thread walks over those that are turned alone, since each turn changes the next decision.
#ifndef BASALT_DEFLATE_H
#define BASALT_DEFLATE_H
#include "merge.h"

namespace basalt {

BASALT_DEVICE int bitsOf(unsigned v) {
#if BASALT_CUDA_ARCH > 0
    return __popc(v);
#else
    return __builtin_popcount(v);
#endif
}

// put(rank, at) for all places at which `flag` holds, in their order: how many. By a block, `scratch` has a number for each of its warps.
template <typename FLAG, typename PUT>
BASALT_DEVICE i64 compact(i64 from, i64 to, int* scratch, FLAG flag, PUT put) {
    i64 have = 0;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    for (i64 base = from; base < to; base += blockDim.x) {
        i64 at = base + threadIdx.x;
        bool mine = at < to && flag(at);
        unsigned lanes = warpBallot(mine);
        if (lane == 0) {
            scratch[warp] = bitsOf(lanes);
        }
        __syncthreads();
        int below = bitsOf(lanes & ((1u << lane) - 1));
        int all = 0;
        for (int w = 0; w < (int)blockDim.x / 32; w++) {
            below += w < warp ? scratch[w] : 0;
            all += scratch[w];
        }
        if (mine) {
            put(have + below, at);
        }
        have += all;
        __syncthreads();
    }
    return have;
}

// The first of n numbers of a rising list that is larger than v, or is not less.
template <typename R, typename LIST>
BASALT_DEVICE i64 placeIn(i64 n, LIST list, R v, bool larger) {
    i64 low = 0;
    i64 high = n;
    while (low < high) {
        i64 middle = (low + high) / 2;
        R x = list(middle);
        if (larger ? x <= v : x < v) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Places of two rising lists in one, the first before the second where they are equal: put(place, index of the first), and the same of the second. Where NaN makes places meet, some are left out.
template <typename R, typename FIRST, typename SECOND, typename PUT>
BASALT_DEVICE void mergeLists(const R* d, i64 n1, i64 n2, FIRST first, SECOND second, PUT put) {
    auto ofFirst = [&](i64 i) { return d[first(i)]; };
    auto ofSecond = [&](i64 i) { return d[second(i)]; };
    for (i64 i = threadIdx.x; i < n1 + n2; i += blockDim.x) {
        if (i < n1) {
            put(i + placeIn(n2, ofSecond, d[first(i)], false), first(i));
        } else {
            i64 j = i - n1;
            put(j + placeIn(n1, ofFirst, d[second(j)], true), second(j));
        }
    }
}

// What one thread says to a block of a turn of two columns.
template <typename R>
struct Turned {
    i64 left, right;
    R cosine, sine;
};

template <typename R>
struct Deflation {
    const Merge<R>& g;
    R* d;
    R least;
    Turned<R>* turned;
    int* scratch;

    // Whether two columns, one behind the other in the order of their values, are turned so that the first can be set aside.
    BASALT_DEVICE bool close(i64 before, i64 j, R* cosine, R* sine, R* length) const {
        const R* z = g.number(0);
        R s = z[before];
        R c = z[j];
        *length = root(c * c + s * s);
        *cosine = c / *length;
        *sine = -s / *length;
        return absolute((d[j] - d[before]) * *cosine * *sine) <= least;
    }

    // By one thread.
    BASALT_DEVICE void turn(i64 before, i64 j, R c, R s, R length) const {
        R* z = g.number(0);
        i64* kinds = g.word(2);
        R di = d[before];
        R dj = d[j];
        z[j] = length;
        z[before] = 0;
        if (kinds[before] != kinds[j]) {
            kinds[j] = 2;
        }
        kinds[before] = 4;
        d[before] = di * c * c + dj * s * s;
        d[j] = di * s * s + dj * c * c;
        turned->left = before;
        turned->right = j;
        turned->cosine = c;
        turned->sine = s;
    }

    // Places from..to of the order are decided on: those whose element of z, times rho, is small are set aside, and one of two that are close. The first `ahead` columns are kept already. rotate(turned): what a turn does to columns.
    template <typename ROTATE>
    BASALT_DEVICE void run(i64 from, i64 to, R rho, i64 ahead, ROTATE rotate) const {
        R* z = g.number(0);
        i64* order = g.word(1);
        i64* kinds = g.word(2);
        i64* aside = g.word(3);
        i64* kept = g.word(4);
        i64* gone = g.word(0);  // which column is set aside when that place is decided on
        for (i64 at = from + threadIdx.x; at < to; at += blockDim.x) {
            i64 j = order[at];
            bool small = rho * absolute(z[j]) <= least;
            gone[at] = small ? j : -1;
            if (small) {
                kinds[j] = 4;
            }
        }
        __syncthreads();
        i64* places = kept + ahead;
        i64 large = compact(from, to, scratch, [&](i64 at) { return gone[at] < 0; }, [&](i64 rank, i64 at) { places[rank] = at; });
        // Whom it is worth while to look at one by one: two neighbours that are close as they are now.
        R c, s, length;
        i64 events = compact(1, large, scratch, [&](i64 r) { return close(order[places[r - 1]], order[places[r]], &c, &s, &length); },
                             [&](i64 rank, i64 r) { aside[rank] = r; });
        i64 next = 0;
        i64 r = -1;
        while (true) {
            if (threadIdx.x == 0) {
                turned->left = -1;
                bool again = r >= 0 && r + 1 < large && close(order[places[r]], order[places[r + 1]], &c, &s, &length);
                if (again) {
                    r++;
                } else {
                    // What was close to a column before it was turned is not what it is now.
                    while (next < events && r >= 0 && aside[next] <= r + 1) {
                        next++;
                    }
                    r = next < events ? aside[next] : -1;
                    if (r >= 0) {
                        close(order[places[r - 1]], order[places[r]], &c, &s, &length);
                    }
                }
                if (r >= 0) {
                    turn(order[places[r - 1]], order[places[r]], c, s, length);
                    gone[places[r]] = turned->left;
                }
            }
            __syncthreads();
            if (turned->left < 0) {
                break;
            }
            rotate(*turned);
            __syncthreads();
        }
        i64 set = compact(from, to, scratch, [&](i64 at) { return gone[at] >= 0; }, [&](i64 rank, i64 at) { aside[rank] = gone[at]; });
        i64 count = ahead + compact(from, to, scratch, [&](i64 at) { return kinds[order[at]] != 4; },
                                    [&](i64 rank, i64 at) {
                                        i64 j = order[at];
                                        kept[ahead + rank] = j;
                                        g.number(1)[ahead + rank] = d[j];
                                        g.number(2)[ahead + rank] = z[j];
                                    });
        sortKinds(count, set);
    }

    // What is set aside behind the columns that are kept, in rising order of their values; then columns by their kind, the counts, and how deep products are.
    BASALT_DEVICE void sortKinds(i64 count, i64 set) const {
        R* poles = g.number(1);
        i64* order = g.word(1);
        const i64* kinds = g.word(2);
        i64* aside = g.word(3);
        const i64* kept = g.word(4);
        for (i64 i = threadIdx.x; i < count; i += blockDim.x) {
            order[i] = kept[i];
        }
        for (i64 i = threadIdx.x; i < set; i += blockDim.x) {
            R v = d[aside[i]];
            i64 at = count;
            for (i64 l = 0; l < set; l++) {
                R other = d[aside[l]];
                at += other < v || (!(other > v) && l < i) ? 1 : 0;
            }
            poles[at] = v;
            order[at] = aside[i];
        }
        __syncthreads();
        i64 at = 0;
        for (int kind = 1; kind <= 3; kind++) {
            i64 first = at;
            at += compact(0, count, scratch, [&](i64 i) { return kinds[order[i]] == kind; }, [&](i64 rank, i64 i) { aside[first + rank] = i; });
            if (threadIdx.x == 0) {
                g.counts[kind == 3 ? 0 : kind] = at;
            }
        }
        __syncthreads();
        i64 pieces = (g.end - g.first + PIECE - 1) / PIECE;
        for (i64 i = threadIdx.x; i < pieces; i += blockDim.x) {
            bool some = i * PIECE < count;
            g.counts[3 + i] = some ? g.counts[2] : 0;
            g.counts[3 + pieces + i] = some ? count - g.counts[1] : 0;
        }
    }
};

}  // namespace basalt
#endif
