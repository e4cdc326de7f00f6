package dev.basalt.codegen;

/**
 * An element type as names spell it.
 *
 * @param prefix what replaces the question mark of a name
 * @param element constant of ElementType
 * @param real constant of its real type
 * @param words for people
 */
record ClassicType(String prefix, String element, String real, String words) {
    /** The type of a prefix; two letters tell the type of the result or scalar apart from that of the elements. */
    static ClassicType of(String prefix) {
        return switch (prefix) {
            case "s" -> new ClassicType(prefix, "F32", "F32", "in single precision");
            case "d" -> new ClassicType(prefix, "F64", "F64", "in double precision");
            case "c", "sc", "cs" -> new ClassicType(prefix, "C32", "F32", "in complex single precision");
            case "z", "dz", "zd" -> new ClassicType(prefix, "C64", "F64", "in complex double precision");
            default -> throw new IllegalArgumentException("no type has the prefix " + prefix);
        };
    }

    /** The Java type of a scalar of an element type on the host. */
    static String host(String element) {
        return switch (element) {
            case "F32" -> "float";
            case "F64" -> "double";
            case "I64" -> "long";
            default -> "Complex";
        };
    }
}
