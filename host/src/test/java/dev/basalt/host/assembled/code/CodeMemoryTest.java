package dev.basalt.host.assembled.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Mem;
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
            AssembledKernels.vectorBits();
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
        assertThat(NativeCall.code(CodeMemory.install(code.code()), 0, 0, 0, 0, 0, 0)).isEqualTo(3000);
    }

    @Test
    void featuresAreThoseThatTheSystemLists() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        Assumptions.assumeTrue(Files.exists(info), "skipped: no " + info);
        String flags =
                Files.readAllLines(info).stream().filter(line -> line.startsWith("flags")).findFirst().orElse("");
        List<String> has = List.of(flags.split("\\s+"));
        CpuFeatures features = CpuFeatures.detect();
        boolean avx2 = has.containsAll(List.of("avx", "avx2", "fma", "bmi2"));
        assertThat(features.has(Isa.AVX2)).isEqualTo(avx2);
        assertThat(features.has(Isa.AVX512))
                .isEqualTo(avx2 && has.containsAll(List.of("avx512f", "avx512dq", "avx512bw", "avx512vl")));
    }

    /** Of the two kernels of this table the second is wrong. */
    private static final class Table extends Variants<Isa> {
        private final int first;

        Table() {
            super(Isa.values());
            this.first = count(Isa.AVX2, 2);
            count(Isa.AVX512, 1);
        }

        @Override
        protected byte[] write(Isa kind, int variant) {
            Emitter code = new Emitter();
            code.mov(Gp.RAX, 7);
            code.ret();
            return code.code();
        }

        @Override
        protected boolean agrees(Isa kind, int variant, MemorySegment code) {
            return NativeCall.code(code, 0, 0, 0, 0, 0, 0) == 7 + variant;
        }
    }

    @Test
    void aKernelIsMadeOnceAndAWrongOneIsRefused() {
        Table table = new Table();
        MemorySegment good = table.kernel(Isa.AVX2, 0);
        assertThat(NativeCall.code(good, 0, 0, 0, 0, 0, 0)).isEqualTo(7);
        assertThat(table.kernel(table.first)).isSameAs(good);
        assertThat(table.kernel(Isa.AVX512, 0)).isNotEqualTo(good);
        assertThatThrownBy(() -> table.kernel(Isa.AVX2, 1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("AVX2 1 of Table computes nonsense")
                .hasMessageContaining("basalt.engine");
    }

    @Test
    void kindsAreCountedInOrder() {
        assertThatThrownBy(() -> new Variants<Isa>(Isa.values()) {
            {
                count(Isa.AVX512, 1);
            }

            @Override
            protected byte[] write(Isa kind, int variant) {
                return new byte[1];
            }

            @Override
            protected boolean agrees(Isa kind, int variant, MemorySegment code) {
                return true;
            }
        }).hasMessageContaining("AVX512 is not the next kind");
    }
}
