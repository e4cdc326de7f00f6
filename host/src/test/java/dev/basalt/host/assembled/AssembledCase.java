package dev.basalt.host.assembled;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.engine.AssembledCLeaf;
import dev.basalt.host.engine.AssembledDLeaf;
import dev.basalt.host.engine.AssembledSLeaf;
import dev.basalt.host.engine.AssembledZLeaf;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An element type on an instruction set, with the portable kernels to compare with.
 *
 * @param size bytes of a real number
 * @param parts 2 for complex elements
 */
public record AssembledCase(String name, int size, int parts, AssembledKernels kernels, Leaf leaf, Leaf portable) {
    /** Every type on every instruction set that there is here. */
    public static List<AssembledCase> all() {
        List<AssembledCase> cases = new ArrayList<>();
        int widest;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("skipped, " + e.getMessage());
            return cases;
        }
        for (int bits = 256; bits <= widest; bits *= 2) {
            AssembledKernels d = AssembledKernels.real(bits, 8);
            AssembledKernels s = AssembledKernels.real(bits, 4);
            AssembledKernels z = AssembledKernels.complex(bits, 8);
            AssembledKernels c = AssembledKernels.complex(bits, 4);
            cases.add(new AssembledCase("d" + bits, 8, 1, d, new AssembledDLeaf(d), new DLeaf()));
            cases.add(new AssembledCase("s" + bits, 4, 1, s, new AssembledSLeaf(s), new SLeaf()));
            cases.add(new AssembledCase("z" + bits, 8, 2, z, new AssembledZLeaf(z), new ZLeaf()));
            cases.add(new AssembledCase("c" + bits, 4, 2, c, new AssembledCLeaf(c), new CLeaf()));
        }
        return cases;
    }

    /** Packing memory that suffices for a triangle of an order: what a query asks for. */
    public long workBytes(int order) {
        return kernels.blocking().blockBytes(order, order, bytes(), 1);
    }

    public int bytes() {
        return size * parts;
    }

    public long bytes(long rows, long columns, long ld) {
        return ((columns - 1) * ld + rows) * bytes();
    }

    public double get(long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    public void set(long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    /** Numbers from -1 to 1. */
    public long uniform(Random random, long at, long bytes) {
        for (long i = 0; i < bytes; i += size) {
            set(at + i, random.nextDouble() * 2 - 1);
        }
        return at;
    }

    /** What is wrong with a result, null for nothing; between its columns nothing may have changed. */
    public String difference(long found, long expected, long bytes, long rows, long ld, double tolerance) {
        for (long at = 0; at < bytes; at += size) {
            long row = at / bytes() % ld;
            double x = get(found + at);
            double y = get(expected + at);
            if (!(Math.abs(x - y) <= (row < rows ? tolerance : 0))
                    && !(row >= rows && same(found + at, expected + at))) {
                return "row " + row + " column " + at / bytes() / ld + ": " + x + " for " + y;
            }
        }
        return null;
    }

    private boolean same(long x, long y) {
        for (int i = 0; i < size; i++) {
            if (Memory.i8(x + i) != Memory.i8(y + i)) {
                return false;
            }
        }
        return true;
    }
}
