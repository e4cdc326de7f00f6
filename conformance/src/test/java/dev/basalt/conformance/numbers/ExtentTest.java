package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.conformance.support.Share;
import dev.basalt.sim.SimDriver;
import dev.basalt.spi.Conversion;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.Dim;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A launch in which the device alone knows a dimension does what one does that is given it, on every device. The list is of kernels that
 * promise it on all devices; a kernel that does not is not entered, and GPUs refuse such a launch of it.
 */
@OnDevice
@ParameterizedClass
@MethodSource("devices")
class ExtentTest {
    private static final int ORDER = 150;
    private static final int PROBLEMS = 2;
    private static final long SEED = 20261122;
    private static final long[] CAPS = {1, 31, 64, 100, 149, 1000, 3000};
    /** Panels of LU: by other kernels, by a warp, by a block, by some blocks, by many. All are within the room of a square. */
    private static final int[][] PANELS = {{ORDER, ORDER}, {60, 50}, {200, 40}, {1100, 20}, {5000, 4}};
    /** Bytes of an operand of one problem. */
    private static final long ROOM = 16L * ORDER * ORDER;
    private static final int OPERANDS = 4;
    private static final long WORK = PROBLEMS * ROOM;
    private static final long ALL = OPERANDS * PROBLEMS * ROOM;

    private static final List<ElementType> TYPES =
            List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);

    /** So many types and dimensions of a kernel are tried on a device. */
    private static final int FEW = 3;

    private static final List<Kernel> KERNELS = List.of(Kernel.COPY, Kernel.SWAP, Kernel.AXPY, Kernel.SCAL, Kernel.DOT,
            Kernel.ASUM, Kernel.NRM2, Kernel.IAMAX, Kernel.GER, Kernel.GEMV, Kernel.SYMV, Kernel.TRMV, Kernel.TRSV,
            Kernel.SYR, Kernel.SYR2, Kernel.GEMM, Kernel.SYMM, Kernel.SYRK, Kernel.SYR2K, Kernel.GEMMT, Kernel.TRMM,
            Kernel.TRMM_APART, Kernel.TRTRI, Kernel.TRSM, Kernel.DGMM, Kernel.GEAM, Kernel.GETF2, Kernel.LASWP,
            Kernel.POTF2);

    @Parameter
    private String name;

    static List<String> devices() {
        return Devices.NAMES;
    }

    private DeviceDriver open() {
        if (name.startsWith("sim")) {
            return SimDriver.builder().seed(SEED).throwOnHazard(true).open();
        }
        String kind = name.contains(":") ? name.substring(0, name.indexOf(':')) : name;
        return ServiceLoader.load(DeviceProvider.class)
                .stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.kind().equals(kind))
                .findFirst()
                .orElseThrow()
                .open(name);
    }

    @Test
    void anExtentIsADimension() {
        DeviceDriver driver = open();
        long stream = driver.createStream();
        long device = driver.allocate(ALL + WORK + 64);
        long host = driver.allocateHost(3 * ALL + 64);
        try {
            Random random = new Random(SEED);
            int dims = Dim.values().length;
            String asked = System.getProperty("basalt.test.kernel", ".*");
            for (Kernel kernel : KERNELS.stream().filter(k -> k.name().matches(asked)).toList()) {
                for (int trial : Share.draw(kernel + name, TYPES.size() * dims, FEW)) {
                    ElementType type = TYPES.get(trial / dims);
                    Launch l = launch(kernel, type, device, random);
                    l.extent = device + ALL + WORK;
                    l.extentOf = Dim.values()[trial % dims];
                    l.extentStride = random.nextInt(2);
                    // A triangle of order 1 with a unit diagonal changes nothing.
                    boolean still = kernel == Kernel.TRMV || kernel == Kernel.TRSV || kernel == Kernel.TRTRI;
                    int least = l.diag == Diag.UNIT && still ? 1 : 0;
                    long[] caps = {CAPS[random.nextInt(least, CAPS.length)], CAPS[random.nextInt(least, CAPS.length)]};
                    numbers(type, host, l.c.vector ? ORDER : l.c.ld, random);
                    others(l, device, host);
                    compare(driver, stream, l, caps, device, host);
                }
            }
        } finally {
            driver.synchronize();
            driver.freeHost(host);
            driver.free(device);
            driver.destroyStream(stream);
            driver.close();
        }
    }

    /** All operands; the diagonals of matrices with that leading dimension outweigh the rest. */
    private static void numbers(ElementType type, long at, long ld, Random random) {
        int parts = type.isComplex() ? 2 : 1;
        for (long problem = 0; problem < OPERANDS * PROBLEMS; problem++) {
            for (long e = 0; e < (long) parts * ORDER * ORDER; e++) {
                boolean diagonal = e / parts % (ld + 1) == 0;
                double value = diagonal ? 2 + random.nextDouble() : (random.nextDouble() - 0.5) / ORDER;
                long place = at + problem * ROOM + e * type.bytes() / parts;
                if (type.real() == ElementType.F64) {
                    Memory.f64(place, value);
                } else {
                    Memory.f32(place, (float) value);
                }
            }
        }
    }

    /** Factors of 16 bits, pivots, and info that says nothing yet. */
    private static void others(Launch l, long device, long host) {
        for (Operand o : new Operand[] {l.a, l.b}) {
            for (long e = 0; o.type == ElementType.BF16 && e < (long) ORDER * ORDER * PROBLEMS; e++) {
                long place = e / (ORDER * ORDER) * ROOM + e % (ORDER * ORDER) * 2;
                Conversion.store(o.type, o.base - device + host + place, (e * 7 % 11 - 5.0) / ORDER);
            }
        }
        for (int p = 0; p < PROBLEMS; p++) {
            for (long i = 0; l.kernel == Kernel.LASWP && i < ORDER; i++) {
                // Neighbours change places, of which the second may be beyond a cap.
                Memory.i64(l.d.at(p) - device + host + 8 * i, i % 4 == 0 ? i + 2 : i + 1);
            }
            if (l.e.present()) {
                Memory.i32(l.e.at(p) - device + host, 0);
            }
        }
    }

    private static Launch launch(Kernel kernel, ElementType type, long device, Random random) {
        Launch l = new Launch();
        l.reset(kernel, type, PROBLEMS);
        l.m = ORDER;
        l.n = ORDER;
        l.k = ORDER;
        l.opA = Op.values()[random.nextInt(2)];
        l.opB = Op.values()[random.nextInt(2)];
        l.side = kernel == Kernel.TRMV || kernel == Kernel.TRSV ? Side.LEFT : Side.values()[random.nextInt(2)];
        l.uplo = Uplo.values()[random.nextInt(2)];
        l.diag = Diag.values()[random.nextInt(2)];
        l.alpha.set(0.75, 0);
        l.beta.set(0.5, 0);
        l.work = device + ALL;
        l.workBytes = WORK;
        boolean reduces = false;
        boolean vectors = false;
        switch (kernel) {
            case COPY, SWAP, AXPY, SCAL -> vectors = true;
            case DOT, ASUM, NRM2, IAMAX -> {
                vectors = true;
                reduces = true;
            }
            default -> {}
        }
        List<Kernel> reading = List.of(Kernel.AXPY, Kernel.DOT, Kernel.NRM2, Kernel.GEMV, Kernel.GEMM);
        boolean mixed = type == ElementType.F32 && reading.contains(kernel) && random.nextBoolean();
        ElementType factor = mixed ? ElementType.BF16 : type;
        boolean level2 = List.of(Kernel.GEMV, Kernel.SYMV, Kernel.TRMV, Kernel.TRSV).contains(kernel);
        boolean update = List.of(Kernel.GER, Kernel.SYR, Kernel.SYR2).contains(kernel);
        operand(l.a, factor, device, vectors || update, random);
        operand(l.b, factor, device + PROBLEMS * ROOM, vectors || update || level2 || kernel == Kernel.DGMM, random);
        operand(l.c, type, device + 2 * PROBLEMS * ROOM, vectors || level2, random);
        ElementType result = kernel == Kernel.IAMAX ? ElementType.I64 : kernel == Kernel.DOT ? type : type.real();
        if (reduces) {
            l.d.vector(result, device + 3 * PROBLEMS * ROOM, 1, 1, ROOM / result.bytes());
        }
        if (kernel == Kernel.GETF2) {
            int[] panel = PANELS[random.nextInt(PANELS.length)];
            l.m = panel[0];
            l.n = panel[1];
            l.c.matrix(type, l.c.base, l.m, l.n, l.m, l.c.stride);
        }
        if (kernel == Kernel.GETF2 || kernel == Kernel.LASWP) {
            l.q = ORDER;
            l.k = 0;
            l.d.vector(ElementType.I64, device + 3 * PROBLEMS * ROOM, ORDER, 1, ROOM / 8);
        }
        if (kernel == Kernel.GETF2 || kernel == Kernel.POTF2) {
            l.e.vector(ElementType.I32, device + PROBLEMS * ROOM, 1, 1, ROOM / 4);
        }
        return l;
    }

    private static void operand(Operand o, ElementType type, long at, boolean vector, Random random) {
        long stride = ROOM / type.bytes();
        if (vector) {
            long[] increments = {1, 2, -1};
            o.vector(type, at, ORDER, increments[random.nextInt(increments.length)], stride);
        } else {
            o.matrix(type, at, ORDER, ORDER, ORDER, stride);
        }
    }

    /** The launch with extents against one launch a problem that is given its dimension. */
    private void compare(DeviceDriver driver, long stream, Launch l, long[] caps, long device, long host) {
        long capped = host + ALL;
        long given = host + 2 * ALL;
        for (int p = 0; p < PROBLEMS; p++) {
            Memory.i64(given + ALL + 8 * p, caps[p]);
        }
        driver.upload(given + ALL, 64, l.extent, 64, 64, 1, stream);
        driver.upload(host, ALL, device, ALL, ALL, 1, stream);
        driver.launch(l, stream);
        driver.download(device, ALL, capped, ALL, ALL, 1, stream);
        driver.upload(host, ALL, device, ALL, ALL, 1, stream);
        for (int p = 0; p < PROBLEMS; p++) {
            driver.launch(alone(l, p, caps[(int) (p * l.extentStride)]), stream);
        }
        driver.download(device, ALL, given, ALL, ALL, 1, stream);
        driver.synchronizeStream(stream);
        String what = name + " " + l.kernel + " " + l.type + " " + l.extentOf + " capped by " + caps[0] + " " + caps[1]
                + " every " + l.extentStride + ", " + l.opA + " " + l.opB + " " + l.side + " " + l.uplo + " " + l.diag;
        assertThat(difference(l, capped, given)).as(what).isLessThan(l.type.real() == ElementType.F64 ? 1e-12 : 1e-4);
        assertThat(difference(l, host, given)).as(what + " does something").isPositive();
    }

    private static Launch alone(Launch l, int problem, long cap) {
        Launch one = new Launch();
        one.reset(l.kernel, l.type, 1);
        one.set(l);
        one.count = 1;
        one.extent = 0;
        for (Operand o : new Operand[] {one.a, one.b, one.c, one.d, one.e}) {
            o.base += o.present() ? problem * ROOM : 0;
        }
        // A vector that is read backwards keeps its element 0.
        switch (l.extentOf) {
            case M -> one.m = Math.min(one.m, cap);
            case N -> one.n = Math.min(one.n, cap);
            case K -> one.k = Math.min(one.k, cap);
        }
        return one;
    }

    private static double difference(Launch l, long found, long expected) {
        double worst = 0;
        boolean index = l.d.present() && l.d.type == ElementType.I64;
        for (long e = 0; e < ALL; e += 8) {
            if (Memory.i64(found + e) == Memory.i64(expected + e)) {
                continue;
            }
            if (index && e >= ALL - PROBLEMS * ROOM) {
                return Math.abs(Memory.i64(found + e) - Memory.i64(expected + e));
            }
            for (int half = 0; half < (l.type.real() == ElementType.F64 ? 1 : 2); half++) {
                double x = l.type.real() == ElementType.F64 ? Memory.f64(found + e) : Memory.f32(found + e + 4 * half);
                double y = l.type.real() == ElementType.F64
                        ? Memory.f64(expected + e)
                        : Memory.f32(expected + e + 4 * half);
                double d = Math.abs(x - y) / Math.max(1, Math.abs(y));
                worst = Double.isNaN(d) ? Double.POSITIVE_INFINITY : Math.max(worst, d);
            }
        }
        return worst;
    }
}
