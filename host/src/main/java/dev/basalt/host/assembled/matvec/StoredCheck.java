package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Real;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Runs a new {@link StoredCode} once over a small packed triangle and compares with scalar Java. Operands are small whole numbers, so both must agree in every bit;
 * memory around the results must stay as it was.
 */
final class StoredCheck {
    private static final double ALPHA = 3;

    private final int size;
    private final WholeNumbers memory;
    private final int parts;
    private final int n;
    private final StoredKind kind;
    private final double alphaIm;
    private final boolean hermitian;
    private final double[] a;
    private final double[] x;
    private final double[] y;

    /** A check of a kernel over so many columns, which should be more than the lengths that are handled in different ways. */
    StoredCheck(Real precision, boolean complex, int n, StoredKind kind) {
        this.size = precision.bytes;
        this.memory = new WholeNumbers(size);
        this.parts = complex ? 2 : 1;
        this.n = n;
        this.kind = kind;
        this.alphaIm = complex ? -2 : 0;
        this.hermitian = complex && kind.conj();
        this.a = numbers(n * (n + 1) / 2 + 1, 1);
        this.x = numbers(n + 1, 2);
        this.y = numbers(n + 1, 3);
    }

    private double[] numbers(int count, int seed) {
        return WholeNumbers.of(count * parts, seed);
    }

    /** Place of element (i, j) in the packed triangle. */
    private int at(int i, int j) {
        return kind.upper() ? j * (j + 1) / 2 + i : j * (2 * n - j - 1) / 2 + i;
    }

    private double im(double[] v, int i) {
        return parts == 2 ? v[2 * i + 1] : 0;
    }

    /** Element i of y += (ar, ai)·(br, bi). */
    private void add(double[] v, int i, double ar, double ai, double br, double bi) {
        v[i * parts] += ar * br - ai * bi;
        if (parts == 2) {
            v[2 * i + 1] += ar * bi + ai * br;
        }
    }

    /** Element i of y += alpha·(ar, ai)·element j of x, which may be conjugated; alpha too. */
    private void scaled(double[] v, int i, double ar, double ai, double[] w, int j, boolean conj, boolean conjAlpha) {
        double br = w[j * parts];
        double bi = conj ? -im(w, j) : im(w, j);
        double im = conjAlpha ? -alphaIm : alphaIm;
        add(v, i, ALPHA * ar - im * ai, ALPHA * ai + im * ar, br, bi);
    }

    boolean agrees(MemorySegment code) {
        StoredKind.What what = kind.what();
        boolean solves = what == StoredKind.What.TRSV || what == StoredKind.What.TRSV_T;
        boolean multiplies = what == StoredKind.What.TRMV || what == StoredKind.What.TRMV_T;
        for (int j = 0; solves && j < n; j++) {
            // Of complex numbers i and 2, whose reciprocals are exact too.
            a[at(j, j) * parts] = parts == 2 ? j % 2 * 2 : 1 + j % 2;
            if (parts == 2) {
                a[at(j, j) * 2 + 1] = 1 - j % 2;
                y[j * 2] = j % 2 * 0.5;
                y[j * 2 + 1] = (1 - j % 2) * (kind.conj() ? 1 : -1);
            }
        }
        double[] newA = a.clone();
        double[] newX = x.clone();
        double[] newY = y.clone();
        boolean pieceHasDiagonal = kind.updates();
        for (int j = 0; j < n; j++) {
            for (int i = kind.upper() ? 0 : j; i < (kind.upper() ? j + 1 : n); i++) {
                int at = at(i, j);
                double ar = a[at * parts];
                double ai = im(a, at);
                if (pieceHasDiagonal) {
                    if (what == StoredKind.What.SYR) {
                        scaled(newA, at, x[i * parts], im(x, i), x, j, hermitian, false);
                    } else {
                        scaled(newA, at, x[i * parts], im(x, i), y, j, hermitian, false);
                        scaled(newA, at, y[i * parts], im(y, i), x, j, hermitian, hermitian);
                    }
                    if (i == j && hermitian) {
                        newA[2 * at + 1] = 0;
                    }
                } else if (what == StoredKind.What.SYMV) {
                    double own = i == j && hermitian ? 0 : ai;
                    scaled(newY, i, ar, own, x, j, false, false);
                    if (i != j) {
                        scaled(newY, j, ar, hermitian ? -own : own, x, i, false, false);
                    }
                } else if (what == StoredKind.What.AXPY) {
                    if (i != j) {
                        scaled(newY, i, ar, ai, x, j, false, false);
                    }
                } else if (what == StoredKind.What.DOT) {
                    if (i != j) {
                        scaled(newY, j, ar, kind.conj() ? -ai : ai, x, i, false, false);
                    }
                } else {
                    boolean plain = what == StoredKind.What.TRMV || what == StoredKind.What.TRSV;
                    if (i == j) {
                        // x is the old one here, so what it was is taken away.
                        double dr = kind.unit() ? 1 : ar;
                        double di = kind.unit() ? 0 : kind.conj() ? -ai : ai;
                        add(newX, i, dr - 1, di, x[i * parts], im(x, i));
                    } else if (plain) {
                        add(newX, i, ar, ai, x[j * parts], im(x, j));
                    } else {
                        add(newX, j, ar, kind.conj() ? -ai : ai, x[i * parts], im(x, i));
                    }
                }
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            long atA = memory.place(arena, a);
            long atX = memory.place(arena, solves ? newX : x);
            long atY = memory.place(arena, y);
            run(code, atA, atX, atY);
            return memory.same(newA, atA) && memory.same(multiplies ? newX : x, atX) && memory.same(newY, atY);
        }
    }

    private void run(MemorySegment code, long atA, long atX, long atY) {
        long element = (long) parts * size;
        boolean upper = kind.upper();
        int j = kind.descends() ? n - 1 : 0;
        int first = upper ? 0 : kind.updates() ? j : j + 1;
        int length = upper ? j + (kind.updates() ? 1 : 0) : n - first;
        int sign = kind.descends() ? -1 : 1;
        int growth = upper ? 1 : -1;
        int further = upper ? 0 : 1;
        // Where columns begin: 1 apart at the left of an upper triangle, n - 1 of a lower one.
        int apart = (upper ? 1 : n - 1) + growth * (kind.descends() ? j - 1 : j) + further;
        boolean ofX = switch (kind.what()) {
            case AXPY, SYMV -> false;
            default -> true;
        };
        long rows = ofX ? atX : atY;
        long columns = kind.what() == StoredKind.What.AXPY ? atX : kind.what() == StoredKind.What.DOT ? atY : rows;
        NativeCall.direct(code, (long) length * parts, n, atA + (long) at(first, j) * element, sign * apart * element,
                rows + first * element, columns + j * element, ofX ? atY - atX : atX - atY, growth * element,
                (long) sign * growth * parts, sign * further * element, ALPHA, alphaIm);
    }
}
