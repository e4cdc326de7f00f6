package dev.basalt.cli;

import io.airlift.compress.v3.bzip2.BZip2HadoopStreams;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.DoubleConsumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;
import us.hebi.matlab.mat.format.Mat5;
import us.hebi.matlab.mat.types.MatFile;
import us.hebi.matlab.mat.types.MatlabType;
import us.hebi.matlab.mat.types.Sinks;

/**
 * Writes a dense matrix in the format that a file's name asks for; Matrix Market where it asks for none. A name that ends in .gz, .bz2,
 * .xz or .zst is packed too.
 */
final class MatrixWriter {
    /** The name of the matrix in files that have names. */
    private static final String NAME = "A";

    private static final int BUFFER = 1 << 16;
    private static final String PACKED = "\\.(gz|bz2|xz|zst)$";

    private final DenseMatrix matrix;
    private final boolean single;
    private final DoubleConsumer share;

    private MatrixWriter(DenseMatrix matrix, boolean single, DoubleConsumer share) {
        this.matrix = matrix;
        this.single = single;
        this.share = share;
    }

    /**
     * Writes a matrix.
     *
     * @param file file; replaced if it exists
     * @param matrix matrix
     * @param single whether the numbers are of single precision
     * @param comment one line for people, where the format has room for it
     * @param share is told how much is done; MAT and HDF5 are written by libraries, which do not tell
     */
    static void write(Path file, DenseMatrix matrix, boolean single, String comment, DoubleConsumer share) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        MatrixWriter writer = new MatrixWriter(matrix, single, share);
        try {
            if (name.matches(".*\\.(h5|hdf5)")) {
                writer.hdf(file);
                return;
            }
            try (OutputStream out = packing(name, new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
                writer.write(name.replaceFirst(PACKED, ""), out, comment);
            }
        } catch (IOException e) {
            throw MarketWriter.failure(file, e);
        }
    }

    /** Finds out early whether a matrix can be written so. */
    static void check(Path file, boolean complex) {
        String name = file.toString().toLowerCase(Locale.ROOT).replaceFirst(PACKED, "");
        if (complex && name.matches(".*\\.(csv|tsv|h5|hdf5)")) {
            throw new Failure(
                    file + ": cannot be written: this format has no complex numbers here; use .mtx, .npy or .mat");
        }
    }

    private static OutputStream packing(String name, OutputStream raw) throws IOException {
        return name.endsWith(".gz") ? new BufferedOutputStream(new GZIPOutputStream(raw), BUFFER)
                : name.endsWith(".bz2")
                        ? new BufferedOutputStream(new BZip2HadoopStreams().createOutputStream(raw), BUFFER)
                : name.endsWith(".xz") ? new BufferedOutputStream(new XZOutputStream(raw, new LZMA2Options(3)), BUFFER)
                : name.endsWith(".zst") ? new BufferedOutputStream(new ZstdOutputStream(raw), BUFFER)
                : raw;
    }

    private void write(String name, OutputStream out, String comment) throws IOException {
        if (name.endsWith(".npy")) {
            numpy(out);
        } else if (name.endsWith(".npz")) {
            ZipOutputStream zip = new ZipOutputStream(out);
            zip.putNextEntry(new ZipEntry(NAME + ".npy"));
            numpy(zip);
            zip.closeEntry();
            zip.finish();
        } else if (name.endsWith(".csv")) {
            table(out, ',');
        } else if (name.endsWith(".tsv")) {
            table(out, '\t');
        } else if (name.endsWith(".mat")) {
            matlab(out);
        } else {
            MarketWriter.write(out, matrix, single, comment, share);
        }
    }

    /** By columns, as the matrix is; version 1.0 of the format has a header of a multiple of 64 bytes. */
    private void numpy(OutputStream out) throws IOException {
        String type = (matrix.isComplex() ? "<c" : "<f") + (matrix.isComplex() ? 2 : 1) * (single ? 4 : 8);
        String header = "{'descr': '" + type + "', 'fortran_order': True, 'shape': (" + matrix.rows() + ", "
                + matrix.cols() + "), }";
        int length = (10 + header.length() + 1 + 63) / 64 * 64 - 10;
        out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) length, (byte) (length >> 8)});
        out.write((header + " ".repeat(length - header.length() - 1) + "\n").getBytes(StandardCharsets.US_ASCII));
        for (int j = 0; j < matrix.cols(); j++) {
            double[] column = matrix.column(j);
            ByteBuffer bytes = ByteBuffer.allocate(column.length * (single ? 4 : 8)).order(ByteOrder.LITTLE_ENDIAN);
            for (double value : column) {
                if (single) {
                    bytes.putFloat((float) value);
                } else {
                    bytes.putDouble(value);
                }
            }
            out.write(bytes.array());
            share.accept((j + 1.0) / matrix.cols());
        }
    }

    private void table(OutputStream out, char separator) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < matrix.rows(); i++) {
            line.setLength(0);
            for (int j = 0; j < matrix.cols(); j++) {
                double value = matrix.column(j)[i];
                line.append(single ? String.valueOf((float) value) : String.valueOf(value));
                line.append(j + 1 < matrix.cols() ? separator : '\n');
            }
            out.write(line.toString().getBytes(StandardCharsets.US_ASCII));
            share.accept((i + 1.0) / matrix.rows());
        }
    }

    private void matlab(OutputStream out) throws IOException {
        MatlabType type = single ? MatlabType.Single : MatlabType.Double;
        int parts = matrix.isComplex() ? 2 : 1;
        us.hebi.matlab.mat.types.Matrix to = matrix.isComplex()
                ? Mat5.newComplex(matrix.rows(), matrix.cols(), type)
                : Mat5.newMatrix(matrix.rows(), matrix.cols(), type);
        for (int j = 0; j < matrix.cols(); j++) {
            for (int i = 0; i < matrix.rows(); i++) {
                to.setDouble(i, j, matrix.column(j)[i * parts]);
                if (parts == 2) {
                    to.setImaginaryDouble(i, j, matrix.column(j)[2 * i + 1]);
                }
            }
        }
        try (MatFile file = Mat5.newMatFile().addArray(NAME, to)) {
            // Not packed: that would need a file to go back in.
            Mat5.newWriter(Sinks.wrapNonSeeking(out)).setDeflateLevel(Deflater.NO_COMPRESSION).writeMat(file);
        }
    }

    private void hdf(Path file) {
        Object rows = single ? new float[matrix.rows()][matrix.cols()] : new double[matrix.rows()][matrix.cols()];
        for (int j = 0; j < matrix.cols(); j++) {
            for (int i = 0; i < matrix.rows(); i++) {
                if (rows instanceof float[][] floats) {
                    floats[i][j] = (float) matrix.column(j)[i];
                } else {
                    ((double[][]) rows)[i][j] = matrix.column(j)[i];
                }
            }
        }
        try (WritableHdfFile hdf = HdfFile.write(file)) {
            hdf.putDataset(NAME, rows);
        }
    }
}
