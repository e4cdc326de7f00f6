package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

/**
 * Bisection by Sturm counts (Barth, Martin and Wilkinson, "Calculation of the eigenvalues of a symmetric tridiagonal matrix by the method of bisection", 1967), and inverse iteration with reorthogonalisation of what lies close together (Peters and Wilkinson,
 * "The calculation of specified eigenvectors by inverse iteration", 1971).
 */
final class DSturm implements SturmLeaf {
    /** Distance of 1 from its neighbour above. */
    private static final double STEP = 0x1p-52; // float: private static final float STEP = 0x1p-23f;

    /** A square that is as good as nothing. */
    private static final double TINY = 0x1p-1021; // float: private static final float TINY = 0x1p-125f;

    /** Matrices whose largest number has an exponent no further from 0 are worked on as they are. */
    private static final int PLAIN = 400; // float: private static final int PLAIN = 40;

    /** A solution that grows beyond it is made shorter. */
    private static final double LONG = 0x1p300; // float: private static final float LONG = 0x1p40f;

    /** Halvings at most: an interval of any length has fewer before its ends are neighbours. */
    private static final int HALVINGS = 1100; // float: private static final int HALVINGS = 160;

    /** Eigenvalues closer than that, beside the norm, share a cluster. */
    private static final double CLUSTER = 0x1p-10; // float: private static final float CLUSTER = 0x1p-10f;

    private static final int ITERATIONS = 7;

    /** Iterations that are done although the vector has grown enough. */
    private static final int FURTHER = 2;

    /** Bytes of an integer. */
    private static final long WORD = Long.BYTES;

    private static final int ALL = 0;
    private static final int INDEX = 2;

    @Override
    public int stebz(int range, boolean entire, long n, long d, long e, long w, double alphaRe, double betaRe, long il,
            long iu, long scratch, long numbers) {
        long blocks = numbers + 2 * WORD;
        long ends = blocks + n * WORD;
        long x = scratch + 8L;
        long y = x + n * 8L;
        i64(numbers, 0);
        i64(numbers + WORD, 0);
        clear(blocks, 0, 2 * n);
        double largest = largest(n, d, e);
        if (!Double.isFinite(largest)) {
            for (long i = 0; i < n; i++) {
                f64(w + i * 8L, Double.NaN);
            }
            return (int) n;
        }
        int by = scale(largest);
        double most = 0;
        for (long i = 0; i < n; i++) {
            f64(x + i * 8L, Math.scalb(f64(d + i * 8L), by));
            double beside = i + 1 < n ? Math.scalb(f64(e + i * 8L), by) : 0;
            f64(y + i * 8L, beside * beside);
        }
        long count = 0;
        for (long i = 0; i < n; i++) {
            double product = i + 1 < n ? Math.abs(f64(x + i * 8L) * f64(x + (i + 1) * 8L)) : 0;
            boolean splits = f64(y + i * 8L) <= STEP * STEP * product + TINY;
            if (splits) {
                f64(y + i * 8L, 0);
                i64(ends + count * WORD, i + 1);
                count++;
            }
            most = Math.max(most, f64(y + i * 8L));
        }
        i64(numbers + WORD, count);
        double pivot = TINY * Math.max(1, most);
        double size = Math.max(Math.abs(edge(x, y, 0, n, -1)), Math.abs(edge(x, y, 0, n, 1)));
        double margin = 2 * STEP * size * n + 4 * pivot;
        double given = f64(scratch);
        double exact = given > 0 ? Math.scalb(given, by) : STEP * size;
        exact = Math.max(exact, pivot);
        double low = -size - margin;
        double high = size + margin;
        long first = 1;
        long last = n;
        if (range == INDEX) {
            first = Math.max(1, il);
            last = Math.min(n, iu);
            if (il == 0 && iu == 0 || first > last) {
                return 0;
            }
            double from = low;
            double to = high;
            low = half(x, y, 0, n, first, from, to, exact, pivot, -1);
            high = half(x, y, 0, n, last, from, to, exact, pivot, 1);
        } else if (range != ALL) {
            double vl = Math.scalb(alphaRe, by); // float: float vl = (float) Math.scalb(alphaRe, by);
            double vu = Math.scalb(betaRe, by); // float: float vu = (float) Math.scalb(betaRe, by);
            low = Math.max(low, vl);
            high = Math.min(high, vu);
            if (!(low < high)) {
                return 0;
            }
        }
        long found = 0;
        for (long b = 0; b < count; b++) {
            long begin = b == 0 ? 0 : i64(ends + (b - 1) * WORD);
            long end = i64(ends + b * WORD);
            long below = below(x, y, begin, end, low, pivot);
            long upTo = below(x, y, begin, end, high, pivot);
            double left = Math.max(low, edge(x, y, begin, end, -1) - margin);
            double right = Math.min(high, edge(x, y, begin, end, 1) + margin);
            for (long i = below + 1; i <= upTo; i++) {
                double value = end - begin == 1
                        ? f64(x + begin * 8L)
                        : half(x, y, begin, end, i, left, right, exact, pivot, 0);
                f64(w + found * 8L, value);
                i64(blocks + found * WORD, b + 1);
                found++;
            }
        }
        if (range == INDEX) {
            long less = first - 1 - below(x, y, 0, n, low, pivot);
            long more = found - less - (last - first + 1);
            long left = without(found, less, more, w, blocks);
            clear(blocks, left, found);
            found = left;
        }
        if (entire) {
            sort(found, w, blocks);
        }
        for (long i = 0; i < found; i++) {
            f64(y + (n + i) * 8L, f64(w + i * 8L));
            f64(w + i * 8L, Math.scalb(f64(w + i * 8L), -by));
        }
        i64(numbers, found);
        return 0;
    }

    private static void clear(long list, long from, long to) {
        for (long i = from; i < to; i++) {
            i64(list + i * WORD, 0);
        }
    }

    private static double largest(long n, long d, long e) {
        double largest = 0;
        for (long i = 0; i < n; i++) {
            largest = larger(largest, Math.abs(f64(d + i * 8L)));
            largest = i + 1 < n ? larger(largest, Math.abs(f64(e + i * 8L))) : largest;
        }
        return largest;
    }

    private static double larger(double x, double y) {
        return x > y || Double.isNaN(x) ? x : y;
    }

    private static int scale(double largest) {
        int exponent = Math.getExponent(largest);
        return largest == 0 || Math.abs(exponent) <= PLAIN ? 0 : -exponent;
    }

    /** How far Gershgorin's circles reach to a side. */
    private static double edge(long x, long y, long from, long to, int side) {
        double edge = side * f64(x + from * 8L);
        double before = 0;
        for (long i = from; i < to; i++) {
            double behind = i + 1 < to ? Math.sqrt(f64(y + i * 8L)) : 0;
            edge = Math.max(edge, side * f64(x + i * 8L) + before + behind);
            before = behind;
        }
        return side * edge;
    }

    /** Eigenvalues of rows from…to-1 that are less than a number. */
    private static long below(long x, long y, long from, long to, double than, double pivot) {
        long count = 0;
        double q = 1;
        double before = 0;
        for (long i = from; i < to; i++) {
            q = f64(x + i * 8L) - than - before / q;
            if (Math.abs(q) <= pivot) {
                q = -pivot;
            }
            count += q < 0 ? 1 : 0;
            before = f64(y + i * 8L);
        }
        return count;
    }

    /** Halves an interval around eigenvalue number i; its middle, or an end. */
    private static double half(long x, long y, long from, long to, long i, double low, double high, double exact,
            double pivot, int side) {
        double left = low;
        double right = high;
        for (int k = 0; k < HALVINGS; k++) {
            double width = right - left;
            double size = Math.max(Math.abs(left), Math.abs(right));
            double between = left + width / 2;
            if (!(width > Math.max(exact, 2 * STEP * size)) || between <= left || between >= right) {
                break;
            }
            if (below(x, y, from, to, between, pivot) >= i) {
                right = between;
            } else {
                left = between;
            }
        }
        return side < 0 ? left : side > 0 ? right : left + (right - left) / 2;
    }

    /** Takes the smallest and the largest away. */
    private static long without(long n, long less, long more, long w, long blocks) {
        long left = n;
        for (long i = 0; i < Math.max(0, less) + Math.max(0, more) && left > 0; i++) {
            boolean smallest = i < less;
            long at = 0;
            for (long j = 1; j < left; j++) {
                double value = f64(w + j * 8L);
                double best = f64(w + at * 8L);
                at = smallest ? value < best ? j : at : value >= best ? j : at;
            }
            for (long j = at; j + 1 < left; j++) {
                f64(w + j * 8L, f64(w + (j + 1) * 8L));
                i64(blocks + j * WORD, i64(blocks + (j + 1) * WORD));
            }
            left--;
        }
        return left;
    }

    /** Shell's method; equal values stay in the order of their blocks. */
    private static void sort(long n, long w, long blocks) {
        for (long gap = n / 2; gap > 0; gap /= 2) {
            for (long i = gap; i < n; i++) {
                double value = f64(w + i * 8L);
                long block = i64(blocks + i * WORD);
                long j = i;
                while (j >= gap && after(f64(w + (j - gap) * 8L), i64(blocks + (j - gap) * WORD), value, block)) {
                    f64(w + j * 8L, f64(w + (j - gap) * 8L));
                    i64(blocks + j * WORD, i64(blocks + (j - gap) * WORD));
                    j -= gap;
                }
                f64(w + j * 8L, value);
                i64(blocks + j * WORD, block);
            }
        }
    }

    private static boolean after(double x, long i, double y, long j) {
        return x > y || x == y && i > j;
    }

    @Override
    public int stein(long n, long k, long d, long e, long w, boolean scaled, long z, long step, long ldz, long scratch,
            long numbers) {
        long blocks = numbers + 2 * WORD;
        long ends = blocks + n * WORD;
        long failed = ends + n * WORD;
        long x = scratch;
        long y = x + n * 8L;
        long shifts = y + n * 8L;
        double largest = larger(largest(n, d, e), 0);
        boolean finite = Double.isFinite(largest);
        int by = finite ? scale(largest) : 0;
        for (long i = 0; i < n; i++) {
            f64(x + i * 8L, Math.scalb(f64(d + i * 8L), by));
            f64(y + i * 8L, i + 1 < n ? Math.scalb(f64(e + i * 8L), by) : 0);
            i64(failed + i * WORD, 0);
        }
        long count = Math.max(0, Math.min(k, i64(numbers)));
        long splits = Math.max(0, Math.min(n, i64(numbers + WORD)));
        int missed = 0;
        for (long j = 0; j < count; j++) {
            for (long i = 0; i < n; i++) {
                f64(z + (i * step + j * ldz) * 8L, 0);
            }
            long block = i64(blocks + j * WORD);
            boolean known = finite && block >= 1 && block <= splits;
            long from = known && block > 1 ? i64(ends + (block - 2) * WORD) : 0;
            long to = known ? i64(ends + (block - 1) * WORD) : 0;
            int more = scaled ? 0 : by;
            double value = Math.scalb(f64(w + j * 8L), more);
            known = known && from >= 0 && from < to && to <= n && !Double.isNaN(value);
            if (!known || !vector(j, from, to, value, step, ldz, w, more, x, y, shifts, blocks, z, n)) {
                i64(failed + missed * WORD, j + 1);
                missed++;
            }
        }
        return missed;
    }

    /** One vector, of the rows of its block; whether it has grown as one of an eigenvalue does. */
    private static boolean vector(long j, long from, long to, double given, long step, long ldz, long w, int by, long x,
            long y, long shifts, long blocks, long z, long n) {
        long own = z + (from * step + j * ldz) * 8L;
        long rows = to - from;
        f64(shifts + j * 8L, given);
        if (rows == 1) {
            f64(own, 1);
            return true;
        }
        double norm = 0;
        for (long i = from; i < to; i++) {
            double before = i > from ? Math.abs(f64(y + (i - 1) * 8L)) : 0;
            double behind = i + 1 < to ? Math.abs(f64(y + i * 8L)) : 0;
            norm = Math.max(norm, Math.abs(f64(x + i * 8L)) + before + behind);
        }
        // Back through those of the same block: what is closer than the cluster's width to its neighbour is of the cluster.
        long before = previous(j, blocks);
        double shift = given;
        if (before >= 0) {
            double near = f64(shifts + before * 8L);
            double apart = STEP * Math.abs(shift);
            shift = shift - near < apart ? near + apart : shift;
            f64(shifts + j * 8L, shift);
        }
        long first = j;
        double last = Math.scalb(f64(w + j * 8L), by);
        for (long i = before; i >= 0; i = previous(i, blocks)) {
            double value = Math.scalb(f64(w + i * 8L), by);
            if (!(Math.abs(last - value) < CLUSTER * norm)) {
                break;
            }
            first = i;
            last = value;
        }
        long u = shifts + n * 8L;
        factor(from, rows, x, y, shift, norm, u, n);
        for (long i = 0; i < rows; i++) {
            f64(own + i * step * 8L, random(i, j));
        }
        int grown = 0;
        for (int k = 0; k < ITERATIONS; k++) {
            double sum = 0;
            for (long i = 0; i < rows; i++) {
                sum += Math.abs(f64(own + i * step * 8L));
            }
            double corner = Math.abs(f64(u + (rows - 1) * 8L));
            multiply(rows, own, step, rows * norm * Math.max(STEP, corner) / sum);
            solve(rows, own, step, u, n);
            for (long i = first; i < j; i++) {
                if (i64(blocks + i * WORD) == i64(blocks + j * WORD)) {
                    long other = z + (from * step + i * ldz) * 8L;
                    double dot = 0;
                    for (long r = 0; r < rows; r++) {
                        dot += f64(other + r * step * 8L) * f64(own + r * step * 8L);
                    }
                    for (long r = 0; r < rows; r++) {
                        f64(own + r * step * 8L, f64(own + r * step * 8L) - dot * f64(other + r * step * 8L));
                    }
                }
            }
            double peak = 0;
            for (long i = 0; i < rows; i++) {
                peak = larger(peak, Math.abs(f64(own + i * step * 8L)));
            }
            if (peak >= Math.sqrt(0.1 / rows)) {
                grown++;
                if (grown > FURTHER) {
                    break;
                }
            }
        }
        return unit(rows, own, step) && grown > FURTHER;
    }

    private static long previous(long j, long blocks) {
        long i = j - 1;
        while (i >= 0 && i64(blocks + i * WORD) != i64(blocks + j * WORD)) {
            i--;
        }
        return i;
    }

    /** A number by its place, the same on every device. */
    private static double random(long i, long j) {
        long bits = (i + 1) * 0x9E3779B97F4A7C15L + (j + 1) * 0xBF58476D1CE4E5B9L;
        bits ^= bits >>> 31;
        bits *= 0x94D049BB133111EBL;
        bits ^= bits >>> 29;
        return (bits >>> 41) * 0x1p-22f - 1;
    }

    /** T - shift·I = P·L·U; U has two diagonals above its main one. */
    private static void factor(long from, long rows, long x, long y, double shift, double norm, long u, long n) {
        long up = u + n * 8L;
        long upper = up + n * 8L;
        long lower = upper + n * 8L;
        long swaps = lower + n * 8L;
        double least = STEP * norm;
        double main = f64(x + from * 8L) - shift;
        double beside = f64(y + from * 8L);
        for (long i = 0; i < rows; i++) {
            boolean more = i + 1 < rows;
            double below = more ? f64(y + (from + i) * 8L) : 0;
            double next = more ? f64(x + (from + i + 1) * 8L) - shift : 0;
            double further = i + 2 < rows ? f64(y + (from + i + 1) * 8L) : 0;
            boolean swap = more && Math.abs(below) > Math.abs(main);
            double pivot = swap ? below : main;
            if (!(Math.abs(pivot) > least)) {
                pivot = pivot < 0 ? -least : least;
            }
            double factor = more ? (swap ? main : below) / pivot : 0;
            f64(u + i * 8L, pivot);
            f64(up + i * 8L, swap ? next : beside);
            f64(upper + i * 8L, swap ? further : 0);
            f64(lower + i * 8L, factor);
            f64(swaps + i * 8L, swap ? 1 : 0);
            main = swap ? beside - factor * next : next - factor * beside;
            beside = swap ? -factor * further : further;
        }
    }

    private static void solve(long rows, long b, long step, long u, long n) {
        long up = u + n * 8L;
        long upper = up + n * 8L;
        long lower = upper + n * 8L;
        long swaps = lower + n * 8L;
        for (long i = 0; i + 1 < rows; i++) {
            double one = f64(b + i * step * 8L);
            double two = f64(b + (i + 1) * step * 8L);
            boolean swap = f64(swaps + i * 8L) != 0;
            double kept = swap ? two : one;
            f64(b + i * step * 8L, kept);
            f64(b + (i + 1) * step * 8L, (swap ? one : two) - f64(lower + i * 8L) * kept);
        }
        for (long i = rows - 1; i >= 0; i--) {
            double value = f64(b + i * step * 8L);
            value -= i + 1 < rows ? f64(up + i * 8L) * f64(b + (i + 1) * step * 8L) : 0;
            value -= i + 2 < rows ? f64(upper + i * 8L) * f64(b + (i + 2) * step * 8L) : 0;
            value /= f64(u + i * 8L);
            f64(b + i * step * 8L, value);
            if (Math.abs(value) > LONG) {
                multiply(rows, b, step, 1 / LONG);
            }
        }
    }

    private static void multiply(long rows, long b, long step, double by) {
        for (long i = 0; i < rows; i++) {
            f64(b + i * step * 8L, f64(b + i * step * 8L) * by);
        }
    }

    /** Length 1, the largest element positive. */
    private static boolean unit(long rows, long b, long step) {
        double peak = 0;
        for (long i = 0; i < rows; i++) {
            double value = f64(b + i * step * 8L);
            peak = Math.abs(value) > Math.abs(peak) ? value : peak;
        }
        if (peak == 0 || !Double.isFinite(peak)) {
            return false;
        }
        multiply(rows, b, step, 1 / peak);
        double sum = 0;
        for (long i = 0; i < rows; i++) {
            sum += f64(b + i * step * 8L) * f64(b + i * step * 8L);
        }
        multiply(rows, b, step, 1 / Math.sqrt(sum));
        return Double.isFinite(sum);
    }
}
