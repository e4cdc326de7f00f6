package dev.basalt.portable;

/** Loops on arrays of Java for vectors without gaps, faster than those that a compiler makes of plain Java. A device's module may provide them as a service. */
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
     * y := alpha·x + y, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param alpha the factor
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same
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
     * y := alpha·x + y, with the bits of a plain loop.
     *
     * @param n elements, all of which are there
     * @param alpha the factor
     * @param x an array
     * @param xOffset elements before the first
     * @param y another, or the same
     * @param yOffset elements before the first
     */
    void axpy(int n, float alpha, float[] x, int xOffset, float[] y, int yOffset);
}
