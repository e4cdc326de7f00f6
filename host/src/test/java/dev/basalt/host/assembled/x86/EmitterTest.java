package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.GnuAssembler.name;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.batch.BatchLanes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The emitter writes the bytes that the GNU assembler writes. */
class EmitterTest {
    private static final long CONSTANTS = 0x7f12_3456_7890L;
    private static final List<Gp> REGISTERS = List.of(Gp.values());
    private static final List<Mem> OPERANDS = GnuAssembler.OPERANDS;

    private final GnuAssembler golden = new GnuAssembler();

    @TempDir
    Path folder;

    private void add(Consumer<Emitter> writer, String instruction) {
        golden.add(writer, instruction);
    }

    @Test
    void integerInstructions() throws Exception {
        for (Gp r : REGISTERS) {
            Gp s = REGISTERS.get((r.ordinal() * 5 + 3) % 16);
            add(code -> code.mov(r, s), "mov " + name(r) + ", " + name(s));
            add(code -> code.add(r, s), "add " + name(r) + ", " + name(s));
            add(code -> code.sub(r, s), "sub " + name(r) + ", " + name(s));
            add(code -> code.or(r, s), "or " + name(r) + ", " + name(s));
            add(code -> code.test(r, s), "test " + name(r) + ", " + name(s));
            add(code -> code.compare(r, s), "cmp " + name(r) + ", " + name(s));
            add(code -> code.mov(r, 77777), "mov " + name(r) + ", 77777");
            add(code -> code.mov(r, -1), "mov " + name(r) + ", -1");
            add(code -> code.mov(r, Long.MAX_VALUE), "movabs " + name(r) + ", " + Long.MAX_VALUE);
            add(code -> code.add(r, 127), "add " + name(r) + ", 127");
            add(code -> code.add(r, -128), "add " + name(r) + ", -128");
            add(code -> code.and(r, 7), "and " + name(r) + ", 7");
            add(code -> code.test(r, 63), "test " + name(r) + ", 63");
            if (r != RAX) {
                // For RAX the assembler knows a shorter form.
                add(code -> code.add(r, 128), "add " + name(r) + ", 128");
                add(code -> code.sub(r, 777), "sub " + name(r) + ", 777");
                add(code -> code.compare(r, 192), "cmp " + name(r) + ", 192");
            }
            add(code -> code.sub(r, 8), "sub " + name(r) + ", 8");
            add(code -> code.compare(r, -8), "cmp " + name(r) + ", -8");
            add(code -> code.multiply(r, s), "imul " + name(r) + ", " + name(s));
            add(code -> code.shr(r, 6), "shr " + name(r) + ", 6");
            add(code -> code.shl(r, 33), "shl " + name(r) + ", 33");
            add(code -> code.dec(r), "dec " + name(r));
            add(code -> code.jump(r), "jmp " + name(r));
            add(code -> code.call(r), "call " + name(r));
            add(code -> code.bzhi(r, s, R9), "bzhi " + name(r) + ", " + name(s) + ", r9");
            add(code -> code.bzhi(r, s, RDI), "bzhi " + name(r) + ", " + name(s) + ", rdi");
            add(code -> code.tzcnt(r, s), "tzcnt " + name(r) + ", " + name(s));
            add(code -> code.push(r), "push " + name(r));
            add(code -> code.pop(r), "pop " + name(r));
            for (Mem m : OPERANDS) {
                add(code -> code.load(r, m), "mov " + name(r) + ", " + name(m));
                add(code -> code.store(m, r), "mov " + name(m) + ", " + name(r));
                add(code -> code.lea(r, m), "lea " + name(r) + ", " + name(m));
            }
        }
        for (Mem m : OPERANDS) {
            add(code -> code.prefetch(m), "prefetcht0 " + name(m));
        }
        add(Emitter::cpuid, "cpuid");
        add(Emitter::xgetbv, "xgetbv");
        add(Emitter::fence, "sfence");
        add(Emitter::ret, "ret");
        add(Emitter::finish, "vzeroupper\nret");
        compare();
    }

    @Test
    void jumps() throws Exception {
        add(code -> {
            Label top = new Label();
            Label end = new Label();
            code.bind(top);
            code.jump(Emitter.Condition.ZERO, end);
            code.jump(end);
            pad(code);
            code.jump(Emitter.Condition.NOT_ZERO, top);
            code.bind(end);
            code.jump(Emitter.Condition.BELOW, top);
            code.jump(Emitter.Condition.NOT_BELOW, top);
            code.jump(Emitter.Condition.NOT_ABOVE, top);
            code.jump(Emitter.Condition.PARITY, top);
            code.ret();
        },
                // Far enough for displacements of 32 bits.
                "1: jz 2f\njmp 2f\n.rept 200\ncpuid\n.endr\njnz 1b\n2: jb 1b\njae 1b\njbe 1b\njp 1b\nret");
        compare();
    }

    @Test
    void addressesOfConstants() throws Exception {
        for (Gp r : REGISTERS) {
            add(code -> {
                Label constants = new Label();
                code.lea(r, constants);
                code.ret();
                code.bind(constants);
                code.data(0x0123456789abcdefL);
            }, "lea " + name(r) + ", [rip + 1f]\nret\n1: .quad 0x0123456789abcdef");
        }
        compare();
    }

    private static void pad(Emitter code) {
        for (int i = 0; i < 200; i++) {
            code.cpuid();
        }
    }

    @Test
    void alignmentWritesWholeInstructions() throws Exception {
        for (int gap = 1; gap < 64; gap++) {
            Emitter code = new Emitter();
            for (int i = gap; i < 64; i++) {
                code.ret();
            }
            code.align(64);
            assertThat(code.code()).hasSize(64);
        }
    }

    @Test
    void vectorInstructions() throws Exception {
        for (Isa isa : Isa.values()) {
            for (Real precision : Real.values()) {
                vectors(isa, precision);
                lanes(new Shape(isa, precision));
            }
        }
        compare();
    }

    private void add(Shape shape, Consumer<Lanes> writer, String instruction) {
        add(code -> writer.accept(new Lanes(new Vectors(code, shape.isa(), shape.precision()), shape, CONSTANTS)),
                instruction);
    }

    private void lanes(Shape shape) {
        boolean wide = shape.isa() == Isa.AVX512;
        boolean f64 = shape.precision() == Real.F64;
        String p = f64 ? "pd" : "ps";
        String s = f64 ? "sd" : "ss";
        String e = wide ? "{evex} " : "";
        String z = wide ? "zmm" : "ymm";
        int bytes = shape.isa().bytes;
        int rows = shape.lanes() + 1;
        for (int i = 0; i < shape.isa().registers; i++) {
            int to = i;
            int a = (i * 5 + 3) % shape.isa().registers;
            int b = (i * 7 + 9) % shape.isa().registers;
            String abc = " " + z + to + ", " + z + a + ", " + z + b;
            String ab = " " + z + to + ", " + z + a + ", ";
            add(shape.isa(), shape.precision(), v -> v.fnma(to, a, b), e + "vfnmadd231" + p + abc);
            add(shape.isa(), shape.precision(), v -> v.max(to, a, b), e + "vmax" + p + abc);
            add(shape, l -> l.spread(to, a, 2, b),
                    wide ? "vperm" + p + " " + z + to + ", " + z + b + ", " + z + a
                            : f64 ? "vpermpd ymm" + to + ", ymm" + a + ", 0xaa"
                            : "vpermps ymm" + to + ", ymm" + b + ", ymm" + a);
            add(shape, l -> l.turn(to, a, true, RDI), e + "vpermil" + p + ab + (f64 ? 0x55 : 0xb1) + "\n" + e + "vxor"
                    + p + " " + z + to + ", " + z + to + ", [rdi + " + (rows * rows + rows) * bytes + "]");
            String range = "[rdi + " + (rows + 3) * bytes + "]";
            add(shape, l -> l.subtractIn(1, 3, to, a, b, RDI),
                    wide
                            ? "vfnmadd231" + p + " zmm" + to + "{k3}, zmm" + a + ", zmm" + b
                            : "vand" + p + " ymm" + a + ", ymm" + a + ", " + range + "\nvand" + p + " ymm" + b + ", ymm"
                                    + b + ", " + range + "\nvfnmadd231" + p + abc);
            String compared = f64 ? "kmovb r11d, k2" : "kmovw r11d, k2";
            add(shape, l -> l.compare(R11, Vectors.Relation.UNORDERED, a, b, to),
                    wide
                            ? "vcmp" + p + " k2, zmm" + a + ", zmm" + b + ", 3\n" + compared
                            : "vcmp" + p + abc + ", 3\nvmovmsk" + p + " r11d, ymm" + to);
            for (Mem m : OPERANDS) {
                add(shape.isa(), shape.precision(), v -> v.fnma(to, a, m), e + "vfnmadd231" + p + ab + name(m));
                add(shape.isa(), shape.precision(), v -> v.or(to, a, m), e + "vor" + p + ab + name(m));
            }
        }
        for (int i = 0; i < 16; i++) {
            int to = i;
            int a = (i * 5 + 3) % 16;
            String x = " xmm" + to + ", xmm" + a;
            add(shape.isa(), shape.precision(), v -> v.sqrtOne(to, a), "vsqrt" + s + x + ", xmm" + a);
            add(shape.isa(), shape.precision(), v -> v.subOne(to, a, 9), "vsub" + s + x + ", xmm9");
            add(shape.isa(), shape.precision(), v -> v.divOne(to, a, 9), "vdiv" + s + x + ", xmm9");
            add(shape, l -> l.compareOne(to, a), "vucomis" + (f64 ? "d" : "s") + x);
            for (Mem m : OPERANDS) {
                add(shape, l -> l.compareOne(to, m), "vucomis" + (f64 ? "d" : "s") + " xmm" + to + ", " + name(m));
            }
        }
        add(shape, l -> l.first(R9, R10, 12),
                wide
                        ? "mov r10, -1\nbzhi r9, r10, r9\n" + (f64 ? "kmovb" : "kmovw") + " k1, r9d"
                        : "movabs r10, " + CONSTANTS + "\nshl r9, 5\nadd r9, r10\nvmovu" + p + " ymm12, [r9]");
        add(shape, l -> l.mask(1, 3, R10, 12),
                wide
                        ? "mov r10, 6\n" + (f64 ? "kmovb" : "kmovw") + " k1, r10d"
                        : "movabs r10, " + (CONSTANTS + (rows + 3) * bytes) + "\nvmovu" + p + " ymm12, [r10]");
        if (wide) {
            add(shape, l -> l.choose(1, 4, R10), "mov r10, 14\nkmovw k3, r10d");
        }
        String max = "vmax" + p;
        add(shape, l -> l.maxOne(8, 9),
                (wide ? "vextractf64x4 ymm9, zmm8, 1\n" + max + " ymm8, ymm8, ymm9\n" : "")
                        + "vextractf128 xmm9, ymm8, 1\n" + max + " xmm8, xmm8, xmm9\nvpermilpd xmm9, xmm8, 1\n" + max
                        + " xmm8, xmm8, xmm9" + (f64 ? "" : "\nvmovshdup xmm9, xmm8\n" + max + " xmm8, xmm8, xmm9"));
    }

    private void add(Isa isa, Real precision, Consumer<Vectors> writer, String instruction) {
        add(code -> writer.accept(new Vectors(code, isa, precision)), instruction);
    }

    private void vectors(Isa isa, Real precision) {
        boolean wide = isa == Isa.AVX512;
        boolean f64 = precision == Real.F64;
        String p = f64 ? "pd" : "ps";
        String s = f64 ? "sd" : "ss";
        // EVEX even where VEX would do, as the emitter.
        String e = wide ? "{evex} " : "";
        String z = wide ? "zmm" : "ymm";
        String element = f64 ? "qword ptr " : "dword ptr ";
        for (int i = 0; i < isa.registers; i++) {
            int to = i;
            int a = (i * 5 + 3) % isa.registers;
            int b = (i * 7 + 9) % isa.registers;
            String abc = " " + z + to + ", " + z + a + ", " + z + b;
            String ab = " " + z + to + ", " + z + a;
            add(isa, precision, v -> v.fma(to, a, b), e + "vfmadd231" + p + abc);
            add(isa, precision, v -> v.mul(to, a, b), e + "vmul" + p + abc);
            add(isa, precision, v -> v.add(to, a, b), e + "vadd" + p + abc);
            add(isa, precision, v -> v.and(to, a, b), e + "vand" + p + abc);
            add(isa, precision, v -> v.andNot(to, a, b), e + "vandn" + p + abc);
            add(isa, precision, v -> v.or(to, a, b), e + "vor" + p + abc);
            if (wide) {
                add(isa, precision, v -> v.mask(to), (f64 ? "vpmovq2m" : "vpmovd2m") + " k1, zmm" + to);
            }
            add(isa, precision, v -> v.zero(to), e + "vxor" + p + " " + z + to + ", " + z + to + ", " + z + to);
            add(isa, precision, v -> v.broadcast(to, a), e + "vbroadcast" + s + " " + z + to + ", xmm" + a);
            add(isa, precision, v -> v.swapPairs(to, a), e + "vpermil" + p + ab + ", " + (f64 ? 0x55 : 0xb1));
            add(isa, precision, v -> v.fnma(to, a, b), e + "vfnmadd231" + p + abc);
            for (Real by : Real.values()) {
                String halves = by == Real.F64 ? "pd" : "ps";
                add(isa, precision, v -> v.unpackLanes(by, false, to, a, b), e + "vunpckl" + halves + abc);
                add(isa, precision, v -> v.unpackLanes(by, true, to, a, b), e + "vunpckh" + halves + abc);
            }
            String lanes = wide ? "vshuff64x2" : "vperm2f128";
            add(isa, precision, v -> v.lanes(false, to, a, b), lanes + abc + (wide ? ", 0x88" : ", 0x20"));
            add(isa, precision, v -> v.lanes(true, to, a, b), lanes + abc + (wide ? ", 0xdd" : ", 0x31"));
            if (i < 16) {
                int c = i;
                int d = (i * 5 + 3) % 16;
                String x = " xmm" + c + ", xmm" + d;
                add(isa, precision, v -> v.fmaOne(c, d, 13), "vfmadd231" + s + x + ", xmm13");
                add(isa, precision, v -> v.mulOne(c, d, 3), "vmul" + s + x + ", xmm3");
                add(isa, precision, v -> v.bits(c, RAX), "vmovq xmm" + c + ", rax");
                add(isa, precision, v -> v.bits(R11, c), "vmovq r11, xmm" + c);
                add(isa, precision, v -> v.bits(c, R10), "vmovq xmm" + c + ", r10");
                for (int halves = 1; halves <= 2; halves++) {
                    int h = halves;
                    String h3 = (" R" + c + ", R" + d + ", R" + 5).replace("R", halves == 1 ? "xmm" : "ymm");
                    add(isa, precision, v -> v.unpack(precision, false, h, c, d, 5), "vunpckl" + p + h3);
                    add(isa, precision, v -> v.unpack(precision, true, h, c, d, 5), "vunpckh" + p + h3);
                }
            }
            for (Mem m : OPERANDS) {
                add(isa, precision, v -> v.load(to, m), e + "vmovu" + p + " " + z + to + ", " + name(m));
                add(isa, precision, v -> v.store(m, to), e + "vmovu" + p + " " + name(m) + ", " + z + to);
                add(isa, precision, v -> v.storePast(m, to), e + "vmovnt" + p + " " + name(m) + ", " + z + to);
                add(isa, precision, v -> v.fma(to, a, m), e + "vfmadd231" + p + ab + ", " + name(m));
                add(isa, precision, v -> v.fnma(to, a, m), e + "vfnmadd231" + p + ab + ", " + name(m));
                add(isa, precision, v -> v.mul(to, a, m), e + "vmul" + p + ab + ", " + name(m));
                add(isa, precision, v -> v.and(to, a, m), e + "vand" + p + ab + ", " + name(m));
                add(isa, precision, v -> v.fms(to, a, m), e + "vfmsub231" + p + ab + ", " + name(m));
                add(isa, precision, v -> v.xor(to, a, m), e + "vxor" + p + ab + ", " + name(m));
                add(isa, precision, v -> v.broadcast(to, m),
                        e + "vbroadcast" + s + " " + z + to + ", " + element + name(m));
                add(isa, precision, v -> v.loadMasked(to, m, a),
                        wide
                                ? "vmovu" + p + " " + z + to + "{k1}{z}, " + name(m)
                                : "vmaskmov" + p + " " + z + to + ", " + z + a + ", " + name(m));
                add(isa, precision, v -> v.storeMasked(m, to, a),
                        wide
                                ? "vmovu" + p + " " + name(m) + "{k1}, " + z + to
                                : "vmaskmov" + p + " " + name(m) + ", " + z + a + ", " + z + to);
                if (i < 16) {
                    int c = i;
                    add(isa, precision, v -> v.loadOne(c, m), "vmov" + s + " xmm" + c + ", " + name(m));
                    add(isa, precision, v -> v.storeOne(m, c), "vmov" + s + " " + name(m) + ", xmm" + c);
                    add(isa, precision, v -> v.loadQuarter(c, m), "vmovu" + p + " xmm" + c + ", " + name(m));
                    add(isa, precision, v -> v.storeHalves(m, 2, c), "vmovu" + p + " " + name(m) + ", ymm" + c);
                    add(isa, precision, v -> v.insertUpper(c, 9, m),
                            "vinsertf128 ymm" + c + ", ymm9, " + name(m) + ", 1");
                    String number = " xmm" + c + ", xmm9, " + element + name(m);
                    add(isa, precision, v -> v.addOne(c, 9, m), "vadd" + s + number);
                    add(isa, precision, v -> v.subOne(c, 9, m), "vsub" + s + number);
                    add(isa, precision, v -> v.mulOne(c, 9, m), "vmul" + s + number);
                    add(isa, precision, v -> v.divOne(c, 9, m), "vdiv" + s + number);
                    add(isa, precision, v -> v.fmaOne(c, 9, m), "vfmadd231" + s + number);
                    add(isa, precision, v -> v.fnmaOne(c, 9, m), "vfnmadd231" + s + number);
                    for (int width = 4; width <= 32; width *= 2) {
                        int part = width;
                        String move = width == 4 ? "vmovss" : width == 8 ? "vmovsd" : "vmovu" + p;
                        String register = (width == 32 ? " ymm" : " xmm") + c;
                        add(isa, precision, v -> v.loadPart(c, m, part), move + register + ", " + name(m));
                        add(isa, precision, v -> v.storePart(m, c, part), move + " " + name(m) + "," + register);
                    }
                }
            }
        }
        for (Gp r : REGISTERS) {
            String low = r.ordinal() < 8 ? "e" + name(r).substring(1) : name(r) + "d";
            if (wide) {
                add(isa, precision, v -> v.mask(r, 0), (f64 ? "kmovb" : "kmovw") + " k1, " + low);
            }
        }
        if (!f64) {
            add(isa, precision, v -> v.narrow(1), "vcvtsd2ss xmm1, xmm1, xmm1");
            add(isa, precision, v -> v.widen(0), "vcvtss2sd xmm0, xmm0, xmm0");
        }
        String add = "vadd" + p;
        add(isa, precision, Vectors::sum,
                (wide ? "vextractf64x4 ymm1, zmm0, 1\n" + add + " ymm0, ymm0, ymm1\n" : "")
                        + "vextractf128 xmm1, ymm0, 1\n" + add + " xmm0, xmm0, xmm1\nvpermilpd xmm1, xmm0, 1\n" + add
                        + " xmm0, xmm0, xmm1" + (f64 ? "" : "\nvmovshdup xmm1, xmm0\n" + add + " xmm0, xmm0, xmm1"));
    }

    private void lane(Shape shape, Consumer<BatchLanes> writer, String instruction) {
        add(code -> writer.accept(new BatchLanes(code, shape)), instruction);
    }

    /** What runs one problem a lane. */
    @Test
    void laneInstructions() throws Exception {
        add(code -> code.compare(RSI, 8), "cmp rsi, 8");
        add(code -> {
            Label top = new Label();
            code.bind(top);
            pad(code);
            code.jump(Emitter.Condition.LESS, top);
        }, "1: .rept 200\ncpuid\n.endr\njl 1b");
        for (Mem m : OPERANDS) {
            add(code -> code.prefetchFar(m), "prefetcht1 " + name(m));
        }
        for (Isa isa : Isa.values()) {
            for (Real precision : Real.values()) {
                boolean wide = isa == Isa.AVX512;
                boolean f64 = precision == Real.F64;
                String p = f64 ? "pd" : "ps";
                String whole = f64 ? "q" : "d";
                String e = wide ? "{evex} " : "";
                String z = wide ? "zmm" : "ymm";
                Shape shape = new Shape(isa, precision);
                for (int to = 0; to < isa.registers; to++) {
                    int c = to;
                    int a = (to * 5 + 3) % isa.registers;
                    int b = (to * 7 + 9) % isa.registers;
                    String ca = " " + z + c + ", " + z + a;
                    String cab = ca + ", " + z + b;
                    lane(shape, l -> l.v.fnma(c, a, b), e + "vfnmadd231" + p + cab);
                    lane(shape, l -> l.v.div(c, a, b), e + "vdiv" + p + cab);
                    lane(shape, l -> l.v.sqrt(c, a), e + "vsqrt" + p + ca);
                    lane(shape, l -> l.addWhole(c, a, b), e + "vpadd" + whole + cab);
                    String largest = wide || !f64
                            ? e + "vpmaxs" + whole + cab
                            : "vpcmpgtq ymm15, " + z + a + ", " + z + b + "\nvblendvpd " + z + c + ", " + z + b + ", "
                                    + z + a + ", ymm15";
                    lane(shape, l -> l.largest(c, a, b, 15), largest);
                    String equal = wide
                            ? "vpcmpeq" + whole + " k2, " + z + a + ", " + z + b + "\nvpblendm" + whole + " " + z + c
                                    + "{k2}, " + z + c + ", " + z + 4
                            : "vpcmpeq" + whole + " ymm15, " + z + a + ", " + z + b + "\nvblendv" + p + " " + z + c
                                    + ", " + z + c + ", ymm4, ymm15";
                    lane(shape, l -> l.whereEqual(c, a, b, 4, 15), equal);
                    for (Mem m : OPERANDS) {
                        lane(shape, l -> l.v.fnma(c, a, m), e + "vfnmadd231" + p + ca + ", " + name(m));
                        lane(shape, l -> l.v.add(c, a, m), e + "vadd" + p + ca + ", " + name(m));
                    }
                }
                String bits = wide
                        ? "vcmpunord" + p + " k2, zmm3, zmm3\nkmov" + (f64 ? "b" : "w") + " eax, k2"
                        : "vcmpunord" + p + " ymm1, ymm3, ymm3\nvmovmsk" + p + " eax, ymm1";
                lane(shape, l -> l.notNumbers(RAX, 3, 1), bits);
            }
        }
        compare();
    }

    private void compare() throws IOException, InterruptedException {
        golden.compare(folder);
    }
}
