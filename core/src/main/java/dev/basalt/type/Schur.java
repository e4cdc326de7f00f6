package dev.basalt.type;

/** What is computed of a Hessenberg matrix. */
public enum Schur {
    /** Its eigenvalues alone; the matrix is overwritten. */
    EIGENVALUES,
    /** Its Schur form, in its place. */
    SCHUR
}
