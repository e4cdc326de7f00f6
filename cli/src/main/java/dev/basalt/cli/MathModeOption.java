package dev.basalt.cli;

import dev.basalt.type.MathMode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how exactly products take their factors. */
final class MathModeOption implements ITypeConverter<MathMode>, Iterable<String> {
    MathModeOption() {}

    @Override
    public MathMode convert(String text) {
        for (MathMode mode : MathMode.values()) {
            if (mode.name().equalsIgnoreCase(text)) {
                return mode;
            }
        }
        throw new TypeConversionException(
                "\"" + text + "\" is not accepted; it must be one of " + String.join(", ", this));
    }

    /** What a shell completes. */
    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(MathMode.values()).map(mode -> mode.name().toLowerCase(Locale.ROOT)).iterator();
    }
}
