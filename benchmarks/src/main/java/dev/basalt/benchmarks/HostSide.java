package dev.basalt.benchmarks;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import java.util.Random;

/** The host device with what a benchmark needs on it; threads and engine by Basalt's system properties. */
final class HostSide implements AutoCloseable {
    final Device device = Device.open("host");
    final Handle handle = device.createHandle();
    final DeviceArena arena = device.arena();

    static long address(MatrixView view) {
        return view.pointer().address();
    }

    static long address(VectorView view) {
        return view.pointer().address();
    }

    /** Numbers from -1 to 1, the same in every run. */
    static double[] uniform(int count, long seed) {
        return new Random(seed).doubles(count, -1, 1).toArray();
    }

    /** The largest difference between two arrays. */
    static double difference(double[] a, double[] b) {
        double largest = 0;
        for (int i = 0; i < a.length; i++) {
            double difference = Math.abs(a[i] - b[i]);
            if (!(difference <= largest)) {
                largest = difference;
            }
        }
        return largest;
    }

    @Override
    public void close() {
        arena.close();
        handle.close();
        device.close();
    }
}
