package dev.basalt;

/** BLAS on views: one method a routine covers every element type and every form (single, strided batch, array of pointers). */
public final class Blas extends BlasTransfer {
    private Blas() {}
}
