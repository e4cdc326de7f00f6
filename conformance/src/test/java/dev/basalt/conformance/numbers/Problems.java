package dev.basalt.conformance.numbers;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Matrices on a device, and numbers beside them, for tests of norms, condition numbers and error bounds. */
final class Problems {
    /** What a test does on a device. */
    interface Body {
        void run(Handle h, DeviceArena arena);
    }

    private Problems() {}

    static void on(Target target, Body body) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            body.run(h, arena);
        }
    }

    static boolean single(ElementType type) {
        return type.real() == ElementType.F32;
    }

    /** LAPACK's eps. */
    static double eps(ElementType type) {
        return single(type) ? 0x1p-24 : 0x1p-53;
    }

    static Mat random(Random random, ElementType type, int m, int n) {
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> type.isComplex() ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    static MatrixView matrix(DeviceArena arena, ElementType type, Mat a) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        return view;
    }

    /** Real numbers of a type's precision. */
    static VectorView reals(DeviceArena arena, ElementType type, double... values) {
        VectorView view = arena.vector(type.real(), values.length);
        if (single(type)) {
            float[] narrow = new float[values.length];
            for (int i = 0; i < narrow.length; i++) {
                narrow[i] = (float) values[i];
            }
            view.upload(narrow);
        } else {
            view.upload(values);
        }
        return view;
    }

    static double[] reals(VectorView view, int n) {
        double[] values = new double[n];
        if (single(view.type())) {
            float[] narrow = new float[n];
            view.download(narrow);
            for (int i = 0; i < n; i++) {
                values[i] = narrow[i];
            }
        } else {
            view.download(values);
        }
        return values;
    }

    static double real(VectorView view) {
        return reals(view, 1)[0];
    }

    static int info(VectorView view) {
        int[] found = new int[1];
        view.download(found);
        return found[0];
    }
}
