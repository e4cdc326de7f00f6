package dev.basalt.spi;

import dev.basalt.type.ElementType;
import java.util.Collections;
import java.util.List;

/**
 * The facts about a device that size formulas and algorithms may depend on. Two devices with equal traits are of one
 * device class: their plans are equal to the byte. {@link #of} begins one.
 *
 * @param deviceClass name of the class, such as {@code host-avx512}
 * @param alignment alignment of every allocation in bytes: 64 on the host, 256 on a GPU
 * @param workers threads that one call may use on the host; 1 elsewhere
 * @param defaultWorkspace bytes a managed handle starts with
 * @param memoryPools whether memory can be allocated and freed in stream order
 * @param virtualMemory whether an address range can be reserved and filled with pages later
 * @param hostAccessible whether the CPU can load and store device addresses directly
 * @param reductionBlock elements of one partial sum in a reduction
 * @param gemvBlock rows of one partial result of a transposed matrix-vector product
 * @param reach how large a problem one launch of each kernel takes
 * @param products packing blocks of s, d, c and z
 * @param mixed what launches of mixed types want
 * @param twoStages bytes of a symmetric matrix from which its eigenvalues alone are found by way of a band; with eigenvectors half as many more
 * @param refines whether single precision is so much faster than double that it pays to factor in it and to refine
 */
public record DeviceTraits(String deviceClass, int alignment, int workers, long defaultWorkspace, boolean memoryPools,
        boolean virtualMemory, boolean hostAccessible, int reductionBlock, int gemvBlock, Reach reach,
        List<GemmBlocking> products, MixedWork mixed, long twoStages, boolean refines) {
    /**
     * Begins the traits of a device whose products need no packing memory.
     *
     * @param deviceClass name of the class
     * @return a builder
     */
    public static Builder of(String deviceClass) {
        return new Builder(deviceClass);
    }

    /**
     * The same device with a vendor's matrix product for all types.
     *
     * @param engine the engine
     * @return traits of a device class of its own, since plans differ
     */
    public DeviceTraits withEngine(GemmEngine engine) {
        return new DeviceTraits(deviceClass + "-" + engine.name(), alignment, workers, defaultWorkspace, memoryPools,
                virtualMemory, hostAccessible, reductionBlock, gemvBlock, reach,
                products.stream().map(p -> p.with(engine)).toList(), mixed.with(engine), twoStages, refines);
    }

    /**
     * The order of the blocks that every kernel takes, such as the diagonal blocks of triangular algorithms.
     *
     * @return order
     */
    public int block() {
        return reach.block();
    }

    /**
     * The packing blocks of a type.
     *
     * @param type a floating type
     * @return its blocks
     */
    public GemmBlocking gemm(ElementType type) {
        return products.get(type.ordinal());
    }

    /** The facts about a device, one at a time. */
    public static final class Builder {
        private static final int TYPES = 4;

        private final String deviceClass;
        private int alignment = 64;
        private int workers = 1;
        private long defaultWorkspace;
        private boolean memoryPools;
        private boolean virtualMemory;
        private boolean hostAccessible;
        private int reductionBlock = 1;
        private int gemvBlock = 1;
        private Reach reach = Reach.ofBlocks(1);
        private List<GemmBlocking> products = Collections.nCopies(TYPES, GemmBlocking.NONE);
        private MixedWork mixed = MixedWork.NONE;
        private long twoStages = Long.MAX_VALUE;
        private boolean refines = true;

        private Builder(String deviceClass) {
            this.deviceClass = deviceClass;
        }

        /**
         * How memory comes.
         *
         * @param bytes alignment of every allocation
         * @param pools whether memory can be allocated and freed in stream order
         * @param virtual whether an address range can be reserved and filled with pages later
         * @param accessible whether the CPU can load and store device addresses directly
         * @return this
         */
        public Builder memory(int bytes, boolean pools, boolean virtual, boolean accessible) {
            alignment = bytes;
            memoryPools = pools;
            virtualMemory = virtual;
            hostAccessible = accessible;
            return this;
        }

        /**
         * The workspace that a managed handle starts with.
         *
         * @param bytes how much
         * @return this
         */
        public Builder workspace(long bytes) {
            defaultWorkspace = bytes;
            return this;
        }

        /**
         * The threads of a call.
         *
         * @param threads how many one call may use
         * @return this
         */
        public Builder workers(int threads) {
            workers = threads;
            return this;
        }

        /**
         * How sums are cut.
         *
         * @param reduction elements of one partial sum in a reduction
         * @param gemv rows of one partial result of a transposed matrix-vector product
         * @return this
         */
        public Builder sums(int reduction, int gemv) {
            reductionBlock = reduction;
            gemvBlock = gemv;
            return this;
        }

        /**
         * How large a problem one launch takes.
         *
         * @param kernels the reach of every kernel
         * @return this
         */
        public Builder reach(Reach kernels) {
            reach = kernels;
            return this;
        }

        /**
         * The packing blocks of products.
         *
         * @param s of single
         * @param d of double
         * @param c of single complex
         * @param z of double complex
         * @return this
         */
        public Builder gemm(GemmBlocking s, GemmBlocking d, GemmBlocking c, GemmBlocking z) {
            products = List.of(s, d, c, z);
            return this;
        }

        /**
         * The workspace of launches of mixed types.
         *
         * @param work how much they want; if not said they want none
         * @return this
         */
        public Builder mixed(MixedWork work) {
            mixed = work;
            return this;
        }

        /**
         * The eigenvalues of a symmetric matrix without its eigenvectors.
         *
         * @param bytes of a matrix from which two stages, by way of a band, are faster than one; if not said none is large enough
         * @return this
         */
        public Builder twoStages(long bytes) {
            twoStages = bytes;
            return this;
        }

        /**
         * Says that double precision is as fast as single, so that nothing is factored in single precision and refined.
         *
         * @return this
         */
        public Builder doublesAsFast() {
            refines = false;
            return this;
        }

        /**
         * The traits.
         *
         * @return a value
         */
        public DeviceTraits build() {
            return new DeviceTraits(deviceClass, alignment, workers, defaultWorkspace, memoryPools, virtualMemory,
                    hostAccessible, reductionBlock, gemvBlock, reach, products, mixed, twoStages, refines);
        }
    }
}
