package dev.basalt.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a switch as rocblas-bench has them: 0 or 1. */
final class SwitchOption implements ITypeConverter<Integer> {
    SwitchOption() {}

    @Override
    public Integer convert(String text) {
        return switch (text) {
            case "0" -> 0;
            case "1" -> 1;
            default -> throw new TypeConversionException("\"" + text + "\" is not accepted; it must be 0 or 1");
        };
    }
}
