package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Selection;

/** Exchanges of eigenvalues on the diagonal of a complex Schur form. */
final class ZExchange implements ExchangeLeaf {
    @Override
    public boolean arrived() {
        return true;
    }

    @Override
    public boolean trexc(long n, long t, long ldt, long rows, long q, long ldq, long from, long to) {
        ZSchur.move(from, to, n, t, ldt, rows, q, ldq);
        return true;
    }

    @Override
    public long order(Selection select, long n, long t, long ldt, long rows, long q, long ldq, long values,
            long imaginary) {
        long chosen = 0;
        for (long k = 0; k < n; k++) {
            if (ExchangeLeaf.chooses(select, f64(values + k * 16L), f64(values + k * 16L + 8L))) {
                ZSchur.move(k, chosen++, n, t, ldt, rows, q, ldq);
            }
        }
        return chosen;
    }

    @Override
    public void values(long n, long t, long ldt, long values, long imaginary) {
        for (long k = 0; k < n; k++) {
            long element = t + k * (ldt + 1) * 16L;
            f64(values + k * 16L, f64(element));
            f64(values + k * 16L + 8L, f64(element + 8L));
        }
    }
}
