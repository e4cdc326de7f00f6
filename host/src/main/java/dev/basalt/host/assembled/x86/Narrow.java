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
    /** Numbers are rounded to the nearest, whatever the processor's state says. */
    private static final int NEAREST = 0;

    private final Emitter code;
    private final Vectors v;
    private final boolean avx512;
    private final int bytes;
    private final int half;
    private final int constants;

    /**
     * For kernels of single precision.
     *
     * @param constants the first of the registers that keep constants: three to store BF16, or to load E4M3
     */
    public Narrow(Vectors v, int constants) {
        this.code = v.code;
        this.v = v;
        this.avx512 = v.isa == AVX512;
        this.bytes = v.isa.bytes;
        this.half = v.isa.bytes / 2;
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
            constant(constants + 2, 1);
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
            case F16 -> extended(X86Op.CVTPH2PS, to, m, part, 2);
            case BF16 -> {
                words(to, m, part);
                v.shift(X86Op.PSLLD, to, to, 16);
            }
            case E4M3 -> {
                byteWords(to, m, part);
                shiftHalf(t, to, 8);
                v.low(X86Op.ANDP, half, t, t, constants + 1);
                v.low(X86Op.ANDP, half, to, to, constants);
                // All ones make a NaN of a number without infinities.
                v.low(X86Op.PCMPEQW, half, u, to, constants);
                shiftHalf(to, to, 7);
                v.low(X86Op.ORP, half, to, to, t);
                v.low(X86Op.ORP, half, to, to, u);
                v.op(X86Op.CVTPH2PS, to, 0, to);
                // As a half its exponent is too small by 8.
                v.mul(to, to, constants + 2);
            }
            case E5M2 -> {
                byteWords(to, m, part);
                shiftHalf(to, to, 8);
                v.op(X86Op.CVTPH2PS, to, 0, to);
            }
        }
    }

    /** Loads words, one a lane of 32 bits, with zeros above. */
    public void words(int to, Mem m, Part part) {
        extended(X86Op.PMOVZXWD, to, m, part, 2);
    }

    /** Loads bytes, one a lane of 32 bits, with zeros above or with their sign. */
    public void bytes(int to, Mem m, Part part, boolean signed) {
        extended(signed ? X86Op.PMOVSXBD : X86Op.PMOVZXBD, to, m, part, 1);
    }

    /** A vector of words, each of them a byte of memory with its sign. */
    public void extend(int to, Mem m) {
        v.op(X86Op.PMOVSXBW, to, 0, m);
    }

    /** A whole vector of longer numbers. */
    private void extended(X86Op op, int to, Mem m, Part part, int size) {
        if (part == Part.WHOLE) {
            v.op(op, to, 0, m);
        } else {
            fetch(to, m, part, size);
            v.op(op, to, 0, to);
        }
    }

    /** Loads bytes, one a word, into half a vector. */
    private void byteWords(int to, Mem m, Part part) {
        if (part == Part.WHOLE) {
            v.low(X86Op.PMOVZXBW, half, to, 0, m);
        } else {
            fetch(to, m, part, 1);
            v.low(X86Op.PMOVZXBW, half, to, 0, to);
        }
    }

    /** Loads numbers of one or two bytes as they are, zeros where there are none. */
    private void fetch(int to, Mem m, Part part, int size) {
        if (part == Part.MASKED) {
            X86Op load = size == 1 ? X86Op.MOVDQU8_LOAD : X86Op.MOVDQU16_LOAD;
            code.evex(load, Real.F32, bytes / 4 * size, to, 0, m, MASK, true);
        } else {
            v.low(X86Op.XORP, 16, to, to, to);
            v.low(size == 1 ? X86Op.PINSRB : X86Op.PINSRW, 16, to, to, m);
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
                v.op(X86Op.CVTPS2PH, from, 0, from);
                code.immediate8(NEAREST);
                extract(m, from);
            } else if (part == Part.MASKED) {
                code.evex(X86Op.CVTPS2PH, Real.F32, bytes, from, 0, m, MASK, false);
                code.immediate8(NEAREST);
            } else {
                v.op(X86Op.CVTPS2PH, from, 0, m);
                code.immediate8(NEAREST);
            }
        } else {
            storeUpper(m, from, part, t, u);
        }
    }

    /** Rounds bits to their upper half and stores that. */
    private void storeUpper(Mem m, int from, Part part, int t, int u) {
        v.shift(X86Op.PSRLD, u, from, 16);
        v.and(t, u, constants + 2);
        v.op(X86Op.PADDD, t, t, from);
        v.op(X86Op.PADDD, t, t, constants);
        v.shift(X86Op.PSRLD, t, t, 16);
        v.compare(avx512 ? UNORDERED : from, from, from, Vectors.Relation.UNORDERED);
        if (avx512) {
            code.evex(X86Op.ORP, Real.F32, bytes, t, u, constants + 1, UNORDERED);
            code.evex(X86Op.PMOVDW, Real.F32, bytes, t, 0, m, part == Part.MASKED ? MASK : 0, false);
            return;
        }
        v.or(u, u, constants + 1);
        v.op(X86Op.BLENDVP, t, t, u);
        code.immediate8(from << 4);
        // Packed by lanes; the gap between them is closed.
        v.op(X86Op.PACKUSDW, t, t, t);
        v.op(X86Op.PERMQ, t, 0, t);
        code.immediate8(0x08);
        if (part == Part.ONE) {
            extract(m, t);
        } else {
            v.low(X86Op.MOVUP_STORE, half, t, 0, m);
        }
    }

    /** Stores the lowest word. */
    private void extract(Mem m, int from) {
        v.low(X86Op.PEXTRW_STORE, 16, from, 0, m);
        code.immediate8(0);
    }

    /** Shifts the words of half a vector. */
    private void shiftHalf(int to, int from, int bits) {
        v.low(X86Op.PSLLW, half, X86Op.PSLLW.digit(), to, from);
        code.immediate8(bits);
    }
}
