package dev.basalt.host.assembled.batch;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What one call of batched kernels needs beside its operands: tables of addresses, the arguments of kernels that take more
 * than registers hold, and room for the lanes of two matrices. Like the stack of native code it belongs to the thread at work,
 * is of one size, and is no workspace.
 */
public final class BatchFrame {
    /** Order of the largest problems. */
    public static final int ORDER = 32;
    /** Problems that tables have room for. */
    public static final int PIECE = 128;

    /** Arguments of a kernel, of eight bytes each. */
    private static final int SLOTS = 16;
    /** Vectors that kernels keep behind their arguments. */
    private static final int VECTORS = 6;

    private static final int VECTOR_BYTES = 64;
    private static final int STEPS = 6;
    private static final long ARGUMENTS = SLOTS * 8L + VECTORS * VECTOR_BYTES;
    private static final int TABLES = 5;
    private static final long TABLE = (PIECE + AddressCode.REPEATS + 1) * 8L;
    private final MemorySegment memory;
    private final long tables;
    private final long matrices;
    private final long matrixBytes;
    private final long factors;

    /** For problems whose elements are of so many real numbers; 0 for kernels that bring none into lanes. */
    BatchFrame(int parts) {
        // Transpositions store whole squares, up to 15 vectors beyond the last row.
        matrixBytes = (pitch((long) ORDER * parts) * ORDER + 16) * VECTOR_BYTES;
        long factorBytes = (long) (ORDER * parts + 16) * VECTOR_BYTES;
        memory = Arena.ofAuto().allocate(STEPS * ARGUMENTS + TABLES * TABLE + 2 * matrixBytes + factorBytes, 64);
        tables = memory.address() + STEPS * ARGUMENTS;
        matrices = tables + TABLES * TABLE;
        factors = matrices + 2 * matrixBytes;
    }

    /** The arguments of the kernel of a step: a launch takes up to six in turn, each with its own. */
    long arguments(int step) {
        return memory.address() + step * ARGUMENTS;
    }

    /** Sets an argument of a step. */
    public void set(int step, int slot, long value) {
        i64(arguments(step) + slot * 8L, value);
    }

    /** Sets the {@link BatchProductCode#SIGNS} of a step, for numbers of some bytes. */
    public void signs(int step, int size, boolean conj) {
        for (int i = 0; i < VECTOR_BYTES / size; i++) {
            sign(step, BatchProductCode.SIGNS, i, size, i % 2 == 0 != conj);
        }
    }

    /** Sets the {@link ComplexSubstitutionCode#SIGNS} of a step. */
    public void conjugate(int step, int size, boolean conj) {
        for (int i = 0; i < VECTOR_BYTES / size; i++) {
            sign(step, ComplexSubstitutionCode.SIGNS, i, size, conj);
        }
    }

    private void sign(int step, int vector, int i, int size, boolean negative) {
        long at = arguments(step) + vector(vector) + (long) i * size;
        if (size == 8) {
            f64(at, negative ? -0.0 : 0.0);
        } else {
            f32(at, negative ? -0.0f : 0.0f);
        }
    }

    /** An argument of a step that its kernel has set. */
    public long get(int step, int slot) {
        return i64(arguments(step) + slot * 8L);
    }

    /** Where the vectors behind the arguments are, from the arguments on. */
    public static int vector(int index) {
        return SLOTS * 8 + index * VECTOR_BYTES;
    }

    /** Vectors from column to column of lanes with some rows: odd, so that a row does not meet in a few sets of the cache. */
    static long pitch(long rows) {
        return rows | 1;
    }

    /** The table of an operand, 0 to 4. */
    public long table(int operand) {
        return tables + operand * TABLE;
    }

    /** The lanes of matrix 0 or 1. */
    public long matrix(int index) {
        return matrices + index * matrixBytes;
    }

    /** The lanes of the factors of reflectors. */
    long factors() {
        return factors;
    }

    /** Bytes of the lanes of both matrices. */
    public long bytes() {
        return 2 * matrixBytes;
    }
}
