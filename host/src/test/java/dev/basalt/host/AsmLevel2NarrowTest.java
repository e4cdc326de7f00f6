package dev.basalt.host;

/** The assembled kernels of matrices and vectors agree with the portable ones, with vectors of 256 bits. */
class AsmLevel2NarrowTest extends AsmLevel2Test {
    @Override
    int bits() {
        return 256;
    }
}
