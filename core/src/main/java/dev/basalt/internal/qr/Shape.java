package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.spi.Operand;

/**
 * The four orthogonal factorisations. All are QR of the matrix as {@link #read} reads it: LQ of its conjugate transpose, QL from the last row and column on, RQ
 * both. The reflectors and their factors are then LAPACK's.
 */
enum Shape {
    QR(false, false), LQ(true, false), QL(false, true), RQ(true, true);

    /** Whether reflectors lie in rows. */
    final boolean rows;

    /** Whether the last reflector is the first to be made. */
    final boolean backward;

    Shape(boolean rows, boolean backward) {
        this.rows = rows;
        this.backward = backward;
    }

    /** A stored matrix, read so that its factorisation is QR. */
    Block read(Scope s, Operand matrix, long rowCount, long colCount) {
        Block stored = s.of(matrix, rowCount, colCount);
        Block turned = rows ? stored.h() : stored;
        return backward ? turned.mirror() : turned;
    }
}
