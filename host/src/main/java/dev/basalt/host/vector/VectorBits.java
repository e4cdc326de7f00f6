package dev.basalt.host.vector;

import dev.basalt.spi.DriverException;

/** How wide vectors the user wants: for tests, and for processors that slow down under wide ones. */
public final class VectorBits {
    /** System property that forces narrower vectors: 128, 256 or 512. */
    public static final String PROPERTY = "basalt.vectorBits";

    private VectorBits() {}

    /**
     * The width to use. Wider than the CPU works too with the Vector API, but each operation would be a call.
     *
     * @param widest what the processor has
     * @return 128, 256 or 512, at most {@code widest}
     * @throws DriverException INVALID_VALUE if the property is none of them
     */
    public static int of(int widest) {
        String text = System.getProperty(PROPERTY, "");
        return switch (text) {
            case "" -> widest;
            case "128", "256", "512" -> Math.min(Integer.parseInt(text), widest);
            default -> throw new DriverException(DriverException.Code.INVALID_VALUE,
                    PROPERTY + " is \"" + text + "\"; accepted: 128, 256, 512");
        };
    }
}
