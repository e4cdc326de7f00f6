package dev.basalt.cuda;

import dev.basalt.gpu.device.GpuApi;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Storage;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * Matrix products of one stream by cuBLASLt. The library's choice of an algorithm takes some 20 µs, so it is kept by shape and
 * alignment in a table that a newer shape may displace; from the second time on a product is one call that allocates nothing.
 * One thread at a time feeds a stream, so there are no locks.
 */
final class LtProducts implements GpuApi.Products {
    private static final int ENTRIES = 512;
    private static final int LARGEST_ALIGNMENT = 256;
    /** Two host scalars of up to 16 bytes. */
    private static final int SCALAR = 16;

    /** What the library's workspace must be aligned to; leases are to 64 bytes only. */
    private static final long WORKSPACE_ALIGNMENT = 256;

    private final Gpu gpu;
    private final CublasLt lt;
    private final GemmEngine engine;
    private final long scalars = SystemMemory.allocate(2 * SCALAR, 64);
    private final LtProduct[] known = new LtProduct[ENTRIES];

    LtProducts(Gpu gpu, CublasLt lt, GemmEngine engine) {
        this.gpu = gpu;
        this.lt = lt;
        this.engine = engine;
    }

    /** Runs a product if it can. */
    @Override
    public boolean run(Launch l, long stream) {
        if (!takes(l)) {
            return false;
        }
        gpu.enter();
        int alignment = alignment(l.a) << 20 | alignment(l.b) << 10 | alignment(l.c);
        int options = l.opA.ordinal() | l.opB.ordinal() << 2 | l.type.ordinal() << 4 | l.a.type.ordinal() << 8
                | l.b.type.ordinal() << 12 | l.c.type.ordinal() << 16 | l.math.ordinal() << 20;
        int slot = LtProduct.hash(l, options, alignment) & (ENTRIES - 1);
        LtProduct product = known[slot];
        if (product == null || !product.is(l, options, alignment)) {
            if (product != null) {
                product.close();
            }
            product = new LtProduct(lt, gpu.products(lt), l, options, alignment, workspaceBytes());
            known[slot] = product;
        }
        if (!product.usable()) {
            return false;
        }
        long alpha = host(l.alpha, l, scalars);
        long beta = host(l.beta, l, scalars + SCALAR);
        long work = (l.work + WORKSPACE_ALIGNMENT - 1) & -WORKSPACE_ALIGNMENT;
        product.run(l, alpha, beta, work, workspaceBytes(), stream);
        return true;
    }

    private long workspaceBytes() {
        return engine.bytes() - WORKSPACE_ALIGNMENT;
    }

    private boolean takes(Launch l) {
        return l.kernel == Kernel.GEMM && l.extent == 0 && !l.guarded && l.workBytes >= engine.bytes() && engine.may(l)
                && l.a.storage == Storage.DENSE && l.c.storage == Storage.DENSE && (!l.mixed() || known(l));
    }

    /** Whether the library may have a product of these types; that it has none for a shape it says itself. */
    private static boolean known(Launch l) {
        ElementType a = l.a.type;
        ElementType c = l.c.type;
        if (l.type == ElementType.I32) {
            return a == ElementType.I8 && l.b.type == a && c == ElementType.I32;
        }
        // Numbers of 8 bits it multiplies only where both factors' inner dimensions are contiguous.
        boolean eights = eight(a) && eight(l.b.type) && l.opA != Op.NONE && l.opB == Op.NONE;
        boolean halves = (a == ElementType.F16 || a == ElementType.BF16) && l.b.type == a;
        return l.type.computed() == ElementType.F32 && (eights && (c == ElementType.F32 || c == ElementType.BF16)
                || halves && (c == a || c == ElementType.F32));
    }

    private static boolean eight(ElementType type) {
        return type == ElementType.F8_E4M3 || type == ElementType.F8_E5M2;
    }

    private static long host(Scalar scalar, Launch l, long at) {
        switch (l.type) {
            case I32 -> Memory.i32(at, (int) scalar.re());
            case F32, C32, F16, BF16 -> {
                Memory.f32(at, (float) scalar.re());
                Memory.f32(at + 4, (float) scalar.im());
            }
            default -> {
                Memory.f64(at, scalar.re());
                Memory.f64(at + 8, scalar.im());
            }
        }
        return at;
    }

    /** What the address of an operand is a multiple of. */
    private static int alignment(Operand operand) {
        long address = operand.base + operand.offset;
        return (int) Math.min(LARGEST_ALIGNMENT, Long.lowestOneBit(address | LARGEST_ALIGNMENT));
    }

    @Override
    public void close() {
        for (LtProduct product : known) {
            if (product != null) {
                product.close();
            }
        }
        SystemMemory.free(scalars);
    }
}
