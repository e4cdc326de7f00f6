package dev.basalt.cli;

import dev.basalt.ByteSize;
import dev.basalt.Device;
import dev.basalt.type.ElementType;
import java.nio.file.Path;
import java.util.function.ToDoubleFunction;

/**
 * One matrix to be decomposed.
 *
 * @param name its file
 * @param header its header
 * @param type element type to compute in
 * @param a the matrix, rounded to the type
 */
record MatrixInput(Path name, MatrixHeader header, ElementType type, Matrix a) {
    /**
     * Reads a matrix. Everything that can be judged by the header is judged before the body is read.
     *
     * @param file file
     * @param wanted element type; null for the default of the file
     * @param elements how many elements the computation holds for a matrix of this header
     * @param device whose memory must suffice
     * @param progress is told what goes on
     */
    static MatrixInput read(Path file, ElementType wanted, ToDoubleFunction<MatrixHeader> elements, Device device,
            Progress progress) {
        progress.phase("reading " + file.getFileName());
        try (MatrixFile a = MatrixFile.open(file, progress)) {
            long m = a.header().rows();
            long n = a.header().cols();
            if (m == 0 || n == 0) {
                throw new Failure(file + ": the matrix is " + m + " x " + n + ", there is nothing to decompose");
            }
            ElementType type = Problem.type(a, null, wanted);
            requireRoom(file, a.header(), type, elements.applyAsDouble(a.header()), device);
            return new MatrixInput(file, a.header(), type, Problem.rounded(a, a.read(), type));
        }
    }

    /** Refuses a computation that holds so many matrices of this size, where the device has no memory for them. */
    void requireRoom(double copies, Device device) {
        requireRoom(name, header, type, copies * m() * n(), device);
    }

    private static void requireRoom(Path file, MatrixHeader header, ElementType type, double elements, Device device) {
        long m = header.rows();
        long n = header.cols();
        double need = elements * type.bytes();
        long free = device.freeMemory();
        if (need > free) {
            throw new Failure(file + ": not enough memory: the decomposition of a " + m + " x " + n + " matrix of type "
                    + type.letter() + " holds " + ByteSize.format((long) need) + ", " + device.name() + " has "
                    + ByteSize.format(free) + " free" + Problem.elsewhere(header));
        }
    }

    int m() {
        return a.rows();
    }

    int n() {
        return a.cols();
    }

    /** The distance from 1 to the next number of the type. */
    double epsilon() {
        return type.real() == ElementType.F32 ? 0x1p-23 : 0x1p-52;
    }

    boolean isSingle() {
        return type.real() == ElementType.F32;
    }
}
