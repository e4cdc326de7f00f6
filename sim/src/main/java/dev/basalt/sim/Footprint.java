package dev.basalt.sim;

/**
 * Which bytes an operation touches: {@code columns} pieces of {@code width} bytes that begin {@code pitch} bytes apart, and
 * that again for every one of {@code problems}, {@code stride} bytes apart. Exact rather than a bounding range, because two
 * streams may well work on neighbouring blocks of rows of one matrix.
 *
 * @param base first byte
 * @param width bytes of a column
 * @param pitch bytes from column to column
 * @param columns columns of a problem
 * @param stride bytes from problem to problem
 * @param problems problems
 */
record Footprint(long base, long width, long pitch, long columns, long stride, long problems) {
    /** One contiguous range. */
    static Footprint range(long base, long bytes) {
        return new Footprint(base, bytes, bytes, 1, 0, 1);
    }

    /** Any footprint in its simplest form, so that equal sets of bytes mostly have equal footprints. */
    static Footprint of(long base, long width, long pitch, long columns, long stride, long problems) {
        if (width <= 0 || columns <= 0 || problems <= 0) {
            return range(base, 0);
        }
        long start = base;
        long step = stride;
        long repeats = step == 0 ? 1 : problems;
        if (step < 0) {
            start = base + (repeats - 1) * step;
            step = -step;
        }
        if (columns == 1 || pitch <= width) {
            long bytes = Math.addExact(Math.multiplyExact(columns - 1, Math.max(pitch, 0)), width);
            return repeats == 1 || step <= bytes
                    ? range(start, Math.addExact(Math.multiplyExact(repeats - 1, step), bytes))
                    : new Footprint(start, bytes, step, repeats, 0, 1);
        }
        if (repeats == 1 || step == columns * pitch) {
            return new Footprint(start, width, pitch, Math.multiplyExact(columns, repeats), 0, 1);
        }
        return new Footprint(start, width, pitch, columns, step, repeats);
    }

    boolean isEmpty() {
        return width == 0;
    }

    /** One past the last byte. */
    long end() {
        return base + (problems - 1) * stride + problemBytes();
    }

    /** How many bytes are touched. */
    long bytes() {
        return width * columns * problems;
    }

    boolean overlaps(Footprint other) {
        if (isEmpty() || other.isEmpty() || base >= other.end() || other.base >= end()) {
            return false;
        }
        if (columns * problems > other.columns * other.problems) {
            return other.overlaps(this);
        }
        for (long p = 0; p < problems; p++) {
            for (long c = 0; c < columns; c++) {
                long from = base + p * stride + c * pitch;
                if (other.hits(from, from + width)) {
                    return true;
                }
            }
        }
        return false;
    }

    private long problemBytes() {
        return (columns - 1) * pitch + width;
    }

    private boolean hits(long from, long to) {
        if (problems == 1) {
            return hitsColumn(base, from, to);
        }
        long last = Math.min(problems - 1, Math.floorDiv(to - 1 - base, stride));
        for (long p = Math.max(0, Math.floorDiv(from - base - problemBytes(), stride) + 1); p <= last; p++) {
            if (hitsColumn(base + p * stride, from, to)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a range meets a column of the problem at {@code start}: the columns it can meet follow by division. */
    private boolean hitsColumn(long start, long from, long to) {
        long first = Math.max(0, Math.floorDiv(from - start - width, pitch) + 1);
        long last = Math.min(columns - 1, Math.floorDiv(to - 1 - start, pitch));
        return first <= last;
    }
}
