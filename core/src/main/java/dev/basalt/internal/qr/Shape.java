package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.spi.Operand;
import dev.basalt.type.Direct;
import dev.basalt.type.Storev;

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

    /** How reflectors are read that are multiplied in an order and lie in columns or in rows. */
    static Shape of(Direct direct, Storev storev) {
        return values()[(direct == Direct.BACKWARD ? 2 : 0) + (storev == Storev.ROWS ? 1 : 0)];
    }

    /** A stored matrix, read so that its factorisation is QR. */
    Block read(Scope s, Operand matrix, long rowCount, long colCount) {
        Block stored = s.of(matrix, rowCount, colCount);
        Block turned = rows ? stored.h() : stored;
        return backward ? turned.mirror() : turned;
    }
}
