package dev.basalt.benchmarks;

import dev.basalt.type.ElementType;

/** Element types by their letters in BLAS names, as workloads on the command line have them. */
final class TypeLetter {
    private TypeLetter() {}

    static ElementType type(char letter) {
        return switch (letter) {
            case 's' -> ElementType.F32;
            case 'd' -> ElementType.F64;
            case 'c' -> ElementType.C32;
            case 'z' -> ElementType.C64;
            default ->
                throw new IllegalArgumentException("\"" + letter + "\" is not a type; accepted are s, d, c and z");
        };
    }
}
