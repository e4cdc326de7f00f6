package dev.basalt.cli;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * The arrays of a file of MATLAB, version 5 to 7.2, one after the other: first what it says of an array, then its numbers as a stream. So nothing is in memory
 * but what the reader keeps. The layout is that of MathWorks' "MAT-File Format", level 5.
 */
final class MatlabArrays {
    private static final int HEADER = 128;
    private static final int BUFFER = 1 << 16;
    /** The most bytes that dimensions or a name take in a file that is whole. */
    private static final int LONGEST_TEXT = 1 << 16;

    /** Types of elements of the file: an array, and one that is packed. */
    private static final int MATRIX = 14;
    private static final int COMPRESSED = 15;
    /** By type of numbers: the letter and the bytes of each. */
    private static final String KINDS = " iuiuiuf f  iu";
    private static final int[] SIZES = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};

    /** Classes of arrays: sparse ones, then the types of dense numbers up to the last one. */
    private static final int SPARSE = 5;
    private static final int LAST_NUMERIC = 15;
    private static final int COMPLEX_FLAG = 0x800;

    private final InputStream in;
    private final ByteOrder order;

    /** What is left of the file's element, and the bytes of the array in it. */
    private Part element;
    private InputStream array;

    private int kind;
    private boolean complex;
    private int[] extents = {};
    private String name;

    private BinaryNumbers numbers;
    private long padding;

    /**
     * The arrays of a stream.
     *
     * @param in stream, at its first byte
     * @throws EOFException if there is no whole header
     */
    MatlabArrays(InputStream in) throws IOException {
        this.in = in;
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
            throw new EOFException();
        }
        this.order = header[HEADER - 2] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /**
     * What stands before data.
     *
     * @param type type of its elements
     * @param bytes how many bytes it has
     * @param padding how many bytes follow that mean nothing
     */
    private record Tag(int type, long bytes, int padding) {}

    /** Of a few bytes tag and data share eight. */
    private Tag tag(InputStream from) throws IOException {
        int first = word(from);
        if (first >>> 16 != 0) {
            int bytes = first >>> 16;
            if (bytes > Integer.BYTES) {
                throw new IOException("the length of an element is wrong");
            }
            return new Tag(first & 0xffff, bytes, Integer.BYTES - bytes);
        }
        long bytes = Integer.toUnsignedLong(word(from));
        return new Tag(first, bytes, (int) (-bytes & 7));
    }

    private int word(InputStream from) throws IOException {
        byte[] word = from.readNBytes(Integer.BYTES);
        if (word.length < Integer.BYTES) {
            throw new EOFException();
        }
        return ByteBuffer.wrap(word).order(order).getInt();
    }

    /** Goes to the next array, past whatever is left of this one; says whether there is one. */
    boolean next() throws IOException {
        while (true) {
            if (element != null) {
                // Ends the inflater, if there is one.
                array.close();
                in.skipNBytes(element.left);
                element = null;
            }
            int first = in.read();
            if (first < 0) {
                return false;
            }
            Tag tag = tag(new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) first}), in));
            element = new Part(in, tag.bytes() + (tag.type() == COMPRESSED ? 0 : tag.padding()));
            array = element;
            if (tag.type() == COMPRESSED) {
                array = new InflaterInputStream(element, new Inflater(), BUFFER) {
                    @Override
                    public void close() throws IOException {
                        super.close();
                        inf.end();
                    }
                };
                tag = tag(array);
            }
            if (tag.type() == MATRIX && tag.bytes() > 0) {
                describe();
                return true;
            }
        }
    }

    private void describe() throws IOException {
        numbers = null;
        padding = 0;
        ByteBuffer flags = bytes();
        if (flags.remaining() < 2 * Integer.BYTES) {
            throw new IOException("an array has no flags");
        }
        int first = flags.getInt();
        kind = first & 0xff;
        complex = (first & COMPLEX_FLAG) != 0;
        extents = new int[0];
        name = "";
        if (kind >= SPARSE && kind <= LAST_NUMERIC) {
            ByteBuffer dimensions = bytes();
            extents = new int[dimensions.remaining() / Integer.BYTES];
            dimensions.asIntBuffer().get(extents);
            name = Input.ascii(bytes().array());
        }
    }

    private ByteBuffer bytes() throws IOException {
        Tag tag = tag(array);
        if (tag.bytes() > LONGEST_TEXT) {
            throw new IOException("the length of an element is wrong");
        }
        byte[] bytes = array.readNBytes((int) tag.bytes());
        array.skipNBytes(tag.padding());
        return ByteBuffer.wrap(bytes).order(order);
    }

    /** The array's name; empty of one that has no numbers. */
    String name() {
        return name;
    }

    /** Whether the array is a matrix of numbers. What has no name is MATLAB's own. */
    boolean isMatrix() {
        return extents.length == 2 && extents[0] >= 0 && extents[1] >= 0 && !name.isEmpty();
    }

    boolean isSparse() {
        return kind == SPARSE;
    }

    boolean isComplex() {
        return complex;
    }

    /** Rows of a matrix. */
    int rows() {
        return extents[0];
    }

    /** Columns of a matrix. */
    int cols() {
        return extents[1];
    }

    /**
     * Goes to the next numbers of the array. Those of a dense one are the real parts, column by column, and then the imaginary ones. A sparse one has its row
     * numbers and the beginnings of its columns before them.
     *
     * @return how many there are
     */
    long numbers() throws IOException {
        array.skipNBytes(padding);
        Tag tag = tag(array);
        int size = tag.type() < SIZES.length ? SIZES[tag.type()] : 0;
        if (size == 0 || tag.bytes() % size != 0) {
            throw new IOException("the type " + tag.type() + " of some elements is not one of numbers");
        }
        numbers = new BinaryNumbers(array, KINDS.charAt(tag.type()), size, order);
        padding = tag.padding();
        return tag.bytes() / size;
    }

    /** Reads some of these numbers, and says which one is the first that is not finite, as {@link BinaryNumbers#read} does. */
    int read(double[] to, int count) throws IOException {
        int wrong = numbers.read(to, count);
        if (wrong == BinaryNumbers.END) {
            throw new EOFException();
        }
        return wrong;
    }

    /** Reads what is left of the array, so that a wrong sum of packed bytes is found. */
    void finish() throws IOException {
        array.transferTo(OutputStream.nullOutputStream());
    }

    /** So many bytes of a stream, which stays open. */
    private static final class Part extends InputStream {
        private final InputStream from;
        private long left;

        Part(InputStream from, long bytes) {
            this.from = from;
            this.left = bytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int at, int length) throws IOException {
            if (left == 0 && length > 0) {
                return -1;
            }
            int read = from.read(to, at, (int) Math.min(left, length));
            if (read < 0) {
                throw new EOFException();
            }
            left -= read;
            return read;
        }
    }
}
