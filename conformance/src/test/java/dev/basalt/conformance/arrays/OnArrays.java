package dev.basalt.conformance.arrays;

import dev.basalt.arrays.ArrayWorkspace;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** Tests of calls on arrays: their numbers are drawn by a seed, and each leaves no memory behind. */
abstract class OnArrays {
    final Random random;

    OnArrays(long seed) {
        random = new Random(seed);
    }

    @AfterEach
    void release() {
        ArrayWorkspace.release();
    }

    final double[] numbers(int n) {
        return random.doubles(n, -1, 1).toArray();
    }
}
