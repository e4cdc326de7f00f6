package dev.basalt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/**
 * An array of NumPy, alone (NPY, versions 1 to 3 of its format) or in an archive (NPZ). The header is read at once, the elements
 * as a stream.
 */
final class NumpyFile implements MatrixFile {
    private static final Pattern DESCR = Pattern.compile("'descr': *'([<>|=]?)([a-zA-Z])([0-9]*)'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order': *(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape': *\\(([^)]*)\\)");
    private static final int MAGIC = 6;
    private static final int LONGEST_HEADER = 1 << 20;
    /** Numbers of some rows that are read before they go to their columns. */
    private static final int BLOCK = 1 << 16;
    /** The most rows of those. */
    private static final int LINES = 64;
    /** Columns that rows go to at once: eight numbers are a line of the cache. */
    private static final int TILE = 8;

    private final Input input;
    private final InputStream in;
    private final char kind;
    private final int bytes;
    private final ByteOrder byteOrder;
    private final boolean fortran;
    private final MatrixHeader header;

    /** What comes behind this array of an archive, if that is to be looked at. */
    private ZipInputStream rest;

    private String first;

    private NumpyFile(Input input, InputStream in, String name) throws IOException {
        this.input = input;
        this.in = in;
        byte[] start = in.readNBytes(MAGIC + 2);
        if (start.length < MAGIC + 2 || start[0] != (byte) 0x93) {
            throw failure("not an array of NumPy");
        }
        ByteBuffer length = ByteBuffer.wrap(in.readNBytes(start[MAGIC] == 1 ? 2 : 4)).order(ByteOrder.LITTLE_ENDIAN);
        long size = length.remaining() == 2 ? length.getShort() & 0xffff
                : length.remaining() == 4 ? length.getInt() & 0xffffffffL
                : 0;
        if (size == 0 || size > LONGEST_HEADER) {
            throw failure("the NPY header is damaged");
        }
        String text = Input.ascii(in.readNBytes((int) size));
        Matcher descr = found(DESCR, text);
        this.kind = descr.group(2).charAt(0);
        this.bytes = descr.group(3).isEmpty() ? 1 : Integer.parseInt(descr.group(3));
        this.byteOrder = descr.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        this.fortran = found(ORDER, text).group(1).equals("True");
        if (!("f".indexOf(kind) >= 0 && (bytes == 2 || bytes == 4 || bytes == 8)
                || kind == 'c' && (bytes == 8 || bytes == 16)
                || "iub".indexOf(kind) >= 0 && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8))) {
            throw failure("the type of the elements is \"" + descr.group(2) + descr.group(3)
                    + "\"; accepted are f2 f4 f8 c8 c16, integers and b1");
        }
        this.header = header(found(SHAPE, text).group(1), name);
    }

    private Matcher found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw failure("the NPY header is damaged: " + text.strip());
        }
        return matcher;
    }

    /** One dimension is a column. */
    private MatrixHeader header(String shape, String name) {
        List<Long> extents = new ArrayList<>();
        for (String extent : shape.split(",")) {
            String digits = extent.strip();
            if (!digits.isEmpty()) {
                if (!digits.matches("[0-9]{1,10}")) {
                    throw failure("the shape is (" + shape + "); at most " + MarketHeader.MOST + " can be read");
                }
                extents.add(Long.parseLong(digits));
            }
        }
        if (extents.isEmpty() || extents.size() > 2) {
            throw failure("the array has " + extents.size() + " dimensions; a matrix has 1 or 2");
        }
        return new MatrixHeader.Dense(extents.get(0), extents.size() == 2 ? extents.get(1) : 1, kind == 'c', name);
    }

    private Failure failure(String message) {
        return new Failure(input.file() + ": " + message);
    }

    /** Opens an array. */
    static NumpyFile array(Input input) {
        return open(input, input.stream(), "NPY");
    }

    /** Opens an array that begins in a stream. */
    static NumpyFile open(Input input, InputStream in, String name) {
        try {
            return new NumpyFile(input, in, name);
        } catch (IOException e) {
            throw input.failure(e);
        }
    }

    /** Opens an array of an archive: the one that is named, or the only one, or a sparse matrix that arrays make together. */
    static MatrixFile archive(Input input) {
        String wanted = input.member();
        List<String> names = new ArrayList<>();
        try {
            ZipInputStream zip = new WideZip(input.stream());
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                String name = entry.getName().replaceFirst("\\.npy$", "");
                if (entry.getName().endsWith(".npy")) {
                    if (wanted == null && SparseArchive.begins(name) && !(input.isPlainFile() && isOnly(input, name))) {
                        return SparseArchive.read(input, zip, name);
                    }
                    if (wanted == null && !input.isPlainFile()) {
                        return open(input, zip, "NPZ, array " + name).before(zip, name);
                    }
                    if (name.equals(wanted) || (wanted == null && isOnly(input, name))) {
                        return open(input, zip, "NPZ, array " + name);
                    }
                    names.add(name);
                }
            }
        } catch (IOException e) {
            throw input.failure(e);
        }
        throw Members.choose(input.file(), wanted, names);
    }

    /** Whether an archive on disk has no other array. Its table of contents tells; without one, it is unpacked to see. */
    private static boolean isOnly(Input input, String name) throws IOException {
        try (ZipFile zip = new ZipFile(input.file().toFile())) {
            return zip.stream().map(ZipEntry::getName).noneMatch(entry -> isOther(entry, name));
        } catch (ZipException e) {
            try (ZipInputStream zip = new WideZip(Files.newInputStream(input.file()))) {
                return others(zip, name).isEmpty();
            }
        }
    }

    private static boolean isOther(String entry, String name) {
        return entry.endsWith(".npy") && !entry.equals(name + ".npy");
    }

    /** The names of arrays that are still to come, but for one. */
    private static List<String> others(ZipInputStream zip, String name) throws IOException {
        List<String> others = new ArrayList<>();
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            if (isOther(entry.getName(), name)) {
                others.add(entry.getName().replaceFirst("\\.npy$", ""));
            }
        }
        return others;
    }

    /** Of an archive that comes through a pipe nobody knows whether it has another array, until this one has been read. */
    private NumpyFile before(ZipInputStream zip, String name) {
        rest = zip;
        first = name;
        return this;
    }

    private void requireOnly() {
        try {
            List<String> names = rest == null ? List.of() : others(rest, first);
            if (!names.isEmpty()) {
                names.add(0, first);
                throw Members.choose(input.file(), null, names);
            }
        } catch (IOException e) {
            throw input.failure(e);
        }
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
        int m = (int) header.rows();
        int n = (int) header.cols();
        int parts = kind == 'c' ? 2 : 1;
        double[][] columns = ReadFile.columns(input.file(), header.rows(), header.cols(), parts == 2);
        int outer = fortran ? n : m;
        int inner = (fortran ? m : n) * parts;
        // Rows go to columns some at a time, so that a column gets neighbouring elements.
        int lines = fortran ? 1 : Math.clamp(BLOCK / Math.max(1, inner), 1, LINES);
        double[] block = new double[fortran ? 0 : lines * inner];
        BinaryNumbers numbers = new BinaryNumbers(in, kind, bytes / parts, byteOrder);
        for (int o = 0; o < outer; o += lines) {
            int count = Math.min(lines, outer - o);
            double[] to = fortran ? columns[o] : block;
            int wrong = numbers(numbers, to, count * inner);
            if (wrong >= 0) {
                int line = o + wrong / inner;
                int place = wrong % inner / parts;
                ReadFile.finite(input.file(), to[wrong], fortran ? place : line, fortran ? line : place);
            }
            for (int j = 0; j < n && !fortran; j += TILE) {
                scatter(block, inner, columns, j, Math.min(n, j + TILE), o, count, parts);
            }
        }
        requireOnly();
        return new DenseMatrix(m, parts == 2, columns);
    }

    private int numbers(BinaryNumbers numbers, double[] to, int count) {
        try {
            int wrong = numbers.read(to, count);
            if (wrong == BinaryNumbers.END) {
                throw failure("the file ends before the last element");
            }
            return wrong;
        } catch (IOException e) {
            throw input.failure(e);
        }
    }

    /** Some columns of some rows: a line of the cache is read once for all of them. */
    private static void scatter(double[] block, int inner, double[][] columns, int from, int to, int row, int count,
            int parts) {
        for (int r = 0; r < count; r++) {
            for (int j = from; j < to; j++) {
                double[] column = columns[j];
                for (int p = 0; p < parts; p++) {
                    column[(row + r) * parts + p] = block[r * inner + j * parts + p];
                }
            }
        }
    }

    @Override
    public void close() {
        input.close();
    }
}
