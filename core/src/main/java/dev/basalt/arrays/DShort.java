package dev.basalt.arrays;

/**
 * Real vectors without gaps on which a call of a kernel takes longer than the work: loops on the heap, which the JVM's compiler makes fast
 * after a few hundred calls. Their bits are the same on every machine and at every call; sums have others where loops by the Vector API ({@link Sums}) do the
 * work, again the same on every machine. Kernels add in another order and may round a product and a sum once, so their last bits may differ. Of complex vectors whose parts do not meet, the parts are the elements.
 */
final class DShort {
    /**
     * From here on a call may share its work out to threads. On one thread the compiler's loops take 0.3 to 0.8 of a kernel's time up to 100 000
     * elements, since a collector must be told of each call of a kernel.
     */
    static final int ELEMENTS = HostDevice.ONE_THREAD ? Integer.MAX_VALUE : 1 << 16;

    /**
     * From here on kernels find indices faster, with all that a call of them takes: the compiler does not spread a search over the lanes of a vector register.
     * Measured with AVX2: 250 elements.
     */
    static final int INDICES = 320;

    /** The same of sums, where no loops by the Vector API are: dot 350 elements, asum 250, nrm2 380. Those take no longer than kernels. */
    static final int SUMS = Sums.FASTER != null ? ELEMENTS : 320;

    /**
     * Longer vectors are done in pieces: a collector need not wait for a long loop. Sums are done in halves, so that their errors do not grow with the length; loops that store are not, since in a
     * method that calls itself the compiler makes them two or three times as slow.
     */
    private static final int PIECE = 1 << 14;

    /** Elements that are copied at a time where long vectors are exchanged. */
    private static final int SWAPPED = 1 << 9;

    /** Where they are meanwhile: a call allocates nothing. */
    private static final ThreadLocal<double[]> COPIED = ThreadLocal.withInitial(() -> new double[SWAPPED]);

    /** Of vectors that no kernel takes in their arrays: two copies of each cost six times the work. */
    static final int ALL = Integer.MAX_VALUE;

    /** From here on the compiler's own loop is as fast. */
    private static final int FEW = 24; // float: private static final int FEW = 128;

    /**
     * From here on a loop that stores is a method of its own. The compiler unrolls a loop by the lengths that it has seen, and after short ones takes four elements at a time: of
     * floats half a register, and twice the time.
     */
    private static final int LONG = 128;

    /** Sums of squares at least so large have lost nothing to underflow that matters. */
    private static final double LEAST = Double.MIN_NORMAL / Math.ulp(1.0) / 16;

    private static final long INFINITE = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY); // float: private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private DShort() {}

    /** Whether a vector has fewer elements than a limit, lies without gaps, and is all there; else others do the work, or say what is wrong. */
    static boolean fits(int limit, int n, double[] x, int offset, int inc) {
        return n > 0 && n < limit && inc == 1 && x != null && offset >= 0 && offset <= x.length - n;
    }

    /** The same of two. */
    static boolean fits(int limit, int n, double[] x, int xOffset, int incx, double[] y, int yOffset, int incy) {
        return fits(limit, n, x, xOffset, incx) && fits(limit, n, y, yOffset, incy);
    }

    /** The same of complex elements, two numbers each. */
    static boolean fitsPairs(int limit, int n, double[] x, int offset, int inc) {
        return n > 0 && n < limit / 2 && inc == 1 && x != null && offset >= 0 && offset <= x.length / 2 - n;
    }

    /** The same of two. */
    static boolean fitsPairs(int limit, int n, double[] x, int xOffset, int incx, double[] y, int yOffset, int incy) {
        return fitsPairs(limit, n, x, xOffset, incx) && fitsPairs(limit, n, y, yOffset, incy);
    }

    /** Σ xᵢ·yᵢ, in four sums side by side. */
    static double dot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (Sums.FASTER != null) {
            return n <= PIECE ? Sums.FASTER.dot(n, x, xOffset, y, yOffset) : halves(n, x, xOffset, y, yOffset);
        }
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i < n - 3; i += 4) {
            a += x[xOffset + i] * y[yOffset + i];
            b += x[xOffset + i + 1] * y[yOffset + i + 1];
            c += x[xOffset + i + 2] * y[yOffset + i + 2];
            d += x[xOffset + i + 3] * y[yOffset + i + 3];
        }
        for (; i < n; i++) {
            a += x[xOffset + i] * y[yOffset + i];
        }
        return a + b + (c + d);
    }

    /** Apart from the method for short vectors: what calls itself is not put into its caller, and then vectors may be objects. */
    private static double halves(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (n <= PIECE) {
            return Sums.FASTER.dot(n, x, xOffset, y, yOffset);
        }
        int half = n / 2;
        return halves(half, x, xOffset, y, yOffset) + halves(n - half, x, xOffset + half, y, yOffset + half);
    }

    /**
     * y := alpha·x + y. The compiler spreads a loop over the lanes of a register only if it knows that x and y do not meet, which is seldom: by the Vector API it takes a
     * third of the time.
     */
    static void axpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        if (alpha == 0) {
            return;
        }
        if (n <= PIECE) {
            axpyPiece(n, alpha, x, xOffset, y, yOffset);
            return;
        }
        for (int left = n; left > 0; left -= PIECE) {
            int i = n - left;
            axpyPiece(Math.min(left, PIECE), alpha, x, xOffset + i, y, yOffset + i);
        }
    }

    private static void axpyPiece(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        if (Sums.FASTER != null && x != y) {
            Sums.FASTER.axpy(n, alpha, x, xOffset, y, yOffset);
        } else {
            axpyLoop(n, alpha, x, xOffset, y, yOffset);
        }
    }

    private static void axpyLoop(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        for (int i = 0; i < n; i++) {
            y[yOffset + i] += alpha * x[xOffset + i];
        }
    }

    /** x := alpha·x. */
    static void scal(int n, double alpha, double[] x, int xOffset) {
        if (n > PIECE) {
            for (int left = alpha != 1 ? n : 0; left > 0; left -= PIECE) {
                scalLong(Math.min(left, PIECE), alpha, x, xOffset + n - left);
            }
        } else if (Sums.FASTER != null && n < FEW && alpha != 1) {
            Sums.FASTER.scal(n, alpha, x, xOffset);
        } else if (alpha != 1 && n < LONG) {
            scalLoop(n, alpha, x, xOffset);
        } else if (alpha != 1) {
            scalLong(n, alpha, x, xOffset);
        }
    }

    private static void scalLoop(int n, double alpha, double[] x, int xOffset) {
        for (int i = 0; i < n; i++) {
            x[xOffset + i] *= alpha;
        }
    }

    private static void scalLong(int n, double alpha, double[] x, int xOffset) {
        for (int i = 0; i < n; i++) {
            x[xOffset + i] *= alpha;
        }
    }

    /** y := x. */
    static void copy(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (n > PIECE && x != y) {
            for (int left = n; left > 0; left -= PIECE) {
                int i = n - left;
                System.arraycopy(x, xOffset + i, y, yOffset + i, Math.min(left, PIECE));
            }
            return;
        }
        if (Sums.FASTER == null || !Sums.FASTER.copy(n, x, xOffset, y, yOffset)) {
            System.arraycopy(x, xOffset, y, yOffset, n);
        }
    }

    /** x and y exchange their elements, one after the other if they meet. */
    static void swap(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (x == y && Math.abs((long) xOffset - yOffset) < n) {
            swapLoop(n, x, xOffset, y, yOffset);
        } else if (n <= PIECE) {
            swapPiece(n, x, xOffset, y, yOffset);
        } else {
            for (int left = n; left > 0; left -= PIECE) {
                int i = n - left;
                swapPiece(Math.min(left, PIECE), x, xOffset + i, y, yOffset + i);
            }
        }
    }

    private static void swapPiece(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (Sums.FASTER != null) {
            Sums.FASTER.swap(n, x, xOffset, y, yOffset);
        } else if (n >= LONG) {
            swapCopies(n, x, xOffset, y, yOffset);
        } else {
            swapLoop(n, x, xOffset, y, yOffset);
        }
    }

    /** By copies, in pieces that stay in the nearest cache: the compiler spreads no loop over the lanes of a register if it does not know that x and y do not meet. */
    private static void swapCopies(int n, double[] x, int xOffset, double[] y, int yOffset) {
        double[] kept = COPIED.get();
        for (int left = n; left > 0; left -= SWAPPED) {
            int i = n - left;
            int some = Math.min(SWAPPED, left);
            System.arraycopy(x, xOffset + i, kept, 0, some);
            System.arraycopy(y, yOffset + i, x, xOffset + i, some);
            System.arraycopy(kept, 0, y, yOffset + i, some);
        }
    }

    private static void swapLoop(int n, double[] x, int xOffset, double[] y, int yOffset) {
        for (int i = 0; i < n; i++) {
            double kept = x[xOffset + i];
            x[xOffset + i] = y[yOffset + i];
            y[yOffset + i] = kept;
        }
    }

    /** x := c·x + s·y and y := c·y - s·x. */
    static void rot(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s) {
        if (n <= PIECE) {
            rotPiece(n, x, xOffset, y, yOffset, c, s);
            return;
        }
        for (int left = n; left > 0; left -= PIECE) {
            int i = n - left;
            rotPiece(Math.min(left, PIECE), x, xOffset + i, y, yOffset + i, c, s);
        }
    }

    private static void rotPiece(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s) {
        if (Sums.FASTER != null && x != y) {
            Sums.FASTER.rot(n, x, xOffset, y, yOffset, c, s);
        } else {
            rotLoop(n, x, xOffset, y, yOffset, c, s);
        }
    }

    private static void rotLoop(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s) {
        for (int i = 0; i < n; i++) {
            double first = x[xOffset + i];
            double second = y[yOffset + i];
            x[xOffset + i] = c * first + s * second;
            y[yOffset + i] = c * second - s * first;
        }
    }

    /** Σ |xᵢ|, in four sums side by side. */
    static double asum(int n, double[] x, int xOffset) {
        if (Sums.FASTER != null) {
            return n <= PIECE ? Sums.FASTER.asum(n, x, xOffset) : asumHalves(n, x, xOffset);
        }
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i < n - 3; i += 4) {
            int p = xOffset + i;
            a += Math.abs(x[p]);
            b += Math.abs(x[p + 1]);
            c += Math.abs(x[p + 2]);
            d += Math.abs(x[p + 3]);
        }
        for (; i < n; i++) {
            a += Math.abs(x[xOffset + i]);
        }
        return a + b + (c + d);
    }

    private static double asumHalves(int n, double[] x, int xOffset) {
        if (n <= PIECE) {
            return Sums.FASTER.asum(n, x, xOffset);
        }
        int half = n / 2;
        return asumHalves(half, x, xOffset) + asumHalves(n - half, x, xOffset + half);
    }

    /** Σ xᵢ², of which ‖x‖₂ is the root if {@link #holds} says so. */
    static double squares(int n, double[] x, int xOffset) {
        return Sums.FASTER == null ? dot(n, x, xOffset, x, xOffset)
                : n <= PIECE ? Sums.FASTER.squares(n, x, xOffset)
                : squareHalves(n, x, xOffset);
    }

    private static double squareHalves(int n, double[] x, int xOffset) {
        if (n <= PIECE) {
            return Sums.FASTER.squares(n, x, xOffset);
        }
        int half = n / 2;
        return squareHalves(half, x, xOffset) + squareHalves(n - half, x, xOffset + half);
    }

    /** Whether a sum of squares is in the range in which it is exact enough; no NaN is. */
    static boolean holds(double squares) {
        return squares >= LEAST && squares <= Double.MAX_VALUE;
    }

    /** The index, from 1, of the first largest |xᵢ|; the first NaN wins. */
    static int iamax(int n, double[] x, int xOffset) {
        int first = Sums.FASTER != null ? Sums.FASTER.iamax(n, x, xOffset) : 0;
        return first > 0 ? first : largest(n, x, xOffset);
    }

    /** Numbers without their signs are in the order of their bits, NaN behind all others: one comparison an element. */
    private static int largest(int n, double[] x, int xOffset) {
        long largest = -1; // float: int largest = -1;
        int at = 0;
        for (int i = 0; i < n; i++) {
            long size = Double.doubleToRawLongBits(Math.abs(x[xOffset + i])); // float: int size = Float.floatToRawIntBits(Math.abs(x[xOffset + i]));
            if (size > largest) {
                at = i + 1;
                largest = size;
            }
        }
        return largest <= INFINITE ? at : firstNan(x, xOffset);
    }

    private static int firstNan(double[] x, int xOffset) {
        int i = 0;
        while (!Double.isNaN(x[xOffset + i])) {
            i++;
        }
        return i + 1;
    }

    /** The index, from 1, of the first smallest |xᵢ|; NaN is larger than all. */
    static int iamin(int n, double[] x, int xOffset) {
        double least = Double.NaN;
        int at = 1;
        for (int i = 0; i < n; i++) {
            double size = Math.abs(x[xOffset + i]);
            if (size < least || Double.isNaN(least) && !Double.isNaN(size)) {
                at = i + 1;
                least = size;
            }
        }
        return at;
    }
}
