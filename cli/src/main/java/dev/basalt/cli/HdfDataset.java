package dev.basalt.cli;

import io.jhdf.HdfFile;
import io.jhdf.api.Dataset;
import io.jhdf.api.dataset.ChunkedDataset;
import io.jhdf.api.dataset.ContiguousDataset;
import io.jhdf.exceptions.HdfException;
import io.jhdf.filter.PipelineFilterWithData;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A dense matrix of an HDF5 file. It is read slice by slice, or chunk by chunk on all processors, so that there are few numbers beside the matrix. A line is
 * what lies together in the file: a row, or a column of MATLAB's, or all of an array of one dimension.
 */
final class HdfDataset implements MatrixFile {
    /** Elements of a slice: they stay in the second cache until they are in their columns. */
    private static final int SLICE = 1 << 16;
    /** Columns that rows go to at once: eight numbers are a line of the cache. */
    private static final int TILE = 8;

    /** The number of zlib's filter in all files. */
    private static final int DEFLATE = 1;

    private final Input input;
    private final HdfFile hdf;
    private final Dataset dataset;
    private final List<String> fields;
    private final boolean flat;
    /** Whether a line is a column. */
    private final boolean byColumns;
    private final int lines;
    private final int length;
    private final MatrixHeader header;

    private double[][] columns;
    /** The place in the file of the first element that is not finite. */
    private final AtomicLong wrong = new AtomicLong(Long.MAX_VALUE);

    /**
     * Over a file, which it closes.
     *
     * @param kind the file's format
     * @param matlab whether the dataset has MATLAB's order, which tells the dimensions the other way round
     * @throws Failure if it has too many elements, or its fields are not those of complex numbers
     */
    HdfDataset(Input input, HdfFile hdf, Dataset dataset, String kind, boolean matlab) {
        this.input = input;
        this.hdf = hdf;
        this.dataset = dataset;
        int[] extents = dataset.getDimensions();
        this.flat = extents.length == 1;
        this.byColumns = flat || matlab;
        this.lines = flat ? 1 : extents[0];
        this.length = flat ? extents[0] : extents[1];
        int rows = byColumns ? length : lines;
        int cols = byColumns ? lines : length;
        if ((double) rows * cols > MarketHeader.MOST) {
            throw new Failure(input.file() + ": the dataset has " + rows + " x " + cols + " elements; at most "
                    + MarketHeader.MOST + " can be read");
        }
        this.fields = HdfNumbers.fields(input, dataset);
        this.header =
                new MatrixHeader.Dense(rows, cols, !fields.isEmpty(), kind + ", dataset " + HdfMatrix.name(dataset));
    }

    @Override
    public Path file() {
        return input.file();
    }

    @Override
    public MatrixHeader header() {
        return header;
    }

    @Override
    public Matrix read() {
        columns = ReadFile.columns(input.file(), header.rows(), header.cols(), header.isComplex());
        try {
            if (lines > 0 && length > 0) {
                switch (dataset) {
                    case ChunkedDataset chunked -> chunks(chunked);
                    case ContiguousDataset contiguous -> slices(contiguous);
                    default -> place(dataset.getData(), 0, 0, lines, length);
                }
            }
        } catch (RuntimeException e) {
            throw HdfMatrix.failure(input, e);
        }
        requireFinite();
        return new DenseMatrix((int) header.rows(), header.isComplex(), columns);
    }

    /** Of chunks jHDF 0.9.4 copies element by element, where a slice is asked for. */
    private void slices(ContiguousDataset contiguous) {
        int step = Math.max(1, SLICE / length);
        for (int from = 0; from < lines && !flat; from += step) {
            int count = Math.min(step, lines - from);
            place(contiguous.getData(new long[] {from, 0}, new int[] {count, length}), from, 0, count, length);
            input.at((from + count) / (double) lines);
        }
        for (int from = 0; from < length && flat; from += SLICE) {
            int count = Math.min(SLICE, length - from);
            place(contiguous.getData(new long[] {from}, new int[] {count}), 0, from, 1, count);
        }
    }

    /** Chunks are unpacked independently of one another; each has places of its own in the matrix. */
    private void chunks(ChunkedDataset chunked) {
        int[] size = chunked.getChunkDimensions();
        int high = flat ? 1 : size[0];
        int wide = size[size.length - 1];
        int across = Math.ceilDiv(length, wide);
        int count = Math.multiplyExact(Math.ceilDiv(lines, high), across);
        AtomicInteger done = new AtomicInteger();
        IntStream.range(0, count).parallel().forEach(c -> {
            int line = c / across * high;
            int at = c % across * wide;
            Object data = chunk(chunked, size, flat ? new int[] {at} : new int[] {line, at});
            if (data == null) {
                fill(line, at, Math.min(high, lines - line), Math.min(wide, length - at));
            } else {
                place(data, line, at, Math.min(high, lines - line), Math.min(wide, length - at));
            }
            input.at(done.incrementAndGet() / (double) count);
        });
    }

    /** The elements of a chunk; null of one that was never written. */
    private static Object chunk(ChunkedDataset chunked, int[] size, int[] at) {
        ByteBuffer bytes;
        try {
            bytes = isDeflated(chunked)
                    ? inflated(chunked, size, chunked.getRawChunkBuffer(at))
                    : ByteBuffer.wrap(chunked.getDecompressedChunk(at));
        } catch (HdfException e) {
            // Old tables of chunks leave it out; newer ones have the address that stands for none.
            String said = String.valueOf(e.getMessage());
            if (said.startsWith("No chunk with offset") || said.endsWith("at address -1")) {
                return null;
            }
            throw e;
        }
        return chunked.getDataType().fillData(bytes, size, null);
    }

    private static boolean isDeflated(Dataset dataset) {
        List<PipelineFilterWithData> filters = dataset.getFilters();
        return filters.size() == 1 && filters.getFirst().getId() == DEFLATE;
    }

    /** Straight into an array of the right size: jHDF takes a half longer, since its own grows from small pieces. */
    private static ByteBuffer inflated(ChunkedDataset chunked, int[] size, ByteBuffer packed) {
        int bytes = chunked.getDataType().getSize();
        for (int extent : size) {
            bytes = Math.multiplyExact(bytes, extent);
        }
        byte[] to = new byte[bytes];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            int done = 0;
            int more = 1;
            for (; done < bytes && more > 0; done += more) {
                more = inflater.inflate(to, done, bytes - done);
            }
            // The end has a sum of all bytes, which is looked at now.
            if (done < bytes || inflater.inflate(new byte[1]) > 0 || !inflater.finished()) {
                throw new HdfException(
                        "a chunk of dataset " + HdfMatrix.name(chunked) + " has not the bytes it should");
            }
        } catch (DataFormatException e) {
            throw new HdfException("a chunk of dataset " + HdfMatrix.name(chunked) + " is damaged: " + e.getMessage());
        } finally {
            inflater.end();
        }
        return ByteBuffer.wrap(to);
    }

    /** What the file says that unwritten elements are, which is 0 if it says nothing. */
    private void fill(int line, int at, int count, int width) {
        double value = dataset.getFillValue() instanceof Number number ? number.doubleValue() : 0;
        if (value != 0) {
            double[][] same = new double[count][width];
            for (double[] row : same) {
                Arrays.fill(row, value);
            }
            place(flat ? same[0] : same, line, at, count, width);
        }
    }

    /** Puts the first elements of some lines to their places. */
    private void place(Object data, int line, int at, int count, int width) {
        Object[] parts = HdfNumbers.parts(data, fields);
        for (int part = 0; part < parts.length; part++) {
            Object[] arrays = flat ? new Object[] {parts[part]} : (Object[]) parts[part];
            double[][] numbers = new double[count][];
            for (int o = 0; o < count; o++) {
                numbers[o] = HdfNumbers.doubles(arrays[o]);
                int first = BinaryNumbers.notFinite(numbers[o], 0, width);
                if (first >= 0) {
                    wrong.accumulateAndGet((long) (line + o) * length + at + first, Math::min);
                }
            }
            for (int o = 0; o < count && byColumns; o++) {
                copy(numbers[o], width, columns[line + o], at * parts.length + part, parts.length);
            }
            for (int j = 0; j < width && !byColumns; j += TILE) {
                scatter(numbers, at, j, Math.min(width, j + TILE), line * parts.length + part, parts.length);
            }
        }
    }

    private static void copy(double[] from, int count, double[] to, int at, int step) {
        if (step == 1) {
            System.arraycopy(from, 0, to, at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            to[at + i * step] = from[i];
        }
    }

    /** Some columns of some rows: a line of the cache is read once for all of them. */
    private void scatter(double[][] rows, int col, int from, int to, int at, int step) {
        for (int o = 0; o < rows.length; o++) {
            double[] row = rows[o];
            for (int j = from; j < to; j++) {
                columns[col + j][at + o * step] = row[j];
            }
        }
    }

    private void requireFinite() {
        long place = wrong.get();
        if (place < Long.MAX_VALUE) {
            int line = (int) (place / length);
            int at = (int) (place % length);
            int i = byColumns ? at : line;
            int j = byColumns ? line : at;
            int parts = header.isComplex() ? 2 : 1;
            for (int part = 0; part < parts; part++) {
                ReadFile.finite(input.file(), columns[j][i * parts + part], i, j);
            }
        }
    }

    @Override
    public void close() {
        hdf.close();
        input.close();
    }
}
