package dev.basalt.gpu;

import java.util.Collections;
import java.util.List;

/**
 * An entry point of the compiled kernels. Each lies in one module (one source file, compiled for one element type), and a
 * device loads a module when a function of it is first launched.
 */
public final class KernelFunction {
    private static final String TYPES = "sdcz";

    private final int id;
    private final String source;
    private final char letter;
    private final String name;
    private final LaunchRow row;
    private final KernelFunction capped;
    // Read at every launch.
    private final int threads;
    private final int shared;
    private final int tile;
    private final int columns;
    private final int depth;
    private final int sides;
    private final boolean cooperative;

    /**
     * A function and its twin, which is numbered so many places behind it.
     *
     * @param twins how far its twin is, 0 for a twin
     */
    KernelFunction(int id, String source, String stem, char letter, LaunchRow row, int twins) {
        this.id = id;
        this.capped = twins == 0 ? null : new KernelFunction(id + twins, source, stem, letter, row, 0);
        this.source = source;
        this.letter = letter;
        this.name = "basalt_" + stem + "_" + letter;
        this.row = row;
        this.threads = row.threads();
        this.shared = row.shared();
        this.tile = row.attribute("tile", 0);
        this.columns = row.attribute("columns", tile);
        this.depth = row.attribute("depth", 0);
        this.sides = row.attribute("sides", 0);
        this.cooperative = row.cooperative();
    }

    /** The functions of a kernel, in the order s d c z; null for types that it has none for. */
    static KernelFunction[] floating(String stem) {
        KernelFunction[] functions = new KernelFunction[TYPES.length()];
        for (int i = 0; i < functions.length; i++) {
            functions[i] = LaunchTable.find("basalt_" + stem + "_" + TYPES.charAt(i));
        }
        return functions;
    }

    /** A kernel's function for one type. */
    static KernelFunction one(String stem, char letter) {
        KernelFunction found = LaunchTable.find("basalt_" + stem + "_" + letter);
        if (found == null) {
            throw new IllegalArgumentException("no row " + stem + " for " + letter + " in " + LaunchTable.RESOURCE);
        }
        return found;
    }

    /**
     * The four functions of a kernel for one type whose names differ in two letters in the middle.
     *
     * @param stem what stands before them
     * @param first the letters that the first may be
     * @param second the letters that the second may be
     * @param ending what stands behind them
     */
    static KernelFunction[][] four(String stem, String first, String second, String ending, char letter) {
        KernelFunction[][] functions = new KernelFunction[2][2];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                functions[i][j] = one(stem + first.charAt(i) + second.charAt(j) + ending, letter);
            }
        }
        return functions;
    }

    /**
     * All functions, ordered by {@link #id}, without their twins.
     *
     * @return unmodifiable list
     */
    public static List<KernelFunction> all() {
        return Collections.unmodifiableList(LaunchTable.functions());
    }

    /**
     * How many there are with their twins.
     *
     * @return what every {@link #id} is below
     */
    public static int count() {
        return 2 * LaunchTable.functions().size();
    }

    /**
     * Its twin for launches in which the device alone knows a dimension: the same source, compiled with {@code BASALT_CAPPED}.
     *
     * @return null for a twin
     */
    public KernelFunction capped() {
        return capped;
    }

    /**
     * A number from 0 up: a device keeps what it knows of a function in an array.
     *
     * @return below {@link #count}; of those that are no twins the index in {@link #all}
     */
    public int id() {
        return id;
    }

    /**
     * The program it lies in, as {@link KernelSources} names it.
     *
     * @return such as {@code reduce.d}, and {@code reduce.d.capped} for a twin
     */
    public String program() {
        return source + "." + letter + (capped == null ? KernelSources.CAPPED : "");
    }

    /**
     * The source file without its ending: {@code SOURCE.cu}, or prebuilt {@code SOURCE_LETTER.cubin} and {@code .ptx}.
     *
     * @return such as {@code reduce}
     */
    public String source() {
        return source;
    }

    /**
     * The element type the module is compiled for: {@code s d c z}, defined as {@code BASALT_TYPE_S} and so on.
     *
     * @return lower-case letter
     */
    public char letter() {
        return letter;
    }

    /**
     * The symbol, with C linkage.
     *
     * @return such as {@code basalt_dot_d}
     */
    public String name() {
        return name;
    }

    /**
     * Whether its blocks wait for each other, so that all must run at once: a cooperative launch.
     *
     * @return true for the kernels that share a tall panel out
     */
    public boolean cooperative() {
        return cooperative;
    }

    /**
     * How many blocks (x) are one cluster, whose blocks run together and reach each other's shared memory.
     *
     * @return 1 for all kernels but those made for clusters; more than 8 is what a device must allow when it loads the function
     */
    public int cluster() {
        return row.cluster();
    }

    /**
     * The most dynamic shared memory it is launched with; above 48 KiB a device must allow it when it loads the function.
     *
     * @return bytes
     */
    public int shared() {
        return shared;
    }

    /**
     * Most threads of a block, which is what it is compiled for.
     *
     * @return threads
     */
    public int threads() {
        return threads;
    }

    /** Blocks that fit on a multiprocessor at least, 0 where the compiler is free. */
    int blocks() {
        return row.blocks();
    }

    /** Order of a block's tile of the result, 0 where there is none. */
    int tile() {
        return tile;
    }

    /** Columns of such a tile: as many as it has rows, unless the row says otherwise. */
    int columns() {
        return columns;
    }

    /** Of a step along the inner dimension, 0 where there is none. */
    int depth() {
        return depth;
    }

    /** Right-hand sides of a block, 0 where there are none. */
    int sides() {
        return sides;
    }

    /** The row of the table that it comes from. */
    LaunchRow row() {
        return row;
    }

    @Override
    public String toString() {
        return name;
    }
}
