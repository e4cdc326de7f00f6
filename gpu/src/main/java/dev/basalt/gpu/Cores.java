package dev.basalt.gpu;

/** What a GPU's tensor cores multiply, as far as the kernels use them; each can do what those before it can. */
public enum Cores {
    /** Nothing. */
    NONE,
    /** Numbers of 16 bits, a warp at a time: on NVIDIA from compute capability 8.0. */
    HALVES,
    /** Doubles too: from 9.0. */
    DOUBLES,
    /** Numbers of 16 bits also by four warps at a time, from shared memory: on 9.0 alone. */
    WARPGROUPS;

    /**
     * Whether they multiply numbers of 16 bits.
     *
     * @return false for none
     */
    public boolean halves() {
        return this != NONE;
    }

    /**
     * Whether they multiply doubles.
     *
     * @return true from 9.0
     */
    public boolean doubles() {
        return compareTo(DOUBLES) >= 0;
    }
}
