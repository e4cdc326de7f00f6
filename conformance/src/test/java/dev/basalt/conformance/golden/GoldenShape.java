package dev.basalt.conformance.golden;

import java.util.List;

/**
 * The dimensions and the form of a golden call.
 *
 * @param m first dimension
 * @param n second dimension
 * @param k inner dimension
 * @param count problems
 * @param tables whether a batch is tables of addresses
 */
record GoldenShape(long m, long n, long k, long count, boolean tables) {
    /** Below, at and above every block of every device class; odd, skinny, flat and deep ones; batches. */
    static final List<GoldenShape> PLANS = List.of(single(1, 1, 1), single(17, 9, 21), single(64, 64, 64),
            single(65, 33, 129), single(257, 300, 31), single(1000, 7, 1000), single(513, 2049, 700),
            single(5000, 4100, 3000), new GoldenShape(37, 21, 65, 5, false), new GoldenShape(300, 270, 290, 3, true));

    /** As far as recursions go differently; the whole of a batch is one launch, so that few batches do. */
    static final List<GoldenShape> LAUNCHES = List.of(single(9, 5, 7), single(33, 80, 17), single(150, 70, 260),
            single(300, 4, 130), single(777, 1100, 600), single(2500, 2300, 700), new GoldenShape(70, 40, 65, 3, false),
            new GoldenShape(300, 270, 290, 2, true));

    /** What scalar kernels do in no time. */
    static final List<GoldenShape> BITS = List.of(single(1, 1, 1), single(13, 6, 9), single(37, 53, 40),
            single(140, 70, 20), new GoldenShape(19, 7, 11, 3, false), new GoldenShape(35, 5, 6, 2, true));

    private static GoldenShape single(long m, long n, long k) {
        return new GoldenShape(m, n, k, 1, false);
    }

    @Override
    public String toString() {
        return m + "x" + n + "x" + k + (count > 1 ? " batch " + count + (tables ? " in tables" : "") : "");
    }
}
