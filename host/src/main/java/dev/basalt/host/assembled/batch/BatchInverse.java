package dev.basalt.host.assembled.batch;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Memory;

/** Inverses from factors of LU, one problem a lane: both triangles solve for the rows of the identity, exchanged as the pivots say. */
final class BatchInverse {
    private final BatchKernels kernels;
    private final int lanes;
    private final int size;
    private final int parts;
    private final int vector;

    /**
     * For matrices of one type.
     *
     * @param kernels what solves
     * @param lanes of a vector
     * @param size bytes of a real number
     * @param parts real numbers of an element
     */
    BatchInverse(BatchKernels kernels, int lanes, int size, int parts) {
        this.kernels = kernels;
        this.lanes = lanes;
        this.size = size;
        this.parts = parts;
        this.vector = lanes * size;
    }

    /**
     * Inverts what the lanes of the first matrix of the frame hold, into the second.
     *
     * @param pivots table of the addresses of the lanes' pivots; 0: there are none
     * @param order room for n numbers
     * @return the lanes that are no use, which have difficult pivots, or such as name no row
     */
    long solve(BatchFrame frame, long n, long pivots, long order) {
        long element = (long) parts * vector;
        long pitch = BatchFrame.pitch(n * parts) * vector;
        long a = frame.matrix(0);
        long b = frame.matrix(1);
        Memory.fill(b, n * pitch, (byte) 0);
        long wrong = 0;
        for (int q = 0; q < lanes; q++) {
            boolean rows = permute(order, n, pivots == 0 ? 0 : i64(pivots + 8L * q));
            wrong |= rows ? 0 : 1L << q;
            for (long i = 0; i < n; i++) {
                one(b + i * element + i64(order + 8 * i) * pitch + (long) q * size);
            }
        }
        kernels.forward(frame, a, element, pitch, b, element, pitch, n);
        long last = (n - 1) * element;
        return wrong
                | kernels.backward(frame, a + last + (n - 1) * pitch, -element, -pitch, b + last, -element, pitch, n);
    }

    private void one(long at) {
        if (size == 8) {
            f64(at, 1);
        } else {
            f32(at, 1);
        }
    }

    /** The numbers from 0 to n - 1 at {@code order}, exchanged; whether all pivots are row numbers: a wrong one ends the exchanges. */
    private static boolean permute(long order, long n, long pivots) {
        for (long i = 0; i < n; i++) {
            i64(order + 8 * i, i);
        }
        for (long i = 0; i < n && pivots != 0; i++) {
            long p = i64(pivots + 8 * i) - 1;
            if (p < 0 || p >= n) {
                return false;
            }
            long own = i64(order + 8 * i);
            i64(order + 8 * i, i64(order + 8 * p));
            i64(order + 8 * p, own);
        }
        return true;
    }
}
