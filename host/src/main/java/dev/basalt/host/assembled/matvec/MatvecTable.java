package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of matrices and vectors of one element type. */
public final class MatvecTable extends Variants<MatvecTable.Kind> {
    /** What there is: {@link PanelCode} in its forms, {@link SymvCode}, {@link TriangleCode}, {@link FewDotsCode}. */
    public enum Kind {
        /** Several columns at a time. */
        PANELS,
        /** One column after the other. */
        SINGLES,
        TALL,
        SYMMETRIC,
        CORNER,
        TRIANGLE,
        /** The same of packed triangles, of complex numbers. */
        PACKED,
        /** {@link FewDotsCode}, of real numbers. */
        DOTS,
        /** Several columns at a time, while the next ones are fetched; of real numbers. */
        FETCHING,
        /** {@link FewRowsCode}. */
        FEW_ROWS
    }

    /** Bytes of a complex matrix up to which columns are side by side. */
    private static final long SIDE_BY_SIDE = 3 << 19;

    /** Bytes of a matrix from which on it comes from memory, and its panels are fetched ahead. Measured with 32 MB of third cache: 10 MB are slower by a tenth, 15 MB faster by as much. */
    private static final long FETCHED = 12 << 20;

    private static final PanelKind[] PANELS = PanelKind.values();
    private static final PanelKind[] FETCHING =
            {PanelKind.GEMV, PanelKind.GEMV_SET, PanelKind.GEMV_T, PanelKind.GEMV_T_SET};
    /** Panels that transpose, which are the last. */
    private static final int TRANSPOSING = 4;

    /** Parts in whole blocks. */
    private static final SymvCode.Part[] PARTS = {SymvCode.Part.LOWER, SymvCode.Part.UPPER, SymvCode.Part.BESIDE};

    private final Shape shape;
    private final Isa isa;
    private final int lanes;
    private final boolean complex;
    private final int panels;
    private final int singles;
    private final int tall;
    private final int symmetric;
    private final int corners;
    private final int triangles;
    private final int packed;
    private final int dots;
    private final int fetching;
    private final int fewRows;
    /** Columns of a block of {@link #symmetric}. */
    private final int block;
    private final int blockShift;
    /** Whether dots are taken of one column after the other too. */
    private final boolean singleDots;

    /**
     * A table.
     *
     * @param shape registers
     * @param complex whether elements are pairs of numbers
     */
    public MatvecTable(Shape shape, boolean complex) {
        super(Kind.values());
        this.shape = shape;
        this.isa = shape.isa();
        this.lanes = shape.lanes() / (complex ? 2 : 1);
        this.complex = complex;
        this.block = SymvCode.block(isa, complex);
        this.blockShift = Integer.numberOfTrailingZeros(block);
        this.singleDots = DotsCode.single(isa, complex);
        // Only complex elements can be conjugated.
        int forms = complex ? 2 : 1;
        this.panels = count(Kind.PANELS, PANELS.length);
        this.singles = count(Kind.SINGLES, singleDots ? PANELS.length : PANELS.length - TRANSPOSING);
        this.tall = count(Kind.TALL, 4 * mostTall());
        this.symmetric = count(Kind.SYMMETRIC, forms * PARTS.length);
        this.corners = count(Kind.CORNER, forms * 2 * (block - 1));
        this.triangles = count(Kind.TRIANGLE, (complex ? Triangle.COUNT : Triangle.REAL) * rests());
        this.packed = count(Kind.PACKED, complex ? Triangle.COUNT * rests() : 0);
        this.dots = count(Kind.DOTS, complex ? 0 : mostDots());
        this.fetching = count(Kind.FETCHING, complex ? 0 : FETCHING.length);
        this.fewRows = count(Kind.FEW_ROWS, 4 * FewRowsCode.most(isa));
    }

    /**
     * Whether several columns side by side are faster than one after the other, although they are as many streams. Measured on Zen 4, whose prefetchers keep up
     * with eight real columns: by 0 to 40 % from 100 kB to 8 MB, most where columns do not begin at lines; with complex ones up to 1.5 MB.
     */
    boolean sideBySide(long bytes) {
        return !CpuFeatures.fetchesAhead() && (!complex || bytes <= SIDE_BY_SIDE);
    }

    /** Whether the panels of a product with a matrix of so many bytes are fetched ahead. Bits are the same. */
    boolean fetches(long bytes) {
        return !complex && bytes > FETCHED && sideBySide(bytes);
    }

    /** Whether y may pass by for every column of a product: with half the vector it takes as many stores as A takes loads. */
    boolean oneStream() {
        return isa == Isa.AVX512;
    }

    // Sizes that depend on the instruction set alone are asked for and not kept: the compiler then divides by
    // constants.

    /** Vectors of rows that {@link #tall} can have. */
    int mostTall() {
        return TallCode.most(isa);
    }

    /** Sizes of the smaller square of a {@link #triangle}. */
    private int rests() {
        return TriangleCode.block(complex);
    }

    /** Columns of a block of {@link #symmetric}. */
    int block() {
        return block;
    }

    /** Its logarithm. */
    int blockShift() {
        return blockShift;
    }

    /** Elements of a vector. */
    int lanes() {
        return lanes;
    }

    /** A {@link SymvCode} of whole blocks: lower, upper, or beside the diagonal. */
    MemorySegment symmetric(SymvCode.Part part, boolean hermitian) {
        return kernel(symmetric + (hermitian && complex ? PARTS.length : 0) + part.ordinal());
    }

    /** A {@link SymvCode} of the square that blocks leave. */
    MemorySegment corner(boolean lower, boolean hermitian, int width) {
        return kernel(corners + ((hermitian && complex ? 2 : 0) + (lower ? 0 : 1)) * (block - 1) + width - 1);
    }

    /** A {@link TriangleCode}. */
    MemorySegment triangle(Triangle what, boolean isPacked, int rest) {
        return kernel((isPacked ? packed : triangles) + what.number() * rests() + rest);
    }

    /** Vectors that a {@link #dots} can have. */
    int mostDots() {
        return FewDotsCode.most(isa);
    }

    /** A {@link FewDotsCode}. */
    MemorySegment dots(int few) {
        return kernel(dots + few - 1);
    }

    /** A kernel that takes several columns at a time. */
    MemorySegment panels(PanelKind kind) {
        return kernel(panels + kind.ordinal());
    }

    /** A kernel of GEMV, GEMV_SET, GEMV_T or GEMV_T_SET that takes several columns at a time and fetches the next ones. */
    MemorySegment fetching(PanelKind kind) {
        return kernel(fetching + (kind.transposes() ? 2 : 0) + (kind.sets() ? 1 : 0));
    }

    /** A kernel that takes one column after the other, if there is one. */
    MemorySegment singles(PanelKind kind) {
        return kernel((kind.transposes() && !singleDots ? panels : singles) + kind.ordinal());
    }

    /** A {@link TallCode} of GEMV or GEMV_SET. */
    MemorySegment tall(PanelKind kind, int vectors, boolean masked) {
        return kernel(tall + ((kind.sets() ? 2 : 0) + (masked ? 1 : 0)) * mostTall() + vectors - 1);
    }

    /** Vectors of rows that {@link #fewRows} can have. */
    int mostFew() {
        return FewRowsCode.most(isa) - halves();
    }

    /** Whether there are kernels for half a vector of rows, by number 0 of vectors: 1 or 0. */
    int halves() {
        return isa == Isa.AVX512 ? 1 : 0;
    }

    /** A {@link FewRowsCode}. */
    MemorySegment fewRows(boolean set, int vectors, boolean masked) {
        return kernel(fewRows + ((set ? 2 : 0) + (masked ? 1 : 0)) * FewRowsCode.most(isa) + vectors - 1 + halves());
    }

    // What the number of a variant says.

    /** Of {@link Kind#TALL} or {@link Kind#FEW_ROWS}. */
    private int most(Kind kind) {
        return kind == Kind.TALL ? mostTall() : FewRowsCode.most(isa);
    }

    private int vectors(Kind kind, int i) {
        return 1 + i % most(kind) - (kind == Kind.TALL ? 0 : halves());
    }

    /** Rows that such a kernel is for, or one less. */
    private int rows(Kind kind, int i) {
        int vectors = vectors(kind, i);
        return (vectors == 0 ? lanes() / 2 : vectors * lanes()) - (masked(kind, i) ? 1 : 0);
    }

    private boolean masked(Kind kind, int i) {
        return i / most(kind) % 2 == 1;
    }

    private boolean sets(Kind kind, int i) {
        return i >= 2 * most(kind);
    }

    private SymvCode.Part part(int corner) {
        return corner / (block - 1) % 2 == 0 ? SymvCode.Part.CORNER_LOWER : SymvCode.Part.CORNER_UPPER;
    }

    private boolean hermitian(int corner) {
        return corner >= 2 * (block - 1);
    }

    private int width(int corner) {
        return 1 + corner % (block - 1);
    }

    @Override
    protected byte[] write(Kind kind, int i) {
        return switch (kind) {
            case PANELS -> panel(PANELS[i], false, false);
            case SINGLES -> panel(PANELS[i], true, false);
            case FETCHING -> panel(FETCHING[i], false, true);
            case TALL -> TallCode.write(shape, complex, vectors(kind, i), masked(kind, i), sets(kind, i));
            case FEW_ROWS -> FewRowsCode.write(shape, complex, vectors(kind, i), masked(kind, i), sets(kind, i));
            case SYMMETRIC -> SymvCode.write(shape, complex, PARTS[i % PARTS.length], i >= PARTS.length, block);
            case CORNER -> SymvCode.write(shape, complex, part(i), hermitian(i), width(i));
            case TRIANGLE, PACKED ->
                TriangleCode.write(shape, complex, Triangle.of(i / rests()), kind == Kind.PACKED, i % rests());
            case DOTS -> FewDotsCode.write(shape, i + 1);
        };
    }

    private byte[] panel(PanelKind kind, boolean single, boolean fetches) {
        return switch (kind) {
            case GEMV, GEMV_SET -> GemvCode.write(shape, complex, single, fetches, kind.sets());
            case GEMV_T, GEMV_T_SET, GEMV_C, GEMV_C_SET ->
                DotsCode.write(shape, complex, single, fetches, kind.conjugates(), kind.sets());
            case GER, GERC -> GerCode.write(shape, complex, single, kind.conjugates());
        };
    }

    @Override
    protected boolean agrees(Kind kind, int i, MemorySegment code) {
        // A whole vector and a part of one at least; or as many rows as a kernel for some has.
        boolean some = kind == Kind.TALL || kind == Kind.FEW_ROWS;
        int rows = some ? rows(kind, i) : 5 * lanes() + lanes() - 1;
        MatvecCheck check =
                new MatvecCheck(shape.precision(), complex, kind == Kind.TRIANGLE || kind == Kind.PACKED ? 0 : rows);
        return switch (kind) {
            case PANELS, SINGLES -> check.agrees(PANELS[i], code);
            case FETCHING -> check.agrees(FETCHING[i], code);
            case TALL, FEW_ROWS -> check.agrees(sets(kind, i) ? PanelKind.GEMV_SET : PanelKind.GEMV, code);
            case SYMMETRIC -> check.symmetric(PARTS[i % PARTS.length], i >= PARTS.length, block, code);
            case CORNER -> check.symmetric(part(i), hermitian(i), width(i), code);
            case TRIANGLE, PACKED -> check.triangle(Triangle.of(i / rests()), kind == Kind.PACKED, i % rests(), code);
            case DOTS -> check.dots(i + 1, code);
        };
    }
}
