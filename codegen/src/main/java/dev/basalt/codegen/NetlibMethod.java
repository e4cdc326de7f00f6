package dev.basalt.codegen;

import java.util.List;

/**
 * A method of netlib's interfaces.
 *
 * @param name its name, such as dgemm
 * @param returns the type of its result, as Java says it
 * @param parameters its parameters, in order
 */
record NetlibMethod(String name, String returns, List<Parameter> parameters) {
    /**
     * A parameter.
     *
     * @param type as Java says it, without a package where netlib's wrappers are imported
     * @param name its name
     */
    record Parameter(String type, String name) {
        /** Whether it is an array, which has an offset behind it in one of the two forms. */
        boolean isArray() {
            return type.endsWith("[]");
        }

        /** Whether it is where an array begins. */
        boolean isOffset() {
            return name.startsWith("offset") || name.endsWith("Offset");
        }
    }

    /** Whether its arrays begin where offsets say; so does a method without arrays. */
    boolean hasOffsets() {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).isArray() && (i + 1 == parameters.size() || !parameters.get(i + 1).isOffset())) {
                return false;
            }
        }
        return true;
    }

    /** What two declarations of the same method share. */
    String signature() {
        return name + parameters.stream().map(Parameter::type).toList();
    }

    /** The names of its parameters. */
    List<String> names() {
        return parameters.stream().map(Parameter::name).toList();
    }

    /** Its parameters as a declaration has them. */
    List<String> declared() {
        return parameters.stream().map(p -> p.type() + " " + p.name()).toList();
    }

    /** The arguments for the form with offsets, where this one has none. */
    List<String> fromTheStart() {
        return parameters.stream()
                .flatMap(p -> p.isArray() ? List.of(p.name(), "0").stream() : List.of(p.name()).stream())
                .toList();
    }
}
