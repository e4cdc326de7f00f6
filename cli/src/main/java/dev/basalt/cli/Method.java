package dev.basalt.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a system is solved. */
enum Method {
    /** Cholesky where the matrix looks positive definite, LU where it does not or is not. */
    AUTO,
    /** LU with partial pivoting: getrf and getrs. */
    LU,
    /** Cholesky: potrf and potrs; for Hermitian positive definite matrices, at half the cost. */
    CHOLESKY;

    @Override
    public String toString() {
        return this == LU ? "LU" : this == CHOLESKY ? "Cholesky" : "auto";
    }

    /** Reads {@code auto}, {@code lu} or {@code cholesky}. */
    static final class Converter implements ITypeConverter<Method> {
        Converter() {}

        @Override
        public Method convert(String text) {
            for (Method method : values()) {
                if (method.name().toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
                    return method;
                }
            }
            throw new TypeConversionException("\"" + text + "\" is not a method; accepted are auto, lu and cholesky");
        }
    }
}
