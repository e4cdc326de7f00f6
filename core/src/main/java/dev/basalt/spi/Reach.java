package dev.basalt.spi;

import dev.basalt.type.ElementType;
import dev.basalt.type.Side;
import java.util.Arrays;

/**
 * How far one launch of a kernel reaches: the order of the largest triangle, symmetric block or panel that it takes at full speed. A
 * composite routine makes one launch where that reaches, and splits the problem where it does not. What nobody stated reaches as far
 * as a {@linkplain #block block}. An immutable value: devices of equal reach have equal plans.
 */
public final class Reach {
    /** The order of a kernel that takes any problem at full speed. */
    public static final long ANY = Long.MAX_VALUE;

    private static final int CHAINS = 32;
    private static final int KERNELS = Kernel.values().length;
    private static final int TYPES = 4;

    private final int block;
    private final boolean waves;
    private final boolean[] packs;
    private final long[][] orders;

    private Reach(int block, boolean waves, boolean[] packs, long[][] orders) {
        this.block = block;
        this.waves = waves;
        this.packs = packs;
        this.orders = orders;
    }

    /**
     * A device whose kernels take blocks, so that larger problems are split until matrix products do most of the work.
     *
     * @param order of the blocks
     * @return reach
     */
    public static Reach ofBlocks(int order) {
        long[][] orders = new long[KERNELS][TYPES];
        for (long[] kernel : orders) {
            Arrays.fill(kernel, order);
        }
        return new Reach(order, false, new boolean[KERNELS], orders);
    }

    private Reach copy(boolean inWaves) {
        long[][] copies = new long[KERNELS][];
        for (int i = 0; i < KERNELS; i++) {
            copies[i] = orders[i].clone();
        }
        return new Reach(block, inWaves, packs.clone(), copies);
    }

    /**
     * The same with kernels that reach further than a block: half as far for complex types, whose elements are twice as large.
     *
     * @param order for real types; less than a block is a block
     * @param kernels the kernels
     * @return reach
     */
    public Reach upTo(long order, Kernel... kernels) {
        Reach made = copy(waves);
        for (Kernel kernel : kernels) {
            for (ElementType type : ElementType.values()) {
                if (type.isFloating()) {
                    long own = type.isComplex() && order != ANY ? order / 2 : order;
                    made.orders[kernel.ordinal()][type.ordinal()] = Math.max(block, own);
                }
            }
        }
        return made;
    }

    /**
     * The same with another reach of one kernel for one type.
     *
     * @param order for that type
     * @param kernel the kernel
     * @param type the type
     * @return reach
     */
    public Reach upTo(long order, Kernel kernel, ElementType type) {
        Reach made = copy(waves);
        made.orders[kernel.ordinal()][type.ordinal()] = order;
        return made;
    }

    /**
     * The same with kernels that are a last resort: whatever their size, a composite routine has something faster.
     *
     * @param kernels the kernels
     * @return reach
     */
    public Reach without(Kernel... kernels) {
        Reach made = copy(waves);
        for (Kernel kernel : kernels) {
            Arrays.fill(made.orders[kernel.ordinal()], 0);
        }
        return made;
    }

    /**
     * The same with kernels that pack their triangle or symmetric block, once it is larger than a block, into workspace that the
     * launch brings: see {@link GemmBlocking#blockBytes}.
     *
     * @param kernels the kernels
     * @return reach
     */
    public Reach packing(Kernel... kernels) {
        Reach made = copy(waves);
        for (Kernel kernel : kernels) {
            made.packs[kernel.ordinal()] = true;
        }
        return made;
    }

    /**
     * The same for a device that works in waves: a launch takes the time of whole waves of blocks, however full the last one is, so
     * few launches with a long inner dimension are done sooner than many.
     *
     * @return reach
     */
    public Reach inWaves() {
        return copy(true);
    }

    /**
     * The order of the blocks that every kernel takes.
     *
     * @return order
     */
    public int block() {
        return block;
    }

    /**
     * The largest order that one launch of a kernel takes at full speed; of GETF2 the most columns.
     *
     * @param kernel the kernel
     * @param type a floating type
     * @return order, {@link #ANY} if there is no largest
     */
    public long of(Kernel kernel, ElementType type) {
        return orders[kernel.ordinal()][type.ordinal()];
    }

    /**
     * Whether a launch of any order is at full speed.
     *
     * @param kernel the kernel
     * @param type a floating type
     * @return whether nothing need be split
     */
    public boolean whole(Kernel kernel, ElementType type) {
        return of(kernel, type) == ANY;
    }

    /**
     * Whether one launch of a kernel is sooner done than what would bring a small problem to large products: the device works in
     * waves, the kernel reaches that far, and there are few columns or rows to multiply with.
     *
     * @param kernel the kernel
     * @param product with a triangle or a symmetric block on a side of an m×n matrix
     * @return whether a composite routine makes that one launch, without workspace
     */
    public boolean alone(Kernel kernel, Launch product) {
        boolean left = product.side == Side.LEFT;
        long order = left ? product.m : product.n;
        long lines = left ? product.n : product.m;
        return waves && order <= of(kernel, product.type) && lines <= 256L * block / Math.max(1, product.count);
    }

    /**
     * Whether a kernel packs what is larger than a block.
     *
     * @param kernel the kernel
     * @return whether a launch brings workspace for that
     */
    public boolean packs(Kernel kernel) {
        return packs[kernel.ordinal()];
    }

    /**
     * Whether the time of a launch is that of whole waves of blocks.
     *
     * @return false where a launch half as large takes half as long
     */
    public boolean waves() {
        return waves;
    }

    /**
     * Whether one launch of TRSM solves: the triangle is small enough, or, on a device that works in waves, the right-hand sides are
     * so few that products between triangles would not be worth their launches.
     *
     * @param type a floating type
     * @param order of the triangle
     * @param sides right-hand sides of a problem
     * @param count problems
     * @return whether nothing need be split
     */
    public boolean solves(ElementType type, long order, long sides, long count) {
        return order <= of(Kernel.TRSM, type) || waves && fewSides(sides, count);
    }

    /**
     * Whether products between triangles would not be worth their launches: up to {@value #CHAINS} times eight right-hand sides.
     *
     * @param sides right-hand sides of a problem
     * @param count problems
     * @return whether they are few
     */
    public static boolean fewSides(long sides, long count) {
        return count <= CHAINS && (sides + 7) / 8 * count <= CHAINS;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Reach r && block == r.block && waves == r.waves && Arrays.equals(packs, r.packs)
                && Arrays.deepEquals(orders, r.orders);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(orders) * 31 + Arrays.hashCode(packs) + block + (waves ? 1 : 0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("blocks of ").append(block);
        for (Kernel kernel : Kernel.values()) {
            for (ElementType type : ElementType.values()) {
                if (type.isFloating() && of(kernel, type) != block) {
                    text.append(", ").append(kernel).append(' ').append(type.letter());
                    text.append(' ').append(whole(kernel, type) ? "any" : String.valueOf(of(kernel, type)));
                }
            }
            text.append(packs(kernel) ? ", " + kernel + " packs" : "");
        }
        return text.append(waves ? ", in waves" : "").toString();
    }
}
