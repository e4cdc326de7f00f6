package dev.basalt.sim;

/** A kernel that takes time and touches nothing. */
final class SpinOp extends Op {
    private final long nanos;

    SpinOp(long nanos) {
        super("spin");
        this.nanos = nanos;
    }

    @Override
    void run() {}

    @Override
    long nanos() {
        return nanos;
    }

    @Override
    Op again() {
        return new SpinOp(nanos);
    }
}
