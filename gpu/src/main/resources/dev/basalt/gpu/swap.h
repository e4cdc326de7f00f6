// What exchanges of two blocks on the diagonals of Schur forms need, by one thread: a few equations, and reflectors to a space.
#ifndef BASALT_SWAP_H
#define BASALT_SWAP_H
#include "pair.h"

namespace basalt {

// Matrices of up to four rows are stored with so many; units of rounding that an exchange may leave where there are to be zeros.
enum { ORDER = 4, MOST = 10 };

// At most N equations.
template <typename R, int N>
struct Equations {
    R system[N * N], right[N], x[N];
    int column[N];
};

// The largest element that is left comes to place s of the diagonal; one that is too small is replaced.
template <typename R, int N>
BASALT_DEVICE void choosePivot(Equations<R, N>& w, int s, int k, R smallest) {
    int row = s;
    int col = s;
    for (int c = s; c < k; c++) {
        for (int r = s; r < k; r++) {
            if (absolute(w.system[r + N * c]) > absolute(w.system[row + N * col])) {
                row = r;
                col = c;
            }
        }
    }
    for (int c = 0; c < k; c++) {
        R kept = w.system[s + N * c];
        w.system[s + N * c] = w.system[row + N * c];
        w.system[row + N * c] = kept;
    }
    R kept = w.right[s];
    w.right[s] = w.right[row];
    w.right[row] = kept;
    for (int r = 0; r < k; r++) {
        R value = w.system[r + N * s];
        w.system[r + N * s] = w.system[r + N * col];
        w.system[r + N * col] = value;
    }
    int name = w.column[s];
    w.column[s] = w.column[col];
    w.column[col] = name;
    if (absolute(w.system[s + N * s]) < smallest) {
        w.system[s + N * s] = smallest;
    }
}

// x := the solution of the first k equations by elimination with complete pivoting. Returns the factor of the right side, 1 or less, that it is for; no pivot is smaller than a number.
template <typename R, int N>
BASALT_DEVICE R eliminate(Equations<R, N>& w, int k, R smallest) {
    for (int c = 0; c < k; c++) {
        w.column[c] = c;
    }
    for (int s = 0; s < k; s++) {
        choosePivot(w, s, k, smallest);
        for (int r = s + 1; r < k; r++) {
            R factor = w.system[r + N * s] / w.system[s + N * s];
            for (int c = s + 1; c < k; c++) {
                w.system[r + N * c] -= factor * w.system[s + N * c];
            }
            w.right[r] -= factor * w.right[s];
        }
    }
    R scale = 1;
    for (int s = k - 1; s >= 0; s--) {
        R sum = w.right[s];
        for (int c = s + 1; c < k; c++) {
            sum -= w.system[s + N * c] * w.right[c];
        }
        R own = w.system[s + N * s];
        // A solution that would be large is made so much smaller.
        if (absolute(own) < 1 && absolute(sum) > absolute(own) / (Schur<R>::least() / Schur<R>::unit()) / k) {
            R less = absolute(own) / absolute(sum);
            scale *= less;
            sum *= less;
            for (int c = 0; c < k; c++) {
                w.right[c] *= less;
            }
        }
        w.right[s] = sum / own;
    }
    for (int s = 0; s < k; s++) {
        w.x[w.column[s]] = w.right[s];
    }
    return scale;
}

// Up to two reflectors and their factors.
template <typename R>
struct Subspace {
    R v[2 * ORDER], tau[2], y[ORDER];
};

// Reflector c of the QR factorisation of -X over scale·I, after those before it.
template <typename R>
BASALT_DEVICE void reflectSwap(Subspace<R>& w, int c, int n1, int n2, const R* x, R scale) {
    int m = n1 + n2;
    R* y = w.y;
    for (int r = 0; r < m; r++) {
        y[r] = r < n1 ? -x[r + n1 * c] : r == n1 + c ? scale : (R)0;
    }
    for (int k = 0; k < c; k++) {
        R sum = 0;
        for (int r = k; r < m; r++) {
            sum += w.v[r - k + ORDER * k] * y[r];
        }
        for (int r = k; r < m; r++) {
            y[r] -= w.tau[k] * sum * w.v[r - k + ORDER * k];
        }
    }
    R large = 0;
    for (int r = c; r < m; r++) {
        large = largerOf(large, absolute(y[r]));
    }
    w.v[ORDER * c] = 1;
    w.tau[c] = 0;
    R sum = 0;
    for (int r = c; r < m && large > 0; r++) {
        y[r] /= large;
        sum += y[r] * y[r];
    }
    R norm = root(sum);
    R end = y[c] >= 0 ? -norm : norm;
    for (int r = c + 1; r < m; r++) {
        w.v[r - c + ORDER * c] = large > 0 ? y[r] / (y[c] - end) : (R)0;
    }
    if (large > 0) {
        w.tau[c] = (end - y[c]) / end;
    }
}

// Reflector c of so many elements of a line, which are `step` apart.
template <typename R>
BASALT_DEVICE void reflectOnce(const Subspace<R>& w, int c, int len, R* x, i64 step) {
    R sum = 0;
    for (int r = 0; r < len; r++) {
        sum += w.v[r + ORDER * c] * x[r * step];
    }
    sum *= w.tau[c];
    for (int r = 0; r < len; r++) {
        x[r * step] -= sum * w.v[r + ORDER * c];
    }
}

// The reflectors of X (n1×n2).
template <typename R>
BASALT_DEVICE void subspace(Subspace<R>& w, int n1, int n2, const R* x, R scale) {
    for (int c = 0; c < n2; c++) {
        reflectSwap(w, c, n1, n2, x, scale);
    }
}

// So many reflectors of a line of m elements.
template <typename R>
BASALT_DEVICE void reflectLine(const Subspace<R>& w, int count, int m, R* x, i64 step) {
    for (int c = 0; c < count; c++) {
        reflectOnce(w, c, m - c, x + c * step, step);
    }
}

// From the left or the right on a matrix of m rows.
template <typename R>
BASALT_DEVICE void reflectSmall(const Subspace<R>& w, int count, int m, bool left, R* d) {
    for (int j = 0; j < m; j++) {
        reflectLine(w, count, m, d + (left ? ORDER * j : j), left ? (i64)1 : (i64)ORDER);
    }
}

}  // namespace basalt
#endif
