package dev.basalt.host.engine;

/** The assembled kernels of matrices and vectors agree with the portable ones, with vectors of 256 bits. */
class AssembledMatvecNarrowTest extends AssembledMatvecTest {
    @Override
    int bits() {
        return 256;
    }
}
