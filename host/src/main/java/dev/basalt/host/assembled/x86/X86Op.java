package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.X86Op.BitW.ONE;
import static dev.basalt.host.assembled.x86.X86Op.BitW.ONE_EVEX;
import static dev.basalt.host.assembled.x86.X86Op.BitW.REAL;
import static dev.basalt.host.assembled.x86.X86Op.BitW.REAL_EVEX;
import static dev.basalt.host.assembled.x86.X86Op.BitW.ZERO;
import static dev.basalt.host.assembled.x86.X86Op.Memory.BYTE;
import static dev.basalt.host.assembled.x86.X86Op.Memory.ELEMENT;
import static dev.basalt.host.assembled.x86.X86Op.Memory.FOURTH;
import static dev.basalt.host.assembled.x86.X86Op.Memory.FULL;
import static dev.basalt.host.assembled.x86.X86Op.Memory.HALF;
import static dev.basalt.host.assembled.x86.X86Op.Memory.NEVER;
import static dev.basalt.host.assembled.x86.X86Op.Memory.QUARTER;
import static dev.basalt.host.assembled.x86.X86Op.Memory.WORD;
import static dev.basalt.host.assembled.x86.X86Op.OpcodeMap.M0F;
import static dev.basalt.host.assembled.x86.X86Op.OpcodeMap.M0F38;
import static dev.basalt.host.assembled.x86.X86Op.OpcodeMap.M0F3A;
import static dev.basalt.host.assembled.x86.X86Op.Prefix.HORIZONTAL;
import static dev.basalt.host.assembled.x86.X86Op.Prefix.NONE;
import static dev.basalt.host.assembled.x86.X86Op.Prefix.P66;
import static dev.basalt.host.assembled.x86.X86Op.Prefix.PACKED;
import static dev.basalt.host.assembled.x86.X86Op.Prefix.PF2;
import static dev.basalt.host.assembled.x86.X86Op.Prefix.PF3;
import static dev.basalt.host.assembled.x86.X86Op.Prefix.SCALAR;
import static dev.basalt.host.assembled.x86.X86Op.Widths.ANY;
import static dev.basalt.host.assembled.x86.X86Op.Widths.EVEX;
import static dev.basalt.host.assembled.x86.X86Op.Widths.EVEX512;
import static dev.basalt.host.assembled.x86.X86Op.Widths.EVEX_FROM256;
import static dev.basalt.host.assembled.x86.X86Op.Widths.FROM256;
import static dev.basalt.host.assembled.x86.X86Op.Widths.VEX;
import static dev.basalt.host.assembled.x86.X86Op.Widths.VEX128;
import static dev.basalt.host.assembled.x86.X86Op.Widths.VEX256;

/**
 * The instructions with VEX or EVEX prefixes, one a row (Intel SDM volume 2). A row has the assembler's name, the opcode map, the prefix, bit W, the
 * opcode, the operands, the widths that there are, and how much lies in memory where an operand does. {@link Emitter} encodes rows, {@code X86OpTest}
 * compares every row with the GNU assembler, and nothing else names an opcode.
 *
 * <p>In a name, {@code *} stands for {@code s} or {@code d}, {@code ?} for {@code d} or {@code q}, by the precision; two names are those of float and
 * double. Operands stand in the assembler's order. First where each is encoded: {@code R} in ModRM.reg, {@code V} in vvvv, {@code M} in ModRM.rm,
 * {@code S} in the immediate's upper half. Then what it is: {@code v} a vector, {@code h} one of half the width, {@code x} one of 128 bits, {@code m}
 * memory alone, {@code k} a mask, {@code r} and {@code q} an integer register of 32 and 64 bits, {@code f} a vector of a fourth of the width.
 * {@code i} is an immediate; {@code /} and a digit stand for the part of the opcode that some rows have in ModRM.reg.
 */
public enum X86Op {
    // Moves.
    MOVUP_LOAD("vmovup*", M0F, PACKED, REAL_EVEX, 0x10, "Rv Mm", ANY, FULL),
    MOVUP_STORE("vmovup*", M0F, PACKED, REAL_EVEX, 0x11, "Mm Rv", ANY, FULL),
    MOVNTP("vmovntp*", M0F, PACKED, REAL_EVEX, 0x2b, "Mm Rv", ANY, FULL),
    /** The upper 64 bits of 128. */
    MOVHP_LOAD("vmovhp*", M0F, PACKED, ZERO, 0x16, "Rx Vx Mm", VEX128, HALF),
    MASKMOVP_LOAD("vmaskmovp*", M0F38, P66, ZERO, 0x2c, 0x2d, "Rv Vv Mm", VEX, FULL),
    MASKMOVP_STORE("vmaskmovp*", M0F38, P66, ZERO, 0x2e, 0x2f, "Mm Vv Rv", VEX, FULL),
    MOVS_LOAD("vmovs*", M0F, SCALAR, ZERO, 0x10, "Rx Mm", VEX128, ELEMENT),
    MOVS_STORE("vmovs*", M0F, SCALAR, ZERO, 0x11, "Mm Rx", VEX128, ELEMENT),
    MOVQ_FROM_GP("vmovq", M0F, P66, ONE, 0x6e, "Rx Mq", VEX128, NEVER),
    MOVQ_TO_GP("vmovq", M0F, P66, ONE, 0x7e, "Mq Rx", VEX128, NEVER),
    BROADCASTS("vbroadcasts*", M0F38, P66, REAL_EVEX, 0x18, 0x19, "Rv Mx", FROM256, ELEMENT),
    CVTS("vcvtss2sd/vcvtsd2ss", M0F, SCALAR, ZERO, 0x5a, "Rx Vx Mx", VEX128, ELEMENT),

    // Arithmetic on packed numbers.
    SQRTP("vsqrtp*", M0F, PACKED, REAL_EVEX, 0x51, "Rv Mv", ANY, FULL),
    ANDP("vandp*", M0F, PACKED, REAL_EVEX, 0x54, "Rv Vv Mv", ANY, FULL),
    ANDNP("vandnp*", M0F, PACKED, REAL_EVEX, 0x55, "Rv Vv Mv", ANY, FULL),
    ORP("vorp*", M0F, PACKED, REAL_EVEX, 0x56, "Rv Vv Mv", ANY, FULL),
    XORP("vxorp*", M0F, PACKED, REAL_EVEX, 0x57, "Rv Vv Mv", ANY, FULL),
    ADDP("vaddp*", M0F, PACKED, REAL_EVEX, 0x58, "Rv Vv Mv", ANY, FULL),
    MULP("vmulp*", M0F, PACKED, REAL_EVEX, 0x59, "Rv Vv Mv", ANY, FULL),
    SUBP("vsubp*", M0F, PACKED, REAL_EVEX, 0x5c, "Rv Vv Mv", ANY, FULL),
    MINP("vminp*", M0F, PACKED, REAL_EVEX, 0x5d, "Rv Vv Mv", ANY, FULL),
    DIVP("vdivp*", M0F, PACKED, REAL_EVEX, 0x5e, "Rv Vv Mv", ANY, FULL),
    MAXP("vmaxp*", M0F, PACKED, REAL_EVEX, 0x5f, "Rv Vv Mv", ANY, FULL),
    HADDP("vhaddp*", M0F, HORIZONTAL, ZERO, 0x7c, "Rv Vv Mv", VEX, FULL),
    HSUBP("vhsubp*", M0F, HORIZONTAL, ZERO, 0x7d, "Rv Vv Mv", VEX, FULL),
    FMADDSUB213P("vfmaddsub213p*", M0F38, P66, REAL, 0xa6, "Rv Vv Mv", ANY, FULL),
    FMADD231P("vfmadd231p*", M0F38, P66, REAL, 0xb8, "Rv Vv Mv", ANY, FULL),
    FMSUB231P("vfmsub231p*", M0F38, P66, REAL, 0xba, "Rv Vv Mv", ANY, FULL),
    FNMADD231P("vfnmadd231p*", M0F38, P66, REAL, 0xbc, "Rv Vv Mv", ANY, FULL),

    // Arithmetic on one number.
    SQRTS("vsqrts*", M0F, SCALAR, ZERO, 0x51, "Rx Vx Mx", VEX128, ELEMENT),
    ADDS("vadds*", M0F, SCALAR, ZERO, 0x58, "Rx Vx Mx", VEX128, ELEMENT),
    MULS("vmuls*", M0F, SCALAR, ZERO, 0x59, "Rx Vx Mx", VEX128, ELEMENT),
    SUBS("vsubs*", M0F, SCALAR, ZERO, 0x5c, "Rx Vx Mx", VEX128, ELEMENT),
    DIVS("vdivs*", M0F, SCALAR, ZERO, 0x5e, "Rx Vx Mx", VEX128, ELEMENT),
    UCOMIS("vucomis*", M0F, PACKED, ZERO, 0x2e, "Rx Mx", VEX128, ELEMENT),
    FMADD231S("vfmadd231s*", M0F38, P66, REAL, 0xb9, "Rx Vx Mx", VEX128, ELEMENT),
    FNMADD231S("vfnmadd231s*", M0F38, P66, REAL, 0xbd, "Rx Vx Mx", VEX128, ELEMENT),

    // Arithmetic on whole numbers.
    PADDD("vpaddd", M0F, P66, ZERO, 0xfe, "Rv Vv Mv", ANY, FULL),
    PADDQ("vpaddq", M0F, P66, ONE_EVEX, 0xd4, "Rv Vv Mv", ANY, FULL),
    PMINSD("vpminsd", M0F38, P66, ZERO, 0x39, "Rv Vv Mv", ANY, FULL),
    PMINSQ("vpminsq", M0F38, P66, ONE, 0x39, "Rv Vv Mv", EVEX, FULL),
    PMAXSD("vpmaxsd", M0F38, P66, ZERO, 0x3d, "Rv Vv Mv", ANY, FULL),
    PMAXSQ("vpmaxsq", M0F38, P66, ONE, 0x3d, "Rv Vv Mv", EVEX, FULL),

    // Comparisons, whose result is a vector or a mask, and choices.
    CMPP("vcmpp*", M0F, PACKED, ZERO, 0xc2, "Rv Vv Mv i", VEX, FULL),
    CMPP_MASK("vcmpp*", M0F, PACKED, REAL, 0xc2, "Rk Vv Mv i", EVEX, FULL),
    PCMPEQD("vpcmpeqd", M0F, P66, ZERO, 0x76, "Rv Vv Mv", VEX, FULL),
    PCMPEQD_MASK("vpcmpeqd", M0F, P66, ZERO, 0x76, "Rk Vv Mv", EVEX, FULL),
    PCMPEQQ("vpcmpeqq", M0F38, P66, ZERO, 0x29, "Rv Vv Mv", VEX, FULL),
    PCMPEQQ_MASK("vpcmpeqq", M0F38, P66, ONE, 0x29, "Rk Vv Mv", EVEX, FULL),
    PCMPGTQ("vpcmpgtq", M0F38, P66, ZERO, 0x37, "Rv Vv Mv", VEX, FULL),
    BLENDP("vblendp*", M0F3A, P66, ZERO, 0x0c, 0x0d, "Rv Vv Mv i", VEX, FULL),
    BLENDVP("vblendvp*", M0F3A, P66, ZERO, 0x4a, 0x4b, "Rv Vv Mv Sv", VEX, FULL),
    PBLENDM("vpblendm?", M0F38, P66, REAL, 0x64, "Rv Vv Mv", EVEX, FULL),

    // Bits of elements.
    MOVMSKP("vmovmskp*", M0F, PACKED, ZERO, 0x50, "Rr Mv", VEX, NEVER),
    PMOV2M("vpmov?2m", M0F38, PF3, REAL, 0x39, "Rk Mv", EVEX, NEVER),
    KMOV_FROM_GP("kmovw/kmovb", M0F, PACKED, ZERO, 0x92, "Rk Mr", VEX128, NEVER),
    KMOV_TO_GP("kmovw/kmovb", M0F, PACKED, ZERO, 0x93, "Rr Mk", VEX128, NEVER),
    KORW("korw", M0F, NONE, ZERO, 0x45, "Rk Vk Mk", VEX256, NEVER),
    KORTESTW("kortestw", M0F, NONE, ZERO, 0x98, "Rk Mk", VEX128, NEVER),
    BZHI("bzhi", M0F38, NONE, ONE, 0xf5, "Rq Mq Vq", VEX128, NEVER),

    // Numbers of 16 and 8 bits.
    CVTPH2PS("vcvtph2ps", M0F38, P66, ZERO, 0x13, "Rv Mh", ANY, HALF),
    CVTPS2PH("vcvtps2ph", M0F3A, P66, ZERO, 0x1d, "Mh Rv i", ANY, HALF),
    CVTTPD2DQ("vcvttpd2dq", M0F, P66, ZERO, 0xe6, "Rx Mx", VEX128, FULL),
    PMOVSXBW("vpmovsxbw", M0F38, P66, ZERO, 0x20, "Rv Mh", ANY, HALF),
    PMOVSXBD("vpmovsxbd", M0F38, P66, ZERO, 0x21, "Rv Mf", ANY, FOURTH),
    PMOVZXBW("vpmovzxbw", M0F38, P66, ZERO, 0x30, "Rv Mh", ANY, HALF),
    PMOVZXBD("vpmovzxbd", M0F38, P66, ZERO, 0x31, "Rv Mf", ANY, FOURTH),
    PMOVZXWD("vpmovzxwd", M0F38, P66, ZERO, 0x33, "Rv Mh", ANY, HALF),
    PMOVDW("vpmovdw", M0F38, PF3, ZERO, 0x33, "Mh Rv", EVEX, HALF),
    PACKUSDW("vpackusdw", M0F38, P66, ZERO, 0x2b, "Rv Vv Mv", VEX, FULL),
    MOVDQU8_LOAD("vmovdqu8", M0F, PF2, ZERO, 0x6f, "Rv Mm", EVEX, FULL),
    MOVDQU16_LOAD("vmovdqu16", M0F, PF2, ONE, 0x6f, "Rv Mm", EVEX, FULL),
    PINSRB("vpinsrb", M0F3A, P66, ZERO, 0x20, "Rx Vx Mr i", VEX128, BYTE),
    PINSRW("vpinsrw", M0F, P66, ZERO, 0xc4, "Rx Vx Mr i", VEX128, WORD),
    PEXTRW_STORE("vpextrw", M0F3A, P66, ZERO, 0x15, "Mm Rx i", VEX128, WORD),
    PCMPEQW("vpcmpeqw", M0F, P66, ZERO, 0x75, "Rv Vv Mv", VEX, FULL),
    PSLLW("vpsllw", M0F, P66, ZERO, 0x71, "/6 Vv Mv i", ANY, NEVER),
    PSLLD("vpslld", M0F, P66, ZERO, 0x72, "/6 Vv Mv i", ANY, NEVER),
    PSRLD("vpsrld", M0F, P66, ZERO, 0x72, "/2 Vv Mv i", ANY, NEVER),
    PSUBD("vpsubd", M0F, P66, ZERO, 0xfa, "Rv Vv Mv", ANY, FULL),
    PMULLD("vpmulld", M0F38, P66, ZERO, 0x40, "Rv Vv Mv", ANY, FULL),
    PMADDWD("vpmaddwd", M0F, P66, ZERO, 0xf5, "Rv Vv Mv", ANY, FULL),
    PDPBUSD("vpdpbusd", M0F38, P66, ZERO, 0x50, "Rv Vv Mv", ANY, FULL),
    DPBF16PS("vdpbf16ps", M0F38, PF3, ZERO, 0x52, "Rv Vv Mv", EVEX, FULL),

    // Elements change places.
    PERMQ("vpermq", M0F3A, P66, ONE, 0x00, "Rv Mv i", FROM256, FULL),
    UNPCKLP("vunpcklp*", M0F, PACKED, REAL_EVEX, 0x14, "Rv Vv Mv", ANY, FULL),
    UNPCKHP("vunpckhp*", M0F, PACKED, REAL_EVEX, 0x15, "Rv Vv Mv", ANY, FULL),
    MOVSHDUP("vmovshdup", M0F, PF3, ZERO, 0x16, "Rv Mv", ANY, FULL),
    PERMILP("vpermilp*", M0F3A, P66, REAL_EVEX, 0x04, 0x05, "Rv Mv i", ANY, FULL),
    PERMPS("vpermps", M0F38, P66, ZERO, 0x16, "Rv Vv Mv", FROM256, FULL),
    PERMPD("vpermpd", M0F38, P66, ONE, 0x16, "Rv Vv Mv", EVEX_FROM256, FULL),
    PERMT2P("vpermt2p*", M0F38, P66, REAL_EVEX, 0x7f, "Rv Vv Mv", EVEX, FULL),
    PERMPD_FIXED("vpermpd", M0F3A, P66, ONE, 0x01, "Rv Mv i", FROM256, FULL),
    PERM2F128("vperm2f128", M0F3A, P66, ZERO, 0x06, "Rv Vv Mv i", VEX256, FULL),
    SHUFF64X2("vshuff64x2", M0F3A, P66, ONE, 0x23, "Rv Vv Mv i", EVEX_FROM256, FULL),
    INSERTPS("vinsertps", M0F3A, P66, ZERO, 0x21, "Rx Vx Mx i", VEX128, FOURTH),
    INSERTF128("vinsertf128", M0F3A, P66, ZERO, 0x18, "Rv Vv Mx i", VEX256, QUARTER),
    EXTRACTF128("vextractf128", M0F3A, P66, ZERO, 0x19, "Mx Rv i", VEX256, NEVER),
    EXTRACTF64X4("vextractf64x4", M0F3A, P66, ONE, 0x1b, "Mh Rv i", EVEX512, NEVER);

    /** The maps that opcodes are numbers of, by the bytes that select them before opcodes without VEX. */
    enum OpcodeMap {
        M0F(1), M0F38(2), M0F3A(3);

        private final int code;

        OpcodeMap(int code) {
            this.code = code;
        }
    }

    /** The prefix, which may depend on the precision. */
    enum Prefix {
        NONE(0, 0),
        P66(1, 1),
        PF3(2, 2),
        PF2(3, 3),
        /** None for float, 66 for double. */
        PACKED(0, 1),
        /** F3 for float, F2 for double. */
        SCALAR(2, 3),
        /** F2 for float, 66 for double. */
        HORIZONTAL(3, 1);

        private final int f32;
        private final int f64;

        Prefix(int f32, int f64) {
            this.f32 = f32;
            this.f64 = f64;
        }
    }

    /** Bit W. Where VEX ignores it, 0 is written, as that allows the shorter prefix. */
    enum BitW {
        ZERO(0, 0, 0, 0),
        ONE(1, 1, 1, 1),
        /** 1 with EVEX. */
        ONE_EVEX(0, 0, 1, 1),
        /** 1 for double. */
        REAL(0, 1, 0, 1),
        /** 1 for double with EVEX. */
        REAL_EVEX(0, 0, 0, 1);

        private final int vex32;
        private final int vex64;
        private final int evex32;
        private final int evex64;

        BitW(int vex32, int vex64, int evex32, int evex64) {
            this.vex32 = vex32;
            this.vex64 = vex64;
            this.evex32 = evex32;
            this.evex64 = evex64;
        }
    }

    /** Bytes of vectors: sums of 16, 32 and 64. What knows no vectors is said to have 16 bytes, or 32 if its bit L is 1. */
    enum Widths {
        ANY(16 | 32, 16 | 32 | 64),
        FROM256(32, 32 | 64),
        VEX(16 | 32, 0),
        VEX128(16, 0),
        VEX256(32, 0),
        EVEX(0, 16 | 32 | 64),
        EVEX_FROM256(0, 32 | 64),
        EVEX512(0, 64);

        private final int vex;
        private final int evex;

        Widths(int vex, int evex) {
            this.vex = vex;
            this.evex = evex;
        }
    }

    /** How many bytes the operand in memory has; short displacements of EVEX count in these. */
    enum Memory {
        /** The operand is never in memory. */
        NEVER,
        /** A vector. */
        FULL,
        /** Half a vector. */
        HALF,
        /** A fourth of a vector. */
        FOURTH,
        /** 128 bits. */
        QUARTER,
        /** 16 bits. */
        WORD,
        /** 8 bits. */
        BYTE,
        /** A number. */
        ELEMENT
    }

    private final String name;
    private final OpcodeMap map;
    private final Prefix prefix;
    private final BitW w;
    private final int opcode;
    private final int opcode64;
    private final String operands;
    private final Widths widths;
    private final Memory memory;

    X86Op(String name, OpcodeMap map, Prefix prefix, BitW w, int opcode, String operands, Widths widths,
            Memory memory) {
        this(name, map, prefix, w, opcode, opcode, operands, widths, memory);
    }

    /** A row whose opcodes for float and double differ. */
    X86Op(String name, OpcodeMap map, Prefix prefix, BitW w, int opcode, int opcode64, String operands, Widths widths,
            Memory memory) {
        this.name = name;
        this.map = map;
        this.prefix = prefix;
        this.w = w;
        this.opcode = opcode;
        this.opcode64 = opcode64;
        this.operands = operands;
        this.widths = widths;
        this.memory = memory;
    }

    /** The assembler's name for a precision; one name for both if it does not depend on it. */
    String name(Real real) {
        int two = name.indexOf('/');
        if (two >= 0) {
            return real == Real.F32 ? name.substring(0, two) : name.substring(two + 1);
        }
        return name.replace('*', real == Real.F32 ? 's' : 'd').replace('?', real == Real.F32 ? 'd' : 'q');
    }

    String operands() {
        return operands;
    }

    /** What belongs to the opcode in ModRM.reg, which then is no operand; 0 if it is one. */
    int digit() {
        return operands.startsWith("/") ? operands.charAt(1) - '0' : 0;
    }

    /** Whether there is a VEX form for vectors of so many bytes. */
    boolean vex(int bytes) {
        return (widths.vex & bytes) != 0;
    }

    /** Whether there is an EVEX form for vectors of so many bytes. */
    boolean evex(int bytes) {
        return (widths.evex & bytes) != 0;
    }

    /** Whether an operand may be in memory. */
    boolean inMemory() {
        return memory != Memory.NEVER;
    }

    /** Bytes of the operand in memory. */
    int memory(Real real, int bytes) {
        if (memory == Memory.NEVER) {
            throw new IllegalArgumentException(this + " has no operand in memory");
        }
        return switch (memory) {
            case FULL -> bytes;
            case HALF -> bytes / 2;
            case FOURTH -> bytes / 4;
            case ELEMENT -> real.bytes;
            case WORD -> 2;
            case BYTE -> 1;
            default -> 16;
        };
    }

    // Fields of the prefixes.

    int map() {
        return map.code;
    }

    int prefix(Real real) {
        return real == Real.F32 ? prefix.f32 : prefix.f64;
    }

    int w(Real real, boolean evex) {
        boolean f32 = real == Real.F32;
        return evex ? f32 ? w.evex32 : w.evex64 : f32 ? w.vex32 : w.vex64;
    }

    int opcode(Real real) {
        return real == Real.F32 ? opcode : opcode64;
    }
}
