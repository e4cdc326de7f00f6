package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.ByteSize;
import dev.basalt.CallReport;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.Scheme;
import dev.basalt.Status;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A handle and memory on a device for one computation, and words for people where they do not suffice. */
final class Workbench implements AutoCloseable {
    private final Handle handle;
    private final DeviceArena arena;

    /**
     * Takes a handle.
     *
     * @param device device
     * @param workspace bytes of workspace, to be fixed; 0 lets the handle manage it; -1 leaves it to properties and environment
     */
    Workbench(Device device, long workspace) {
        handle = workspace < 0 ? device.createHandle() : device.handleBuilder().deviceMemorySize(0).create();
        arena = device.arena();
    }

    /**
     * A size from the command line.
     *
     * @param spec the command
     * @param text what was typed; null for nothing
     * @return bytes; -1 for nothing
     */
    static long workspace(CommandSpec spec, String text) {
        try {
            return text == null ? -1 : ByteSize.parse("--workspace", text);
        } catch (BlasException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    Handle handle() {
        return handle;
    }

    DeviceArena arena() {
        return arena;
    }

    /** Fixes the workspace, once the operands have their memory. */
    void fix(long workspace) {
        if (workspace < 0) {
            return;
        }
        try {
            handle.setDeviceMemorySize(workspace);
        } catch (BlasException e) {
            if (e.status() != Status.MEMORY_ERROR) {
                throw e;
            }
            throw new Failure("not enough memory: --workspace asks for " + ByteSize.format(workspace)
                    + ", and beside the matrix " + handle.device().name() + " has "
                    + ByteSize.format(handle.device().freeMemory()) + " free", e);
        }
    }

    /** A managed workspace grows before the clock runs. If it cannot, the calls will make do with less, and say so. */
    void reserve(Plan plan) {
        if (handle.workspaceScheme() == Scheme.MANAGED) {
            try {
                handle.reserve(plan);
            } catch (BlasException e) {
                if (e.status() != Status.MEMORY_ERROR) {
                    throw e;
                }
            }
        }
    }

    /**
     * How a computation went.
     *
     * @param plan what it was going to need
     * @param call its last call
     * @param nanos its time
     */
    record Run(Plan plan, CallReport call, long nanos) {
        double seconds() {
            return nanos / 1e9;
        }
    }

    /** Plans, reserves, runs and waits. */
    Run run(Consumer<Handle> calls) {
        Plan plan = handle.plan(calls);
        reserve(plan);
        try {
            long begun = System.nanoTime();
            calls.accept(handle);
            handle.synchronize();
            return new Run(plan, handle.lastCall(), System.nanoTime() - begun);
        } catch (BlasException e) {
            throw inWords(e);
        }
    }

    /** What to throw for an error of a call: the library's message names its own methods; here the same is an option or a variable. */
    RuntimeException inWords(BlasException e) {
        if (e.shortage() == null) {
            return e;
        }
        long minimum = e.shortage().minimum();
        String remedy;
        if (handle.workspaceScheme() == Scheme.MANUAL) {
            remedy = "use --workspace " + minimum + " or more, or leave it out";
        } else if (handle.workspaceScheme() == Scheme.PREALLOCATED) {
            remedy = "raise ROCBLAS_DEVICE_MEMORY_SIZE or basalt.deviceMemorySize, whichever is set, to that or more,"
                    + " or use --workspace";
        } else {
            return e;
        }
        return new Failure("not enough workspace: " + e.routine() + " needs at least " + minimum + " bytes (best "
                + e.shortage().optimal() + "), but there are " + e.shortage().held() + "; " + remedy, e);
    }

    @Override
    public void close() {
        arena.close();
        handle.close();
    }
}
