package dev.basalt.host.asm;

import static dev.basalt.spi.Memory.i64;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What one call of batched kernels needs beside its operands: tables of addresses, the arguments of kernels that take more
 * than registers hold, and room for the lanes of two matrices. Like the stack of native code it belongs to the thread at work,
 * is of one size, and is no workspace.
 */
final class BatchFrame {
    /** Order of the largest problems. */
    static final int ORDER = 32;
    /** Problems that tables have room for. */
    static final int PIECE = 128;

    /** Arguments of a kernel, of eight bytes each. */
    private static final int SLOTS = 16;
    /** Vectors that kernels keep behind their arguments. */
    private static final int VECTORS = 6;

    private static final int VECTOR_BYTES = 64;
    private static final int STEPS = 4;
    private static final long ARGUMENTS = SLOTS * 8L + VECTORS * VECTOR_BYTES;
    private static final int TABLES = 5;
    private static final long TABLE = (PIECE + AddressCode.REPEATS + 1) * 8L;
    /** Transpositions store whole squares, up to 15 vectors beyond the last row. */
    static final long MATRIX = (pitch(ORDER) * ORDER + 16) * VECTOR_BYTES;

    private final MemorySegment memory;
    private final long tables;
    private final long matrices;

    BatchFrame() {
        memory = Arena.ofAuto().allocate(STEPS * ARGUMENTS + TABLES * TABLE + 2 * MATRIX, 64);
        tables = memory.address() + STEPS * ARGUMENTS;
        matrices = tables + TABLES * TABLE;
    }

    /** The arguments of the kernel of a step: a launch takes up to four in turn, each with its own. */
    long arguments(int step) {
        return memory.address() + step * ARGUMENTS;
    }

    /** Sets an argument of a step. */
    void set(int step, int slot, long value) {
        i64(arguments(step) + slot * 8L, value);
    }

    /** An argument of a step that its kernel has set. */
    long get(int step, int slot) {
        return i64(arguments(step) + slot * 8L);
    }

    /** Where the vectors behind the arguments are, from the arguments on. */
    static int vector(int index) {
        return SLOTS * 8 + index * VECTOR_BYTES;
    }

    /** Vectors from column to column of lanes with some rows: odd, so that a row does not meet in a few sets of the cache. */
    static long pitch(long rows) {
        return rows | 1;
    }

    /** The table of an operand, 0 to 4. */
    long table(int operand) {
        return tables + operand * TABLE;
    }

    /** The lanes of matrix 0 or 1. */
    long matrix(int index) {
        return matrices + index * MATRIX;
    }
}
