package dev.basalt.conformance.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Scheme;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One call of a routine on seeded operands: hands out options, shapes and operands, runs the call, and holds its results
 * against a reference. Half of the trials are on small integers, where results must be exact.
 */
public final class Trial {
    /** Elements that more than one thread of a host device works on. */
    private static final int LONG_ENOUGH_TO_SHARE = 500_000;

    private static final int[] EDGES = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129};

    /** A call on a handle; null for a status if the routine returns a number. */
    public interface Call {
        /** Makes the call. */
        Status on(Handle handle);

        /** Makes the call; its status is also what the handle reports. */
        default Status statusOn(Handle handle) {
            Status returned = on(handle);
            Status reported = handle.lastCall().status();
            if (returned != null) {
                assertThat(reported).as("status of the last call").isEqualTo(returned);
            }
            return reported;
        }
    }

    /** The element type. */
    public final ElementType type;
    /** Whether operands are small integers and results must be exact. */
    public final boolean exact;
    /** How the problems lie in memory. */
    public final Form form;
    /** Problems; see {@link #problems}. */
    public int count;
    /** Whatever else the test wants to draw. */
    public final Random random;

    private final Target target;
    private final Handle handle;
    private final Profile profile;
    private final DeviceArena arena;
    private final double filler;
    private final boolean mixed;
    private final boolean many;
    private final List<Batch> batches = new ArrayList<>();
    private final StringBuilder notes = new StringBuilder();
    private long digits;

    Trial(Target target, Device device, Handle handle, Profile profile, long seed, long index) {
        this.target = target;
        this.type = target.type();
        this.handle = handle;
        this.profile = profile;
        this.arena = device.arena();
        this.digits = index;
        this.random = new Random(seed * 0x9e37_79b9_7f4a_7c15L);
        this.exact = profile != Profile.LARGE && random.nextBoolean();
        Form any = profile == Profile.LARGE ? Form.PLAIN : pick(Form.values());
        boolean empty = profile == Profile.SHAPES && any != Form.PLAIN && random.nextInt(25) == 0;
        this.form = empty ? Form.STRIDED : any;
        this.many = profile == Profile.SHAPES && form != Form.PLAIN && !empty && random.nextInt(25) == 0;
        int some = many ? 40 + random.nextInt(160) : 1 + random.nextInt(3);
        this.count = form == Form.PLAIN ? 1 : empty ? 0 : some;
        this.mixed = !empty && random.nextInt(4) == 0;
        this.filler = random.nextBoolean() ? Double.NaN : 777.25;
        notes.append(exact ? "integers" : "reals").append(", ").append(form).append(" of ").append(count);
        notes.append(", filler ").append(filler).append(',');
    }

    // ---- options and shapes -------------------------------------------------------------------------------

    /** The next of the values: successive trials go through all combinations of all options. */
    @SafeVarargs
    public final <T> T option(String name, T... values) {
        T value = values[(int) (digits % values.length)];
        digits /= values.length;
        return note(name, value);
    }

    /** Any of the values. */
    @SafeVarargs
    public final <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** Adds to the description of this trial. */
    public <T> T note(String name, T value) {
        notes.append(' ').append(name).append('=').append(value);
        return value;
    }

    /** A dimension. */
    public int size(String name) {
        return note(name, profile == Profile.LARGE ? large() : profile == Profile.TIERS ? tiers() : shapes());
    }

    private int shapes() {
        int most = target.isSlow() ? 90 : 140;
        int dice = many ? 0 : random.nextInt(20);
        if (dice < 14) {
            return random.nextInt(many ? 13 : 21);
        }
        return dice < 17 ? Math.min(most, pick(EDGES)) : random.nextInt(dice < 19 ? 70 : most);
    }

    private int pick(int[] values) {
        return values[random.nextInt(values.length)];
    }

    private int tiers() {
        int most = target.isSlow() ? 70 : 200;
        return 1 + random.nextInt(random.nextBoolean() ? most : most / 3);
    }

    private int large() {
        int most = target.isSimulated() ? 160 : target.device().equals("host") ? 700 : 350;
        return most / 4 + random.nextInt(random.nextInt(3) == 0 ? most * 3 / 4 : most / 4);
    }

    /** A dimension of a long vector. */
    public int length(String name) {
        boolean few = many || profile == Profile.SHAPES && random.nextInt(12) > 0;
        if (few) {
            return note(name, random.nextInt(random.nextInt(4) == 0 ? 300 : 21));
        }
        boolean large = profile == Profile.LARGE && !target.isSimulated();
        return note(name,
                1 + random.nextInt(target.isSimulated() ? 3000 : 30_000) + (large ? LONG_ENOUGH_TO_SHARE : 0));
    }

    /** An order at which a matrix-vector product is summed in strips, now and then. */
    public int longOrder(String name) {
        boolean strips = random.nextInt(8) == 0;
        if (strips) {
            problems(1);
        }
        return note(name, 1 + random.nextInt(30) + (target.isSimulated() ? strips ? 100 : 40 : strips ? 2048 : 200));
    }

    /** An increment, which is not zero. */
    public int increment(String name) {
        return note(name, pick(1, 1, 1, -1, 2, -2, 3, -3));
    }

    /** A factor of the product: the next of 1, one without any pattern, -1, 2 and, where workspace is not the matter, 0. */
    public Complex alpha() {
        return scalar("alpha", profile == Profile.SHAPES ? 5 : 4);
    }

    /** A factor of the old value: the next of 1, one without any pattern, -1, 2 and 0. */
    public Complex beta() {
        return scalar("beta", 5);
    }

    private Complex scalar(String name, int values) {
        Complex general = exact ? new Complex(3, -2) : new Complex(0.75, -0.625);
        Complex any = type.isComplex() ? general : Complex.of(general.re());
        Complex[] list = {Complex.ONE, any, Complex.of(-1), Complex.of(2), Complex.ZERO};
        int at = (int) (digits % values);
        digits /= values;
        return note(name, list[at]);
    }

    /** How scalars are to be passed. */
    public Passing passing(Complex... scalars) {
        Passing passing = pick(Passing.values());
        for (Complex scalar : scalars) {
            if (passing == Passing.REAL && scalar.im() != 0) {
                passing = Passing.COMPLEX;
            }
        }
        return note("passing", passing);
    }

    /** A scalar in device memory; one without imaginary part may be of the real type. */
    public VectorView device(Complex value) {
        boolean real = value.im() == 0 && random.nextBoolean();
        return arena.scalar(real ? type.real() : type, value);
    }

    /** A scalar in device memory, of the real type. */
    public VectorView deviceReal(Complex value) {
        return arena.scalar(type.real(), value);
    }

    /** Makes this a batch of a given size, before the first operand is made. */
    public void problems(int problems) {
        count = form == Form.PLAIN ? 1 : problems;
        note("problems", count);
    }

    // ---- operands -----------------------------------------------------------------------------------------

    /** A random number of the kind of this trial: an integer from -3 to 3, or uniform in ±1/2. */
    public double number() {
        return exact ? random.nextInt(7) - 3 : round(random.nextDouble() - 0.5);
    }

    /** A random matrix. */
    public Mat random(int m, int n) {
        return Mat.of(m, n, (i, j) -> number(), (i, j) -> type.isComplex() ? number() : 0);
    }

    /**
     * A random triangular matrix; its other triangle is zero. On integers its diagonal divides them well, else its triangular
     * systems neither grow nor vanish.
     */
    public Mat randomTriangle(int n, Uplo uplo, Diag diag) {
        return randomTriangle(n, uplo, diag, exact);
    }

    /** As {@link #randomTriangle(int, Uplo, Diag)}, of integers or not as the caller likes. */
    public Mat randomTriangle(int n, Uplo uplo, Diag diag, boolean integers) {
        double scale = integers ? 1 : 1.0 / Math.max(exact ? 6 : 1, n / (exact ? 1 : 8));
        Mat r = random(n, n).times(Complex.of(scale)).triangular(uplo, diag);
        for (int i = 0; i < n && diag == Diag.NON_UNIT; i++) {
            double size = integers ? pick(1.0, 2.0) : 0.5 + random.nextDouble();
            boolean imaginary = type.isComplex() && random.nextBoolean();
            double v = round(random.nextBoolean() ? size : -size);
            r.set(i, i, imaginary ? 0 : v, imaginary ? v : 0);
        }
        return rounded(r);
    }

    /** The nearest number of the type. */
    public double round(double value) {
        return type.real() == ElementType.F32 ? (float) value : value;
    }

    /** The nearest matrix of the type. */
    public Mat rounded(Mat a) {
        return Mat.of(a.m, a.n, (i, j) -> round(a.re(i, j)), (i, j) -> round(a.im(i, j)));
    }

    /** A batch of matrices, all filler. */
    public Batch matrix(int rows, int cols) {
        return add(new Batch(arena, random, type, false, rows, cols, Math.max(1, rows) + random.nextInt(4), count,
                form(), filler));
    }

    /** A batch of matrices to be read, in a call with more problems perhaps a single one that they share. */
    public Batch sharedMatrix(int rows, int cols) {
        boolean shared = random.nextInt(6) == 0;
        return add(new Batch(arena, random, type, false, rows, cols, Math.max(1, rows) + random.nextInt(4),
                shared ? 1 : count, shared ? Form.PLAIN : form(), filler));
    }

    /** A batch of vectors, all filler. */
    public Batch vector(int n, int inc) {
        return vector(type, n, inc);
    }

    /** A batch of vectors of any type, all filler (a number for integers). */
    public Batch vector(ElementType elements, int n, int inc) {
        double with = elements.isFloating() ? filler : -777;
        return add(new Batch(arena, random, elements, true, n, 1, inc, count, form(), with));
    }

    /** One element of a type for each problem: as a batch of single ones, or as one vector. */
    public Batch perProblem(ElementType elements) {
        double with = elements.isFloating() ? filler : -777;
        boolean batch = random.nextBoolean();
        int inc = 1 + random.nextInt(2);
        return add(batch
                ? new Batch(arena, random, elements, true, 1, 1, inc, count, form(), with)
                : new Batch(arena, random, elements, true, count, 1, inc, 1, Form.PLAIN, with));
    }

    /** The integer of a problem in a batch of {@link #perProblem}. */
    public static long integer(Batch perProblem, int problem) {
        return perProblem.count == 1 ? perProblem.integers(0)[problem] : perProblem.integers(problem)[0];
    }

    /** The number of a problem in a batch of {@link #perProblem}. */
    public static Complex number(Batch perProblem, int problem) {
        Mat all = perProblem.get(perProblem.count == 1 ? 0 : problem);
        int at = perProblem.count == 1 ? problem : 0;
        return new Complex(all.re(at, 0), all.im(at, 0));
    }

    /** A batch of random matrices to be read. */
    public Batch input(int rows, int cols) {
        return filled(sharedMatrix(rows, cols));
    }

    /** A batch of random matrices to be written over. */
    public Batch output(int rows, int cols) {
        return filled(matrix(rows, cols)).writes();
    }

    /** A batch of random vectors to be read. */
    public Batch inputVector(int n, int inc) {
        boolean shared = random.nextInt(6) == 0;
        return filled(add(new Batch(arena, random, type, true, n, 1, inc, shared ? 1 : count,
                shared ? Form.PLAIN : form(), filler)));
    }

    /** A batch of random vectors to be written over. */
    public Batch outputVector(int n, int inc) {
        return filled(vector(n, inc)).writes();
    }

    private Batch filled(Batch batch) {
        for (int p = 0; p < batch.count; p++) {
            batch.put(p, random(batch.rows, batch.cols));
        }
        return batch;
    }

    private Form form() {
        return mixed && form != Form.PLAIN ? pick(Form.STRIDED, Form.POINTERS) : form;
    }

    private Batch add(Batch batch) {
        batches.add(batch);
        return batch;
    }

    // ---- the call -----------------------------------------------------------------------------------------

    /**
     * Makes the call, and checks its status and that nothing was written that must not be.
     *
     * @return false if the call was refused for want of memory, as it had to be
     */
    public boolean run(Call call) {
        batches.forEach(Batch::upload);
        boolean ran = true;
        if (profile == Profile.TIERS) {
            ran = new ShortWorkspace(handle, arena, this).run(call);
        } else {
            assertThat(call.statusOn(handle)).as("status").isEqualTo(Status.SUCCESS);
        }
        for (Batch batch : batches) {
            batch.download();
            batch.verify(!ran);
        }
        return ran;
    }

    // ---- results ------------------------------------------------------------------------------------------

    /** Unit of the last place of the type at 1. */
    public double epsilon() {
        return type.real() == ElementType.F32 ? 0x1p-23 : 0x1p-52;
    }

    /**
     * Holds what the call wrote of a problem against a reference: equal on integers, else each part within γ·bound, where γ is
     * that of a sum of {@code terms} products.
     */
    public void check(Batch out, int problem, Mat expected, Mat bound, int terms) {
        Mat actual = out.get(problem);
        double gamma = (2 * terms + 12) * epsilon();
        for (int j = 0; j < out.cols; j++) {
            for (int i = 0; i < out.rows; i++) {
                if (out.isWritable(problem, i, j)) {
                    double off = exact ? 0 : gamma * bound.re(i, j);
                    check(problem, i, j, actual.re(i, j), expected.re(i, j), off, "real");
                    check(problem, i, j, actual.im(i, j), expected.im(i, j), off, "imaginary");
                }
            }
        }
    }

    /**
     * Holds a number against a 1×1 reference: equal on integers, else within γ·bound, where γ is that of a sum of {@code terms}
     * products; with {@code rounded} the number is rounded even on integers.
     */
    public void checkNumber(int problem, Complex actual, Mat expected, Mat bound, int terms, boolean rounded) {
        double off = exact && !rounded ? 0 : (2 * terms + 12) * epsilon() * bound.re(0, 0);
        check(problem, 0, 0, actual.re(), expected.re(0, 0), off, "real");
        check(problem, 0, 0, actual.im(), expected.im(0, 0), off, "imaginary");
    }

    /** Requires a problem to hold just these values. */
    public void checkEqual(Batch out, int problem, Mat expected) {
        Mat actual = out.get(problem);
        for (int j = 0; j < out.cols; j++) {
            for (int i = 0; i < out.rows; i++) {
                check(problem, i, j, actual.re(i, j), expected.re(i, j), 0, "real");
                check(problem, i, j, actual.im(i, j), expected.im(i, j), 0, "imaginary");
            }
        }
    }

    /** Requires a residual to be within γ·bound whether or not this trial is on integers. */
    public void checkResidual(int problem, Mat residual, Mat bound, int terms) {
        double gamma = (2 * terms + 12) * epsilon();
        for (int j = 0; j < residual.n; j++) {
            for (int i = 0; i < residual.m; i++) {
                check(problem, i, j, residual.re(i, j), 0, gamma * bound.re(i, j), "real residual");
                check(problem, i, j, residual.im(i, j), 0, gamma * bound.re(i, j), "imaginary residual");
            }
        }
    }

    private static void check(int p, int i, int j, double actual, double expected, double bound, String part) {
        if (!(Math.abs(actual - expected) <= bound)) {
            throw new AssertionError(part + " part of element (" + i + ", " + j + ") of problem " + p + " is " + actual
                    + ", expected " + expected + " ± " + bound);
        }
    }

    /** The bits of everything that the call could write. */
    public long[][] written() {
        return batches.stream().map(Batch::written).toArray(long[][]::new);
    }

    /** An owned workspace lies in the arena. */
    void close() {
        if (handle.workspaceScheme() == Scheme.OWNED) {
            handle.setDeviceMemorySize(0);
        }
        arena.close();
    }

    @Override
    public String toString() {
        return notes.toString();
    }
}
