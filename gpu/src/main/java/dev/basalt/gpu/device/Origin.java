package dev.basalt.gpu.device;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import java.util.Locale;

/** Where the kernels' code comes from: the system property {@code basalt.kernelCode}, for tests of the ways that are seldom taken. */
public enum Origin {
    /** The jar's machine code, else its PTX, else the compiler. */
    AUTO,
    /** The jar's PTX, compiled by the driver, else the compiler. */
    PTX,
    /** The compiler NVRTC. */
    SOURCE;

    static Origin ofSetting() {
        String set = System.getProperty("basalt.kernelCode", "auto");
        for (Origin origin : values()) {
            if (origin.name().equals(set.strip().toUpperCase(Locale.ROOT))) {
                return origin;
            }
        }
        throw new DriverException(Code.INVALID_VALUE,
                "basalt.kernelCode = \"" + set + "\": accepted are auto, ptx and source");
    }
}
