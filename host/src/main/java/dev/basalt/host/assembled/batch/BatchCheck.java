package dev.basalt.host.assembled.batch;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Runs a new batched kernel once on small problems and compares with scalar Java, bit for bit: operands are small whole numbers
 * where that makes all results exact, else scalar Java rounds as the kernel does.
 */
final class BatchCheck {
    /** An order that all block sizes of the kernels go into. */
    private static final int ORDER = 15;

    private static final int ADDRESSES = 5;
    private static final int STEP = 72;

    private final BatchTable table;
    private final Shape shape;
    private final int size;
    private final int lanes;
    private final BatchFrame frame = new BatchFrame(2);

    BatchCheck(BatchTable table) {
        this.table = table;
        this.shape = table.shape();
        this.size = shape.precision().bytes;
        this.lanes = shape.lanes();
    }

    private double get(long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private void set(long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    private void run(MemorySegment code) {
        NativeCall.code(code, frame.arguments(0), 0, 0, 0, 0, 0);
    }

    private void argument(int slot, long value) {
        frame.set(0, slot, value);
    }

    private void number(int slot, double value) {
        set(frame.arguments(0) + slot * 8L, value);
    }

    /** Numbers of a fixed pattern, never 0. */
    private static double number(int i) {
        int v = i * 7 % 11 - 5;
        return v == 0 ? 6 : v;
    }

    private long numbers(Arena arena, int count, int seed) {
        long at = arena.allocate((long) count * size, 64).address();
        for (int i = 0; i < count; i++) {
            set(at + (long) i * size, number(i + seed));
        }
        return at;
    }

    boolean addresses(MemorySegment code, boolean pointers) {
        long out = frame.table(0);
        long from = frame.table(1);
        for (int i = 0; i < ADDRESSES; i++) {
            i64(from + 8L * i, 1000L * i * i);
        }
        NativeCall.code(code, out, ADDRESSES, from, STEP, 0, 0);
        boolean good = true;
        for (int i = 0; i < ADDRESSES + AddressCode.REPEATS; i++) {
            int p = Math.min(i, ADDRESSES - 1);
            good &= i64(out + 8L * i) == (pointers ? 1000L * p * p + STEP : from + (long) p * STEP);
        }
        return good;
    }

    /** The triangle below the diagonal of matrices with gaps, one behind the other. */
    boolean interleave(MemorySegment code, boolean gather) {
        int ld = ORDER + 2;
        int extent = ld * ORDER;
        int vector = shape.isa().bytes;
        try (Arena arena = Arena.ofConfined()) {
            long matrices = numbers(arena, extent * lanes, 0);
            for (int q = 0; q < lanes; q++) {
                i64(frame.table(0) + 8L * q, matrices + (long) q * extent * size);
            }
            long buffer = frame.matrix(0);
            for (int i = 0; i < ORDER * ORDER * lanes; i++) {
                set(buffer + (long) i * size, i);
            }
            argument(InterleaveCode.TABLE, frame.table(0));
            argument(InterleaveCode.OFFSET, 0);
            argument(InterleaveCode.OFFSET_STEP, (ld + 1L) * size);
            argument(InterleaveCode.LANES, buffer);
            argument(InterleaveCode.LANES_STEP, (ORDER + 1L) * vector);
            argument(InterleaveCode.ROWS, ORDER);
            argument(InterleaveCode.ROWS_STEP, -1);
            argument(InterleaveCode.COLUMNS, ORDER);
            argument(InterleaveCode.ONES, table.ones());
            run(code);
            boolean good = true;
            for (int q = 0; q < lanes; q++) {
                for (int at = 0; at < extent; at++) {
                    int i = at % ld;
                    int j = at / ld;
                    boolean inside = i >= j && i < ORDER;
                    long lane = (long) (i + j * ORDER) * lanes + q;
                    double pattern = number(q * extent + at);
                    double found = get(matrices + ((long) q * extent + at) * size);
                    if (gather) {
                        good &= found == pattern && (!inside || get(buffer + lane * size) == pattern);
                    } else {
                        good &= found == (inside ? lane : pattern);
                    }
                }
            }
            return good;
        }
    }

    /** Lanes of a square matrix, element (i, j) of lane q at (i + j·ORDER)·lanes + q. */
    private long lane(long base, int i, int j, int q) {
        return base + ((long) (i + j * ORDER) * lanes + q) * size;
    }

    /** Whole numbers with small quotients: a unit triangle, or one with powers of two on the diagonal, of which A is made too. */
    boolean substitution(MemorySegment code, SubstitutionCode.Diagonal diagonal) {
        boolean cholesky = diagonal == SubstitutionCode.Diagonal.CHOLESKY;
        int vector = shape.isa().bytes;
        double[] l = new double[ORDER * ORDER];
        double[] x = new double[ORDER * ORDER];
        long a = frame.matrix(0);
        long b = frame.matrix(1);
        for (int q = 0; q < lanes; q++) {
            triangle(l, x, q, diagonal);
            for (int i = 0; i < ORDER; i++) {
                for (int j = 0; j < ORDER; j++) {
                    double product = 0;
                    double square = 0;
                    for (int k = 0; k <= i; k++) {
                        product += l[i + k * ORDER] * x[k + j * ORDER];
                        square += l[i + k * ORDER] * (k <= j ? l[j + k * ORDER] : 0);
                    }
                    boolean one = i == j && diagonal == SubstitutionCode.Diagonal.UNIT;
                    set(lane(a, i, j, q), cholesky ? square : one ? 99 : l[i + j * ORDER]);
                    set(lane(b, i, j, q), product);
                }
            }
        }
        argument(SubstitutionCode.A, a);
        argument(SubstitutionCode.A_ROW, vector);
        argument(SubstitutionCode.A_COLUMN, (long) ORDER * vector);
        argument(SubstitutionCode.B, cholesky ? a : b);
        argument(SubstitutionCode.B_ROW, cholesky ? (long) ORDER * vector : vector);
        argument(SubstitutionCode.B_COLUMN, cholesky ? vector : (long) ORDER * vector);
        argument(SubstitutionCode.ROWS, ORDER);
        argument(SubstitutionCode.COLUMNS, ORDER);
        number(SubstitutionCode.ONE, 1);
        run(code);
        boolean good = frame.get(0, SubstitutionCode.BAD) == 0;
        for (int q = 0; q < lanes; q++) {
            triangle(l, x, q, diagonal);
            for (int i = 0; i < ORDER; i++) {
                for (int j = 0; j < ORDER; j++) {
                    good &= cholesky
                            ? i < j || get(lane(a, i, j, q)) == l[i + j * ORDER]
                            : get(lane(b, i, j, q)) == x[i + j * ORDER];
                }
            }
        }
        return good;
    }

    /** Element (i, j) of lane q of lanes with a real and an imaginary vector an element. */
    private long lane(long base, int i, int j, int q, int part) {
        return base + ((long) (2 * (i + j * ORDER) + part) * lanes + q) * size;
    }

    /** Whole numbers: triangles with 0, 1, -1, i and -i below a diagonal of 1 (not read if the diagonal is of ones), 2 or 2i. */
    boolean complexSubstitution(MemorySegment code, SubstitutionCode.Diagonal diagonal) {
        boolean cholesky = diagonal == SubstitutionCode.Diagonal.CHOLESKY;
        boolean unit = diagonal == SubstitutionCode.Diagonal.UNIT;
        long vector = shape.isa().bytes;
        int n = 6;
        long a = frame.matrix(0);
        long b = frame.matrix(1);
        for (int q = 0; q < lanes; q++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double[] product = new double[2];
                    for (int k = 0; k <= i; k++) {
                        int[] l = element(i, k, q, cholesky, unit);
                        // A is stored conjugated; of A·x, or of L·Lᴴ.
                        int[] x = cholesky
                                ? element(j, k, q, true, false)
                                : new int[] {(j + k + q) % 5 - 2, (j * k + q) % 3 - 1};
                        int sign = cholesky ? -1 : 1;
                        boolean none = cholesky && k > j;
                        product[0] += none ? 0 : l[0] * x[0] - sign * l[1] * x[1];
                        product[1] += none ? 0 : l[1] * x[0] + sign * l[0] * x[1];
                    }
                    int[] l = element(i, j, q, cholesky, unit);
                    for (int part = 0; part < 2; part++) {
                        double stored = i < j ? 77 : unit && i == j ? 99 : part == 0 ? l[0] : -l[1];
                        set(lane(a, i, j, q, part), cholesky ? product[part] : stored);
                        set(lane(b, i, j, q, part), product[part]);
                    }
                }
            }
        }
        argument(SubstitutionCode.A, a);
        argument(SubstitutionCode.A_ROW, 2 * vector);
        argument(SubstitutionCode.A_COLUMN, 2 * ORDER * vector);
        argument(SubstitutionCode.B, cholesky ? a : b);
        argument(SubstitutionCode.B_ROW, cholesky ? 2 * ORDER * vector : 2 * vector);
        argument(SubstitutionCode.B_COLUMN, cholesky ? 2 * vector : 2 * ORDER * vector);
        argument(SubstitutionCode.ROWS, n);
        argument(SubstitutionCode.COLUMNS, n);
        number(SubstitutionCode.ONE, 1);
        frame.conjugate(0, size, true);
        run(code);
        boolean good = frame.get(0, SubstitutionCode.BAD) == 0;
        for (int q = 0; q < lanes; q++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    int[] l = element(i, j, q, cholesky, unit);
                    int[] x = {(j + i + q) % 5 - 2, (j * i + q) % 3 - 1};
                    for (int part = 0; part < 2; part++) {
                        good &= cholesky
                                ? i < j || get(lane(a, i, j, q, part)) == l[part]
                                : get(lane(b, i, j, q, part)) == x[part];
                    }
                }
            }
        }
        return good;
    }

    private static int[] element(int i, int j, int q, boolean real, boolean unit) {
        int seed = (i * 5 + j * 3 + q) % 5;
        if (i < j) {
            return new int[2];
        }
        if (i == j) {
            boolean turned = !real && seed == 2;
            return new int[] {unit ? 1 : turned ? 0 : 1 + seed % 2, !unit && turned ? 2 : 0};
        }
        return new int[] {seed == 1 ? 1 : seed == 2 ? -1 : 0, seed == 3 ? 1 : seed == 4 ? -1 : 0};
    }

    private static void triangle(double[] l, double[] x, int q, SubstitutionCode.Diagonal diagonal) {
        for (int i = 0; i < ORDER; i++) {
            for (int j = 0; j < ORDER; j++) {
                int seed = (i * 5 + j * 3 + q) % 7;
                boolean unit = diagonal == SubstitutionCode.Diagonal.UNIT;
                l[i + j * ORDER] = i < j ? 0 : i > j ? seed % 3 - 1 : unit ? 1 : 1 << seed % 3;
                x[i + j * ORDER] = seed - 3;
            }
        }
    }

    /** Scalar Java takes the same steps, and rounds once in a multiplication and addition, as the kernel does. */
    boolean pivot(MemorySegment code) {
        int rows = ORDER;
        int columns = ORDER - 2;
        long a = frame.matrix(0);
        double[][] expected = new double[lanes][ORDER * ORDER];
        for (int q = 0; q < lanes; q++) {
            i64(frame.table(0) + 8L * q, frame.matrix(1) + (long) q * ORDER * 8);
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    double v = (i * i * 3 + j * 5 + i * j * (q + 2)) % 13 - 6 + (i == (j + q) % rows ? 7 : 0);
                    expected[q][i + j * ORDER] = v;
                    set(lane(a, i, j, q), v);
                }
            }
        }
        argument(BatchPivotCode.MATRIX, a);
        argument(BatchPivotCode.ROWS, rows);
        argument(BatchPivotCode.COLUMNS, columns);
        argument(BatchPivotCode.STEPS, columns);
        argument(BatchPivotCode.PITCH, (long) ORDER * shape.isa().bytes);
        argument(BatchPivotCode.PIVOTS, frame.table(0));
        argument(BatchPivotCode.FIRST, 1);
        number(BatchPivotCode.ONE, 1);
        run(code);
        boolean good = true;
        for (int q = 0; q < lanes; q++) {
            long[] pivots = new long[columns];
            boolean usable = factor(expected[q], rows, columns, pivots);
            good &= usable == ((frame.get(0, BatchPivotCode.BAD) >> q & 1) == 0);
            for (int j = 0; j < columns && usable; j++) {
                good &= i64(frame.matrix(1) + ((long) q * ORDER + j) * 8) == pivots[j];
                for (int i = 0; i < rows; i++) {
                    good &= get(lane(a, i, j, q)) == expected[q][i + j * ORDER];
                }
            }
        }
        return good;
    }

    private boolean factor(double[] a, int rows, int columns, long[] pivots) {
        for (int k = 0; k < columns; k++) {
            int p = k;
            for (int i = k + 1; i < rows; i++) {
                p = Math.abs(a[i + k * ORDER]) > Math.abs(a[p + k * ORDER]) ? i : p;
            }
            pivots[k] = 1L + p;
            for (int j = 0; j < columns; j++) {
                double t = a[k + j * ORDER];
                a[k + j * ORDER] = a[p + j * ORDER];
                a[p + j * ORDER] = t;
            }
            double pivot = a[k + k * ORDER];
            if (pivot == 0) {
                return false;
            }
            double reciprocal = size == 8 ? 1 / pivot : 1f / (float) pivot;
            for (int i = k + 1; i < rows; i++) {
                double l = a[i + k * ORDER] * reciprocal;
                a[i + k * ORDER] = size == 8 ? l : (float) l;
            }
            for (int j = k + 1; j < columns; j++) {
                for (int i = k + 1; i < rows; i++) {
                    int at = i + j * ORDER;
                    a[at] = minus(a[at], a[i + k * ORDER], a[k + j * ORDER]);
                }
            }
        }
        return true;
    }

    /** Products of triangles of whole numbers, with rows exchanged: pivots are larger than all below them, so all is exact. */
    boolean complexPivot(MemorySegment code) {
        int n = 6;
        long a = frame.matrix(0);
        for (int q = 0; q < lanes; q++) {
            i64(frame.table(0) + 8L * q, frame.matrix(1) + (long) q * ORDER * 8);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double re = 0;
                    double im = 0;
                    for (int k = 0; k <= Math.min(i, j); k++) {
                        double[] l = lower(i, k);
                        double[] u = upper(k, j, q);
                        re += l[0] * u[0] - l[1] * u[1];
                        im += l[0] * u[1] + l[1] * u[0];
                    }
                    // The first row comes last.
                    int row = (i + n - 1) % n;
                    set(lane(a, row, j, q, 0), re);
                    set(lane(a, row, j, q, 1), im);
                }
            }
        }
        argument(BatchPivotCode.MATRIX, a);
        argument(BatchPivotCode.ROWS, n);
        argument(BatchPivotCode.COLUMNS, n);
        argument(BatchPivotCode.STEPS, n);
        argument(BatchPivotCode.PITCH, 2L * ORDER * shape.isa().bytes);
        argument(BatchPivotCode.PIVOTS, frame.table(0));
        argument(BatchPivotCode.FIRST, 1);
        number(BatchPivotCode.ONE, 1);
        run(code);
        boolean good = frame.get(0, BatchPivotCode.BAD) == 0;
        for (int q = 0; q < lanes; q++) {
            for (int i = 0; i < n; i++) {
                good &= i64(frame.matrix(1) + ((long) q * ORDER + i) * 8) == n;
                for (int j = 0; j < n; j++) {
                    double[] expected = i > j ? lower(i, j) : upper(i, j, q);
                    good &= get(lane(a, i, j, q, 0)) == expected[0] && get(lane(a, i, j, q, 1)) == expected[1];
                }
            }
        }
        return good;
    }

    /** Below 1 in magnitude, so that row 0 is the pivot's wherever it is; ones on the diagonal. */
    private static double[] lower(int i, int j) {
        int seed = (i * 5 + j * 3) % 4;
        return i == j
                ? new double[] {1, 0}
                : new double[] {seed == 0 ? 0.5 : 0, seed == 1 ? -0.5 : seed == 2 ? 0.25 : 0};
    }

    private static double[] upper(int i, int j, int q) {
        return i == j
                ? new double[] {q % 2 == 0 ? 2 : 0, q % 2 == 0 ? 0 : -2}
                : new double[] {(i + j + q) % 3 - 1, (i * j + q) % 3 - 1};
    }

    private double minus(double sum, double a, double b) {
        return size == 8 ? Math.fma(-a, b, sum) : Math.fma((float) -a, (float) b, (float) sum);
    }

    boolean product(MemorySegment code, int width, int vectors, int columns, boolean masked, boolean scaled,
            boolean added, boolean one) {
        int problems = 2;
        int depth = 7;
        int rows = vectors * width - (masked ? 1 : 0);
        long mask = masked ? table.shape().mask(width - 1) : table.mask(lanes);
        int ld = rows + 3;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, problems * ld * depth, 1);
            long b = numbers(arena, problems * depth * columns, 2);
            long c = numbers(arena, problems * ld * columns, 3);
            for (int i = 0; i < problems; i++) {
                long ai = a + (long) i * ld * depth * size;
                long bi = b + (long) i * depth * columns * size;
                long ci = c + (long) i * ld * columns * size;
                i64(frame.table(0) + 8L * i, ai);
                i64(frame.table(1) + 8L * i, bi);
                i64(frame.table(2) + 8L * i, ci);
                if (one) {
                    long column = (long) ld * size;
                    long next = (long) depth * size;
                    NativeCall.direct(code, depth, ai, column, bi, size, next, ci, column, mask, 0, 3, 2);
                }
            }
            argument(BatchProductCode.A, frame.table(0));
            argument(BatchProductCode.B, frame.table(1));
            argument(BatchProductCode.C, frame.table(2));
            argument(BatchProductCode.PROBLEMS, problems);
            argument(BatchProductCode.K, depth);
            argument(BatchProductCode.A_STEP, (long) ld * size);
            argument(BatchProductCode.B_STEP, size);
            argument(BatchProductCode.B_COLUMN, (long) depth * size);
            argument(BatchProductCode.C_COLUMN, (long) ld * size);
            argument(BatchProductCode.MASK, mask);
            number(BatchProductCode.ALPHA, 3);
            number(BatchProductCode.BETA, 2);
            if (!one) {
                run(code);
            }
            boolean good = true;
            for (int at = 0; at < problems * ld * columns; at++) {
                int i = at % ld;
                int problem = at / (ld * columns);
                int j = at / ld % columns;
                double old = number(at + 3);
                double sum = 0;
                for (int k = 0; k < depth; k++) {
                    sum += number((problem * depth + k) * ld + i + 1) * number((problem * columns + j) * depth + k + 2);
                }
                double expected = (scaled ? 3 * sum : sum) + (added ? 2 * old : 0);
                good &= get(c + (long) at * size) == (i < rows ? expected : old);
            }
            return good;
        }
    }

    /** As {@link #product}, with B conjugated: alpha and beta are real. */
    boolean complexProduct(MemorySegment code, int vectors, int columns, boolean masked, boolean scaled,
            boolean added) {
        int depth = 3;
        int rows = (vectors * lanes - (masked ? 2 : 0)) / 2;
        int ld = rows + 3;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, 2 * ld * depth, 1);
            long b = numbers(arena, 2 * depth * columns, 2);
            long c = numbers(arena, 2 * ld * columns, 3);
            i64(frame.table(0), a);
            i64(frame.table(1), b);
            i64(frame.table(2), c);
            argument(BatchProductCode.A, frame.table(0));
            argument(BatchProductCode.B, frame.table(1));
            argument(BatchProductCode.C, frame.table(2));
            argument(BatchProductCode.PROBLEMS, 1);
            argument(BatchProductCode.K, depth);
            argument(BatchProductCode.A_STEP, 2L * ld * size);
            argument(BatchProductCode.B_STEP, 2L * size);
            argument(BatchProductCode.B_COLUMN, 2L * depth * size);
            argument(BatchProductCode.C_COLUMN, 2L * ld * size);
            argument(BatchProductCode.MASK, table.mask(2L * rows));
            number(BatchProductCode.ALPHA, 3);
            number(BatchProductCode.BETA, 2);
            frame.signs(0, size, true);
            run(code);
            boolean good = true;
            for (int at = 0; at < ld * columns; at++) {
                int i = at % ld;
                int j = at / ld;
                double re = 0;
                double im = 0;
                for (int k = 0; k < depth; k++) {
                    double aRe = number(2 * (k * ld + i) + 1);
                    double aIm = number(2 * (k * ld + i) + 2);
                    double bRe = number(2 * (j * depth + k) + 2);
                    double bIm = -number(2 * (j * depth + k) + 3);
                    re += aRe * bRe - aIm * bIm;
                    im += aRe * bIm + aIm * bRe;
                }
                for (int part = 0; part < 2; part++) {
                    double old = number(2 * at + part + 3);
                    double sum = (scaled ? 3 : 1) * (part == 0 ? re : im) + (added ? 2 * old : 0);
                    good &= get(c + (2L * at + part) * size) == (i < rows ? sum : old);
                }
            }
            return good;
        }
    }

    boolean transpose(MemorySegment code, int columns, boolean one) {
        int rows = lanes + 1;
        int ld = rows + 2;
        int step = BatchTransposeCode.step(shape, columns);
        long bytes = BatchTransposeCode.bytes(shape, columns, rows);
        try (Arena arena = Arena.ofConfined()) {
            long matrices = numbers(arena, 2 * ld * columns, 0);
            long out = arena.allocate(2 * bytes, 64).address();
            for (int i = 0; i < 2; i++) {
                i64(frame.table(0) + 8L * i, matrices + (long) i * ld * columns * size);
            }
            argument(BatchTransposeCode.TABLE, frame.table(0));
            argument(BatchTransposeCode.OUT, out);
            argument(BatchTransposeCode.PROBLEMS, 2);
            argument(BatchTransposeCode.LD, (long) ld * size);
            argument(BatchTransposeCode.ROWS, rows);
            argument(BatchTransposeCode.OUT_STEP, bytes);
            argument(BatchTransposeCode.ONES, table.narrowOnes());
            if (one) {
                for (int i = 0; i < 2; i++) {
                    NativeCall.code(code, i64(frame.table(0) + 8L * i), out + i * bytes, (long) ld * size, rows,
                            table.narrowOnes(), 0);
                }
            } else {
                run(code);
            }
            boolean good = true;
            for (int at = 0; at < 2 * rows * columns; at++) {
                int i = at % rows;
                int j = at / rows % columns;
                int problem = at / (rows * columns);
                double found = get(out + problem * bytes + (long) i * step + (long) j * size);
                good &= found == number((problem * columns + j) * ld + i);
            }
            return good;
        }
    }

    boolean dot(MemorySegment code, int vectors, boolean masked) {
        int groups = 2;
        int n = vectors * lanes - (masked ? 1 : 0);
        int problems = groups * lanes;
        try (Arena arena = Arena.ofConfined()) {
            long x = numbers(arena, problems * n, 1);
            long y = numbers(arena, problems * n, 2);
            long results = numbers(arena, 2 * problems, 3);
            for (int i = 0; i < problems; i++) {
                i64(frame.table(0) + 8L * i, x + (long) i * n * size);
                i64(frame.table(1) + 8L * i, y + (long) i * n * size);
                i64(frame.table(2) + 8L * i, results + 2L * i * size);
            }
            argument(BatchDotCode.X, frame.table(0));
            argument(BatchDotCode.Y, frame.table(1));
            argument(BatchDotCode.RESULTS, frame.table(2));
            argument(BatchDotCode.GROUPS, groups);
            argument(BatchDotCode.MASK, table.mask(n));
            run(code);
            boolean good = true;
            for (int i = 0; i < problems; i++) {
                double sum = 0;
                for (int j = 0; j < n; j++) {
                    sum += number(i * n + j + 1) * number(i * n + j + 2);
                }
                good &= get(results + 2L * i * size) == sum;
                good &= get(results + (2L * i + 1) * size) == number(2 * i + 1 + 3);
            }
            return good;
        }
    }
}
