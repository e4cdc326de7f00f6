package dev.basalt.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of things, at least one. */
final class CountOption implements ITypeConverter<Long> {
    CountOption() {}

    @Override
    public Long convert(String text) {
        try {
            long count = Long.parseLong(text);
            if (count >= 1) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Said below, like a number out of range.
        }
        throw new TypeConversionException(
                "\"" + text + "\" is not accepted; it must be a whole number from 1 to 2^63-1");
    }
}
