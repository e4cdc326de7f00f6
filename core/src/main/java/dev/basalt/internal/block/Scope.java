package dev.basalt.internal.block;

import dev.basalt.internal.workspace.Chunks;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.RankUpdates;
import dev.basalt.spi.Reach;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Arrays;

/**
 * What a composite routine works with while it runs: blocks, scratch operands and scalars handed out from stacks with a mark, the
 * packing memory of its products, and the launches on blocks. A call frame owns one. It makes what it has not made before and keeps
 * it, so a handle's later calls allocate nothing.
 */
public final class Scope {
    /** The number 0. */
    public static final Scalar ZERO = scalar(0);

    /** The number 1. */
    public static final Scalar ONE = scalar(1);

    /** The number -1. */
    public static final Scalar MINUS_ONE = scalar(-1);

    private static final int FEW = 16;

    /** The device's facts. */
    public final DeviceTraits traits;

    /** The info array whose non-zero problems the launches skip; null for none. */
    public Operand guard;

    /** Who is told of each launch; null for nobody. */
    public Watch watch;

    /** Who keeps the launches of the call; null for nobody. */
    public KeptLaunches keeps;

    private boolean pieces;

    /** How exactly products take their factors; a composite that refines its result may ask for less than it is given. */
    public MathMode math = MathMode.DEFAULT;

    private final DeviceDriver driver;
    /** Whether what is launched is done when the launch returns. */
    private final boolean direct;
    private final Launch launch = new Launch();
    private final Scalar left = new Scalar();
    private final Scalar right = new Scalar();
    private final Operand shared = new Operand();
    private Block[] blocks = new Block[FEW];
    private int used;
    private Scalar[] scalars = new Scalar[2];
    private int usedScalars;
    private Operand[] parts = new Operand[2];
    private int usedParts;

    private ElementType type = ElementType.F64;
    private long count;
    private long stream;
    /** Where launches go now: the stream, or what runs beside it. */
    private long current;
    /** What runs beside the stream, and whether it has been joined. */
    private long beside;
    private boolean forked;
    private boolean aside;
    private long packing;
    private long packingBytes;
    /** Of the packing memory, what launches beside the stream have. */
    private long share;
    private boolean regardless;
    /** Clears {@link #unclear}. */
    private final Launch clearing = new Launch();
    /** The info that is 0 for what is launched next, but perhaps not yet in memory; null if it is. */
    private Operand unclear;

    /**
     * The scope of a frame.
     *
     * @param driver where it launches
     */
    public Scope(DeviceDriver driver) {
        this.driver = driver;
        this.direct = driver instanceof DirectDevice;
        this.traits = driver.traits();
    }

    private static Scalar scalar(double value) {
        Scalar s = new Scalar();
        s.set(value, 0);
        return s;
    }

    /**
     * Begins a call: nothing is handed out, there is no packing memory and no guard, and products are exact.
     *
     * @param elements element type
     * @param problems how many
     * @param onStream the stream
     */
    public void begin(ElementType elements, long problems, long onStream) {
        if (type != elements) {
            type = elements;
        }
        count = problems;
        stream = onStream;
        current = onStream;
        used = 0;
        usedScalars = 0;
        usedParts = 0;
        packing = 0;
        packingBytes = 0;
        regardless = false;
        if (guard != null) {
            guard = null;
        }
        if (unclear != null) {
            unclear = null;
        }
        pieces = false;
        if (math != MathMode.DEFAULT) {
            math = MathMode.DEFAULT;
        }
    }

    /** The element type of the call. */
    public ElementType type() {
        return type;
    }

    /** From here on launches compute in another precision, and matrices in workspace have it. */
    public void type(ElementType elements) {
        type = elements;
    }

    /** The problems of the call. */
    public long count() {
        return count;
    }

    /** How far launches reach. */
    public Reach reach() {
        return traits.reach();
    }

    /** How far one launch of a kernel reaches for the call's type. */
    public long reach(Kernel kernel) {
        return traits.reach().of(kernel, type);
    }

    /** Where the stack of blocks stands; what is handed out from here on ends with {@link #release}. */
    public int mark() {
        return used;
    }

    /** Takes back every block handed out since the mark. */
    public void release(int mark) {
        used = mark;
    }

    Block next() {
        if (used == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * used);
        }
        Block b = blocks[used];
        if (b == null) {
            b = new Block(this);
            blocks[used] = b;
        }
        used++;
        return b;
    }

    /** A matrix as a block. */
    public Block of(Operand matrix, long rows, long cols) {
        return next().whole(matrix, rows, cols);
    }

    /** A dense matrix a problem in workspace. */
    public Block dense(long address, long rows, long cols) {
        return next().dense(type, address, rows, cols);
    }

    /** A scalar that lasts as long as the call. */
    public Scalar scratch() {
        if (usedScalars == scalars.length) {
            scalars = Arrays.copyOf(scalars, 2 * usedScalars);
        }
        Scalar s = scalars[usedScalars];
        if (s == null) {
            s = new Scalar();
            scalars[usedScalars] = s;
        }
        usedScalars++;
        return s;
    }

    /** From here on launches are for so many problems, whose operands are {@linkplain #part parts} of the call's. */
    public void count(long problems) {
        count = problems;
        pieces = false;
    }

    /** From here on launches are for so many pieces of the call's only problem, as if they were problems, until {@link #count} says otherwise. What guards the problem guards them all. */
    public void pieces(long number) {
        count = number;
        pieces = true;
    }

    /** An operand of one problem that every problem of the next launches has; it lasts as long as the next one is not asked for. */
    public Operand sameForAll(Operand one) {
        shared.set(one).stride = 0;
        return shared;
    }

    /** An operand that lasts as long as the call, for its problems from some on. */
    public Operand part() {
        if (usedParts == parts.length) {
            parts = Arrays.copyOf(parts, 2 * usedParts);
        }
        Operand o = parts[usedParts];
        if (o == null) {
            o = new Operand();
            parts[usedParts] = o;
        }
        usedParts++;
        return o;
    }

    /** The conjugate of a number, which must not be on the device; it lasts as long as the next one is not asked for. */
    public Scalar conjugate(Scalar value) {
        right.set(value.re(), -value.im());
        return right;
    }

    /** Gives a slot of the lease to the products of this call. */
    public void pack(long address, long bytes) {
        packing = address;
        packingBytes = bytes;
    }

    /**
     * Whether products go on where a single problem has failed, so that an engine can make them, which cannot ask: what they change must be undefined by then. Without memory for an engine nothing
     * changes.
     */
    public void regardless(boolean on) {
        regardless = on && count == 1 && packingBytes > 0 && traits.gemm(type).engine() != null;
    }

    /**
     * From here on launches run beside those of the call's stream, behind what was launched until now: until {@link #back}. Where the device does nothing beside a
     * stream they go to the stream, so nothing may depend on it but time.
     *
     * @param products whether there are products among them, which then have a part of the packing memory for themselves if that is enough for two engines
     */
    public void aside(boolean products) {
        clearNow();
        beside = driver.fork(stream);
        forked = true;
        aside = true;
        current = beside;
        GemmEngine engine = traits.gemm(type).engine();
        share = products && engine != null && packingBytes >= 2 * engine.bytes() ? engine.bytes() : 0;
    }

    /** From here on launches go to the call's stream again; they may run beside the others. */
    public void back() {
        aside = false;
        current = stream;
    }

    /** From here on launches are behind those that ran beside the stream, too. */
    public void join() {
        clearNow();
        if (forked) {
            forked = false;
            share = 0;
            back();
            driver.join(stream, beside);
        }
    }

    /** The launch with defaults for a kernel on this call's type and batch. */
    public Launch kernel(Kernel kernel) {
        launch.reset(kernel, type, count);
        if (guard != null) {
            launch.guarded = true;
            launch.e.set(guard);
            if (pieces) {
                launch.e.stride = 0;
            }
        }
        return launch;
    }

    /** As {@link #kernel} with the packing memory. */
    public Launch packing(Kernel kernel) {
        Launch l = kernel(kernel);
        l.work = aside ? packing + packingBytes - share : packing;
        l.workBytes = aside ? share : packingBytes - share;
        return l;
    }

    /**
     * The info of each problem := 0; some are written here where work is done at once anyway. On a device that works in waves a launch that comes later may do it: a factorisation, or one for this
     * alone ahead of what asks for info.
     */
    void clearInfo(Operand info) {
        if (direct && watch == null && keeps == null && count <= FEW) {
            for (long i = 0; i < count; i++) {
                Memory.i32(info.at(i), 0);
            }
            return;
        }
        clearing.reset(Kernel.FILL, ElementType.I32, count);
        clearing.n = 1;
        clearing.alpha.set(0, 0);
        clearing.c.set(info);
        unclear = info;
        if (!traits.reach().waves() || pieces) {
            clearNow();
        }
    }

    private void clearNow() {
        if (unclear != null) {
            unclear = null;
            send(clearing, stream);
        }
    }

    /** What is done for info that is not clear yet ahead of a launch: copies do not ask for it, and factorisations can set it. */
    private void clearFor(Launch next, long onStream) {
        boolean sets = switch (next.kernel) {
            case POTF2, GETF2, GETF2_NPVT -> next.e.base == unclear.base;
            default -> false;
        };
        if (sets && onStream == stream && next.count == clearing.count && next.extent == 0) {
            unclear = null;
            next.k = 1;
            next.guarded = false;
        } else if (next.kernel != Kernel.COPY_MATRIX && next.kernel != Kernel.TO_REAL || next.guarded) {
            clearNow();
        }
    }

    /** Launches what {@link #kernel} began. */
    public void launch() {
        launch(launch, current);
    }

    /** Launches anything. */
    public void launch(Launch any, long onStream) {
        if (unclear != null) {
            clearFor(any, onStream);
        }
        send(any, onStream);
    }

    private void send(Launch any, long onStream) {
        if (watch == null) {
            if (keeps != null) {
                keeps.note(any, onStream == stream);
            }
            driver.launch(any, onStream);
        } else {
            watch.launch(driver, any, onStream);
        }
    }

    /** c := alpha·a·b + beta·c. */
    public void gemm(Scalar alpha, Block a, Block b, Scalar beta, Block c) {
        if (c.rows == 0 || c.cols == 0) {
            return;
        }
        Launch l = packing(Kernel.GEMM);
        l.guarded &= !regardless;
        product(l, alpha, a, b, beta, c);
        l.m = c.rows;
        if (l.math != math) {
            l.math = math;
        }
        launch();
    }

    private static void product(Launch l, Scalar alpha, Block a, Block b, Scalar beta, Block c) {
        if (l.opA != a.op) {
            l.opA = a.op;
        }
        if (l.opB != b.op) {
            l.opB = b.op;
        }
        l.n = c.cols;
        l.k = a.cols;
        l.alpha.set(alpha);
        l.beta.set(beta);
        a.into(l.a);
        b.into(l.b);
        c.into(l.c);
    }

    /** c := alpha·a·b + beta·c with numbers. */
    public void gemm(double alpha, Block a, Block b, double beta, Block c) {
        left.set(alpha, 0);
        right.set(beta, 0);
        gemm(left, a, b, right, c);
    }

    /** c := beta·c. */
    public void scale(Scalar beta, Block c) {
        if (c.rows == 0 || c.cols == 0 || beta.is(1)) {
            return;
        }
        Launch l = kernel(Kernel.SCAL_MATRIX);
        l.m = c.rows;
        l.n = c.cols;
        l.beta.set(beta);
        c.into(l.c);
        launch();
    }

    /** c := a. */
    public void copy(Block a, Block c) {
        if (c.rows == 0 || c.cols == 0) {
            return;
        }
        Launch l = kernel(Kernel.COPY_MATRIX);
        l.m = c.rows;
        l.n = c.cols;
        a.into(l.a);
        c.into(l.c);
        launch();
    }

    /** c := the matrix that the triangle of a stands for, written out. */
    public void expand(Structure structure, Block a, Block c) {
        Launch l = kernel(Kernel.EXPAND);
        l.uplo = a.uplo;
        l.diag = structure == Structure.TRIANGULAR ? a.diag : Diag.NON_UNIT;
        l.structure = structure;
        l.n = c.rows;
        a.into(l.a);
        c.into(l.c);
        launch();
    }

    /** The triangle of c := that of a + beta·c. */
    public void addTriangle(boolean hermitian, Block a, Scalar beta, Block c) {
        Launch l = kernel(Kernel.ADD_TRIANGLE);
        l.uplo = c.uplo;
        l.hermitian = hermitian;
        l.n = c.rows;
        l.beta.set(beta);
        a.into(l.a);
        c.into(l.c);
        launch();
    }

    /** The triangle of c := beta·c. */
    public void scaleTriangle(boolean hermitian, Scalar beta, Block c) {
        Launch l = kernel(Kernel.SCAL_TRIANGLE);
        l.uplo = c.uplo;
        l.hermitian = hermitian;
        l.n = c.rows;
        l.beta.set(beta);
        c.into(l.c);
        launch();
    }

    /** One launch of TRSM or TRMM: b is solved with, or multiplied by, the triangle a, which stands on a side of it. */
    public void triangle(Kernel kernel, Side side, Scalar alpha, Block a, Block b) {
        if (b.rows == 0 || b.cols == 0) {
            return;
        }
        Launch l = packing(kernel);
        l.side = side;
        l.m = b.rows;
        l.n = b.cols;
        l.alpha.set(alpha);
        a.triangleOf(l);
        b.into(l.c);
        launch();
    }

    /** One launch of TRMM_APART: c := alpha·a·b, or alpha·b·a, with the triangle a on a side. */
    public void trmmApart(Side side, Scalar alpha, Block a, Block b, Block c) {
        Launch l = packing(Kernel.TRMM_APART);
        l.side = side;
        l.m = c.rows;
        l.n = c.cols;
        l.alpha.set(alpha);
        a.triangleOf(l);
        b.into(l.b);
        c.into(l.c);
        launch();
    }

    /** One launch of SYMM: c := alpha·a·b + beta·c with the symmetric or Hermitian a on a side. */
    public void symm(Side side, boolean hermitian, Scalar alpha, Block a, Block b, Scalar beta, Block c) {
        Launch l = packing(Kernel.SYMM);
        l.side = side;
        l.uplo = a.uplo;
        l.hermitian = hermitian;
        l.m = c.rows;
        l.n = c.cols;
        l.alpha.set(alpha);
        l.beta.set(beta);
        a.into(l.a);
        b.into(l.b);
        c.into(l.c);
        launch();
    }

    /** One launch of SYRK: the triangle of c := alpha·a·aᵀ + beta·c, or a·aᴴ. */
    public void syrk(boolean hermitian, Scalar alpha, Block a, Scalar beta, Block c) {
        Launch l = packing(Kernel.SYRK);
        l.uplo = c.uplo;
        l.opA = a.op;
        l.hermitian = hermitian;
        l.n = a.rows;
        l.k = a.cols;
        l.alpha.set(alpha);
        l.beta.set(beta);
        a.into(l.a);
        c.into(l.c);
        launch();
    }

    /** Whether {@link #syr2k} of a makes updates by rank: few columns, where a launch costs little and nothing has to be conjugated. Whatever is cut for threads has more. */
    public boolean byRank(boolean hermitian, Block a) {
        boolean complex = a.type().isComplex();
        boolean turned = hermitian && a.op != Op.NONE && complex;
        return !turned && !reach().waves() && a.cols <= RankUpdates.most(complex, turned, a.rows);
    }

    /** Whether {@link #syr2k} of a is one product of both factors beside each other, whatever the order: where launches on the triangle reach further than a block. */
    public boolean beside(boolean hermitian, Block a) {
        boolean complex = a.type().isComplex();
        boolean turned = hermitian && a.op != Op.NONE && complex;
        return !reach().waves() && reach(Kernel.SYR2K) > traits.block()
                && RankUpdates.beside(complex, turned, a.rows, a.cols);
    }

    /** One launch of SYR2K: the triangle of c := alpha·a·bᵀ + alpha·b·aᵀ + beta·c, or alpha·a·bᴴ + conj(alpha)·b·aᴴ + beta·c; or a launch of SYR2 for each of few columns. */
    public void syr2k(boolean hermitian, Scalar alpha, Block a, Block b, Scalar beta, Block c) {
        if (byRank(hermitian, a)) {
            if (!beta.is(1)) {
                scaleTriangle(hermitian, beta, c);
            }
            for (long i = 0; i < a.cols; i++) {
                int mark = mark();
                Launch l = kernel(Kernel.SYR2);
                l.uplo = c.uplo;
                l.hermitian = hermitian;
                l.n = a.rows;
                l.alpha.set(alpha);
                column(a.cols(i, 1), l.a);
                column(b.cols(i, 1), l.b);
                c.into(l.c);
                launch();
                release(mark);
            }
            return;
        }
        Launch l = packing(Kernel.SYR2K);
        product(l, alpha, a, b, beta, c);
        l.opB = Op.NONE;
        l.uplo = c.uplo;
        l.hermitian = hermitian;
        launch();
    }

    /** A column of a block as a vector. */
    private static void column(Block column, Operand x) {
        column.into(x);
        x.ld = column.op == Op.NONE ? 1 : x.ld;
        x.rows = column.rows;
        x.cols = 1;
        x.vector = true;
    }

    /** One launch of GEMMT: the triangle of c := alpha·a·b + beta·c. */
    public void gemmt(boolean hermitian, Scalar alpha, Block a, Block b, Scalar beta, Block c) {
        Launch l = packing(Kernel.GEMMT);
        product(l, alpha, a, b, beta, c);
        l.uplo = c.uplo;
        l.hermitian = hermitian;
        launch();
    }

    /**
     * The order of the blocks in which composites walk over a special matrix that is written out: large enough for gemm to run at
     * speed.
     */
    public static long outer(DeviceTraits traits) {
        return 4L * traits.block();
    }

    /** Bytes of a dense square a problem. */
    public static long squareBytes(ElementType type, long order, long count) {
        return Chunks.times(Chunks.times(order, order), type.bytes(), count);
    }
}
