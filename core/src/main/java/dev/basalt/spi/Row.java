package dev.basalt.spi;

/** What {@link Kernel} says of one kernel, put together word by word; each word that is left out has its plain meaning. */
final class Row {
    final String access;
    Axis axis = Axis.NONE;
    Part[] parts = {};
    double elements;
    Amount moved = Amount.NONE;
    Amount multiplied = Amount.NONE;
    double multiplications;
    Bound bound = Bound.MEMORY;
    AlphaRule alpha = AlphaRule.ALWAYS;
    boolean work;
    boolean mixes;
    boolean capped;

    private Row(String access) {
        this.access = access;
    }

    /** The operands from a on: {@code r} read, {@code w} written, {@code x} both, {@code -} none. */
    static Row uses(String access) {
        return new Row(access);
    }

    /** What is independent, and what of a, b, c… a part needs. */
    Row cut(Axis along, Part... operands) {
        axis = along;
        parts = operands;
        return this;
    }

    /** So many times an amount of elements go through memory. */
    Row moves(double times, Amount amount) {
        elements = times;
        moved = amount;
        return this;
    }

    /** So many times an amount of multiplications are done, each with an addition. */
    Row multiplies(double times, Amount amount, Bound by) {
        multiplications = times;
        multiplied = amount;
        bound = by;
        return this;
    }

    /** Each element that moves lies in a cache line of its own. */
    Row scattered() {
        bound = Bound.SCATTER;
        return this;
    }

    Row zero(AlphaRule rule) {
        alpha = rule;
        return this;
    }

    /** Its operands may have other types than the computation. */
    Row mixes() {
        mixes = true;
        return this;
    }

    /** One of its dimensions may be capped by an integer in device memory, on every device. */
    Row capped() {
        capped = true;
        return this;
    }

    /** It has a use for workspace. */
    Row works() {
        work = true;
        return this;
    }
}
