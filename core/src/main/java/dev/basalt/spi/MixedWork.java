package dev.basalt.spi;

/**
 * How much workspace launches of mixed types want ({@link Launch#mixed}), on devices that convert operands before they compute. Pure in
 * the kernel, the types and the shape: neither pointers nor scalars may be looked at.
 */
public interface MixedWork {
    /** None at all: a device that converts in registers. */
    MixedWork NONE = new MixedWork() {
        @Override
        public long bytes(Launch l) {
            return 0;
        }

        @Override
        public long least(Launch l) {
            return 0;
        }
    };

    /**
     * Bytes with which a launch is fastest.
     *
     * @param l what will run
     * @return bytes
     */
    long bytes(Launch l);

    /**
     * The fewest bytes that are of use: with less, elements are converted one by one.
     *
     * @param l what will run
     * @return bytes, at most {@link #bytes}
     */
    long least(Launch l);

    /**
     * The same on a device that leaves some products to an engine.
     *
     * @param engine which
     * @return what also asks for the engine's workspace, or this if the engine takes no products of mixed types
     */
    default MixedWork with(GemmEngine engine) {
        return this;
    }
}
