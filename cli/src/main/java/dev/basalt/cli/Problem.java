package dev.basalt.cli;

import dev.basalt.ByteSize;
import dev.basalt.Device;
import dev.basalt.type.ElementType;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A system to solve, as its files and options say.
 *
 * @param name the matrix's file
 * @param header the matrix's header
 * @param type element type to compute in
 * @param a the matrix, rounded to the type
 * @param b right-hand sides, rounded to the type
 * @param truth the solution, where the right-hand sides were made from it; else null
 */
record Problem(Path name, MatrixHeader header, ElementType type, Matrix a, DenseMatrix b, DenseMatrix truth) {
    /** Up to this share of its elements, in percent, a matrix is better off with methods that know of zeros. */
    private static final double SPARSE = 5;

    /**
     * Reads a system. Everything that can be judged by the headers is judged before a body is read.
     *
     * @param matrix file of A
     * @param rightHandSides file of B; null to make random ones
     * @param wanted element type; null for the default of the files
     * @param method how it is to be solved, which may want as many rows as columns
     * @param random how to make right-hand sides
     * @param device whose memory must suffice
     * @param progress is told what goes on
     * @return the system
     * @throws Failure with file and reason
     */
    static Problem read(Path matrix, Path rightHandSides, ElementType wanted, Method method, RandomSides random,
            Device device, Progress progress) {
        progress.phase("reading " + matrix.getFileName());
        try (MatrixFile a = MatrixFile.open(matrix, progress);
                MatrixFile b = rightHandSides == null ? null : MatrixFile.open(rightHandSides, progress)) {
            square(a, method);
            ElementType type = type(a, b, wanted);
            if (b != null) {
                fitting(a, b);
            }
            room(a, type, b == null ? random.count() : b.header().cols(), device);
            Matrix read = rounded(a, a.read(), type);
            if (b == null) {
                progress.phase("making right-hand sides");
                DenseMatrix truth = random.solution(read.cols(), type);
                return new Problem(matrix, a.header(), type, read, random.sides(read, truth, type, progress), truth);
            }
            progress.phase("reading " + rightHandSides.getFileName());
            DenseMatrix sides = DenseMatrix.of(rounded(b, b.read(), type), type.isComplex());
            return new Problem(matrix, a.header(), type, read, sides, null);
        }
    }

    private static void square(MatrixFile a, Method method) {
        long rows = a.header().rows();
        long cols = a.header().cols();
        if (rows == 0 || cols == 0) {
            throw new Failure(a.file() + ": the matrix is " + rows + " x " + cols + ", there is nothing to solve");
        }
        if (rows != cols && method != Method.AUTO && method.isSquare()) {
            throw new Failure(a.file() + ": the matrix is not square but " + rows + " x " + cols + "; " + method
                    + " needs as many equations as unknowns, use --method qr");
        }
    }

    private static void fitting(MatrixFile a, MatrixFile b) {
        long n = a.header().rows();
        if (b.header().rows() != n || b.header().cols() == 0) {
            throw new Failure(b.file() + ": the right-hand side is " + b.header().rows() + " x " + b.header().cols()
                    + ", but " + n + " rows and at least one column are needed for the " + n + " x " + a.header().cols()
                    + " matrix " + a.file());
        }
    }

    /** The type to compute in: what was wanted, or double precision. */
    static ElementType type(MatrixFile a, MatrixFile b, ElementType wanted) {
        MatrixFile complex = a.header().isComplex() ? a : b != null && b.header().isComplex() ? b : null;
        if (wanted == null) {
            return complex == null ? ElementType.F64 : ElementType.C64;
        }
        if (complex != null && !wanted.isComplex()) {
            throw new Failure(complex.file() + ": the values are complex and do not fit --type " + wanted.letter()
                    + "; use --type " + (wanted == ElementType.F32 ? "c" : "z"));
        }
        return wanted;
    }

    /** In floating point: for sizes in a header that make no sense the product of three of them is beyond 64 bits. */
    private static void room(MatrixFile a, ElementType type, long nrhs, Device device) {
        double m = a.header().rows();
        double n = a.header().cols();
        double need = (m * n + Math.max(m, n) * nrhs) * type.bytes();
        long free = device.freeMemory();
        if (need > free) {
            throw new Failure(a.file() + ": not enough memory: a dense " + a.header().rows() + " x " + a.header().cols()
                    + " matrix of type " + type.letter() + " and " + nrhs + " right-hand side"
                    + (nrhs == 1 ? " need " : "s need ") + ByteSize.format((long) need) + ", " + device.name() + " has "
                    + ByteSize.format(free) + " free" + elsewhere(a.header()));
        }
    }

    /** What else to use for a matrix that is nearly all zeros: every element has its place here. */
    static String elsewhere(MatrixHeader header) {
        if (header.listed() < 0) {
            return "";
        }
        double share = 100.0 * header.listed() / header.rows() / header.cols();
        return share > SPARSE
                ? ""
                : String.format(Locale.ROOT,
                        "; the file lists %d elements (%.2g %% of all): a solver for sparse matrices is the tool for it, such as"
                                + " SuiteSparse (UMFPACK, CHOLMOD), MUMPS or PARDISO",
                        header.listed(), share);
    }

    /** A matrix rounded to a type, so that residuals are those of what was really computed with. */
    static Matrix rounded(MatrixFile from, Matrix matrix, ElementType type) {
        if (type.real() == ElementType.F32) {
            try {
                matrix.roundToSingle();
            } catch (Failure e) {
                throw new Failure(from.file() + ": " + e.getMessage());
            }
        }
        return matrix;
    }

    /** Equations. */
    int m() {
        return a.rows();
    }

    /** Unknowns. */
    int n() {
        return a.cols();
    }

    /** Whether there are as many equations as unknowns. */
    boolean isSquare() {
        return m() == n();
    }

    /** Right-hand sides. */
    int nrhs() {
        return b.cols();
    }

    /**
     * Right-hand sides made from random solutions.
     *
     * @param count how many
     * @param seed where the random numbers start
     */
    record RandomSides(int count, long seed) {
        DenseMatrix solution(int n, ElementType type) {
            Random random = new Random(seed);
            double[][] columns = new double[count][];
            for (int j = 0; j < count; j++) {
                double[] column = new double[n * (type.isComplex() ? 2 : 1)];
                for (int i = 0; i < column.length; i++) {
                    // Of 24 bits, so that the solution is exact in single precision too.
                    column[i] = 2 * random.nextFloat() - 1;
                }
                columns[j] = column;
            }
            return new DenseMatrix(n, type.isComplex(), columns);
        }

        DenseMatrix sides(Matrix a, DenseMatrix solution, ElementType type, Progress progress) {
            double[][] columns = new double[count][];
            double operations = Flops.products(type.isComplex(), a.rows(), a.cols(), count);
            AtomicInteger over = new AtomicInteger();
            IntStream.range(0, count).parallel().forEach(j -> {
                double[] x = solution.column(j);
                double[] zero = new double[a.rows() * (type.isComplex() ? 2 : 1)];
                double[] negative = Accuracy.residual(a, x, zero, type.isComplex());
                for (int i = 0; i < negative.length; i++) {
                    negative[i] = 0 - negative[i];
                }
                columns[j] = negative;
                progress.operations(over.incrementAndGet() / (double) count, operations);
            });
            DenseMatrix sides = new DenseMatrix(a.rows(), type.isComplex(), columns);
            if (type.real() == ElementType.F32) {
                sides.roundToSingle();
            }
            return sides;
        }
    }
}
