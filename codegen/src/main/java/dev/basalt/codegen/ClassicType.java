package dev.basalt.codegen;

/**
 * Element types as names spell them.
 *
 * @param prefix what replaces the question mark of a name
 * @param element constant of ElementType
 * @param real constant of its real type
 * @param written constant of the type of operands that are overwritten, and of results
 * @param scalar constant of the type of scalars
 * @param words for people
 */
record ClassicType(String prefix, String element, String real, String written, String scalar, String words) {
    /** The types of a prefix; two letters tell the type of the result or scalar apart from that of the elements. */
    static ClassicType of(String prefix) {
        return switch (prefix) {
            case "s" -> plain(prefix, "F32", "F32", "in single precision");
            case "d" -> plain(prefix, "F64", "F64", "in double precision");
            case "c", "sc", "cs" -> plain(prefix, "C32", "F32", "in complex single precision");
            case "z", "dz", "zd" -> plain(prefix, "C64", "F64", "in complex double precision");
            case "h", "hsh" -> narrow(prefix, "F16", "F16", "in half precision, computed in single precision");
            case "bf", "tst" -> narrow(prefix, "BF16", "BF16", "of bfloat16, computed in single precision");
            case "ds" -> plain(prefix, "F64", "F64", "in double precision, from factors in single precision");
            case "zc" ->
                plain(prefix, "C64", "F64", "in complex double precision, from factors in complex single precision");
            case "dh" -> plain(prefix, "F64", "F64", "in double precision, from factors with products of halves");
            case "zk" ->
                plain(prefix, "C64", "F64", "in complex double precision, from factors with products of halves");
            case "db" -> plain(prefix, "F64", "F64", "in double precision, from factors with products of bfloat16");
            case "ze" ->
                plain(prefix, "C64", "F64", "in complex double precision, from factors with products of bfloat16");
            case "dx" -> plain(prefix, "F64", "F64", "in double precision, from factors with products of TF32");
            case "zy" -> plain(prefix, "C64", "F64", "in complex double precision, from factors with products of TF32");
            case "hss" -> narrow(prefix, "F16", "F32", "from half to single precision");
            case "tss" -> narrow(prefix, "BF16", "F32", "from bfloat16 to single precision");
            default -> throw new IllegalArgumentException("no type has the prefix " + prefix);
        };
    }

    private static ClassicType plain(String prefix, String element, String real, String words) {
        return new ClassicType(prefix, element, real, element, element, words);
    }

    private static ClassicType narrow(String prefix, String element, String written, String words) {
        return new ClassicType(prefix, element, element, written, "F32", words);
    }

    /** Whether its elements are in memory only. */
    boolean narrow() {
        return !scalar.equals(element);
    }

    /** The type of a scalar. */
    String scalar(boolean realOne) {
        return realOne && !narrow() ? real : scalar;
    }

    /** The Java type of a scalar of an element type on the host. */
    static String host(String element) {
        return switch (element) {
            case "F32", "F16", "BF16" -> "float";
            case "F64" -> "double";
            case "I64" -> "long";
            default -> "Complex";
        };
    }
}
