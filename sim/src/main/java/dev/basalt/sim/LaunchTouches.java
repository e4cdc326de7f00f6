package dev.basalt.sim;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;

/** Which bytes a kernel launch touches. A triangle counts as the whole square. */
final class LaunchTouches {
    /** How the operand is called that is a table of pointers. */
    static final String TABLE = "table of ";

    private static final int INFO = 4;

    private LaunchTouches() {}

    static boolean hasTables(Launch launch) {
        for (int i = 0; i < Launch.OPERANDS; i++) {
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
        for (int i = 0; i < Launch.OPERANDS; i++) {
            Operand operand = launch.operand(i);
            if (!used(launch, i)) {
                continue;
            }
            if (operand.pointers) {
                sink.device(Footprint.range(operand.base, 8 * launch.count), false, TABLE + name(i));
            } else {
                aligned(launch, i, operand.at(0));
                sink.device(footprint(operand, operand.at(0), launch.count), writes(launch, i), name(i));
            }
        }
        scalar(launch.alpha, "alpha", sink);
        scalar(launch.beta, "beta", sink);
        if (launch.extent != 0) {
            long step = Math.multiplyExact(launch.extentStride, 8L);
            sink.device(Footprint.of(launch.extent, 8, 8, 1, step, launch.count), false, "extent");
        }
        if (launch.work != 0) {
            sink.device(Footprint.range(launch.work, launch.workBytes), true, "work");
        }
    }

    /** What lies behind pointer tables; reads them. */
    static void declareThroughTables(Launch launch, Touch.Sink sink) {
        for (int i = 0; i < Launch.OPERANDS; i++) {
            Operand operand = launch.operand(i);
            if (operand.pointers && used(launch, i)) {
                for (long problem = 0; problem < launch.count; problem++) {
                    aligned(launch, i, operand.at(problem));
                    sink.device(footprint(operand, operand.at(problem), 1), writes(launch, i), name(i));
                }
            }
        }
    }

    /** A GPU loads whole elements, and one at another address ends all that the process has there. */
    private static void aligned(Launch launch, int i, long address) {
        long element = launch.operand(i).type.bytes();
        if (address % element != 0) {
            throw new IllegalStateException("operand " + name(i) + " of " + launch.kernel + " " + launch.type
                    + " lies at 0x" + Long.toHexString(address) + ", which is no multiple of its elements' " + element
                    + " bytes: a GPU would fault");
        }
    }

    private static boolean used(Launch launch, int i) {
        if (!launch.operand(i).present()) {
            return false;
        }
        boolean reads = (launch.kernel.reads(i) && !launch.kernel.skips(i, launch)) || (launch.guarded && i == INFO);
        return reads || writes(launch, i);
    }

    private static boolean writes(Launch launch, int i) {
        return launch.kernel.writes(i);
    }

    private static Footprint footprint(Operand operand, long address, long problems) {
        long element = operand.type.bytes();
        long step = Math.multiplyExact(Math.absExact(operand.ld), element);
        long stride = Math.multiplyExact(operand.stride, element);
        if (operand.vector) {
            return Footprint.of(address, element, step, operand.rows, stride, problems);
        }
        return switch (operand.storage) {
            case PACKED -> Footprint.of(address, operand.spanBytes(), 0, 1, stride, problems);
            case BAND ->
                Footprint.of(address, (operand.kl + operand.ku + 1) * element, step, operand.cols, stride, problems);
            case DENSE ->
                Footprint.of(address, Math.multiplyExact(operand.rows, element), step, operand.cols, stride, problems);
        };
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
