package dev.basalt.gpu;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An entry point of the compiled kernels. Each lies in one module (one source file, compiled for one element type), and a
 * device loads a module when a function of it is first launched.
 */
public final class KernelFunction {
    private static final List<KernelFunction> ALL = new ArrayList<>();

    private final int id;
    private final String source;
    private final char letter;
    private final String name;
    private final int shared;

    private KernelFunction(String source, char letter, String name, int shared) {
        this.source = source;
        this.letter = letter;
        this.name = name;
        this.shared = shared;
        this.id = ALL.size();
        ALL.add(this);
    }

    /** One function for every element type, in the order s d c z. */
    static KernelFunction[] floating(String source, String stem, int... shared) {
        KernelFunction[] functions = new KernelFunction[4];
        for (int i = 0; i < 4; i++) {
            functions[i] = one(source, "sdcz".charAt(i), stem, shared.length == 0 ? 0 : shared[i % shared.length]);
        }
        return functions;
    }

    static KernelFunction one(String source, char letter, String stem, int shared) {
        return new KernelFunction(source, letter, "basalt_" + stem + "_" + letter, shared);
    }

    /**
     * All functions, ordered by {@link #id}.
     *
     * @return unmodifiable list
     */
    public static List<KernelFunction> all() {
        return Collections.unmodifiableList(Kernels.loaded(ALL));
    }

    /**
     * A number from 0 up: a device keeps what it knows of a function in an array.
     *
     * @return index in {@link #all}
     */
    public int id() {
        return id;
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
        return name.startsWith("basalt_lu_slices");
    }

    /**
     * How many blocks (x) are one cluster, whose blocks run together and reach each other's shared memory.
     *
     * @return 1 for all kernels but those made for clusters; more than 8 is what a device must allow when it loads the function
     */
    public int cluster() {
        return name.startsWith("basalt_lu_cluster_16") ? 16 : name.startsWith("basalt_lu_cluster_8") ? 8 : 1;
    }

    /**
     * The most dynamic shared memory it is launched with; above 48 KiB a device must allow it when it loads the function.
     *
     * @return bytes
     */
    public int shared() {
        return shared;
    }

    @Override
    public String toString() {
        return name;
    }
}
