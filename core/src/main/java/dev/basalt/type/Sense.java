package dev.basalt.type;

/** The condition numbers that an expert driver for eigenvalues computes. */
public enum Sense {
    /** None. */
    NONE,
    /** Those of eigenvalues: how much a small change of the matrix moves them. */
    VALUES,
    /** Those of eigenvectors, or of the space that chosen ones span: how far the eigenvalue is from the others. */
    VECTORS,
    /** Both. */
    BOTH
}
