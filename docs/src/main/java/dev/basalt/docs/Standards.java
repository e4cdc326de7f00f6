package dev.basalt.docs;

import java.util.List;
import java.util.Optional;

/** The papers that define the routines of the BLAS: what they compute, and their arguments. */
final class Standards {
    private record Standard(String paper, List<String> routines) {}

    private static final List<Standard> ALL = List.of(
            new Standard("Lawson, Hanson, Kincaid and Krogh, Basic linear algebra subprograms for Fortran usage, 1979",
                    List.of("asum", "axpy", "copy", "dot", "dotu", "dotc", "iamax", "nrm2", "rot", "rotg", "rotm",
                            "rotmg", "scal", "swap")),
            new Standard(
                    "Dongarra, Du Croz, Hammarling and Hanson, An extended set of Fortran basic linear algebra subprograms, 1988",
                    List.of("gbmv", "gemv", "ger", "gerc", "geru", "hbmv", "hemv", "her", "her2", "hpmv", "hpr", "hpr2",
                            "sbmv", "spmv", "spr", "spr2", "symv", "syr", "syr2", "tbmv", "tbsv", "tpmv", "tpsv",
                            "trmv", "trsv")),
            new Standard(
                    "Dongarra, Du Croz, Hammarling and Duff, A set of level 3 basic linear algebra subprograms, 1990",
                    List.of("gemm", "hemm", "her2k", "herk", "symm", "syr2k", "syrk", "trmm", "trsm")));

    private Standards() {}

    /** The paper that defines a routine; empty for one that came later. */
    static Optional<String> of(String routine) {
        return ALL.stream().filter(standard -> standard.routines.contains(routine)).map(Standard::paper).findFirst();
    }
}
