package dev.basalt.host.assembled.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AsmKernels;
import dev.basalt.host.assembled.product.DirectCode;
import dev.basalt.host.assembled.product.PackCode;
import dev.basalt.host.assembled.product.ProductCheck;
import dev.basalt.host.assembled.product.ProductTable;
import dev.basalt.host.assembled.product.TileCode;
import dev.basalt.host.assembled.stream.StreamCheck;
import dev.basalt.host.assembled.stream.StreamCode;
import dev.basalt.host.assembled.stream.StreamTable;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Code runs from pages that cannot be written, and only kernels that compute right are let through. */
class CodeMemoryTest {
    private static final Path MAPS = Path.of("/proc/self/maps");

    @BeforeEach
    void needsKernels() {
        try {
            AsmKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort("skipped: " + e.getMessage());
        }
    }

    private static String rights(long address) throws IOException {
        List<String> lines = Files.readAllLines(MAPS);
        for (String line : lines) {
            String[] range = line.substring(0, line.indexOf(' ')).split("-");
            if (Long.parseUnsignedLong(range[0], 16) <= address && address < Long.parseUnsignedLong(range[1], 16)) {
                return line.split(" ")[1];
            }
        }
        return "none";
    }

    @Test
    void codeIsExecutableAndNotWritable() throws IOException {
        Assumptions.assumeTrue(Files.exists(MAPS), "skipped: no " + MAPS);
        Emitter code = new Emitter();
        code.lea(Gp.RAX, Mem.at(CallingConvention.SYSTEM_V.integer(0), CallingConvention.SYSTEM_V.integer(5), 4, 7));
        code.ret();
        MemorySegment installed = CodeMemory.install(code.code());
        assertThat(NativeCall.code(installed, 1000, 0, 0, 0, 0, 3)).isEqualTo(1019);
        assertThat(rights(installed.address())).startsWith("r-x");
    }

    @Test
    void piecesOfCodeShareLinesWithNoOtherAndPagesWhereTheyFit() {
        byte[] small = {(byte) 0xc3};
        byte[] large = new byte[3 << 10];
        Arrays.fill(large, (byte) 0xc3);
        Set<Long> lines = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            byte[] code = i % 3 == 0 ? large : small;
            long address = CodeMemory.install(code).address();
            long last = address + code.length - 1;
            assertThat(address % 64).isZero();
            assertThat(address >> 12).as("one page").isEqualTo(last >> 12);
            for (long line = address >> 6; line <= last >> 6; line++) {
                assertThat(lines.add(line)).as("a line of its own").isTrue();
            }
        }
    }

    @Test
    void codeOfMoreThanAPageIsWhole() {
        Emitter code = new Emitter();
        code.mov(Gp.RAX, 0);
        for (int i = 0; i < 3000; i++) {
            code.lea(Gp.RAX, Mem.at(Gp.RAX, 1));
        }
        code.ret();
        assertThat(NativeCall.code(CodeMemory.install(code.code()), 0, 0, 0, 0, 0, 0))
                .isEqualTo(3000);
    }

    @Test
    void featuresAreThoseThatTheSystemLists() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        Assumptions.assumeTrue(Files.exists(info), "skipped: no " + info);
        String flags = Files.readAllLines(info).stream()
                .filter(line -> line.startsWith("flags"))
                .findFirst()
                .orElse("");
        List<String> has = List.of(flags.split("\\s+"));
        CpuFeatures features = CpuFeatures.detect();
        boolean avx2 = has.containsAll(List.of("avx", "avx2", "fma", "bmi2"));
        assertThat(features.has(Isa.AVX2)).isEqualTo(avx2);
        assertThat(features.has(Isa.AVX512))
                .isEqualTo(avx2 && has.containsAll(List.of("avx512f", "avx512dq", "avx512bw", "avx512vl")));
    }

    @Test
    void kernelsWithAWrongInstructionAreFound() {
        Shape shape = new Shape(CpuFeatures.detect().best(), Real.F64);
        StreamCheck streams = new StreamCheck(shape, false);
        ProductCheck check = new ProductCheck(shape);
        byte[] code = StreamCode.write(StreamCode.Kind.DOT, shape.isa(), shape.precision());
        assertThat(streams.stream(CodeMemory.install(code), StreamCode.Kind.DOT))
                .isTrue();
        assertThat(streams.stream(CodeMemory.install(code), StreamCode.Kind.SQUARES))
                .isFalse();
        // Code that does less than it should: more would write beyond the check's operands.
        byte[] tile = TileCode.write(shape, 1, 2, false, false);
        assertThat(check.tile(CodeMemory.install(tile), 1, 2, false)).isTrue();
        byte[] narrow = TileCode.write(shape, 1, 1, false, false);
        assertThat(check.tile(CodeMemory.install(narrow), 1, 2, false)).isFalse();
        byte[] direct = DirectCode.write(shape, 1, 1, false, false);
        assertThat(check.direct(CodeMemory.install(direct), 1, 2, false)).isFalse();
        byte[] complex = TileCode.write(shape, 1, 2, false, true);
        assertThat(check.complexTile(CodeMemory.install(complex), 1, 2, false)).isTrue();
        assertThat(check.complexTile(CodeMemory.install(complex), 1, 4, false)).isFalse();
        byte[] plain = DirectCode.write(shape, 1, 2, false, true);
        assertThat(check.complexDirect(CodeMemory.install(plain), 1, 2, false)).isTrue();
        assertThat(check.complexDirect(CodeMemory.install(plain), 1, 4, false)).isFalse();
        byte[] turned = PackCode.transpose(8, 1, false);
        assertThat(check.transpose(CodeMemory.install(turned), 8, 1, false)).isTrue();
        assertThat(check.transpose(CodeMemory.install(turned), 8, 2, false)).isFalse();
    }

    @Test
    void allKernelsPassTheirCheck() {
        CpuFeatures features = CpuFeatures.detect();
        int kernels = 0;
        for (Isa isa : Isa.values()) {
            for (Real precision : Real.values()) {
                if (!features.has(isa)) {
                    continue;
                }
                Shape shape = new Shape(isa, precision);
                ProductTable table = new ProductTable(shape);
                StreamTable streams = new StreamTable(shape, false);
                for (int rows = 1; rows <= Shape.VECTORS; rows++) {
                    for (int masked = 0; masked < 2; masked++) {
                        for (int columns = 1; columns <= shape.columns(); columns++, kernels++) {
                            table.tile(rows, columns, masked == 1);
                            table.direct(rows, columns, masked == 1);
                            if (columns % 2 == 0) {
                                table.complexTile(rows, columns, masked == 1);
                                table.complexDirect(rows, columns, masked == 1);
                            }
                        }
                        table.copy(rows, masked == 1, false);
                        table.copy(rows, masked == 1, masked == 1);
                    }
                }
                for (int unit = 4; unit <= 16; unit *= 2) {
                    table.transpose(unit, 1, false);
                    table.transpose(unit, 2, false);
                    table.transpose(unit, 2, true);
                }
                for (StreamCode.Kind kind : StreamCode.Kind.values()) {
                    streams.stream(kind);
                    streams.narrow(kind);
                    streams.ahead(kind);
                }
            }
        }
        assertThat(kernels).isPositive();
    }
}
