package dev.basalt.sim;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import java.util.EnumSet;
import java.util.Set;

/** Which bytes a kernel launch touches. A triangle counts as the whole square. */
final class LaunchTouches {
    /** Kernels that read neither a nor b where alpha is zero on the host, as BLAS promises. */
    private static final Set<Kernel> ALPHA = EnumSet.of(
            Kernel.AXPY,
            Kernel.GEMV,
            Kernel.GER,
            Kernel.SYMV,
            Kernel.GEMM,
            Kernel.SYMM,
            Kernel.SYRK,
            Kernel.TRMM,
            Kernel.TRMM_APART,
            Kernel.TRSM);

    /** How the operand is called that is a table of pointers. */
    static final String TABLE = "table of ";

    private static final int OPERANDS = 5;
    private static final int INFO = 4;

    private LaunchTouches() {}

    static boolean hasTables(Launch launch) {
        for (int i = 0; i < OPERANDS; i++) {
            if (launch.operand(i).pointers && used(launch, i)) {
                return true;
            }
        }
        return false;
    }

    /** Everything but what lies behind pointer tables. */
    static void declare(Launch launch, Touch.Sink sink) {
        if (launch.count <= 0) {
            return;
        }
        for (int i = 0; i < OPERANDS; i++) {
            Operand operand = launch.operand(i);
            if (!used(launch, i)) {
                continue;
            }
            if (operand.pointers) {
                sink.device(Footprint.range(operand.base, 8 * launch.count), false, TABLE + name(i));
            } else {
                sink.device(footprint(operand, operand.at(0), launch.count), writes(launch, i), name(i));
            }
        }
        scalar(launch.alpha, "alpha", sink);
        scalar(launch.beta, "beta", sink);
        if (launch.work != 0) {
            sink.device(Footprint.range(launch.work, launch.workBytes), true, "work");
        }
    }

    /** What lies behind pointer tables; reads them. */
    static void declareThroughTables(Launch launch, Touch.Sink sink) {
        for (int i = 0; i < OPERANDS; i++) {
            Operand operand = launch.operand(i);
            if (operand.pointers && used(launch, i)) {
                for (long problem = 0; problem < launch.count; problem++) {
                    sink.device(footprint(operand, operand.at(problem), 1), writes(launch, i), name(i));
                }
            }
        }
    }

    private static boolean used(Launch launch, int i) {
        if (!launch.operand(i).present()) {
            return false;
        }
        boolean skipped = i < 2 && launch.alpha.is(0) && ALPHA.contains(launch.kernel);
        boolean reads = (launch.kernel.reads(i) && !skipped) || (launch.guarded && i == INFO);
        return reads || writes(launch, i);
    }

    private static boolean writes(Launch launch, int i) {
        return launch.kernel.writes(i);
    }

    private static Footprint footprint(Operand operand, long address, long problems) {
        long element = operand.type.bytes();
        long step = Math.multiplyExact(Math.absExact(operand.ld), element);
        long stride = Math.multiplyExact(operand.stride, element);
        return operand.vector
                ? Footprint.of(address, element, step, operand.rows, stride, problems)
                : Footprint.of(
                        address, Math.multiplyExact(operand.rows, element), step, operand.cols, stride, problems);
    }

    private static void scalar(Scalar scalar, String name, Touch.Sink sink) {
        if (scalar.onDevice()) {
            sink.device(Footprint.range(scalar.address(), scalar.type().bytes()), false, name);
        }
    }

    private static String name(int i) {
        return String.valueOf((char) ('a' + i));
    }
}
