package dev.basalt.host;

import dev.basalt.host.engine.Engine;
import dev.basalt.host.engine.Engines;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.SystemMemory;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the CPU. Its one device is called {@code host}; options may follow, as in {@code host:engine=scalar,threads=2}: the
 * engine ({@code auto}, {@code assembled}, {@code assembled-avx2}, {@code vector}, {@code scalar}) and a number of worker
 * threads that this device has to itself. Without them the system properties {@code basalt.engine} and {@code basalt.threads} hold, read when the device is opened.
 */
public final class HostProvider implements DeviceProvider {
    /** The kind and the only device of it. */
    static final String NAME = "host";

    private static final Path CPUS = Path.of("/proc/cpuinfo");

    /** For {@link java.util.ServiceLoader}. */
    public HostProvider() {}

    @Override
    public String kind() {
        return NAME;
    }

    /** Last but usable: any accelerator is preferred. */
    @Override
    public int rank() {
        return 0;
    }

    @Override
    public List<Probe> probe() {
        if (SystemMemory.refusal() != null) {
            return List.of(new Probe(NAME, Processor.model(CPUS), SystemMemory.refusal()));
        }
        try {
            HostSettings settings = HostSettings.of(NAME);
            return List.of(new Probe(NAME, describe(Engines.choose(settings.engine()), settings.threads()), null));
        } catch (RuntimeException | LinkageError e) {
            return List.of(new Probe(NAME, Processor.model(CPUS), e.getMessage()));
        }
    }

    @Override
    public DeviceDriver open(String name) {
        if (SystemMemory.refusal() != null) {
            throw new DriverException(DriverException.Code.NOT_SUPPORTED, SystemMemory.refusal());
        }
        HostSettings settings = HostSettings.of(name);
        Engines.Choice choice = Engines.choose(settings.engine());
        Workers workers = settings.ownThreads() ? new Workers(settings.threads()) : Workers.share(settings.threads());
        try {
            return new HostDriver(name, describe(choice, workers.count()), choice.engine(), workers);
        } catch (RuntimeException | Error e) {
            workers.release();
            throw e;
        }
    }

    private static String describe(Engines.Choice choice, int threads) {
        Engine engine = choice.engine();
        long memory = MemoryBudget.PROCESS.total();
        return Processor.model(CPUS) + ", " + Runtime.getRuntime().availableProcessors() + " processors"
                + (memory == MachineMemory.UNKNOWN ? "" : ", " + Math.round(memory * 10.0 / (1L << 30)) / 10.0 + " GiB")
                + ", " + engine.name() + " engine (" + engine.description() + "), " + threads
                + (threads == 1 ? " thread" : " threads")
                + (choice.declined() == null ? "" : "; not " + choice.declined());
    }
}
