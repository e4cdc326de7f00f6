package dev.basalt.type;

/**
 * A complex scalar on the host.
 *
 * @param re real part
 * @param im imaginary part
 */
public record Complex(double re, double im) {
    /** 0. */
    public static final Complex ZERO = new Complex(0, 0);
    /** 1. */
    public static final Complex ONE = new Complex(1, 0);
    /** The imaginary unit. */
    public static final Complex I = new Complex(0, 1);

    /**
     * A real number as a complex one.
     *
     * @param re real part
     * @return re + 0i
     */
    public static Complex of(double re) {
        return new Complex(re, 0);
    }
}
