package dev.basalt.host.assembled.product;

/** Small matrices transposed by the kernels that pack panels. */
public final class Transposition {
    private final PanelPack pack;

    public Transposition(ProductTable kernels) {
        this.pack = new PanelPack(kernels);
    }

    /**
     * Transposes a matrix.
     *
     * @param unit bytes of an element, 4, 8 or 16
     * @param m rows of the result
     * @param n columns of the result
     * @param from address of the matrix, n×m
     * @param stride bytes between its columns
     * @param to address of the result
     * @param group bytes between its columns
     */
    public void run(int unit, int m, int n, long from, long stride, long to, long group) {
        pack.columns(unit, m, n, from, stride, to, group);
    }
}
