package dev.basalt.conformance.memory;

import dev.basalt.DeviceArena;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes the operands of a {@link Routines} call: in an arena with seeded data, or as shapes without memory. The same seed gives the
 * same options, shapes and data either way.
 */
final class Operands {
    /** The form of a batch. */
    enum Form {
        PLAIN,
        STRIDED,
        POINTERS
    }

    final Random random;
    final ElementType type;
    final Form form;
    final int count;
    private final DeviceArena arena;
    private final Random data;
    private final int largest;
    private final List<MatrixView> matrices = new ArrayList<>();
    private final List<VectorView> vectors = new ArrayList<>();

    /** Operands in an arena, or shapes if it is null. */
    Operands(DeviceArena arena, long seed, int largest) {
        this.arena = arena;
        this.random = new Random(seed);
        this.data = new Random(seed + 1);
        this.largest = largest;
        this.type = ElementType.values()[random.nextInt(4)];
        this.form = Form.values()[random.nextInt(3)];
        this.count = form == Form.PLAIN ? 1 : 1 + random.nextInt(4);
    }

    int dim() {
        int[] edges = {0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65};
        int n = random.nextInt(3) == 0 ? edges[random.nextInt(edges.length)] : random.nextInt(largest + 1);
        return Math.min(n, largest);
    }

    Op op() {
        return Op.values()[random.nextInt(3)];
    }

    Uplo uplo() {
        return Uplo.values()[random.nextInt(2)];
    }

    Side side() {
        return Side.values()[random.nextInt(2)];
    }

    Diag diag() {
        return Diag.values()[random.nextInt(2)];
    }

    double scalar() {
        double[] values = {0, 1, -1, 2, 0.5};
        return values[random.nextInt(values.length)];
    }

    MatrixView matrix(long rows, long cols) {
        return matrix(rows, cols, false);
    }

    /** A square matrix whose triangles are well conditioned and which is positive definite Hermitian in either triangle. */
    MatrixView dominant(long n) {
        return matrix(n, n, true);
    }

    private MatrixView matrix(long rows, long cols, boolean dominant) {
        if (arena == null) {
            MatrixView shape = MatrixView.shape(type, rows, cols, count);
            matrices.add(shape);
            return shape;
        }
        MatrixView m;
        if (form == Form.POINTERS) {
            MatrixView[] problems = new MatrixView[count];
            for (int i = 0; i < count; i++) {
                problems[i] = arena.matrix(type, rows, cols);
            }
            m = arena.pointers(problems);
        } else {
            m = arena.matrix(type, rows, cols, count);
        }
        double[] numbers = numbers(rows * cols * count);
        int parts = type.isComplex() ? 2 : 1;
        for (int b = 0; dominant && b < count; b++) {
            for (int i = 0; i < rows; i++) {
                int at = (int) (parts * (b * rows * cols + i + i * rows));
                numbers[at] = 2 + rows;
                if (parts == 2) {
                    numbers[at + 1] = 0;
                }
            }
        }
        m.upload(array(numbers));
        matrices.add(m);
        return m;
    }

    VectorView vector(long n) {
        return vector(type, n);
    }

    /** One element a problem, of any type. */
    VectorView perProblem(ElementType elementType) {
        VectorView v = arena == null ? VectorView.shape(elementType, count) : arena.vector(elementType, count);
        vectors.add(v);
        return v;
    }

    /** A vector a problem, of any type. */
    VectorView vector(ElementType elementType, long n) {
        if (arena == null) {
            VectorView shape = VectorView.shape(elementType, n, count);
            vectors.add(shape);
            return shape;
        }
        VectorView v;
        if (form == Form.POINTERS) {
            VectorView[] problems = new VectorView[count];
            for (int i = 0; i < count; i++) {
                problems[i] = arena.vector(elementType, n);
            }
            v = arena.pointers(problems);
        } else {
            v = arena.vector(elementType, n, count);
        }
        if (elementType == type) {
            v.upload(array(numbers(n * count)));
        } else if (elementType == ElementType.I64) {
            v.upload(new long[(int) (n * count)]);
        }
        vectors.add(v);
        return v;
    }

    private double[] numbers(long elements) {
        double[] numbers = new double[(int) (elements * (type.isComplex() ? 2 : 1))];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = data.nextDouble() - 0.5;
        }
        return numbers;
    }

    private Object array(double[] numbers) {
        if (type == ElementType.F64 || type == ElementType.C64) {
            return numbers;
        }
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    /** The content of every operand, bit for bit. */
    List<Integer> contents() {
        List<Integer> hashes = new ArrayList<>();
        for (MatrixView m : matrices) {
            long parts = m.rows() * m.cols() * m.count() * (m.type().isComplex() ? 2 : 1);
            hashes.add(hash(m.type(), parts, m::download));
        }
        for (VectorView v : vectors) {
            long parts = v.size() * v.count() * (v.type().isComplex() ? 2 : 1);
            hashes.add(hash(v.type(), parts, v::download));
        }
        return hashes;
    }

    private static int hash(ElementType type, long parts, java.util.function.Consumer<Object> download) {
        int n = (int) parts;
        switch (type) {
            case F64:
            case C64:
                double[] d = new double[n];
                download.accept(d);
                return Arrays.hashCode(d);
            case F32:
            case C32:
                float[] f = new float[n];
                download.accept(f);
                return Arrays.hashCode(f);
            case I32:
                int[] i = new int[n];
                download.accept(i);
                return Arrays.hashCode(i);
            default:
                long[] l = new long[n];
                download.accept(l);
                return Arrays.hashCode(l);
        }
    }
}
