package dev.basalt.cuda;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;

/** A product of one shape with the algorithm that cuBLASLt chose for it, and the library's descriptions of its operands. */
final class LtProduct {
    /** Algorithms that the library is asked for, the best first. */
    private static final int RESULTS = 8;

    /** With less on offer it names slower algorithms, although none of the best wants so much: TF32 of order 4096 takes 475 us then, not 379. */
    private static final long OFFERED = 64L << 20;

    private static final int OUT = RESULTS * CublasLt.HEURISTIC_BYTES;
    private static final int VALUE = OUT + 8;
    private static final int BYTES = VALUE + 8;

    private final CublasLt lt;
    private final long handle;
    private final long m;
    private final long n;
    private final long k;
    private final long lda;
    private final long ldb;
    private final long ldc;
    private final int options;
    private final int alignment;
    /** Algorithms first, then room for results. */
    private final long memory = SystemMemory.allocate(BYTES, 64);

    private long descriptor;
    private long a;
    private long b;
    private long c;
    /** Where the algorithm is, 0 if there is none. */
    private long algorithm;

    private boolean ran;

    /** Asks the library for an algorithm that does with some bytes of workspace. */
    LtProduct(CublasLt lt, long handle, Launch l, int options, int alignment, long workspace) {
        this.lt = lt;
        this.handle = handle;
        this.options = options;
        this.alignment = alignment;
        m = l.m;
        n = l.n;
        k = l.k;
        lda = l.a.ld;
        ldb = l.b.ld;
        ldc = l.c.ld;
        try {
            describe(l);
            long best = choose(Math.max(workspace, OFFERED), workspace);
            algorithm = best != 0 ? best : choose(workspace, workspace);
        } catch (Throwable t) {
            close();
            throw Libcuda.failed(t);
        }
    }

    static int hash(Launch l, int options, int alignment) {
        long h = l.m * 0x9E3779B97F4A7C15L + l.n;
        h = h * 0x9E3779B97F4A7C15L + l.k;
        h = h * 0x9E3779B97F4A7C15L + l.a.ld;
        h = h * 0x9E3779B97F4A7C15L + l.b.ld;
        h = h * 0x9E3779B97F4A7C15L + l.c.ld;
        h = h * 0x9E3779B97F4A7C15L + options;
        h = h * 0x9E3779B97F4A7C15L + alignment;
        return (int) (h >>> 40);
    }

    /** Whether this is the product of a launch. */
    boolean is(Launch l, int itsOptions, int itsAlignment) {
        return m == l.m && n == l.n && k == l.k && lda == l.a.ld && ldb == l.b.ld && ldc == l.c.ld
                && options == itsOptions && alignment == itsAlignment;
    }

    /** Whether the library has an algorithm. */
    boolean usable() {
        return algorithm != 0;
    }

    private static int floats(MathMode math) {
        return switch (math) {
            case DEFAULT, EMULATED -> CublasLt.COMPUTE_32F;
            case TF32 -> CublasLt.COMPUTE_32F_FAST_TF32;
            case F16 -> CublasLt.COMPUTE_32F_FAST_16F;
            case BF16 -> CublasLt.COMPUTE_32F_FAST_16BF;
        };
    }

    private void describe(Launch l) throws Throwable {
        int compute = switch (l.type) {
            case F64, C64 -> CublasLt.COMPUTE_64F;
            case I32 -> CublasLt.COMPUTE_32I;
            case F32 -> floats(l.mixed() ? MathMode.DEFAULT : l.math);
            default -> CublasLt.COMPUTE_32F;
        };
        int scale = number(l.type.computed());
        CublasLt.check((int) lt.descriptor.invokeExact(memory + OUT, compute, scale), "cublasLtMatmulDescCreate");
        descriptor = Memory.i64(memory + OUT);
        set(CublasLt.DESC_TRANSA, operation(l.opA, l));
        set(CublasLt.DESC_TRANSB, operation(l.opB, l));
        a = layout(l.a.type, l.opA == Op.NONE ? m : k, l.opA == Op.NONE ? k : m, lda);
        b = layout(l.b.type, l.opB == Op.NONE ? k : n, l.opB == Op.NONE ? n : k, ldb);
        c = layout(l.c.type, m, n, ldc);
    }

    /** The library's number of a type. */
    private static int number(ElementType type) {
        return switch (type) {
            case F32 -> CublasLt.R_32F;
            case F64 -> CublasLt.R_64F;
            case C32 -> CublasLt.C_32F;
            case C64 -> CublasLt.C_64F;
            case F16 -> CublasLt.R_16F;
            case BF16 -> CublasLt.R_16BF;
            case I8 -> CublasLt.R_8I;
            case I32 -> CublasLt.R_32I;
            case F8_E4M3 -> CublasLt.R_8F_E4M3;
            case F8_E5M2 -> CublasLt.R_8F_E5M2;
            default -> throw new IllegalArgumentException("no products of " + type);
        };
    }

    private static int operation(Op op, Launch l) {
        return op == Op.CONJ_TRANS && !l.type.isComplex() ? Op.TRANS.ordinal() : op.ordinal();
    }

    private void set(int attribute, int value) throws Throwable {
        Memory.i32(memory + VALUE, value);
        CublasLt.check((int) lt.setDescriptor.invokeExact(descriptor, attribute, memory + VALUE, 4L),
                "cublasLtMatmulDescSetAttribute");
    }

    private long layout(ElementType of, long rows, long cols, long ld) throws Throwable {
        int type = number(of);
        CublasLt.check((int) lt.layout.invokeExact(memory + OUT, type, rows, cols, ld), "cublasLtMatrixLayoutCreate");
        return Memory.i64(memory + OUT);
    }

    /** The best algorithm of those that the library names for so many bytes that does with fewer; 0 for none. */
    private long choose(long offered, long workspace) throws Throwable {
        CublasLt.check((int) lt.preference.invokeExact(memory + OUT), "cublasLtMatmulPreferenceCreate");
        long preference = Memory.i64(memory + OUT);
        try {
            Memory.i64(memory + VALUE, offered);
            CublasLt.check(
                    (int) lt.setPreference.invokeExact(preference, CublasLt.PREFERENCE_WORKSPACE, memory + VALUE, 8L),
                    "cublasLtMatmulPreferenceSetAttribute");
            int[] multiples = {alignment >> 20, alignment >> 10 & 0x3ff, alignment & 0x3ff, alignment & 0x3ff};
            for (int i = 0; i < multiples.length; i++) {
                Memory.i32(memory + VALUE, multiples[i]);
                CublasLt.check((int) lt.setPreference.invokeExact(preference, CublasLt.PREFERENCE_ALIGNMENT_A + i,
                        memory + VALUE, 4L), "cublasLtMatmulPreferenceSetAttribute");
            }
            Memory.i32(memory + OUT, 0);
            int status = (int) lt.heuristic.invokeExact(handle, descriptor, a, b, c, c, preference, RESULTS, memory,
                    memory + OUT);
            // No algorithm is an answer too; then the kernels of this library do it.
            int found = status == CublasLt.SUCCESS ? Memory.i32(memory + OUT) : 0;
            for (int i = 0; i < found; i++) {
                long result = memory + (long) i * CublasLt.HEURISTIC_BYTES;
                if (Memory.i32(result + CublasLt.HEURISTIC_STATUS) == CublasLt.SUCCESS
                        && Memory.i64(result + CublasLt.HEURISTIC_WORKSPACE) <= workspace) {
                    return result;
                }
            }
            return 0;
        } finally {
            CublasLt.check((int) lt.destroyPreference.invokeExact(preference), "cublasLtMatmulPreferenceDestroy");
        }
    }

    /** Runs it; the first time it may load code, which a capture must be told to allow. */
    void run(Launch l, long alpha, long beta, long work, long workBytes, long stream) {
        int status = ran
                ? call(l, alpha, beta, work, workBytes, stream)
                : (int) RelaxedCapture.during(() -> call(l, alpha, beta, work, workBytes, stream));
        ran = true;
        if (status != CublasLt.SUCCESS) {
            CublasLt.check(status, "cublasLtMatmul of " + m + " x " + n + " x " + k);
        }
    }

    private int call(Launch l, long alpha, long beta, long work, long workBytes, long stream) {
        long out = address(l.c);
        try {
            return (int) lt.matmul.invokeExact(handle, descriptor, alpha, address(l.a), a, address(l.b), b, beta, out,
                    c, out, c, algorithm, work, workBytes, stream);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    private static long address(Operand operand) {
        return operand.base + operand.offset;
    }

    void close() {
        try {
            if (descriptor != 0) {
                CublasLt.check((int) lt.destroyDescriptor.invokeExact(descriptor), "cublasLtMatmulDescDestroy");
            }
            for (long layout : new long[] {a, b, c}) {
                if (layout != 0) {
                    CublasLt.check((int) lt.destroyLayout.invokeExact(layout), "cublasLtMatrixLayoutDestroy");
                }
            }
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        } finally {
            SystemMemory.free(memory);
        }
    }
}
