package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Fills operands with random numbers of the kind that their routine needs; gaps between columns and elements too. */
final class Filling {
    private static final long STRETCH = 1 << 18;

    private final Workload w;
    private final Slot slot;
    private final MemorySegment to;
    private final int parts;
    private final boolean single;

    private Filling(Workload w, Slot slot, MemorySegment to) {
        this.w = w;
        this.slot = slot;
        this.to = to;
        this.parts = w.type.isComplex() ? 2 : 1;
        this.single = w.type.real() == ElementType.F32;
    }

    static MemorySegment of(Workload w, Slot slot, long elements, SplittableRandom random, Arena arena) {
        MemorySegment to = arena.allocate(elements * w.type.bytes(), 64);
        Filling filling = new Filling(w, slot, to);
        filling.uniform(elements * filling.parts, random);
        for (long p = 0; p < w.batch && !slot.name().isVector(); p++) {
            filling.shape(p * w.stride(slot.name()));
        }
        return to;
    }

    /** Row interchanges that getrf could have made. */
    static MemorySegment pivots(Workload w, SplittableRandom random, Arena arena) {
        int order = (int) Math.min(w.m, w.n);
        MemorySegment to = arena.allocate(JAVA_INT, order * w.batch);
        for (long i = 0; i < order * w.batch; i++) {
            int row = (int) (i % order);
            to.setAtIndex(JAVA_INT, i, 1 + random.nextInt(row, order));
        }
        return to;
    }

    /** Every stretch has numbers of its own, so they are the same however many threads there are. */
    private void uniform(long numbers, SplittableRandom random) {
        long seed = random.nextLong();
        int stretches = Math.toIntExact((numbers + STRETCH - 1) / STRETCH);
        Parts.each(stretches, STRETCH, (from, to) -> {
            for (int s = from; s < to; s++) {
                SplittableRandom own = new SplittableRandom(seed + s);
                for (long i = s * STRETCH; i < Math.min(numbers, (s + 1) * STRETCH); i++) {
                    put(i, own.nextDouble(-1, 1));
                }
            }
        });
    }

    /** Gives the matrix that begins at an element its properties. */
    private void shape(long first) {
        long ld = w.leading(slot.name());
        long order = Math.min(slot.rows().applyAsLong(w), slot.cols().applyAsLong(w));
        switch (slot.content()) {
            case GENERAL -> {}
            case HERMITIAN -> diagonal(first, ld, order, 0);
            case POSITIVE_DEFINITE -> diagonal(first, ld, order, 2.0 * order);
            case TRIANGULAR, FACTORS -> Parts.each((int) order, order, (from, end) -> {
                for (int j = from; j < end; j++) {
                    triangleColumn(first + j * ld, j, order);
                }
            });
        }
    }

    private void triangleColumn(long column, long j, long order) {
        for (long i = parts * column; i < parts * (column + order); i++) {
            put(i, get(i) / order);
        }
        put(parts * (column + j), j % 3 == 0 && w.routine != Routine.POTRS ? -1 : 1);
        imaginary(column + j);
    }

    private void diagonal(long first, long ld, long order, double plus) {
        for (long j = 0; j < order; j++) {
            long at = first + j * ld + j;
            put(parts * at, get(parts * at) + plus);
            imaginary(at);
        }
    }

    private void imaginary(long element) {
        if (parts == 2) {
            put(2 * element + 1, 0);
        }
    }

    private double get(long number) {
        return single ? to.getAtIndex(JAVA_FLOAT, number) : to.getAtIndex(JAVA_DOUBLE, number);
    }

    private void put(long number, double value) {
        if (single) {
            to.setAtIndex(JAVA_FLOAT, number, (float) value);
        } else {
            to.setAtIndex(JAVA_DOUBLE, number, value);
        }
    }
}
