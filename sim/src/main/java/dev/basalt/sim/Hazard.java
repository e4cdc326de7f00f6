package dev.basalt.sim;

/**
 * Something that goes wrong on some schedule, whether or not it went wrong on this one.
 *
 * @param kind what kind of fault
 * @param first the earlier access; for memory that is not there, what is known about it
 * @param second the later access
 */
public record Hazard(Kind kind, Access first, Access second) {
    /** What kind of fault. */
    public enum Kind {
        /** Two accesses overlap, one of them writes, and neither is ordered before the other. */
        RACE,
        /** Memory is used after it was freed. */
        USE_AFTER_FREE,
        /** Memory is used that was never allocated, or that lies beyond the end of its allocation. */
        OUT_OF_BOUNDS,
        /** The bytes behind the end of an allocation were overwritten; found when it was freed. */
        OVERRUN
    }

    /**
     * One side of a hazard.
     *
     * @param operation what ran, such as {@code GEMM d} or {@code upload}
     * @param stream the stream's number, -1 for the host
     * @param sequence position among all operations submitted to the device
     * @param operand which operand of the operation
     * @param write whether it writes
     * @param from first byte of the operand
     * @param to one past the last byte of the operand
     */
    public record Access(String operation, long stream, long sequence, String operand, boolean write, long from,
            long to) {
        static Access of(Stamp stamp, String operand, boolean write, Footprint bytes) {
            return new Access(stamp.label, stamp.stream, stamp.sequence, operand, write, bytes.base(), bytes.end());
        }

        @Override
        public String toString() {
            return "#" + sequence + " " + operation + (stream < 0 ? " by the host" : " on stream " + stream)
                    + (write ? " writes " : " reads ") + operand + " [0x" + Long.toHexString(from) + ", 0x"
                    + Long.toHexString(to) + ")";
        }
    }

    @Override
    public String toString() {
        return kind + ": " + first + "; " + second;
    }
}
