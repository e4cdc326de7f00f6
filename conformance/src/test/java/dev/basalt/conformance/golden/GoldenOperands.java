package dev.basalt.conformance.golden;

import dev.basalt.DeviceArena;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes the operands of a {@link GoldenCall}: shapes, memory without content, or memory with seeded numbers. */
final class GoldenOperands {
    /** Columns are longer than the matrix, so that a leading dimension is one. */
    private static final int SPARE = 3;

    final ElementType type;
    private final long count;
    private final boolean tables;
    private final DeviceArena arena;
    private final Random random;
    private final List<MatrixView> matrices = new ArrayList<>();
    private final List<VectorView> vectors = new ArrayList<>();

    /** Operands in an arena, shapes if it is null; with numbers if there is a source of them. */
    GoldenOperands(DeviceArena arena, Random random, ElementType type, long count, boolean tables) {
        this.arena = arena;
        this.random = random;
        this.type = type;
        this.count = count;
        this.tables = tables;
    }

    MatrixView matrix(long rows, long cols) {
        return matrix(rows, cols, 0);
    }

    /** Positive definite, and with triangles of a good condition. */
    MatrixView dominant(long n) {
        return matrix(n, n, n + 2.0);
    }

    private MatrixView matrix(long rows, long cols, double diagonal) {
        if (arena == null) {
            return MatrixView.shape(type, rows, cols, count);
        }
        MatrixView made;
        if (tables) {
            MatrixView[] problems = new MatrixView[(int) count];
            for (int i = 0; i < count; i++) {
                problems[i] = roomy(rows, cols, 1);
            }
            made = arena.pointers(problems);
        } else {
            made = roomy(rows, cols, count);
        }
        if (random != null) {
            made.upload(numbers(rows, cols, diagonal));
        }
        matrices.add(made);
        return made;
    }

    private MatrixView roomy(long rows, long cols, long problems) {
        if (problems == 1) {
            return arena.matrix(type, rows + SPARE, cols).block(0, 0, rows, cols);
        }
        return arena.matrix(type, rows, cols, problems);
    }

    VectorView vector(long n) {
        return vector(type, n);
    }

    VectorView vector(ElementType elements, long n) {
        if (arena == null) {
            return VectorView.shape(elements, n, count);
        }
        VectorView made;
        if (tables) {
            VectorView[] problems = new VectorView[(int) count];
            for (int i = 0; i < count; i++) {
                problems[i] = arena.vector(elements, n);
            }
            made = arena.pointers(problems);
        } else {
            made = arena.vector(elements, n, count);
        }
        if (random != null && elements.isFloating()) {
            made.upload(numbers(n, 1, 0));
        } else if (random != null && elements == ElementType.I64) {
            long[] identity = new long[(int) (n * count)];
            for (int i = 0; i < identity.length; i++) {
                identity[i] = 1 + i % n;
            }
            made.upload(identity);
        }
        vectors.add(made);
        return made;
    }

    /** One element a problem. */
    VectorView results(ElementType elements) {
        VectorView made = arena == null ? VectorView.shape(elements, count) : arena.vector(elements, count);
        vectors.add(made);
        return made;
    }

    /** A scalar in device memory. */
    VectorView scalar(double value) {
        return arena == null ? VectorView.shape(type, 1) : arena.scalar(type, new Complex(value, 0));
    }

    private Object numbers(long rows, long cols, double diagonal) {
        int parts = type.isComplex() ? 2 : 1;
        double[] numbers = new double[(int) (rows * cols * count) * parts];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextDouble() - 0.5;
        }
        for (long b = 0; diagonal != 0 && b < count; b++) {
            for (long i = 0; i < rows; i++) {
                int at = (int) (b * rows * cols + i + i * rows) * parts;
                numbers[at] = diagonal;
                if (parts == 2) {
                    numbers[at + 1] = 0;
                }
            }
        }
        if (type.real() == ElementType.F64) {
            return numbers;
        }
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    /** Takes the content of every operand, bit for bit. */
    void digest(MessageDigest digest) {
        for (MatrixView m : matrices) {
            Object content = array(m.type(), m.rows() * m.cols() * m.count());
            m.download(content);
            take(digest, content);
        }
        for (VectorView v : vectors) {
            Object content = array(v.type(), v.size() * v.count());
            v.download(content);
            take(digest, content);
        }
    }

    private static Object array(ElementType type, long elements) {
        int n = (int) elements;
        return switch (type) {
            case F64 -> new double[n];
            case F32 -> new float[n];
            case C64 -> new double[2 * n];
            case C32 -> new float[2 * n];
            case I32 -> new int[n];
            default -> new long[n];
        };
    }

    private static void take(MessageDigest digest, Object content) {
        ByteBuffer bytes;
        if (content instanceof double[] d) {
            bytes = ByteBuffer.allocate(8 * d.length);
            bytes.asDoubleBuffer().put(d);
        } else if (content instanceof float[] f) {
            bytes = ByteBuffer.allocate(4 * f.length);
            bytes.asFloatBuffer().put(f);
        } else if (content instanceof int[] i) {
            bytes = ByteBuffer.allocate(4 * i.length);
            bytes.asIntBuffer().put(i);
        } else {
            long[] l = (long[]) content;
            bytes = ByteBuffer.allocate(8 * l.length);
            bytes.asLongBuffer().put(l);
        }
        digest.update(bytes);
    }
}
