package dev.basalt.host.assembled.x86;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.code.NativeCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What the processor can do and the system lets programs use, asked by CPUID and XGETBV. */
public final class CpuFeatures {
    /** System property of the tests of the ladder: {@code avx2} or {@code none} for a processor that has no more. */
    private static final String PROPERTY = "basalt.processor";

    /** OS saves XMM and YMM. */
    private static final long STATE_256 = 0x6;
    /** OS saves masks and all of ZMM too. */
    private static final long STATE_512 = 0xe6;

    /** The first letters of "AuthenticAMD". */
    private static final int AMD = 0x68747541;
    /** Zen 3 and 4; Zen 5 is the next. */
    private static final int ZEN_4 = 0x19;

    private static final int FMA = 1 << 12;
    private static final int F16C = 1 << 29;
    private static final int AVX512_VNNI = 1 << 11;
    private static final int AVX_VNNI = 1 << 4;
    private static final int AVX512_BF16 = 1 << 5;
    private static final int OSXSAVE = 1 << 27;
    private static final int AVX = 1 << 28;
    private static final int BMI2 = 1 << 8;
    private static final int AVX2 = 1 << 5;
    private static final int F = 1 << 16;
    private static final int DQ = 1 << 17;
    private static final int BW = 1 << 30;
    private static final int VL = 1 << 31;

    private static volatile boolean asked;
    private static volatile boolean wantsHelp;

    private final boolean avx2;
    private final boolean avx512;
    /** By instruction set. */
    private final List<Set<Extension>> extensions;

    /**
     * Whether streams from the third-level cache are faster if their lines are asked for ahead of time: on Zen 5 by a fifth, while on Zen 4, whose own prefetchers
     * keep ahead, they are slower by a quarter.
     */
    public static boolean fetchesAhead() {
        return Prefetcher.WANTS_HELP;
    }

    /** Whether an instruction on 64 bytes takes as long as two on 32, as on Zen 4. */
    public static boolean splitsVectors() {
        return !Prefetcher.WANTS_HELP;
    }

    /** Known from {@link #ask} on, when code may still be written; asked at first use where nobody has, in tests. */
    private static final class Prefetcher {
        static final boolean WANTS_HELP = wantsHelp();

        private static boolean wantsHelp() {
            if (!asked) {
                ask();
            }
            return wantsHelp;
        }
    }

    private CpuFeatures(boolean avx2, boolean avx512, List<Set<Extension>> extensions) {
        this.avx2 = avx2;
        this.avx512 = avx512;
        this.extensions = extensions;
    }

    /** A processor without extensions. */
    public CpuFeatures(boolean avx2, boolean avx512) {
        this(avx2, avx512, List.of(Set.of(), Set.of()));
    }

    /** Asks this processor; never more than a test allows it. */
    public static CpuFeatures detect() {
        CpuFeatures all = ask();
        return switch (System.getProperty(PROPERTY, "")) {
            case "avx2" -> new CpuFeatures(all.avx2, false, all.extensions);
            case "none" -> new CpuFeatures(false, false);
            default -> all;
        };
    }

    private static CpuFeatures ask() {
        NativeCall.before(HeapAddresses::code, HeapAddresses::jump);
        MemorySegment stub = CodeMemory.install(stub());
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(40, 8).address();
            NativeCall.code(stub, 0, 0, out, 0, 0, 0);
            boolean amd = (int) i64(out + 8) == AMD;
            if (i64(out) < 7) {
                return new CpuFeatures(false, false);
            }
            NativeCall.code(stub, 1, 0, out, 0, 0, 0);
            int version = (int) i64(out);
            int family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
            wantsHelp = !amd || family > ZEN_4;
            asked = true;
            int c1 = (int) i64(out + 16);
            if (!has(c1, OSXSAVE | AVX | FMA)) {
                return new CpuFeatures(false, false);
            }
            NativeCall.code(stub, 7, 0, out, 1, 0, 0);
            int b7 = (int) i64(out + 8);
            long state = i64(out + 32) & 0xff;
            boolean wide = (state & STATE_256) == STATE_256 && has(b7, AVX2 | BMI2);
            boolean wider = wide && (state & STATE_512) == STATE_512 && has(b7, F | DQ | BW | VL);
            int subleaves = (int) i64(out);
            int c7 = (int) i64(out + 16);
            int a71 = 0;
            if (subleaves > 0) {
                NativeCall.code(stub, 7, 1, out, 0, 0, 0);
                a71 = (int) i64(out);
            }
            return new CpuFeatures(wide, wider, List.of(extensions(has(c1, F16C), false, has(a71, AVX_VNNI)),
                    extensions(has(c1, F16C), has(a71, AVX512_BF16), has(c7, AVX512_VNNI))));
        }
    }

    private static Set<Extension> extensions(boolean f16c, boolean bf16, boolean vnni) {
        Set<Extension> found = EnumSet.noneOf(Extension.class);
        if (f16c) {
            found.add(Extension.F16C);
        }
        if (bf16) {
            found.add(Extension.BF16);
        }
        if (vnni) {
            found.add(Extension.VNNI);
        }
        return found;
    }

    private static boolean has(int register, int bits) {
        return (register & bits) == bits;
    }

    /** f(leaf, subleaf, out, state): eax, ebx, ecx, edx to four longs; XCR0 to the fifth if state is not 0. */
    public static byte[] stub() {
        CallingConvention abi = CallingConvention.current();
        Emitter code = new Emitter();
        // CPUID writes over RBX, which is the caller's, and over two argument registers.
        code.push(Gp.RBX);
        code.mov(Gp.R8, abi.integer(2));
        code.mov(Gp.R9, abi.integer(3));
        code.mov(Gp.RAX, abi.integer(0));
        code.mov(Gp.RCX, abi.integer(1));
        code.cpuid();
        code.store(Mem.at(Gp.R8, 0), Gp.RAX);
        code.store(Mem.at(Gp.R8, 8), Gp.RBX);
        code.store(Mem.at(Gp.R8, 16), Gp.RCX);
        code.store(Mem.at(Gp.R8, 24), Gp.RDX);
        Label end = new Label();
        code.test(Gp.R9, Gp.R9);
        code.jump(Emitter.Condition.ZERO, end);
        code.mov(Gp.RCX, 0);
        code.xgetbv();
        code.store(Mem.at(Gp.R8, 32), Gp.RAX);
        code.bind(end);
        code.pop(Gp.RBX);
        code.ret();
        return code.code();
    }

    public boolean has(Isa isa) {
        return isa == Isa.AVX512 ? avx512 : avx2;
    }

    /** What there is beyond an instruction set, with its vectors. */
    public Set<Extension> extensions(Isa isa) {
        return Set.copyOf(extensions.get(isa.ordinal()));
    }

    /**
     * The best instruction set here.
     *
     * @throws UnsupportedOperationException if there is none that kernels exist for
     */
    public Isa best() {
        if (!avx2) {
            throw new UnsupportedOperationException("the processor has neither AVX2 with FMA nor AVX-512");
        }
        return avx512 ? Isa.AVX512 : Isa.AVX2;
    }
}
