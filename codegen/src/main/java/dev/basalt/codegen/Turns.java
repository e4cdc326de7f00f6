package dev.basalt.codegen;

import java.util.Map;
import java.util.Set;

/**
 * Calls on matrices by rows. Read by columns an array by rows holds the transposed matrix; a call that computes the transposed result from transposed
 * operands needs no element moved. Where a routine has no such call, its matrices are transposed as they are copied.
 */
final class Turns {
    /** The constant of {@code dev.basalt.arrays.Turn} for a routine's elements of all types. */
    private static final Map<String, String> ALL = Map.ofEntries(Map.entry("gemm", "PRODUCT"),
            Map.entry("gemmEx", "PRODUCT"), Map.entry("gemmt", "PRODUCT_TRIANGLE"), Map.entry("ger", "RANK_ONE"),
            Map.entry("geru", "RANK_ONE"), Map.entry("symv", "TRIANGLE"), Map.entry("syr", "TRIANGLE"),
            Map.entry("syr2", "TRIANGLE"), Map.entry("syrk", "SYMMETRIC"), Map.entry("syr2k", "SYMMETRIC"),
            Map.entry("syrkx", "SYMMETRIC_PRODUCT"), Map.entry("herk", "HERMITIAN"),
            Map.entry("her2k", "HERMITIAN_PRODUCT"), Map.entry("herkx", "HERMITIAN_PRODUCT"),
            Map.entry("symm", "SIDED"), Map.entry("hemm", "SIDED"), Map.entry("trmm", "SIDED"),
            Map.entry("trsm", "SIDED"), Map.entry("dgmm", "DIAGONAL"), Map.entry("geam", "SUM"),
            Map.entry("trtri", "TRIANGLE"), Map.entry("potrf", "TRIANGLE"), Map.entry("potri", "TRIANGLE"),
            Map.entry("lauum", "TRIANGLE"), Map.entry("gesvd", "SINGULAR"), Map.entry("gesdd", "SINGULAR"));

    /** That for real elements alone: the transposed call would need the conjugated matrix. */
    private static final Map<String, String> REAL =
            Map.of("gemv", "VECTOR", "trmv", "TRIANGULAR_VECTOR", "trsv", "TRIANGULAR_VECTOR");

    /** Routines of LAPACK that are there by rows: what programs call. What other routines are made of is not. */
    private static final Set<String> LAPACK = Set.of("getrf", "getrs", "gesv", "getri", "trtri", "trtrs", "matinv",
            "gecon", "potrf", "potrs", "posv", "potri", "pocon", "lauum", "sytrf", "sytrs", "sysv", "sytri", "hetrf",
            "hetrs", "hesv", "hetri", "lange", "lansy", "lanhe", "lantr", "lacpy", "laset", "geqrf", "gelqf", "geqlf",
            "gerqf", "geqp3", "orgqr", "ungqr", "orglq", "unglq", "ormqr", "unmqr", "ormlq", "unmlq", "gels", "gelsy",
            "gelsd", "gelss", "gglse", "ggglm", "syev", "heev", "syevd", "heevd", "syevr", "heevr", "sygv", "hegv",
            "sygvd", "hegvd", "gebal", "gebak", "gehrd", "orghr", "unghr", "hseqr", "geev", "gees", "gesvd", "gesdd");

    private Turns() {}

    /** Whether a family has methods on matrices by rows. */
    static boolean has(ClassicFamily family) {
        boolean matrices = family.operands().stream().anyMatch(ClassicOperand::matrix);
        boolean dense = family.operands().stream().noneMatch(o -> o.packed() || o.band());
        return matrices && dense
                && (Level.LAPACK.has(family)
                        ? LAPACK.contains(family.view())
                        : ALL.containsKey(family.view()) || REAL.containsKey(family.view())
                                || Set.of("gerc", "hemv", "her", "her2").contains(family.view()));
    }

    /** How a call is turned; null if its matrices are transposed. */
    static String of(ClassicFamily family, ClassicType type) {
        String turn = ALL.get(family.view());
        return turn != null || !type.element().equals(type.real()) ? turn : REAL.get(family.view());
    }
}
