package dev.basalt.sim;

/**
 * One operand of one operation.
 *
 * @param block the allocation it lies in
 * @param generation which life of that allocation; pools give the same memory out again
 * @param bytes which bytes
 * @param write whether they are written
 * @param operand what people call it
 */
record Touch(Block block, long generation, Footprint bytes, boolean write, String operand) {
    /** Takes note of what an operation touches. */
    interface Sink {
        /** Device memory. */
        void device(Footprint bytes, boolean write, String operand);

        /** Host memory. */
        void host(Footprint bytes, boolean write, String operand);

        /** A whole allocation that begins or ends its life. */
        void block(Block block, long bytes, String operand);
    }
}
