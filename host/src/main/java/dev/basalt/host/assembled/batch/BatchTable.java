package dev.basalt.host.assembled.batch;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The batched kernels of one element type. */
public final class BatchTable extends Variants<BatchTable.Kind> {
    /** What there is. */
    public enum Kind {
        ADDRESSES, INTERLEAVE, PIVOT, TOUCH, SUBSTITUTION, PRODUCT, DOT, TRANSPOSE, REFLECT, APPLY, HALVES
    }

    /** Forms of {@link BatchProductCode} for the same tile: alpha is 1 or not, beta 0 or not. */
    private static final int FORMS = 4;

    /** Vectors of half the width that a column of C has at most. */
    public static final int HALVES = 3;

    private static final SubstitutionCode.Diagonal[] DIAGONALS = SubstitutionCode.Diagonal.values();

    private final Shape shape;
    private final boolean complex;
    /** Vectors of the longest column. */
    private final int most;
    /** Numbers of a vector, as a shift. */
    private final int lanes;

    private final int addresses;
    private final int interleave;
    private final int pivot;
    private final int touch;
    private final int substitution;
    private final int products;
    private final int dots;
    private final int transposes;
    private final int reflect;
    private final int apply;
    private final int halves;

    /**
     * A table.
     *
     * @param shape registers
     * @param complex whether elements are pairs of numbers
     */
    public BatchTable(Shape shape, boolean complex) {
        super(Kind.values());
        this.shape = shape;
        this.complex = complex;
        this.most = (complex ? 2 : 1) * BatchFrame.ORDER / shape.lanes();
        this.lanes = Integer.numberOfTrailingZeros(shape.lanes());
        this.addresses = count(Kind.ADDRESSES, 2);
        this.interleave = count(Kind.INTERLEAVE, 2);
        this.pivot = count(Kind.PIVOT, 1);
        this.touch = count(Kind.TOUCH, 2);
        this.substitution = count(Kind.SUBSTITUTION, DIAGONALS.length);
        // Real elements have the same forms for one problem too.
        this.products = count(Kind.PRODUCT, (complex ? 1 : 2) * FORMS * 2 * most * BatchFrame.ORDER);
        this.dots = count(Kind.DOT, complex ? 0 : 2 * most);
        this.transposes = count(Kind.TRANSPOSE, (complex ? 1 : 2) * BatchFrame.ORDER);
        this.reflect = count(Kind.REFLECT, 1);
        this.apply = count(Kind.APPLY, 1);
        boolean halved = shape.isa() == Isa.AVX512 && !complex;
        this.halves = count(Kind.HALVES, halved ? 2 * FORMS * 2 * HALVES * BatchFrame.ORDER : 0);
    }

    Shape shape() {
        return shape;
    }

    /** Vectors that hold so many numbers. */
    int vectors(long numbers) {
        return (int) (numbers + (1 << lanes) - 1 >> lanes);
    }

    /** What kernels take for the mask of the last of some vectors; any if it is whole. */
    long mask(long numbers) {
        int rest = (int) (numbers % shape.lanes());
        return shape.mask(rest == 0 ? shape.lanes() : rest);
    }

    /** The same for transpositions, whose vectors are those of AVX2. */
    public long narrowOnes() {
        return BatchTransposeCode.narrow(shape).mask(0);
    }

    /** Where AVX2's masks end, for all others; 0 with AVX-512. */
    long ones() {
        return shape.isa() == Isa.AVX512 ? 0 : shape.mask(0);
    }

    /** {@link AddressCode}. */
    MemorySegment addresses(boolean pointers) {
        return kernel(addresses + (pointers ? 1 : 0));
    }

    /** {@link InterleaveCode}. */
    MemorySegment interleave(boolean gather) {
        return kernel(interleave + (gather ? 1 : 0));
    }

    /** {@link BatchPivotCode}. */
    MemorySegment pivot() {
        return kernel(pivot);
    }

    /** {@link TouchCode}. */
    MemorySegment touch(boolean lower) {
        return kernel(touch + (lower ? 1 : 0));
    }

    /** A {@link SubstitutionCode}. */
    MemorySegment substitution(SubstitutionCode.Diagonal diagonal) {
        return kernel(substitution + diagonal.ordinal());
    }

    /** {@link BatchProductCode} for C of some rows, in real numbers, and columns, in the form for one problem or for many. */
    public MemorySegment product(long rows, long columns, boolean scaled, boolean added, boolean one) {
        int form = (one ? FORMS : 0) + (scaled ? 2 : 0) + (added ? 1 : 0);
        int height = (form * 2 + rest(rows)) * most + vectors(rows) - 1;
        return kernel(products + height * BatchFrame.ORDER + (int) columns - 1);
    }

    /** {@link BatchProductCode} for real C of some rows and columns, with AVX-512's vectors of half the width, of which a column has three at most, in the form for one problem or for many. */
    public MemorySegment halves(int rows, int columns, boolean scaled, boolean added, boolean one) {
        int half = 1 << lanes - 1;
        int form = (one ? FORMS : 0) + (scaled ? 2 : 0) + (added ? 1 : 0);
        int rest = (rows & half - 1) != 0 ? 1 : 0;
        int height = (form * 2 + rest) * HALVES + (rows + half - 1) / half - 1;
        return kernel(halves + height * BatchFrame.ORDER + columns - 1);
    }

    /** {@link BatchDotCode} for vectors of some length. */
    MemorySegment dot(long n) {
        return kernel(dots + 2 * (vectors(n) - 1) + rest(n));
    }

    private int rest(long numbers) {
        return (numbers & (1 << lanes) - 1) != 0 ? 1 : 0;
    }

    /** {@link BatchTransposeCode} for matrices of some columns, in the form for one problem or for many. */
    public MemorySegment transpose(long columns, boolean one) {
        return kernel(transposes + (one ? BatchFrame.ORDER : 0) + (int) columns - 1);
    }

    /** {@link BatchReflectCode}. */
    MemorySegment reflect() {
        return kernel(reflect);
    }

    /** {@link BatchApplyCode}. */
    MemorySegment apply() {
        return kernel(apply);
    }

    // What the number of a product says, or of a transposition.

    private static int columns(int product) {
        return 1 + product % BatchFrame.ORDER;
    }

    private static int height(int product, int most) {
        return 1 + product / BatchFrame.ORDER % most;
    }

    private static boolean masked(int product, int most) {
        return product / BatchFrame.ORDER / most % 2 == 1;
    }

    private static int form(int product, int most) {
        return product / BatchFrame.ORDER / most / 2;
    }

    private byte[] product(int i, int tallest, int bytes) {
        int f = form(i, tallest);
        return BatchProductCode.write(shape, bytes, height(i, tallest), columns(i), masked(i, tallest), (f & 2) != 0,
                (f & 1) != 0, f >= FORMS, complex);
    }

    private boolean agrees(BatchCheck check, int i, int tallest, int width, MemorySegment code) {
        int f = form(i, tallest);
        boolean scaled = (f & 2) != 0;
        boolean added = (f & 1) != 0;
        return complex
                ? check.complexProduct(code, height(i, tallest), columns(i), masked(i, tallest), scaled, added)
                : check.product(code, width, height(i, tallest), columns(i), masked(i, tallest), scaled, added,
                        f >= FORMS);
    }

    @Override
    protected byte[] write(Kind kind, int i) {
        boolean second = i == 1;
        return switch (kind) {
            case ADDRESSES -> AddressCode.write(second);
            case INTERLEAVE -> InterleaveCode.write(shape, second);
            case PIVOT -> BatchPivotCode.write(shape, complex);
            case TOUCH -> TouchCode.write(shape.precision().bytes * (complex ? 2 : 1), second);
            case SUBSTITUTION -> SubstitutionCode.write(shape, complex, DIAGONALS[i]);
            case PRODUCT -> product(i, most, shape.isa().bytes);
            case HALVES -> product(i, HALVES, shape.isa().bytes / 2);
            case DOT -> BatchDotCode.write(shape, 1 + i / 2, i % 2 == 1);
            case TRANSPOSE -> BatchTransposeCode.write(shape, columns(i), i >= BatchFrame.ORDER);
            case REFLECT -> BatchReflectCode.write(shape, complex);
            case APPLY -> BatchApplyCode.write(shape, complex);
        };
    }

    @Override
    protected boolean agrees(Kind kind, int i, MemorySegment code) {
        BatchCheck check = new BatchCheck(this);
        boolean second = i == 1;
        return switch (kind) {
            case ADDRESSES -> check.addresses(code, second);
            case INTERLEAVE -> check.interleave(code, second);
            case PIVOT -> complex ? check.complexPivot(code) : check.pivot(code);
            // It computes nothing.
            case TOUCH -> true;
            case SUBSTITUTION ->
                complex ? check.complexSubstitution(code, DIAGONALS[i]) : check.substitution(code, DIAGONALS[i]);
            case PRODUCT -> agrees(check, i, most, shape.lanes(), code);
            case HALVES -> agrees(check, i, HALVES, shape.lanes() / 2, code);
            case DOT -> check.dot(code, 1 + i / 2, i % 2 == 1);
            case TRANSPOSE -> check.transpose(code, columns(i), i >= BatchFrame.ORDER);
            case REFLECT -> new BatchReflectCheck(this, complex).reflect(code);
            case APPLY -> new BatchReflectCheck(this, complex).apply(code);
        };
    }
}
