package dev.basalt.cli;

import dev.basalt.type.ElementType;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an element type by its letter in BLAS names. */
final class TypeOption implements ITypeConverter<ElementType>, Iterable<String> {
    TypeOption() {}

    @Override
    public ElementType convert(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "s" -> ElementType.F32;
            case "d" -> ElementType.F64;
            case "c" -> ElementType.C32;
            case "z" -> ElementType.C64;
            default -> throw new TypeConversionException("\"" + text + "\" is not a type; accepted are s, d, c and z");
        };
    }

    /** What a shell completes. */
    @Override
    public Iterator<String> iterator() {
        return List.of("s", "d", "c", "z").iterator();
    }
}
