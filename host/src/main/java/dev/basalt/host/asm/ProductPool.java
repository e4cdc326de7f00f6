package dev.basalt.host.asm;

/** Products for threads that multiply at once. */
final class ProductPool extends Spares<Product> {
    private final KernelTable kernels;
    private final boolean complex;

    ProductPool(KernelTable kernels, boolean complex) {
        this.kernels = kernels;
        this.complex = complex;
    }

    @Override
    Product make() {
        return new Product(kernels, complex);
    }
}
