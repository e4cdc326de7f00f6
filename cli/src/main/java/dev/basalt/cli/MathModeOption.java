package dev.basalt.cli;

import dev.basalt.type.MathMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how exactly products take their factors. */
final class MathModeOption implements ITypeConverter<MathMode> {
    MathModeOption() {}

    @Override
    public MathMode convert(String text) {
        for (MathMode mode : MathMode.values()) {
            if (mode.name().equalsIgnoreCase(text)) {
                return mode;
            }
        }
        String known = Arrays.stream(MathMode.values())
                .map(mode -> mode.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw new TypeConversionException("\"" + text + "\" is not accepted; it must be one of " + known);
    }
}
