package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.code.Spares;

/** Products for threads that multiply at once. */
public final class ProductPool extends Spares<Product> {
    private final ProductTable kernels;
    private final boolean complex;

    public ProductPool(ProductTable kernels, boolean complex) {
        this.kernels = kernels;
        this.complex = complex;
    }

    @Override
    public Product make() {
        return new Product(kernels, complex);
    }
}
