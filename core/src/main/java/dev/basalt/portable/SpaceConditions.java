package dev.basalt.portable;

import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/** Condition numbers of the first eigenvalues of a Schur form, and of their space, by Sylvester's equation of both parts (Bai and Demmel, 1993). It remembers the form that is worked on. */
final class SpaceConditions implements InverseNorm.Inverse {
    private final Leaf leaf;
    private final SylvesterLeaf equations;
    private final InverseNorm norms;
    private final boolean single;
    private final boolean complex;
    private final long bytes;

    private long first;
    private long rest;
    private long t;
    private long ldt;
    private long x;
    private long pack;
    private long packBytes;

    SpaceConditions(Leaf leaf, SylvesterLeaf equations, ElementType type) {
        this.leaf = leaf;
        this.equations = equations;
        this.norms = new InverseNorm(type);
        this.single = type.real() == ElementType.F32;
        this.complex = type.isComplex();
        this.bytes = type.bytes();
    }

    /** See {@link dev.basalt.spi.Kernel#TRSEN_SENSE}; what is not wanted has the address 0. */
    void run(long n, long chosen, long form, long ld, long value, long space, long work, long packing,
            long packingBytes) {
        first = chosen;
        rest = n - chosen;
        t = form;
        ldt = ld;
        x = work;
        pack = packing;
        packBytes = packingBytes;
        boolean whole = first <= 0 || rest <= 0;
        if (value != 0) {
            put(value, whole ? 1 : value());
        }
        if (space != 0) {
            put(space, whole ? columns(n) : 1 / norms.of(first * rest, x, this));
        }
    }

    private void put(long address, double number) {
        if (single) {
            Memory.f32(address, (float) number);
        } else {
            Memory.f64(address, number);
        }
    }

    private double get(long address) {
        return single ? Memory.f32(address) : Memory.f64(address);
    }

    private double size(long element) {
        return complex ? Math.hypot(get(element), get(element + bytes / 2)) : Math.abs(get(element));
    }

    private double value() {
        leaf.copyMatrix(first, rest, t + first * ldt * bytes, ldt, x, first);
        double scale = solve(false);
        double most = scale;
        for (long i = 0; i < first * rest; i++) {
            most = Math.max(most, size(x + i * bytes));
        }
        double sum = scale / most * (scale / most);
        for (long i = 0; i < first * rest; i++) {
            double part = size(x + i * bytes) / most;
            sum += part * part;
        }
        return scale / most / Math.sqrt(sum);
    }

    /** The largest sum of a column of the form. */
    private double columns(long n) {
        double most = 0;
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long i = 0; i < Math.min(n, j + (complex ? 1 : 2)); i++) {
                sum += size(t + (i + j * ldt) * bytes);
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    @Override
    public double solve(boolean adjoint) {
        Op op = adjoint ? Op.CONJ_TRANS : Op.NONE;
        equations.trsyl(op, op, true, first, rest, t, ldt, t + first * (ldt + 1) * bytes, ldt, x, first, pack,
                packBytes);
        return equations.scale();
    }
}
