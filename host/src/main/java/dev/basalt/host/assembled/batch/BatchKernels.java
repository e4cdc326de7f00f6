package dev.basalt.host.assembled.batch;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.batch.SubstitutionCode.Diagonal;
import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.Spares;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.CholeskyLeaf;
import dev.basalt.portable.DirectDevice;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * Batches of small problems of one type in machine code that loops over the batch: products and dot products one problem after the
 * other, triangular solves and factorisations one problem a vector lane. Of complex types there are no dot products. What a problem's result is does not depend
 * on its neighbours, on where a batch is cut, nor on how many there are, as long as there are enough for these kernels: batches of
 * up to {@link #FEW} are solved and factored one by one, with the bits of single calls. Any number of threads may use one object.
 */
public final class BatchKernels {
    /** Multiplications of one call of a product: some ten microseconds. */
    private static final long PRODUCT = 1 << 20;
    /** Up to so many problems are solved and factored one by one: with most lanes idle LU of order 32 takes three times as long. */
    private static final long FEW = 3;
    /** Longest vector that is solved for in lanes: bringing a larger triangle there costs more than to solve with it in its place. */
    private static final long SOLVED = 16;
    /** Order up to which complex matrices are factored with pivots in lanes: larger ones are in the L2 cache there. */
    private static final long PIVOTED = 24;
    /** How many problems ahead of the one that is solved in its place the next is asked for. */
    private static final long AHEAD = 2;

    // The steps of a launch that works in lanes; each keeps its arguments.

    private static final int GATHER_A = 0;
    private static final int GATHER = 1;
    private static final int WORK = 2;
    private static final int SCATTER = 3;
    private static final int FORWARD = 4;
    private static final int BACKWARD = 5;
    /** Factors of reflectors, which are in the way of nothing that is solved with. */
    private static final int FACTORS = FORWARD;

    // Tables by operand.

    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;
    private static final int E = 4;

    private final Leaf leaf;
    private final CholeskyLeaf cholesky;
    private final BatchTable table;
    private final int lanes;
    private final int size;
    private final int vector;
    /** Real numbers of an element. */
    private final int parts;
    /** Bytes of an element of all lanes. */
    private final int element;
    private final Halves halves;
    private final BatchInverse inverses;
    private final BatchReflectors reflectors;

    private final Spares<BatchFrame> frames = new Frames();

    private final class Frames extends Spares<BatchFrame> {
        @Override
        protected BatchFrame make() {
            return new BatchFrame(parts);
        }
    }

    /**
     * Kernels of one type.
     *
     * @param bits width of the vectors: 512 or 256
     * @param bytes 8 for double, 4 for float
     * @param complex whether elements are complex
     * @param leaf kernels of the same type, for problems that need more care, such as singular ones
     */
    public BatchKernels(int bits, int bytes, boolean complex, Leaf leaf) {
        Shape shape = new Shape(bits == 512 ? Isa.AVX512 : Isa.AVX2, bytes == 8 ? Real.F64 : Real.F32);
        this.leaf = leaf;
        this.cholesky = leaf.cholesky();
        this.table = new BatchTable(shape, complex);
        this.lanes = shape.lanes();
        this.size = bytes;
        this.vector = shape.isa().bytes;
        this.parts = complex ? 2 : 1;
        this.element = parts * vector;
        this.halves = Halves.of(shape);
        this.inverses = new BatchInverse(this, lanes, size, parts);
        this.reflectors = new BatchReflectors(lanes, size, parts);
    }

    /**
     * Whether there are kernels for a launch: a batch, whose problems are small and have results of their own.
     *
     * @param l a launch of this type
     * @return true if {@link #run} can run it
     */
    public boolean takes(Launch l) {
        if (BatchReflectors.knows(l)) {
            return l.count > FEW && reflectors.takes(l);
        }
        if (l.kernel == Kernel.ZERO_DIAGONAL) {
            return own(l.e);
        }
        if (l.count <= 1 || !small(l.m) || !small(l.n)) {
            return false;
        }
        if (parts == 2 && !takesComplex(l)) {
            return false;
        }
        return switch (l.kernel) {
            case GEMM -> l.m > 0 && l.n > 0 && l.k > 0 && small(l.k) && own(l.c) && l.alpha.re() != 0;
            case DOT -> l.n > 0 && l.n <= DirectDevice.DOTS && l.a.ld == 1 && l.b.ld == 1 && own(l.d);
            case TRSM -> l.count > FEW && l.m > 0 && l.n > 0 && own(l.c) && l.alpha.re() == 1;
            case TRSV -> l.count > FEW && l.n > 0 && own(l.c);
            case GETF2 -> l.count > FEW && l.m > 0 && l.n > 0 && own(l.c) && own(l.d) && own(l.e);
            case POTF2 -> l.count > FEW && l.n > 0 && own(l.c) && own(l.e);
            case GETRI -> l.count > FEW && l.n > 0 && own(l.c);
            case POTF2_STORED -> l.count > FEW && l.n > 0 && l.c.storage == Storage.PACKED && own(l.c) && own(l.e);
            case POSV_STORED -> l.count > FEW && l.n > 0 && l.k > 0 && small(l.k) && own(l.a) && own(l.c) && own(l.e);
            default -> false;
        };
    }

    /** Whether the kernels for a complex type, as far as there are some, can do with the scalars and forms of a launch. */
    private static boolean takesComplex(Launch l) {
        return switch (l.kernel) {
            case GEMM -> l.opA == Op.NONE && l.alpha.im() == 0 && l.beta.im() == 0;
            case TRSM -> l.alpha.im() == 0;
            case GETF2 -> l.m <= PIVOTED && l.n <= PIVOTED;
            case TRSV, POTF2, POTF2_STORED, POSV_STORED, GETRI -> true;
            default -> false;
        };
    }

    /**
     * Whether a launch is one of those here whose operands are packed.
     *
     * @param l a launch
     * @return whether {@link #takes} may be asked of it
     */
    public static boolean packed(Launch l) {
        return (l.kernel == Kernel.POTF2_STORED || l.kernel == Kernel.POSV_STORED) && l.extent == 0;
    }

    private static boolean small(long order) {
        return order <= BatchFrame.ORDER;
    }

    private static boolean own(Operand x) {
        return x.pointers || x.stride != 0;
    }

    /**
     * Runs some problems of a launch.
     *
     * @param l a launch that {@link #takes} accepts
     * @param from first problem
     * @param to problem after the last
     */
    public void run(Launch l, long from, long to) {
        if (l.kernel == Kernel.TRSV && l.n > SOLVED / parts) {
            oneByOne(l, from, to);
            return;
        }
        if (l.kernel == Kernel.ZERO_DIAGONAL) {
            reflectors.zeroDiagonal(l, from, to);
            return;
        }
        BatchFrame frame = frames.take();
        switch (l.kernel) {
            case GEMM -> prepareProduct(frame, l);
            case DOT -> prepareDot(frame, l);
            case GETF2 -> preparePivot(frame, l);
            case GETRI -> prepareInverse(frame, l);
            case GEQR2, ORM2R -> prepareReflectors(frame, l);
            case POTF2, POTF2_STORED -> prepareCholesky(frame, l);
            case POSV_STORED -> preparePacked(frame, l);
            default -> prepareSolve(frame, l);
        }
        long piece = BatchFrame.PIECE;
        while (piece * l.m * l.n * Math.max(1, l.k) > PRODUCT && piece > lanes) {
            piece /= 2;
        }
        if (transposed(l)) {
            piece = Math.min(piece, frame.bytes() / transposedBytes(l));
        }
        for (long i = from; i < to; i += piece) {
            int live = addresses(frame, l, i, Math.min(i + piece, to));
            if (live > 0) {
                piece(frame, l, live);
            }
        }
        frames.give(frame);
    }

    /** Solves for vectors with each triangle in its place. */
    private void oneByOne(Launch l, long from, long to) {
        MemorySegment touch = table.touch(l.uplo == Uplo.LOWER);
        for (long i = from; i < to; i++) {
            if (i + AHEAD < to) {
                NativeCall.code(touch, l.a.first(i + AHEAD), l.a.ld * size * parts, l.n, 0, 0, 0);
            }
            if (!l.guarded || i32(l.e.at(i)) == 0) {
                leaf.trsv(l.uplo, l.opA, l.diag, l.n, l.a.first(i), l.a.ld, l.c.first(i), l.c.ld);
            }
        }
    }

    private void piece(BatchFrame frame, Launch l, int live) {
        switch (l.kernel) {
            case GEMM -> {
                if (transposed(l)) {
                    transpose(frame, l, live);
                }
                frame.set(WORK, BatchProductCode.PROBLEMS, live);
                boolean scaled = l.alpha.re() != 1;
                boolean added = l.beta.re() != 0;
                MemorySegment code = halved(l)
                        ? table.halves((int) l.m, (int) l.n, scaled, added, false)
                        : table.product(l.m * parts, l.n, scaled, added, false);
                call(frame, WORK, code);
            }
            case DOT -> {
                frame.set(WORK, BatchDotCode.GROUPS, (live + lanes - 1) / lanes);
                call(frame, WORK, table.dot(l.n));
            }
            default -> {
                for (int first = 0; first < live; first += lanes) {
                    group(frame, l, first, Math.min(lanes, live - first));
                }
            }
        }
    }

    private static void call(BatchFrame frame, int step, MemorySegment code) {
        NativeCall.code(code, frame.arguments(step), 0, 0, 0, 0, 0);
    }

    private void number(BatchFrame frame, int step, int slot, double value) {
        long at = frame.arguments(step) + slot * 8L;
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    // Tables of addresses.

    /** Fills the tables for the problems of a range that are not skipped; returns how many there are. */
    private int addresses(BatchFrame frame, Launch l, long from, long to) {
        boolean asks = l.guarded || l.kernel == Kernel.POTF2 || l.kernel == Kernel.POTF2_STORED;
        int live = (int) (to - from);
        if (asks) {
            live = 0;
            for (long i = from; i < to; i++) {
                live += i32(l.e.at(i)) == 0 ? 1 : 0;
            }
        }
        for (int operand = 0; operand < 5 && live > 0; operand++) {
            Operand x = l.operand(operand);
            if (x.present() && (l.kernel.reads(operand) || l.kernel.writes(operand))) {
                if (live == to - from) {
                    addresses(frame.table(operand), x, from, live);
                } else {
                    some(frame.table(operand), l, x, from, to);
                }
            }
        }
        return live;
    }

    private void addresses(long out, Operand x, long from, int count) {
        long offset = x.vector && x.ld < 0 ? x.offset - (x.rows - 1) * x.ld * x.type.bytes() : x.offset;
        if (x.pointers) {
            NativeCall.code(table.addresses(true), out, count, x.base + 8 * from, offset, 0, 0);
        } else {
            long step = x.stride * x.type.bytes();
            NativeCall.code(table.addresses(false), out, count, x.base + from * step + offset, step, 0, 0);
        }
    }

    /** The problems whose info is 0; the last repeated as {@link AddressCode} does. */
    private static void some(long out, Launch l, Operand x, long from, long to) {
        long at = out;
        long last = 0;
        for (long i = from; i < to; i++) {
            if (i32(l.e.at(i)) == 0) {
                last = x.vector ? x.first(i) : x.at(i);
                i64(at, last);
                at += 8;
            }
        }
        for (int i = 0; i < AddressCode.REPEATS; i++) {
            i64(at + 8L * i, last);
        }
    }

    // Products.

    private void prepareProduct(BatchFrame frame, Launch l) {
        boolean plain = l.opB == Op.NONE;
        boolean transposed = transposed(l);
        long bytes = (long) size * parts;
        frame.set(WORK, BatchProductCode.A, frame.table(transposed ? D : A));
        frame.set(WORK, BatchProductCode.B, frame.table(B));
        frame.set(WORK, BatchProductCode.C, frame.table(C));
        frame.set(WORK, BatchProductCode.K, l.k);
        long step = transposed ? BatchTransposeCode.step(table.shape(), l.m) : l.a.ld * bytes;
        frame.set(WORK, BatchProductCode.A_STEP, step);
        frame.set(WORK, BatchProductCode.B_STEP, plain ? bytes : l.b.ld * bytes);
        frame.set(WORK, BatchProductCode.B_COLUMN, plain ? l.b.ld * bytes : bytes);
        frame.set(WORK, BatchProductCode.C_COLUMN, l.c.ld * bytes);
        long rest = halved(l) ? l.m % halves.half() : 0;
        frame.set(WORK, BatchProductCode.MASK, table.mask(rest > 0 ? rest : l.m * parts));
        if (parts == 2) {
            frame.signs(WORK, size, l.opB == Op.CONJ_TRANS);
        }
        number(frame, WORK, BatchProductCode.ALPHA, l.alpha.re());
        number(frame, WORK, BatchProductCode.BETA, l.beta.re());
    }

    private boolean halved(Launch l) {
        return parts == 1 && halves.take(l.m, l.k);
    }

    private static boolean transposed(Launch l) {
        return l.kernel == Kernel.GEMM && l.opA != Op.NONE;
    }

    /** Bytes of op(A), transposed. */
    private long transposedBytes(Launch l) {
        return BatchTransposeCode.bytes(table.shape(), l.m, l.k);
    }

    /** Brings op(A) of some problems to where lanes of solves would be, and fills its table, D's, which a product does not use. */
    private void transpose(BatchFrame frame, Launch l, int live) {
        long bytes = transposedBytes(l);
        long out = frame.matrix(0);
        frame.set(GATHER, BatchTransposeCode.TABLE, frame.table(A));
        frame.set(GATHER, BatchTransposeCode.OUT, out);
        frame.set(GATHER, BatchTransposeCode.PROBLEMS, live);
        frame.set(GATHER, BatchTransposeCode.LD, l.a.ld * size);
        frame.set(GATHER, BatchTransposeCode.ROWS, l.k);
        frame.set(GATHER, BatchTransposeCode.OUT_STEP, bytes);
        frame.set(GATHER, BatchTransposeCode.ONES, table.narrowOnes());
        call(frame, GATHER, table.transpose(l.m, false));
        NativeCall.code(table.addresses(false), frame.table(D), live, out, bytes, 0, 0);
    }

    private void prepareDot(BatchFrame frame, Launch l) {
        frame.set(WORK, BatchDotCode.X, frame.table(A));
        frame.set(WORK, BatchDotCode.Y, frame.table(B));
        frame.set(WORK, BatchDotCode.RESULTS, frame.table(D));
        frame.set(WORK, BatchDotCode.MASK, table.mask(l.n));
    }

    // One problem a lane.

    /** Bytes from column to column of lanes. */
    private long pitch(long rows) {
        return BatchFrame.pitch(rows * parts) * vector;
    }

    /** Arguments of a step that moves a matrix; a vector with an increment is a row. */
    private void move(BatchFrame frame, int step, int matrix, long rows, long columns, long ld, Uplo triangle) {
        boolean lower = triangle == Uplo.LOWER;
        boolean upper = triangle == Uplo.UPPER;
        frame.set(step, InterleaveCode.OFFSET, 0);
        frame.set(step, InterleaveCode.OFFSET_STEP, (ld + (lower ? 1 : 0)) * size * parts);
        frame.set(step, InterleaveCode.LANES, frame.matrix(matrix));
        frame.set(step, InterleaveCode.LANES_STEP, pitch(rows) + (lower ? element : 0));
        frame.set(step, InterleaveCode.ROWS, upper ? parts : rows * parts);
        frame.set(step, InterleaveCode.ROWS_STEP, upper ? parts : lower ? -parts : 0);
        frame.set(step, InterleaveCode.COLUMNS, columns);
        frame.set(step, InterleaveCode.OFFSET_GROWTH, 0);
        frame.set(step, InterleaveCode.ONES, table.ones());
    }

    /** Arguments of a step that moves a packed triangle, whose columns follow one another. */
    private void movePacked(BatchFrame frame, int step, long n, Uplo triangle) {
        boolean lower = triangle == Uplo.LOWER;
        move(frame, step, A, n, n, lower ? n - 1 : 1, triangle);
        frame.set(step, InterleaveCode.OFFSET_GROWTH, (lower ? -1L : 1L) * size * parts);
    }

    private void prepareSolve(BatchFrame frame, Launch l) {
        boolean solvesVector = l.kernel == Kernel.TRSV;
        boolean left = solvesVector || l.side == Side.LEFT;
        long order = solvesVector || !left ? l.n : l.m;
        move(frame, GATHER_A, A, order, order, l.a.ld, l.uplo);
        long rows = rows(l);
        long columns = columns(l);
        move(frame, GATHER, B, rows, columns, l.c.ld, null);
        move(frame, SCATTER, B, rows, columns, l.c.ld, null);
        // The triangle that is solved with: op(A) from the left, its transpose from the right.
        boolean plain = (l.opA == Op.NONE) == left;
        boolean forward = plain == (l.uplo == Uplo.LOWER);
        long aRow = plain ? element : pitch(order);
        long aColumn = plain ? pitch(order) : element;
        // A vector with an increment is a row.
        boolean down = left && (!solvesVector || l.c.ld == 1);
        long bRow = down ? element : pitch(rows);
        long bColumn = down ? pitch(rows) : element;
        long a = frame.matrix(A);
        long b = frame.matrix(B);
        if (!forward) {
            a += (order - 1) * (aRow + aColumn);
            b += (order - 1) * bRow;
            aRow = -aRow;
            aColumn = -aColumn;
            bRow = -bRow;
        }
        substitution(frame, WORK, a, aRow, aColumn, b, bRow, bColumn, order, solvesVector ? 1 : left ? l.n : l.m);
        if (parts == 2) {
            frame.conjugate(WORK, size, l.opA == Op.CONJ_TRANS);
        }
    }

    /** Rows of the result as it is moved: a vector with an increment is a row, others are columns. */
    private static long rows(Launch l) {
        return switch (l.kernel) {
            case TRSV -> l.c.ld == 1 ? l.n : 1;
            case POTF2, POTF2_STORED, POSV_STORED, GETRI -> l.n;
            default -> l.m;
        };
    }

    private static long columns(Launch l) {
        return l.kernel == Kernel.TRSV && l.c.ld == 1 ? 1 : l.kernel == Kernel.POSV_STORED ? l.k : l.n;
    }

    private void prepareCholesky(BatchFrame frame, Launch l) {
        if (l.kernel == Kernel.POTF2_STORED) {
            movePacked(frame, GATHER, l.n, l.uplo);
            movePacked(frame, SCATTER, l.n, l.uplo);
        } else {
            move(frame, GATHER, A, l.n, l.n, l.c.ld, l.uplo);
            move(frame, SCATTER, A, l.n, l.n, l.c.ld, l.uplo);
        }
        factor(frame, l);
    }

    /** The factorisation of the lanes of A. */
    private void factor(BatchFrame frame, Launch l) {
        // Of the upper triangle the transpose is factored.
        boolean lower = l.uplo == Uplo.LOWER;
        long row = lower ? element : pitch(l.n);
        long column = lower ? pitch(l.n) : element;
        long a = frame.matrix(A);
        substitution(frame, WORK, a, row, column, a, column, row, l.n, l.n);
        if (parts == 2) {
            frame.conjugate(WORK, size, true);
        }
    }

    /** A packed matrix is factored in its lanes and solved with there: it goes to the lanes once. */
    private void preparePacked(BatchFrame frame, Launch l) {
        movePacked(frame, GATHER_A, l.n, l.uplo);
        move(frame, GATHER, B, l.n, l.k, l.c.ld, null);
        move(frame, SCATTER, B, l.n, l.k, l.c.ld, null);
        factor(frame, l);
        boolean lower = l.uplo == Uplo.LOWER;
        long row = lower ? element : pitch(l.n);
        long column = lower ? pitch(l.n) : element;
        long a = frame.matrix(A);
        long b = frame.matrix(B);
        long last = l.n - 1;
        substitution(frame, FORWARD, a, row, column, b, element, pitch(l.n), l.n, l.k);
        substitution(frame, BACKWARD, a + last * (row + column), -column, -row, b + last * element, -element,
                pitch(l.n), l.n, l.k);
        if (parts == 2) {
            // In the lanes of an upper triangle is Lᴴ, stored as L's transpose.
            frame.conjugate(FORWARD, size, !lower);
            frame.conjugate(BACKWARD, size, lower);
        }
    }

    private void substitution(BatchFrame frame, int step, long a, long aRow, long aColumn, long b, long bRow,
            long bColumn, long rows, long columns) {
        frame.set(step, SubstitutionCode.A, a);
        frame.set(step, SubstitutionCode.A_ROW, aRow);
        frame.set(step, SubstitutionCode.A_COLUMN, aColumn);
        frame.set(step, SubstitutionCode.B, b);
        frame.set(step, SubstitutionCode.B_ROW, bRow);
        frame.set(step, SubstitutionCode.B_COLUMN, bColumn);
        frame.set(step, SubstitutionCode.ROWS, rows);
        frame.set(step, SubstitutionCode.COLUMNS, columns);
        number(frame, step, SubstitutionCode.ONE, 1);
    }

    private void prepareInverse(BatchFrame frame, Launch l) {
        move(frame, GATHER, A, l.n, l.n, l.c.ld, null);
        move(frame, SCATTER, B, l.n, l.n, l.c.ld, null);
        if (parts == 2) {
            frame.conjugate(WORK, size, false);
        }
    }

    /** Solves with the unit lower triangle a for the n columns of b. */
    void forward(BatchFrame frame, long a, long aRow, long aColumn, long b, long bRow, long bColumn, long n) {
        substitution(frame, WORK, a, aRow, aColumn, b, bRow, bColumn, n, n);
        call(frame, WORK, table.substitution(Diagonal.UNIT));
    }

    /** The same with an upper triangle, all from the last row on; returns the lanes that are no use. */
    long backward(BatchFrame frame, long a, long aRow, long aColumn, long b, long bRow, long bColumn, long n) {
        substitution(frame, WORK, a, aRow, aColumn, b, bRow, bColumn, n, n);
        call(frame, WORK, table.substitution(Diagonal.STORED));
        return frame.get(WORK, SubstitutionCode.BAD);
    }

    private void preparePivot(BatchFrame frame, Launch l) {
        move(frame, GATHER, A, l.m, l.n, l.c.ld, null);
        move(frame, SCATTER, A, l.m, l.n, l.c.ld, null);
        frame.set(WORK, BatchPivotCode.MATRIX, frame.matrix(A));
        frame.set(WORK, BatchPivotCode.ROWS, l.m);
        frame.set(WORK, BatchPivotCode.COLUMNS, l.n);
        frame.set(WORK, BatchPivotCode.PITCH, pitch(l.m));
        frame.set(WORK, BatchPivotCode.STEPS, Math.min(l.m, l.n));
        frame.set(WORK, BatchPivotCode.FIRST, l.p + 1);
        number(frame, WORK, BatchPivotCode.ONE, 1);
    }

    private void prepareReflectors(BatchFrame frame, Launch l) {
        boolean factors = l.kernel == Kernel.GEQR2;
        move(frame, GATHER, A, l.m, l.n, l.c.ld, null);
        move(frame, SCATTER, A, l.m, l.n, l.c.ld, null);
        move(frame, FACTORS, A, factors ? l.n : l.k, 1, 0, null);
        frame.set(FACTORS, InterleaveCode.LANES, frame.factors());
        if (factors) {
            reflectors.factor(frame, WORK, l);
            return;
        }
        move(frame, GATHER_A, A, l.m, l.k, l.a.ld, Uplo.LOWER);
        long columns = frame.matrix(A) + reflectors.reflectors(l);
        frame.set(GATHER, InterleaveCode.LANES, columns);
        frame.set(SCATTER, InterleaveCode.LANES, columns);
        reflectors.apply(frame, WORK, l);
    }

    /** Reflectors on to the columns. */
    private void apply(BatchFrame frame, Launch l, long skip) {
        frame.set(FACTORS, InterleaveCode.TABLE, frame.table(D) + skip);
        call(frame, FACTORS, table.interleave(true));
        reflectors.start(frame, WORK, l);
        call(frame, WORK, table.apply());
    }

    /** QR; returns the lanes that are no use. */
    private long reflect(BatchFrame frame, Launch l, long skip) {
        frame.set(WORK, BatchReflectCode.STEPS, reflectors.steps(l));
        call(frame, WORK, table.reflect());
        frame.set(FACTORS, InterleaveCode.TABLE, frame.table(D) + skip);
        call(frame, FACTORS, table.interleave(false));
        return frame.get(WORK, BatchReflectCode.BAD);
    }

    /** As many problems as a vector has lanes; the lanes from {@code live} on repeat the last one. */
    private void group(BatchFrame frame, Launch l, int first, int live) {
        long skip = 8L * first;
        boolean solve = l.kernel == Kernel.TRSM || l.kernel == Kernel.TRSV;
        boolean packed = l.kernel == Kernel.POSV_STORED;
        if (solve || packed || l.kernel == Kernel.ORM2R) {
            frame.set(GATHER_A, InterleaveCode.TABLE, frame.table(A) + skip);
            call(frame, GATHER_A, table.interleave(true));
        }
        frame.set(GATHER, InterleaveCode.TABLE, frame.table(C) + skip);
        call(frame, GATHER, table.interleave(true));
        long bad = 0;
        if (l.kernel == Kernel.GEQR2) {
            bad = reflect(frame, l, skip);
        } else if (l.kernel == Kernel.ORM2R) {
            apply(frame, l, skip);
        } else if (l.kernel == Kernel.GETF2) {
            frame.set(WORK, BatchPivotCode.PIVOTS, frame.table(D) + skip);
            call(frame, WORK, table.pivot());
            bad = frame.get(WORK, BatchPivotCode.BAD);
        } else if (l.kernel == Kernel.GETRI) {
            bad = inverses.solve(frame, l.n, l.d.present() ? frame.table(D) + skip : 0, frame.table(B));
        } else {
            boolean unit = solve && l.diag == Diag.UNIT;
            call(frame, WORK, table.substitution(unit ? Diagonal.UNIT : solve ? Diagonal.STORED : Diagonal.CHOLESKY));
            bad = frame.get(WORK, SubstitutionCode.BAD);
        }
        if (packed) {
            call(frame, FORWARD, table.substitution(Diagonal.STORED));
            call(frame, BACKWARD, table.substitution(Diagonal.STORED));
            bad |= frame.get(FORWARD, SubstitutionCode.BAD) | frame.get(BACKWARD, SubstitutionCode.BAD);
            for (int q = 0; q < live; q++) {
                i32(i64(frame.table(E) + skip + 8L * q), 0);
            }
        }
        if (bad != 0) {
            repair(frame, l, first, live, bad);
        }
        frame.set(SCATTER, InterleaveCode.TABLE, frame.table(C) + skip);
        call(frame, SCATTER, table.interleave(false));
        if (packed) {
            call(frame, GATHER_A, table.interleave(false));
        }
    }

    /** Solves the problems of some lanes in their places, and puts the results into the lanes. */
    private void repair(BatchFrame frame, Launch l, int first, int live, long bad) {
        for (int q = 0; q < lanes; q++) {
            if ((bad >> q & 1) == 0) {
                continue;
            }
            long skip = 8L * (first + q);
            long a = i64(frame.table(A) + skip);
            long c = i64(frame.table(C) + skip);
            long info = i64(frame.table(E) + skip);
            if (q < live) {
                one(frame, l, a, c, skip, info);
            }
            if (l.kernel == Kernel.POSV_STORED || l.kernel == Kernel.POTF2_STORED) {
                packedLane(frame, l, q, l.kernel == Kernel.POSV_STORED ? a : c);
            }
            if (l.kernel != Kernel.POTF2_STORED) {
                lane(frame, l, q, c);
            }
        }
    }

    private void one(BatchFrame frame, Launch l, long a, long c, long skip, long info) {
        switch (l.kernel) {
            case TRSM -> leaf.trsm(l.side, l.uplo, l.opA, l.diag, l.m, l.n, 1, 0, a, l.a.ld, c, l.c.ld);
            case TRSV -> leaf.trsv(l.uplo, l.opA, l.diag, l.n, a, l.a.ld, c, l.c.ld);
            case GEQR2 -> leaf.geqr2(false, false, l.m, l.n, c, l.c.ld, i64(frame.table(D) + skip), 0, 0);
            case GETRI -> leaf.getri(l.type.bytes(), l.n(0), c, l.c.ld, l.d.present() ? i64(frame.table(D) + skip) : 0);
            case GETF2 -> report(l, info, leaf.getf2(l.m, l.n, c, l.c.ld, i64(frame.table(D) + skip), l.p));
            case POSV_STORED -> i32(info,
                    (int) cholesky.posv(l.uplo, l.n, l.k, a, l.a.step(l.uplo), l.a.growth(l.uplo), c, l.c.ld, 0, 0));
            case POTF2_STORED -> report(l, info, cholesky.potf2(l.uplo, l.n, c, 0, 0));
            default -> report(l, info, leaf.potf2(l.uplo, l.n, c, l.c.ld));
        }
    }

    private static void report(Launch l, long at, long info) {
        if (info != 0 && i32(at) == 0) {
            i32(at, (int) (l.p + info));
        }
    }

    /** Copies a packed triangle into its lane. */
    private void packedLane(BatchFrame frame, Launch l, int q, long a) {
        boolean lower = l.uplo == Uplo.LOWER;
        long at = a;
        for (long j = 0; j < l.n; j++) {
            for (long i = lower ? j : 0; i < (lower ? l.n : j + 1); i++) {
                long to = frame.matrix(A) + j * pitch(l.n) + i * element + (long) q * size;
                for (int part = 0; part < parts; part++, at += size, to += vector) {
                    copy(at, to);
                }
            }
        }
    }

    private void copy(long from, long to) {
        if (size == 8) {
            f64(to, f64(from));
        } else {
            f32(to, f32(from));
        }
    }

    /** Copies a result into its lane, all that {@link #SCATTER} moves back and maybe more. */
    private void lane(BatchFrame frame, Launch l, int q, long c) {
        boolean factor = l.kernel == Kernel.GETF2 || l.kernel == Kernel.POTF2 || l.kernel == Kernel.GEQR2;
        long rows = rows(l);
        long columns = columns(l);
        for (long j = 0; j < columns; j++) {
            long to = frame.matrix(factor ? A : B) + j * pitch(rows) + (long) q * size;
            for (long i = 0; i < rows * parts; i++, to += vector) {
                copy(c + (i + j * l.c.ld * parts) * size, to);
            }
        }
    }
}
