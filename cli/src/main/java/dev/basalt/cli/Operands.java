package dev.basalt.cli;

import dev.basalt.BandView;
import dev.basalt.DeviceArena;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;

/**
 * What a method works on, on a device or as shapes.
 *
 * @param a m×n matrix, which is overwritten by its factors; the storage of a band
 * @param band the same as a band; null if it is none
 * @param b right-hand sides in as many rows as the longer side of A, which become the solutions
 * @param given right-hand sides that stay, where the method leaves them apart; else null
 * @param x a column for the condition estimate, as long as the shorter side of A
 * @param ipiv pivots
 * @param iter steps of a refinement
 * @param info outcome
 */
record Operands(MatrixView a, BandView band, MatrixView b, MatrixView given, MatrixView x, VectorView ipiv,
        VectorView iter, VectorView info) {
    /** Takes them from an arena. */
    static Operands of(DeviceArena arena, ElementType type, long m, long n, long nrhs, boolean apart) {
        return new Operands(arena.matrix(type, m, n), null, arena.matrix(type, Math.max(m, n), nrhs),
                apart ? arena.matrix(type, m, nrhs) : null, arena.matrix(type, Math.min(m, n), 1),
                arena.vector(ElementType.I64, n), arena.vector(ElementType.I64, 1), arena.vector(ElementType.I32, 1));
    }

    /** Takes those of a band of order n from an arena. */
    static Operands of(DeviceArena arena, ElementType type, long n, Bandwidth width, long nrhs) {
        MatrixView storage = arena.matrix(type, width.height(), n);
        return new Operands(storage, BandView.of(storage, n, width.kl(), (long) width.kl() + width.ku()),
                arena.matrix(type, n, nrhs), null, arena.matrix(type, n, 1), arena.vector(ElementType.I64, n),
                arena.vector(ElementType.I64, 1), arena.vector(ElementType.I32, 1));
    }

    /** Shapes without memory. */
    static Operands shapes(ElementType type, long m, long n, long nrhs, long batch) {
        return new Operands(MatrixView.shape(type, m, n, batch), null,
                MatrixView.shape(type, Math.max(m, n), nrhs, batch), MatrixView.shape(type, m, nrhs, batch),
                MatrixView.shape(type, Math.min(m, n), 1, batch), VectorView.shape(ElementType.I64, n, batch),
                VectorView.shape(ElementType.I64, 1, batch), VectorView.shape(ElementType.I32, batch));
    }

    /** The triangle that QR leaves of a tall matrix, or LQ of a wide one. */
    MatrixView triangle() {
        long k = Math.min(a.rows(), a.cols());
        return a.block(0, 0, k, k);
    }
}
