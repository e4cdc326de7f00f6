package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/**
 * With alpha = 0 a call needs only the shapes of what alpha multiplies: no kernel may look at memory that is not there. These are orders
 * around the borders of tiles; {@code EveryWorkspaceTest} takes from every routine of the table what it does not read.
 */
class AbsentOperandsTest {
    /** On both sides of every border of a tile, and beyond. */
    private static final int[] ORDERS = {1, 8, 33, 65, 129, 300};

    /** What is done to y or to C, which start as threes, and what is expected of each of its elements. */
    private record Case(String name, boolean vector, Calling calling, double expected) {}

    private interface Calling {
        Status run(Handle h, MatrixView a, VectorView x, VectorView y, MatrixView c);
    }

    private static List<Case> cases(ElementType type) {
        List<Case> list = new ArrayList<>();
        for (Op op : Op.values()) {
            list.add(new Case("gemv " + op, true, (h, a, x, y, c) -> Blas.gemv(h, op, 0.0, a, x, 2.0, y), 6));
            list.add(new Case("gemm " + op, false, (h, a, x, y, c) -> Blas.gemm(h, op, Op.NONE, 0.0, a, a, 2.0, c), 6));
        }
        for (Uplo uplo : Uplo.values()) {
            list.add(new Case("symv " + uplo, true, (h, a, x, y, c) -> Blas.symv(h, uplo, 0.0, a, x, 2.0, y), 6));
            if (type.isComplex()) {
                list.add(new Case("hemv " + uplo, true, (h, a, x, y, c) -> Blas.hemv(h, uplo, 0.0, a, x, 2.0, y), 6));
            }
            for (Side side : Side.values()) {
                list.add(new Case("symm", false, (h, a, x, y, c) -> Blas.symm(h, side, uplo, 0.0, a, a, 2.0, c), 6));
                list.add(new Case("trmm", false,
                        (h, a, x, y, c) -> Blas.trmm(h, side, uplo, Op.NONE, Diag.NON_UNIT, 0.0, a, c, c), 0));
                list.add(new Case("trsm", false,
                        (h, a, x, y, c) -> Blas.trsm(h, side, uplo, Op.TRANS, Diag.NON_UNIT, 0.0, a, c), 0));
            }
        }
        list.add(new Case("gemv, beta = 0", true, (h, a, x, y, c) -> Blas.gemv(h, Op.NONE, 0.0, a, x, 0.0, y), 0));
        list.add(new Case("symv, beta = 0", true, (h, a, x, y, c) -> Blas.symv(h, Uplo.LOWER, 0.0, a, x, 0.0, y), 0));
        return list;
    }

    @EveryTarget
    void withAlphaZeroShapesAreEnough(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int n : ORDERS) {
                VectorView y = arena.vector(type, n);
                MatrixView c = arena.matrix(type, n, n);
                for (Case each : cases(type)) {
                    y.upload(numbers(type, n, 3));
                    c.upload(numbers(type, n * n, 3));
                    each.calling.run(handle, MatrixView.shape(type, n, n), VectorView.shape(type, n), y, c);
                    int elements = each.vector ? n : n * n;
                    Object found = numbers(type, elements, 0);
                    if (each.vector) {
                        y.download(found);
                    } else {
                        c.download(found);
                    }
                    assertThat(found).as("%s, n = %d, on %s", each.name, n, target)
                            .isEqualTo(numbers(type, elements, each.expected));
                }
            }
        }
    }

    /** Elements that are all the same real number. */
    private static Object numbers(ElementType type, int elements, double value) {
        int parts = type.isComplex() ? 2 : 1;
        Object array = Array.newInstance(type.real() == ElementType.F64 ? double.class : float.class, parts * elements);
        for (int i = 0; i < elements; i++) {
            if (type.real() == ElementType.F64) {
                Array.setDouble(array, parts * i, value);
            } else {
                Array.setFloat(array, parts * i, (float) value);
            }
        }
        return array;
    }
}
