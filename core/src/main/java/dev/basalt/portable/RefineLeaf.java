package dev.basalt.portable;

/** What scales and error bounds of one element type are made of. |x| stands for |re| + |im|; vectors of scales and bounds are real and of the type's precision. */
interface RefineLeaf {
    /** The kernels of the type. */
    Leaf leaf();

    /** |x| of one element. */
    double abs(long x);

    /** w := |x|·alpha + w. */
    void addAbs(long n, double alphaRe, long x, long w);

    /** w := the larger of w and |x|; NaN wins. */
    void larger(long n, long x, long w);

    /** Σ |xᵢ|·|yᵢ|. */
    double dotAbs(long n, long x, long y);

    /** The largest |xᵢ|·wᵢ; NaN wins. */
    double largest(long n, long x, long w);

    /** x := alpha·w·x, element by element. */
    void multiply(long n, double alphaRe, long w, long x);
}
