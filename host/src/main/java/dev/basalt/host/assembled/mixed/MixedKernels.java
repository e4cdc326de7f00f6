package dev.basalt.host.assembled.mixed;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.Spares;
import dev.basalt.host.assembled.product.Lane;
import dev.basalt.host.assembled.product.ProductTable;
import dev.basalt.host.assembled.x86.Extension;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * The assembled kernels for launches of mixed types that compute in single precision or in 32-bit integers. Any number of threads may use one object. They
 * need no workspace; products are faster with what {@link MixedPanels} says.
 */
public final class MixedKernels {
    /** Inner dimensions from which on bfloat16 is multiplied by pairs; before that there is nothing to win by it, and bits to lose. */
    private static final long PAIRED = 8;

    private final MixedTable table;
    private final Spares<MixedProduct> products;
    private final Spares<MixedVectors> vectors;

    /**
     * Kernels.
     *
     * @param numbers the kernels of products in single precision
     * @param extensions what the processor has beyond their instructions
     */
    public MixedKernels(ProductTable numbers, Set<Extension> extensions) {
        this.table = new MixedTable(numbers.shape(), extensions);
        this.products = new Spares<>() {
            @Override
            public MixedProduct make() {
                return new MixedProduct(table, numbers);
            }
        };
        this.vectors = new Spares<>() {
            @Override
            public MixedVectors make() {
                return new MixedVectors(table);
            }
        };
    }

    /**
     * Whether the processor converts halves, or else launches with such are for the portable kernels.
     *
     * @return whether it has F16C
     */
    public boolean halves() {
        return table.extensions().contains(Extension.F16C);
    }

    /**
     * Whether these kernels run a launch: a property of its types and increments, not of its place or size.
     *
     * @param l a launch of mixed types
     * @return false if it is for the portable kernels
     */
    public boolean takes(Launch l) {
        return MixedPanels.takes(l, halves());
    }

    /**
     * Runs one problem of a launch that these kernels take.
     *
     * @param l the launch
     * @param i the problem
     * @param work packing memory, 64-byte aligned
     * @param workBytes bytes of it, any number
     */
    public void run(Launch l, long i, long work, long workBytes) {
        if (l.kernel == Kernel.GEMM) {
            gemm(l, i, work, workBytes);
            return;
        }
        MixedVectors spare = vectors.take();
        switch (l.kernel) {
            case DOT, NRM2 -> spare.reduce(l, i);
            case GEMV -> spare.gemv(l, i);
            default -> spare.map(l, i);
        }
        vectors.give(spare);
    }

    /**
     * The sums of some blocks of DOT or NRM2, of {@link #block} elements each, for {@link #combine}.
     *
     * @param l the launch
     * @param i the problem
     * @param from first block
     * @param to block after the last
     * @param work where a double for each block of the problem goes, that of block 0 first
     */
    public void partials(Launch l, long i, long from, long to, long work) {
        MixedVectors spare = vectors.take();
        for (long p = from; p < to; p++) {
            f64(work + 8 * p, l.n > 0 ? spare.partial(l, i, p * MixedVectors.PIECE, 1) : 0);
        }
        vectors.give(spare);
    }

    /**
     * The result of DOT or NRM2 from the sums of its blocks.
     *
     * @param l the launch
     * @param i the problem
     * @param blocks how many
     * @param work where {@link #partials} left them
     */
    public void combine(Launch l, long i, long blocks, long work) {
        double sum = 0;
        for (long p = 0; p < blocks; p++) {
            sum += f64(work + 8 * p);
        }
        MixedVectors spare = vectors.take();
        spare.finish(l, i, sum);
        vectors.give(spare);
    }

    /**
     * Elements of a block of a sum.
     *
     * @return elements
     */
    public static long block() {
        return MixedVectors.PIECE;
    }

    private void gemm(Launch l, long i, long work, long workBytes) {
        long m = l.m(i);
        long n = l.n(i);
        long k = l.k(i);
        boolean integers = l.type == ElementType.I32;
        double alpha = integers ? (int) l.alpha.re() : l.alpha.re();
        double beta = integers ? (int) l.beta.re() : l.beta.re();
        if (m <= 0 || n <= 0) {
            return;
        }
        if (alpha == 0 || k <= 0) {
            scale(l, i, m, n, beta);
            return;
        }
        Format a = integers ? Format.F32 : Format.of(l.a.type);
        Format b = integers ? Format.F32 : Format.of(l.b.type);
        MixedProduct product = products.take();
        product.operands(integers ? integerLane() : lane(a, b, k), a, b);
        product.multiply(l.opA == Op.NONE, l.opB == Op.NONE, m, n, k, alpha, l.a.at(i), l.a.ld * l.a.type.bytes(),
                l.b.at(i), l.b.ld * l.b.type.bytes(), beta, integers ? null : Format.of(l.c.type), l.c.at(i),
                l.c.ld * l.c.type.bytes(), work, workBytes);
        products.give(product);
    }

    private Lane integerLane() {
        return table.extensions().contains(Extension.VNNI) ? Lane.BYTES : Lane.WORDS;
    }

    /** Depends on nothing that is cut among threads. */
    private Lane lane(Format a, Format b, long k) {
        boolean both = a == Format.BF16 && b == Format.BF16;
        boolean halves = both && k >= PAIRED && table.extensions().contains(Extension.BF16);
        return halves ? Lane.HALVES : Lane.NUMBER;
    }

    /** C := beta·C. */
    private void scale(Launch l, long i, long m, long n, double beta) {
        long bytes = l.c.type.bytes();
        int factor = (int) beta;
        for (long j = 0; j < n; j++) {
            long column = l.c.at(i) + j * l.c.ld * bytes;
            if (beta == 0) {
                Memory.fill(column, m * bytes, (byte) 0);
            } else if (l.type == ElementType.I32) {
                for (long p = 0; p < m; p++) {
                    i32(column + 4 * p, factor * i32(column + 4 * p));
                }
            } else if (beta != 1) {
                Format format = Format.of(l.c.type);
                MemorySegment code = table.stream(MixedStreamCode.Kind.SET, format, format);
                NativeCall.stream(code, m, column, column, beta);
            }
        }
    }
}
