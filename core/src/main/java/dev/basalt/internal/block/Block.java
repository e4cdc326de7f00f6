package dev.basalt.internal.block;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * op of a block of a matrix, for a whole batch: the operand it lies in, where it begins there, and its rows and columns as they are
 * read. A block of a block is a block, and so is its transpose: composites say which elements they mean and never how those are
 * stored. A {@link Scope} owns it.
 */
public final class Block {
    /** Rows as they are read. */
    public long rows;

    /** Columns as they are read. */
    public long cols;

    /** What is read is op of what is stored. */
    public Op op;

    /** The stored triangle, of a triangular or symmetric block. */
    public Uplo uplo;

    /** The diagonal of a triangular block. */
    public Diag diag;

    private final Scope scope;
    /** The operand of a matrix in workspace; null until this was one. */
    private Operand own;

    private Operand of;
    private long row;
    private long col;
    private boolean mirrored;
    /** Elements from this to the next of a batch along the diagonal, 0 where the problems are those of the operand. */
    private long along;

    Block(Scope scope) {
        this.scope = scope;
    }

    Block whole(Operand operand, long rowCount, long colCount) {
        if (of != operand) {
            of = operand;
        }
        row = 0;
        col = 0;
        rows = rowCount;
        cols = colCount;
        if (op != Op.NONE) {
            op = Op.NONE;
        }
        if (uplo != Uplo.UPPER) {
            uplo = Uplo.UPPER;
        }
        if (diag != Diag.NON_UNIT) {
            diag = Diag.NON_UNIT;
        }
        mirrored = false;
        along = 0;
        return this;
    }

    Block dense(ElementType type, long address, long rowCount, long colCount) {
        if (own == null) {
            own = new Operand();
        }
        return whole(own.matrix(type, address, rowCount, colCount, rowCount, rowCount * colCount), rowCount, colCount);
    }

    private Block same() {
        Block b = scope.next();
        if (b.of != of) {
            b.of = of;
        }
        b.row = row;
        b.col = col;
        b.rows = rows;
        b.cols = cols;
        if (b.op != op) {
            b.op = op;
        }
        if (b.uplo != uplo) {
            b.uplo = uplo;
        }
        if (b.diag != diag) {
            b.diag = diag;
        }
        b.mirrored = mirrored;
        b.along = along;
        return b;
    }

    /** Rows i…i+rowCount-1 and columns j…j+colCount-1 of this, as it is read. */
    public Block block(long i, long j, long rowCount, long colCount) {
        Block b = same();
        long down = mirrored ? rows - i - rowCount : i;
        long right = mirrored ? cols - j - colCount : j;
        b.row += op == Op.NONE ? down : right;
        b.col += op == Op.NONE ? right : down;
        b.rows = rowCount;
        b.cols = colCount;
        return b;
    }

    /** The diagonal block of an order at (i, i). */
    public Block diagonal(long i, long order) {
        return block(i, i, order, order);
    }

    /** Some rows, all columns. */
    public Block rows(long i, long rowCount) {
        return block(i, 0, rowCount, cols);
    }

    /** Some columns, all rows. */
    public Block cols(long j, long colCount) {
        return block(0, j, rows, colCount);
    }

    /** op of this; this must be read as it is stored. */
    public Block op(Op other) {
        Block b = same();
        b.op = other;
        b.rows = other == Op.NONE ? rows : cols;
        b.cols = other == Op.NONE ? cols : rows;
        return b;
    }

    /** The transpose, or the conjugate transpose, of what is read; that of a transpose is what is stored. */
    public Block transposed(boolean conjugated) {
        Block b = same();
        b.op = op != Op.NONE ? Op.NONE : conjugated ? Op.CONJ_TRANS : Op.TRANS;
        b.rows = cols;
        b.cols = rows;
        return b;
    }

    /** The conjugate transpose. */
    public Block h() {
        return transposed(true);
    }

    /** The same elements as a triangle or a symmetric matrix of which one triangle is stored. */
    public Block triangle(Uplo stored, Diag unit) {
        Block b = same();
        b.uplo = stored;
        b.diag = unit;
        return b;
    }

    /**
     * The same elements, of which blocks are counted from the last row and column on: what works from the end is what works from the beginning. Launches read
     * and write them as they lie.
     */
    public Block mirror() {
        Block b = same();
        b.mirrored = !mirrored;
        return b;
    }

    /** The first of a batch of blocks of one problem, each as many rows and columns on from the one before it. */
    public Block every(long rowsAndCols) {
        Block b = same();
        b.along = rowsAndCols * (of.ld + 1);
        return b;
    }

    /** Whether every problem is found by a table of addresses. */
    public boolean inTable() {
        return of.pointers;
    }

    /** Whether blocks of it are counted from its end. */
    public boolean mirrored() {
        return mirrored;
    }

    /** What is stored, which a launch can write. */
    public Block stored() {
        return op == Op.NONE ? this : h();
    }

    /** Whether the triangle is a lower one as it is read. */
    public boolean lower() {
        return (uplo == Uplo.LOWER) == (op == Op.NONE);
    }

    /** The element type. */
    public ElementType type() {
        return of.type;
    }

    /** Whether the problems of another block lie where those of this do. */
    public boolean coincides(Block other, long count) {
        return of.coincides(other.of, count) && row == other.row && col == other.col;
    }

    /** Elements from one column to the next, as stored. */
    public long ld() {
        return of.ld;
    }

    /** Makes an operand of a launch of the stored block. */
    public void into(Operand operand) {
        boolean stored = op == Op.NONE;
        operand.block(of, row, col, stored ? rows : cols, stored ? cols : rows);
        if (along != 0) {
            operand.stride = along;
        }
    }

    /** Makes a launch read this as its triangle. */
    public void triangleOf(Launch l) {
        if (l.uplo != uplo) {
            l.uplo = uplo;
        }
        if (l.opA != op) {
            l.opA = op;
        }
        if (l.diag != diag) {
            l.diag = diag;
        }
        into(l.a);
    }
}
