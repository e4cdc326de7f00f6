package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * C := alpha·A·op(B) + beta·C for every problem of a table, all tiles of C one after the other with nothing decided on the way:
 * rows (in vectors) and columns of C are known when the kernel is written. Operands are read where they are; B is read by
 * elements, so its transposition is a matter of steps.
 *
 * <p>Complex matrices are read as real ones with twice the rows: to a column of C comes a column of A times the real part of an element of
 * B, and i times that column, which is made on the way, times the imaginary part. With -i in place of i B counts as conjugated.
 *
 * <p>In the form for one problem there are neither table nor frame; the arguments are those of {@code DirectCode}.
 */
final class BatchProductCode {
    // Arguments, in the slots of the frame; steps are in bytes.

    static final int A = 0;
    static final int B = 1;
    static final int C = 2;
    static final int PROBLEMS = 3;
    static final int K = 4;
    static final int A_STEP = 5;
    /** From one k to the next, and from one column of op(B) to the next. */
    static final int B_STEP = 6;

    static final int B_COLUMN = 7;
    static final int C_COLUMN = 8;
    static final int MASK = 9;
    static final int ALPHA = 10;
    static final int BETA = 11;
    private static final int C_NEXT = 12;

    /** A vector of the frame: the signs that make i or -i times complex numbers of those whose parts have changed places. */
    static final int SIGNS = 1;

    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};
    /** Those of {@link #SAVED} that tiles up to 8 columns of one problem need. */
    private static final Gp[] NARROW = {R12, R13, R14, R15};
    /** The whole red zone: from the bottom the mask as a vector, from the top what does not stay in registers. */
    private static final int RED_ZONE = 128;

    /** Steps of the inner dimension in the loop's body: the end of a short loop is foreseen then. */
    private static final int UNROLL = 4;
    /** Four columns to each of B's three base registers. */
    private static final int COLUMNS = 12;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Isa isa;
    private final int bytes;
    private final int vectors;
    private final int columns;
    private final boolean masked;
    private final boolean scaled;
    private final boolean added;
    private final boolean one;
    private final boolean complex;

    private BatchProductCode(Shape shape, int bytes, int vectors, int columns, boolean masked, boolean scaled,
            boolean added, boolean one, boolean complex) {
        this.isa = shape.isa();
        this.v = new Vectors(code, isa, shape.precision(), bytes);
        this.bytes = bytes;
        this.vectors = vectors;
        this.columns = columns;
        this.masked = masked;
        this.scaled = scaled;
        this.added = added;
        this.one = one;
        this.complex = complex;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param bytes bytes of a vector: all, or with AVX-512 half of them
     * @param vectors vectors of a column of C
     * @param columns columns of C
     * @param masked whether the last vector is partial
     * @param scaled whether alpha is not 1
     * @param added whether beta is not 0
     * @param one whether it is for one problem, whose elements are real
     * @param complex whether elements are complex; alpha and beta are real
     * @return code
     */
    static byte[] write(Shape shape, int bytes, int vectors, int columns, boolean masked, boolean scaled, boolean added,
            boolean one, boolean complex) {
        BatchProductCode product =
                new BatchProductCode(shape, bytes, vectors, columns, masked, scaled, added, one, complex);
        product.write();
        return product.code.code();
    }

    private Mem slot(int index) {
        if (!one) {
            return Mem.at(RDI, 8 * index);
        }
        return CallingConvention.spill(switch (index) {
            case K -> 0;
            case C_COLUMN -> 1;
            case ALPHA -> 2;
            case BETA -> 3;
            default -> 4;
        });
    }

    private Mem maskVector() {
        return one ? Mem.at(RSP, -RED_ZONE) : Mem.at(RDI, BatchFrame.vector(0));
    }

    /** Loads the address of an operand; its place is in R13 to R15. */
    private void operand(Gp to, Gp place) {
        if (one) {
            code.mov(to, place);
        } else {
            code.load(to, Mem.at(place, 0));
        }
    }

    /** Sums that fit beside a column of A, an element of B and a mask. */
    private int sums() {
        return isa == Isa.AVX512 && bytes == isa.bytes ? 24 : complex ? 10 : 12;
    }

    /** Vectors of a column of a tile at most. */
    private int tallest() {
        return complex ? 2 : isa == Isa.AVX512 ? 4 : 3;
    }

    private void write() {
        int panels = (vectors + tallest() - 1) / tallest();
        int tall = (vectors + panels - 1) / panels;
        int most = Math.min(COLUMNS, sums() / tall);
        int strips = (columns + most - 1) / most;
        Gp[] saved = one && (columns + strips - 1) / strips <= 8 ? NARROW : SAVED;
        if (one) {
            begin(saved);
        } else {
            save(saved);
            code.load(R13, slot(A));
            code.load(R14, slot(B));
            code.load(R15, slot(C));
            code.load(RBX, slot(PROBLEMS));
            code.load(R8, slot(A_STEP));
            code.load(R9, slot(B_STEP));
            code.load(R10, slot(B_COLUMN));
            code.load(RAX, slot(MASK));
        }
        code.lea(R11, Mem.at(R10, R10, 2, 0));
        if (masked) {
            v.mask(RAX, 0);
            if (isa == Isa.AVX2) {
                v.store(maskVector(), 0);
            }
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        operand(RAX, R14);
        for (int strip = 0, done = 0; strip < strips; strip++) {
            int wide = (columns - done + strips - strip - 1) / (strips - strip);
            for (int first = 0; first < vectors; first += tall) {
                tile(first, Math.min(tall, vectors - first), wide, strip == 0);
            }
            done += wide;
            if (strip < strips - 1) {
                for (int left = wide; left > 0; left -= Integer.highestOneBit(Math.min(left, 8))) {
                    code.lea(RAX, Mem.at(RAX, R10, Integer.highestOneBit(Math.min(left, 8)), 0));
                }
            }
        }
        if (!one) {
            code.add(R13, Long.BYTES);
            code.add(R14, Long.BYTES);
            code.add(R15, Long.BYTES);
            code.dec(RBX);
            code.jump(NOT_ZERO, top);
        }
        for (int i = saved.length - 1; i >= 0; i--) {
            code.pop(saved[i]);
        }
        code.finish();
    }

    private void save(Gp[] registers) {
        for (Gp register : registers) {
            code.push(register);
        }
    }

    /** Brings the arguments of one problem to where those of a batch would be; the mask goes to RAX. */
    private void begin(Gp[] saved) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        code.load(R10, abi.stacked(6));
        code.load(R11, abi.stacked(7));
        code.load(RAX, abi.stacked(8));
        save(saved);
        code.mov(R15, R10);
        code.store(slot(C_COLUMN), R11);
        code.store(slot(K), abi.integer(0));
        code.mov(R13, abi.integer(1));
        code.mov(R14, abi.integer(3));
        code.mov(R10, abi.integer(5));
        code.mov(R9, abi.integer(4));
        code.mov(R8, abi.integer(2));
        if (scaled) {
            v.narrow(0);
            v.storeOne(slot(ALPHA), 0);
        }
        if (added) {
            v.narrow(1);
            v.storeOne(slot(BETA), 1);
        }
    }

    /** RAX: the first column of op(B). */
    private void tile(int first, int tall, int wide, boolean firstStrip) {
        boolean partial = masked && first + tall == vectors;
        operand(RSI, R13);
        if (first > 0) {
            code.add(RSI, first * bytes);
        }
        code.mov(RDX, RAX);
        if (wide > 4) {
            code.lea(R12, Mem.at(RDX, R10, 4, 0));
        }
        if (wide > 8) {
            code.lea(RBP, Mem.at(RDX, R10, 8, 0));
        }
        for (int i = 0; i < tall * wide; i++) {
            v.zero(i);
        }
        code.load(RCX, slot(K));
        Label rest = new Label();
        Label done = new Label();
        code.shr(RCX, 2);
        code.jump(ZERO, rest);
        loop(UNROLL, tall, wide, partial);
        code.bind(rest);
        code.load(RCX, slot(K));
        code.and(RCX, UNROLL - 1);
        code.jump(ZERO, done);
        loop(1, tall, wide, partial);
        code.bind(done);
        update(first, tall, wide, firstStrip, partial);
    }

    private void loop(int steps, int tall, int wide, boolean partial) {
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int s = 0; s < steps; s++) {
            step(tall, wide, partial);
        }
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
    }

    private void step(int tall, int wide, boolean partial) {
        int a = tall * wide;
        int turned = a + tall;
        int b = complex ? turned + tall : turned;
        for (int i = 0; i < tall; i++) {
            load(a + i, Mem.at(RSI, i * bytes), partial && i == tall - 1, b);
            if (complex) {
                v.swapPairs(turned + i, a + i);
                v.xor(turned + i, turned + i, Mem.at(RDI, BatchFrame.vector(SIGNS)));
            }
        }
        outer(tall, wide, a, b, 0);
        if (complex) {
            outer(tall, wide, turned, b, v.precision.bytes);
        }
        code.add(RSI, R8);
        code.add(RDX, R9);
        if (wide > 4) {
            code.add(R12, R9);
        }
        if (wide > 8) {
            code.add(RBP, R9);
        }
    }

    /** Takes a column of A times some elements of B, {@code offset} bytes from where they begin, to the sums. */
    private void outer(int tall, int wide, int a, int b, int offset) {
        for (int j = 0; j < wide; j++) {
            Gp base = j < 4 ? RDX : j < 8 ? R12 : RBP;
            Mem m = switch (j & 3) {
                case 0 -> Mem.at(base, offset);
                case 3 -> Mem.at(base, R11, 1, offset);
                default -> Mem.at(base, R10, j & 3, offset);
            };
            int element = isa == Isa.AVX512 && bytes == isa.bytes ? b + j % 3 : b;
            v.broadcast(element, m);
            for (int i = 0; i < tall; i++) {
                v.fma(j * tall + i, a + i, element);
            }
        }
    }

    private void update(int first, int tall, int wide, boolean firstStrip, boolean partial) {
        int constant = tall * wide;
        int mask = constant + 2;
        if (firstStrip) {
            operand(RSI, R15);
        } else {
            code.load(RSI, slot(C_NEXT));
        }
        if (first > 0) {
            code.add(RSI, first * bytes);
        }
        code.load(RDX, slot(C_COLUMN));
        if (scaled) {
            v.broadcast(constant, slot(ALPHA));
            for (int i = 0; i < tall * wide; i++) {
                v.mul(i, i, constant);
            }
        }
        if (added) {
            v.broadcast(constant, slot(BETA));
        }
        if (partial && isa == Isa.AVX2) {
            v.load(mask, maskVector());
        }
        if (added && partial) {
            // A load waits for a masked store that was given shortly before, if only their whole vectors overlap: so all of C is read before any of it is written.
            code.mov(RCX, RSI);
            columns(tall, wide, true, true, false);
            code.mov(RSI, RCX);
            columns(tall, wide, true, false, true);
        } else {
            columns(tall, wide, partial, added, true);
        }
        if (first + tall == vectors) {
            if (first > 0) {
                code.add(RSI, -first * bytes);
            }
            code.store(slot(C_NEXT), RSI);
        }
    }

    /** Adds beta times C to the sums, or stores them, from RSI on. */
    private void columns(int tall, int wide, boolean partial, boolean add, boolean store) {
        int constant = tall * wide;
        int old = constant + 1;
        int mask = constant + 2;
        for (int j = 0; j < wide; j++) {
            for (int i = 0; i < tall; i++) {
                Mem m = Mem.at(RSI, i * bytes);
                int sum = j * tall + i;
                boolean part = partial && i == tall - 1;
                if (add && part) {
                    v.loadMasked(old, m, mask);
                    v.fma(sum, constant, old);
                } else if (add) {
                    v.fma(sum, constant, m);
                }
                if (store && part) {
                    v.storeMasked(m, sum, mask);
                } else if (store) {
                    v.store(m, sum);
                }
            }
            code.add(RSI, RDX);
        }
    }

    private void load(int to, Mem m, boolean partial, int mask) {
        if (partial && isa == Isa.AVX2) {
            // All other registers are in use, so the mask comes again and again where an element of B then goes.
            v.load(mask, maskVector());
            v.loadMasked(to, m, mask);
        } else if (partial) {
            v.loadMasked(to, m, mask);
        } else {
            v.load(to, m);
        }
    }
}
