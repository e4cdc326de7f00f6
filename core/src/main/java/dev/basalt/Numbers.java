package dev.basalt;

import dev.basalt.type.ElementType;

/** Doubles on the heap to and from views of either real type. */
final class Numbers {
    private Numbers() {}

    static void upload(VectorView x, double[] numbers) {
        x.upload(x.type() == ElementType.F32 ? floats(numbers) : numbers);
    }

    static void upload(MatrixView a, double[] numbers) {
        a.upload(a.type() == ElementType.F32 ? floats(numbers) : numbers);
    }

    static double[] download(VectorView x) {
        double[] numbers = new double[Math.toIntExact(x.size())];
        if (x.type() == ElementType.F32) {
            float[] floats = new float[numbers.length];
            x.download(floats);
            for (int i = 0; i < floats.length; i++) {
                numbers[i] = floats[i];
            }
        } else {
            x.download(numbers);
        }
        return numbers;
    }

    private static float[] floats(double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }
}
