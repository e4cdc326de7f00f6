package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import java.util.List;
import java.util.Locale;

/**
 * Where a kernel finds its arguments. Kernels are written for the first six integers in registers, the others on the
 * stack, all vector registers free, and 128 bytes under the stack pointer that signals leave alone.
 *
 * <p>Windows on x86-64 differs in all four points (four integers in RCX, RDX, R8, R9; RSI, RDI and XMM6 to XMM15 are the
 * caller's; no red zone): its entry would be a prologue here that saves those and moves the arguments to their places. AArch64
 * needs kernels of its own.
 */
public enum CallingConvention {
    /** System V AMD64 ABI: Linux, macOS and the BSDs. */
    SYSTEM_V(List.of(RDI, RSI, RDX, RCX, R8, R9));

    @SuppressWarnings("ImmutableEnumChecker") // List.of() is immutable
    private final List<Gp> integers;

    CallingConvention(List<Gp> integers) {
        this.integers = integers;
    }

    /**
     * The convention of this process.
     *
     * @throws UnsupportedOperationException if there are no kernels for it
     */
    public static CallingConvention current() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "");
        if (!(arch.equals("amd64") || arch.equals("x86_64")) || os.startsWith("windows")) {
            throw new UnsupportedOperationException("there are no assembled kernels for " + os + " on " + arch);
        }
        return SYSTEM_V;
    }

    /** The register of an integer argument. */
    public Gp integer(int index) {
        return integers.get(index);
    }

    /** The stack slot of an integer argument beyond the registers, before anything is pushed. */
    public Mem stacked(int index) {
        return Mem.at(RSP, 8 * (index - integers.size() + 1));
    }

    /** A slot of 8 bytes in the red zone. */
    public static Mem spill(int slot) {
        return Mem.at(RSP, -8 * (slot + 1));
    }
}
