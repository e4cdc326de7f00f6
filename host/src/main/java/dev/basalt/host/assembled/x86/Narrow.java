package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Isa.AVX512;

/**
 * Numbers narrower than single precision, loaded as floats and stored from them, with the results of {@link dev.basalt.spi.Conversion}: exact, and rounded to
 * the nearest, ties to even. Registers must be below 16. The instruction that rounds to bfloat16 is not used, since it takes subnormals for zeros.
 */
public final class Narrow {
    /** How much of a vector there is. */
    public enum Part {
        /** All of it. */
        WHOLE,
        /** The elements of AVX-512's mask. */
        MASKED,
        /** Element 0, for AVX2, which has no masks for narrow numbers; the others are zeros. */
        ONE
    }

    /** The mask register of {@link Vectors#mask}, and one for NaNs. */
    private static final int MASK = 1;

    private static final int UNORDERED = 2;
    private static final int NAN = 3;

    private final Emitter code;
    private final Vectors v;
    private final boolean avx512;
    private final int length;
    private final int constants;

    /**
     * For kernels of single precision.
     *
     * @param constants the first of the registers that keep constants: two to store BF16, three to load E4M3
     */
    public Narrow(Vectors v, int constants) {
        this.code = v.code;
        this.v = v;
        this.avx512 = v.isa == AVX512;
        this.length = avx512 ? 2 : 1;
        this.constants = constants;
    }

    /** Sets the constants with which a format is loaded; overwrites RAX. */
    public void prepareLoad(Format format) {
        if (format == Format.E4M3) {
            constant(constants, 0x007f007f);
            constant(constants + 1, 0x80008000);
            constant(constants + 2, Float.floatToRawIntBits(256));
        }
    }

    /** Sets the constants with which a format is stored; overwrites RAX. */
    public void prepareStore(Format format) {
        if (format == Format.BF16) {
            constant(constants, 0x7fff);
            constant(constants + 1, 0x40);
        }
    }

    private void constant(int to, int bits) {
        code.mov(RAX, bits);
        v.bits(to, RAX);
        v.broadcast(to, to);
    }

    /** Loads floats; overwrites two other registers where numbers have 8 bits. */
    public void load(Format format, int to, Mem m, Part part, int t, int u) {
        switch (format) {
            case F32 -> {
                switch (part) {
                    case WHOLE -> v.load(to, m);
                    case MASKED -> v.loadMasked(to, m, 0);
                    case ONE -> v.loadOne(to, m);
                }
            }
            case F16 -> {
                if (part == Part.WHOLE) {
                    fromHalf(0x13, to, m);
                } else {
                    fetch(to, m, part, 2);
                    wide(2, 0x13, to, 0, to);
                }
            }
            case BF16 -> {
                words(to, m, part);
                shift(6, 0x72, to, to, 16);
            }
            case E4M3 -> {
                bytes(to, m, part);
                half(0x71, 6, t, to, 8);
                half(0xdb, t, t, constants + 1);
                half(0xdb, to, to, constants);
                // All ones make a NaN of a number without infinities.
                half(0x75, u, to, constants);
                half(0x71, 6, to, to, 7);
                half(0xeb, to, to, t);
                half(0xeb, to, to, u);
                wide(2, 0x13, to, 0, to);
                // As a half its exponent is too small by 8.
                v.mul(to, to, constants + 2);
            }
            case E5M2 -> {
                bytes(to, m, part);
                half(0x71, 6, to, to, 8);
                wide(2, 0x13, to, 0, to);
            }
        }
    }

    /** Loads words, one a lane of 32 bits, with zeros above. */
    public void words(int to, Mem m, Part part) {
        if (part == Part.WHOLE) {
            fromHalf(0x33, to, m);
        } else {
            fetch(to, m, part, 2);
            wide(2, 0x33, to, 0, to);
        }
    }

    /** Loads bytes, one a lane of 32 bits, with zeros above or with their sign. */
    public void bytes(int to, Mem m, boolean masked, boolean signed) {
        int opcode = signed ? 0x21 : 0x31;
        if (masked) {
            fetch(to, m, Part.MASKED, 1);
            wide(2, opcode, to, 0, to);
        } else if (avx512) {
            code.evex(2, 1, 0, 2, opcode, to, 0, m, 16, 0, false);
        } else {
            code.vex(2, 1, 0, 1, opcode, to, 0, m);
        }
    }

    /** A vector of words, each of them a byte of memory with its sign. */
    public void extend(int to, Mem m) {
        fromHalf(0x20, to, m);
    }

    /** Loads bytes, one a word, into half a vector. */
    private void bytes(int to, Mem m, Part part) {
        if (part == Part.WHOLE) {
            code.vex(2, 1, 0, length - 1, 0x30, to, 0, m);
        } else {
            fetch(to, m, part, 1);
            code.vex(2, 1, 0, length - 1, 0x30, to, 0, to);
        }
    }

    /** Loads numbers of one or two bytes as they are, zeros where there are none. */
    private void fetch(int to, Mem m, Part part, int bytes) {
        if (part == Part.MASKED) {
            // vmovdqu8 or vmovdqu16 with zeroing
            code.evex(1, 3, bytes - 1, bytes - 1, 0x6f, to, 0, m, 16 * bytes, MASK, true);
        } else {
            code.vex(1, 1, 0, 0, 0xef, to, to, to);
            // vpinsrb or vpinsrw
            code.vex(bytes == 1 ? 3 : 1, 1, 0, 0, bytes == 1 ? 0x20 : 0xc4, to, to, m);
            code.immediate8(0);
        }
    }

    /** Stores floats; overwrites the register and two others. */
    public void store(Format format, Mem m, int from, Part part, int t, int u) {
        if (format == Format.F32) {
            switch (part) {
                case WHOLE -> v.store(m, from);
                case MASKED -> v.storeMasked(m, from, 0);
                case ONE -> v.storeOne(m, from);
            }
        } else if (format == Format.F16) {
            if (part == Part.ONE) {
                code.vex(3, 1, 0, length, 0x1d, from, 0, from);
                code.immediate8(0);
                extract(m, from);
            } else if (avx512) {
                code.evex(3, 1, 0, length, 0x1d, from, 0, m, 32, part == Part.MASKED ? MASK : 0, false);
                code.immediate8(0);
            } else {
                code.vex(3, 1, 0, length, 0x1d, from, 0, m);
                code.immediate8(0);
            }
        } else {
            storeUpper(m, from, part, t, u);
        }
    }

    /** Rounds bits to their upper half and stores that. */
    private void storeUpper(Mem m, int from, Part part, int t, int u) {
        shift(6, 0x72, t, from, 15);
        shift(2, 0x72, t, t, 31);
        shift(2, 0x72, u, from, 16);
        wide(1, 0xfe, t, t, from);
        wide(1, 0xfe, t, t, constants);
        shift(2, 0x72, t, t, 16);
        if (avx512) {
            code.evex(1, 0, 0, 2, 0xc2, UNORDERED, from, from);
            code.immediate8(NAN);
            code.evex(1, 1, 0, 2, 0xeb, t, u, constants + 1, UNORDERED);
            // vpmovdw
            code.evex(2, 2, 0, 2, 0x33, t, 0, m, 32, part == Part.MASKED ? MASK : 0, false);
            return;
        }
        code.vex(1, 0, 0, 1, 0xc2, from, from, from);
        code.immediate8(NAN);
        wide(1, 0xeb, u, u, constants + 1);
        // vblendvps
        code.vex(3, 1, 0, 1, 0x4a, t, t, u);
        code.immediate8(from << 4);
        // vpackusdw, and vpermq to close the gap between the lanes
        code.vex(2, 1, 0, 1, 0x2b, t, t, t);
        code.vex(3, 1, 1, 1, 0x00, t, 0, t);
        code.immediate8(0x08);
        if (part == Part.ONE) {
            extract(m, t);
        } else {
            code.vex(1, 0, 0, 0, 0x11, t, 0, m);
        }
    }

    /** Stores the lowest word: vpextrw. */
    private void extract(Mem m, int from) {
        code.vex(3, 1, 0, 0, 0x15, from, 0, m);
        code.immediate8(0);
    }

    private void shift(int which, int opcode, int to, int from, int bits) {
        wide(1, opcode, which, to, from);
        code.immediate8(bits);
    }

    private void wide(int map, int opcode, int to, int a, int b) {
        if (avx512) {
            code.evex(map, 1, 0, length, opcode, to, a, b);
        } else {
            code.vex(map, 1, 0, length, opcode, to, a, b);
        }
    }

    /** From half a vector of memory to a whole one. */
    private void fromHalf(int opcode, int to, Mem m) {
        if (avx512) {
            code.evex(2, 1, 0, length, opcode, to, 0, m, 32, 0, false);
        } else {
            code.vex(2, 1, 0, length, opcode, to, 0, m);
        }
    }

    /** On words in half a vector. */
    private void half(int opcode, int to, int a, int b) {
        code.vex(1, 1, 0, length - 1, opcode, to, a, b);
    }

    private void half(int opcode, int which, int to, int from, int bits) {
        half(opcode, which, to, from);
        code.immediate8(bits);
    }
}
