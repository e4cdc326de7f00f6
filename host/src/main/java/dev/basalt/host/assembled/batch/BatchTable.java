package dev.basalt.host.assembled.batch;

import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The batched kernels of one shape, written, checked and installed at their first use. */
public final class BatchTable {
    private static final String NONSENSE =
            "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar";
    /** Kinds of {@link BatchProductCode} for the same tile: one problem or more, alpha is 1 or not, beta 0 or not. */
    private static final int KINDS = 8;

    private static final int STRIDED = 0;
    private static final int POINTERS = 1;
    private static final int GATHER = 2;
    private static final int SCATTER = 3;
    private static final int PIVOT = 4;
    private static final int TOUCH_LOWER = 5;
    private static final int TOUCH_UPPER = 6;
    private static final int SUBSTITUTION = 7;

    private final Shape shape;
    private final int most;
    private final boolean complex;
    /** Numbers of a vector, as a shift. */
    private final int lanes;

    private final MemorySegment[] kernels = new MemorySegment[SUBSTITUTION + SubstitutionCode.Diagonal.values().length];
    private final MemorySegment[] products;
    private final MemorySegment[] dots;
    private final MemorySegment[] transposes = new MemorySegment[BatchFrame.ORDER];

    public BatchTable(Shape shape, boolean complex) {
        this.shape = shape;
        this.complex = complex;
        this.most = (complex ? 2 : 1) * BatchFrame.ORDER / shape.lanes();
        this.lanes = Integer.numberOfTrailingZeros(shape.lanes());
        this.products = new MemorySegment[KINDS * 2 * most * BatchFrame.ORDER];
        this.dots = new MemorySegment[2 * most];
    }

    public Shape shape() {
        return shape;
    }

    /** Vectors that hold so many numbers. */
    public int vectors(long numbers) {
        return (int) (numbers + (1 << lanes) - 1 >> lanes);
    }

    /** What kernels take for the mask of the last of some vectors; any if it is whole. */
    public long mask(long numbers) {
        int rest = (int) (numbers % shape.lanes());
        return shape.mask(rest == 0 ? shape.lanes() : rest);
    }

    /** Where AVX2's masks end. */
    public long ones() {
        return shape.isa() == Isa.AVX512 ? 0 : shape.mask(0);
    }

    /** {@link AddressCode}. */
    public MemorySegment addresses(boolean pointers) {
        return kernel(pointers ? POINTERS : STRIDED);
    }

    /** {@link InterleaveCode}. */
    MemorySegment interleave(boolean gather) {
        return kernel(gather ? GATHER : SCATTER);
    }

    /** {@link BatchPivotCode}. */
    public MemorySegment pivot() {
        return kernel(PIVOT);
    }

    /** {@link SubstitutionCode}, or {@link ComplexSubstitutionCode}. */
    MemorySegment substitution(SubstitutionCode.Diagonal diagonal) {
        return kernel(SUBSTITUTION + diagonal.ordinal());
    }

    private int element() {
        return shape.precision().bytes * (complex ? 2 : 1);
    }

    /** {@link TouchCode}. */
    MemorySegment touch(boolean lower) {
        return kernel(lower ? TOUCH_LOWER : TOUCH_UPPER);
    }

    private MemorySegment kernel(int which) {
        MemorySegment found = kernels[which];
        return found != null ? found : make(which);
    }

    private synchronized MemorySegment make(int which) {
        if (kernels[which] == null) {
            byte[] bytes = switch (which) {
                case STRIDED -> AddressCode.write(false);
                case POINTERS -> AddressCode.write(true);
                case GATHER -> InterleaveCode.write(shape, true);
                case SCATTER -> InterleaveCode.write(shape, false);
                case PIVOT -> BatchPivotCode.write(shape, complex);
                case TOUCH_LOWER, TOUCH_UPPER -> TouchCode.write(element(), which == TOUCH_LOWER);
                default ->
                    complex
                            ? ComplexSubstitutionCode.write(shape, diagonal(which))
                            : SubstitutionCode.write(shape, diagonal(which));
            };
            MemorySegment code = CodeMemory.install(bytes);
            BatchCheck check = new BatchCheck(this);
            boolean good = switch (which) {
                case STRIDED, POINTERS -> check.addresses(code, which == POINTERS);
                case GATHER, SCATTER -> check.interleave(code, which == GATHER);
                case PIVOT -> complex ? check.complexPivot(code) : check.pivot(code);
                // It computes nothing.
                case TOUCH_LOWER, TOUCH_UPPER -> true;
                default ->
                    complex
                            ? check.complexSubstitution(code, diagonal(which))
                            : check.substitution(code, diagonal(which));
            };
            kernels[which] = checked(code, good);
        }
        return kernels[which];
    }

    private static SubstitutionCode.Diagonal diagonal(int which) {
        return SubstitutionCode.Diagonal.values()[which - SUBSTITUTION];
    }

    private static MemorySegment checked(MemorySegment code, boolean good) {
        if (!good) {
            throw new IllegalStateException(NONSENSE);
        }
        return code;
    }

    /** {@link BatchProductCode} for C of some rows, in real numbers, and columns, in the form for one problem or for many. */
    public MemorySegment product(long rows, long columns, boolean scaled, boolean added, boolean one) {
        int vectors = vectors(rows);
        boolean masked = (rows & (1 << lanes) - 1) != 0;
        int kind = (one ? 4 : 0) + (scaled ? 2 : 0) + (added ? 1 : 0);
        int i = ((kind * 2 + (masked ? 1 : 0)) * most + vectors - 1) * BatchFrame.ORDER + (int) columns - 1;
        MemorySegment found = products[i];
        return found != null ? found : make(i, vectors, (int) columns, masked, scaled, added, one);
    }

    private synchronized MemorySegment make(
            int i, int vectors, int columns, boolean masked, boolean scaled, boolean added, boolean one) {
        if (products[i] == null) {
            MemorySegment code = CodeMemory.install(
                    BatchProductCode.write(shape, vectors, columns, masked, scaled, added, one, complex));
            BatchCheck check = new BatchCheck(this);
            boolean good = complex
                    ? check.complexProduct(code, vectors, columns, masked, scaled, added)
                    : check.product(code, vectors, columns, masked, scaled, added, one);
            products[i] = checked(code, good);
        }
        return products[i];
    }

    /** {@link BatchDotCode} for vectors of some length. */
    public MemorySegment dot(long n) {
        int vectors = vectors(n);
        boolean masked = n % shape.lanes() != 0;
        int i = 2 * (vectors - 1) + (masked ? 1 : 0);
        MemorySegment found = dots[i];
        return found != null ? found : make(i, vectors, masked);
    }

    private synchronized MemorySegment make(int i, int vectors, boolean masked) {
        if (dots[i] == null) {
            MemorySegment code = CodeMemory.install(BatchDotCode.write(shape, vectors, masked));
            dots[i] = checked(code, new BatchCheck(this).dot(code, vectors, masked));
        }
        return dots[i];
    }

    /** {@link BatchTransposeCode} for matrices of some columns. */
    public MemorySegment transpose(long columns) {
        int i = (int) columns - 1;
        MemorySegment found = transposes[i];
        return found != null ? found : makeTranspose(i);
    }

    private synchronized MemorySegment makeTranspose(int i) {
        if (transposes[i] == null) {
            MemorySegment code = CodeMemory.install(BatchTransposeCode.write(shape, i + 1));
            transposes[i] = checked(code, new BatchCheck(this).transpose(code, i + 1));
        }
        return transposes[i];
    }
}
