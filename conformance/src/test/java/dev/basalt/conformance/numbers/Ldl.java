package dev.basalt.conformance.numbers;

import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Uplo;

/** The factorisations of symmetric and Hermitian matrices: what tests of them have in common. */
enum Ldl {
    BUNCH_KAUFMAN(""), ROOK("_rook"), AASEN("_aa");

    /** What LAPACK has behind the name. */
    final String suffix;

    Ldl(String suffix) {
        this.suffix = suffix;
    }

    void factor(Handle h, Uplo uplo, boolean hermitian, MatrixView a, VectorView ipiv, VectorView info) {
        switch (this) {
            case BUNCH_KAUFMAN -> {
                if (hermitian) {
                    Lapack.hetrf(h, uplo, a, ipiv, info);
                } else {
                    Lapack.sytrf(h, uplo, a, ipiv, info);
                }
            }
            case ROOK -> {
                if (hermitian) {
                    Lapack.hetrfRook(h, uplo, a, ipiv, info);
                } else {
                    Lapack.sytrfRook(h, uplo, a, ipiv, info);
                }
            }
            default -> {
                if (hermitian) {
                    Lapack.hetrfAa(h, uplo, a, ipiv, info);
                } else {
                    Lapack.sytrfAa(h, uplo, a, ipiv, info);
                }
            }
        }
    }

    /** Factors and solves. */
    void drive(Handle h, Uplo uplo, boolean hermitian, MatrixView a, VectorView ipiv, MatrixView b, VectorView info) {
        switch (this) {
            case BUNCH_KAUFMAN -> {
                if (hermitian) {
                    Lapack.hesv(h, uplo, a, ipiv, b, info);
                } else {
                    Lapack.sysv(h, uplo, a, ipiv, b, info);
                }
            }
            case ROOK -> {
                if (hermitian) {
                    Lapack.hesvRook(h, uplo, a, ipiv, b, info);
                } else {
                    Lapack.sysvRook(h, uplo, a, ipiv, b, info);
                }
            }
            default -> {
                if (hermitian) {
                    Lapack.hesvAa(h, uplo, a, ipiv, b, info);
                } else {
                    Lapack.sysvAa(h, uplo, a, ipiv, b, info);
                }
            }
        }
    }

    /** Solves with the factors of a symmetric matrix. */
    void solve(Handle h, Uplo uplo, MatrixView a, VectorView ipiv, MatrixView b, VectorView info) {
        switch (this) {
            case BUNCH_KAUFMAN -> Lapack.sytrs(h, uplo, a, ipiv, b);
            case ROOK -> Lapack.sytrsRook(h, uplo, a, ipiv, b);
            default -> Lapack.sytrsAa(h, uplo, a, ipiv, b, info);
        }
    }

    /** Inverts with the factors; not of AASEN. */
    void invert(Handle h, Uplo uplo, boolean hermitian, MatrixView a, VectorView ipiv, VectorView info) {
        boolean rook = this == ROOK;
        if (hermitian && rook) {
            Lapack.hetriRook(h, uplo, a, ipiv, info);
        } else if (hermitian) {
            Lapack.hetri(h, uplo, a, ipiv, info);
        } else if (rook) {
            Lapack.sytriRook(h, uplo, a, ipiv, info);
        } else {
            Lapack.sytri(h, uplo, a, ipiv, info);
        }
    }
}
