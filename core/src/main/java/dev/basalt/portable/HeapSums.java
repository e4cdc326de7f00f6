package dev.basalt.portable;

/** Loops on arrays of Java for vectors without gaps and small matrices, faster than those that a compiler makes of plain Java. A device's module may provide them as a service. */
public interface HeapSums {
    /**
     * Whether this JVM can run them.
     *
     * @return false if another's must do
     */
    boolean works();

    /**
     * Σ xᵢ·yᵢ.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same
     * @param yOffset elements before the first
     * @return the sum
     */
    double dot(int n, double[] x, int xOffset, double[] y, int yOffset);

    /**
     * Σ xᵢ², which may overflow or underflow.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @return the sum
     */
    double squares(int n, double[] x, int xOffset);

    /**
     * Σ |xᵢ|.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @return the sum
     */
    double asum(int n, double[] x, int xOffset);

    /**
     * The index, from 1, of the first largest |xᵢ|.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @return the index; 0 if an element is NaN or there are too few, and the caller must look
     */
    int iamax(int n, double[] x, int xOffset);

    /**
     * y := alpha·x + y, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param alpha the factor
     * @param x an array
     * @param xOffset elements before the first
     * @param y another
     * @param yOffset elements before the first
     */
    void axpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset);

    /**
     * Σ xᵢ·yᵢ.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same
     * @param yOffset elements before the first
     * @return the sum
     */
    float dot(int n, float[] x, int xOffset, float[] y, int yOffset);

    /**
     * Σ xᵢ², which may overflow or underflow.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @return the sum
     */
    float squares(int n, float[] x, int xOffset);

    /**
     * Σ |xᵢ|.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @return the sum
     */
    float asum(int n, float[] x, int xOffset);

    /**
     * The index, from 1, of the first largest |xᵢ|.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @return the index; 0 if an element is NaN or there are too few, and the caller must look
     */
    int iamax(int n, float[] x, int xOffset);

    /**
     * y := alpha·x + y, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param alpha the factor
     * @param x an array
     * @param xOffset elements before the first
     * @param y another
     * @param yOffset elements before the first
     */
    void axpy(int n, float alpha, float[] x, int xOffset, float[] y, int yOffset);

    /**
     * x and y exchange their elements.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same if no element is in both vectors
     * @param yOffset elements before the first
     */
    void swap(int n, double[] x, int xOffset, double[] y, int yOffset);

    /**
     * y := x of a few elements.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same
     * @param yOffset elements before the first
     * @return false if they are too many, and nothing was done
     */
    boolean copy(int n, double[] x, int xOffset, double[] y, int yOffset);

    /**
     * x := alpha·x, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param alpha the factor
     * @param x an array
     * @param xOffset elements before the first
     */
    void scal(int n, double alpha, double[] x, int xOffset);

    /**
     * x := c·x + s·y and y := c·y - s·x, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another
     * @param yOffset elements before the first
     * @param c the cosine
     * @param s the sine
     */
    void rot(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s);

    /**
     * y := alpha·op(A)·x + beta·y for a matrix of few rows and columns; where beta is 0, y is not read.
     *
     * @param transposed whether op(A) is the transpose
     * @param m rows of A
     * @param n columns of A
     * @param alpha the factor of the product
     * @param a an array
     * @param aOffset elements before the first
     * @param lda elements between columns
     * @param x an array
     * @param xOffset elements before the first
     * @param beta the factor of y
     * @param y an array that is none of the others
     * @param yOffset elements before the first
     * @return false if there are too few rows, and nothing was done
     */
    boolean gemv(boolean transposed, int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset);

    /**
     * x and y exchange their elements.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same if no element is in both vectors
     * @param yOffset elements before the first
     */
    void swap(int n, float[] x, int xOffset, float[] y, int yOffset);

    /**
     * y := x of a few elements.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same
     * @param yOffset elements before the first
     * @return false if they are too many, and nothing was done
     */
    boolean copy(int n, float[] x, int xOffset, float[] y, int yOffset);

    /**
     * x := alpha·x, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param alpha the factor
     * @param x an array
     * @param xOffset elements before the first
     */
    void scal(int n, float alpha, float[] x, int xOffset);

    /**
     * x := c·x + s·y and y := c·y - s·x, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param x an array
     * @param xOffset elements before the first
     * @param y another
     * @param yOffset elements before the first
     * @param c the cosine
     * @param s the sine
     */
    void rot(int n, float[] x, int xOffset, float[] y, int yOffset, float c, float s);

    /**
     * y := alpha·op(A)·x + beta·y for a matrix of few rows and columns; where beta is 0, y is not read.
     *
     * @param transposed whether op(A) is the transpose
     * @param m rows of A
     * @param n columns of A
     * @param alpha the factor of the product
     * @param a an array
     * @param aOffset elements before the first
     * @param lda elements between columns
     * @param x an array
     * @param xOffset elements before the first
     * @param beta the factor of y
     * @param y an array that is none of the others
     * @param yOffset elements before the first
     * @return false if there are too few rows, and nothing was done
     */
    boolean gemv(boolean transposed, int m, int n, float alpha, float[] a, int aOffset, int lda, float[] x, int xOffset,
            float beta, float[] y, int yOffset);
}
