package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.CallReport;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.host.HostProvider;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.type.ElementType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The host device with a handle and an arena, as it is or behind an interface that hides the direct way of small calls; two of
 * them make operands of the same content.
 */
public final class DirectSide implements AutoCloseable {
    public final Device device;
    public final Handle handle;
    final DeviceArena arena;

    public DirectSide(boolean hidden) {
        this(driver -> hidden ? seen(driver, new AtomicLong(), DeviceDriver.class) : driver);
    }

    private DirectSide(UnaryOperator<DeviceDriver> as) {
        device = Device.of(as.apply(new HostProvider().open("host")));
        handle = device.createHandle();
        arena = device.arena();
    }

    /** The device as it is, which counts its launches. */
    public static DirectSide counting(AtomicLong launches) {
        return new DirectSide(driver -> seen(driver, launches, DeviceDriver.class, DirectDevice.class));
    }

    /** The device as it is, but no call is small. */
    public static DirectSide withoutLane() {
        return new DirectSide(driver -> (DeviceDriver) Proxy.newProxyInstance(DeviceDriver.class.getClassLoader(),
                new Class<?>[] {DeviceDriver.class, DirectDevice.class}, (self, method,
                        arguments) -> method.getName().equals("small") ? null : invoke(driver, method, arguments)));
    }

    private static Object invoke(DeviceDriver driver, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(driver, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A driver behind some interfaces alone. */
    private static DeviceDriver seen(DeviceDriver driver, AtomicLong launches, Class<?>... interfaces) {
        return (DeviceDriver) Proxy.newProxyInstance(DeviceDriver.class.getClassLoader(), interfaces,
                (self, method, arguments) -> {
                    if (method.getName().equals("launch")) {
                        launches.incrementAndGet();
                    }
                    return invoke(driver, method, arguments);
                });
    }

    VectorView vector(ElementType type, long n, long inc, long seed) {
        VectorView all = arena.vector(type, Math.max(1, (n - 1) * Math.abs(inc) + 1));
        fill(all, seed);
        return VectorView.of(type, all.pointer(), n, inc);
    }

    /** With three more rows of memory than the matrix has, and a large diagonal. */
    MatrixView matrix(ElementType type, long rows, long cols, long seed) {
        long ld = rows + 3;
        VectorView all = arena.vector(type, ld * Math.max(1, cols));
        fill(all, seed);
        MatrixView a = MatrixView.of(type, all.pointer(), rows, cols, ld);
        if (rows > 0 && cols > 0 && type.isFloating()) {
            VectorView diagonal = a.diagonal();
            int parts = (int) diagonal.size() * (type.isComplex() ? 2 : 1);
            double[] large = new double[parts];
            Arrays.setAll(large, i -> 10 + i);
            diagonal.upload(type.real() == ElementType.F64 ? large : floats(large));
        }
        return a;
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    void fill(VectorView all, long seed) {
        int parts = (int) all.size() * (all.type().isComplex() ? 2 : 1);
        double[] values = new Random(seed).doubles(parts, -1, 1).toArray();
        switch (all.type()) {
            case F64, C64 -> all.upload(values);
            case F32, C32 -> all.upload(floats(values));
            case I32 -> all.upload(new int[parts]);
            default -> all.upload(new long[parts]);
        }
    }

    /** The elements as text. */
    static String bits(VectorView v) {
        if (v == null || v.pointer() == null || !v.type().isFloating()) {
            return "";
        }
        int parts = (int) (v.size() * v.count()) * (v.type().isComplex() ? 2 : 1);
        Object host = v.type().real() == ElementType.F64 ? new double[parts] : new float[parts];
        v.download(host);
        return host instanceof double[] d ? Arrays.toString(d) : Arrays.toString((float[]) host);
    }

    /** The elements as text, column by column. */
    static String bits(MatrixView a) {
        StringBuilder text = new StringBuilder();
        for (long j = 0; a != null && a.pointer() != null && a.count() == 1 && j < a.cols(); j++) {
            text.append(bits(a.column(j)));
        }
        return text.toString();
    }

    /** What a call returns or throws, and the report after it. */
    public String outcome(Supplier<Object> call) {
        Object result;
        try {
            result = call.get();
        } catch (BlasException e) {
            result = e.status() + " " + e.getMessage();
        }
        CallReport last = handle.lastCall();
        return result + " | " + last;
    }

    /** A call on operands of a kind that a test has. */
    interface Operation<O> {
        Object run(DirectSide side, O operands);
    }

    /** The same calls on both sides have the same outcome. */
    static <O> void compare(DirectSide direct, DirectSide hidden, O one, O two, List<Operation<O>> operations,
            String what) {
        for (int i = 0; i < operations.size(); i++) {
            Operation<O> operation = operations.get(i);
            String left = direct.outcome(() -> operation.run(direct, one));
            String right = hidden.outcome(() -> operation.run(hidden, two));
            assertThat(left).as("operation %d, %s", i, what).isEqualTo(right);
        }
    }

    @Override
    public void close() {
        arena.close();
        handle.close();
        device.close();
    }
}
