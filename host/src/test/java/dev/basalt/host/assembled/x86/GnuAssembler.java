package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static dev.basalt.host.assembled.x86.Gp.RSP;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/** Instructions, each as the emitter and as the GNU assembler write it. */
final class GnuAssembler {
    /** Memory operands in all their forms. */
    static final List<Mem> OPERANDS = List.of(Mem.at(RAX, 0), Mem.at(RBP, 0), Mem.at(R13, 0), Mem.at(RSP, 8),
            Mem.at(R12, -8), Mem.at(RSI, 64), Mem.at(RDX, 127), Mem.at(R9, 128), Mem.at(RSI, 8192), Mem.at(RSI, -8256),
            Mem.at(RCX, RDX, 2, 0), Mem.at(RCX, R8, 1, 64), Mem.at(R10, R11, 4, -129), Mem.at(R13, RAX, 8, 0),
            Mem.at(R12, RBP, 1, 512));

    private static final byte FILLER = (byte) 0xcc;

    private final List<byte[]> bytes = new ArrayList<>();
    private final List<String> text = new ArrayList<>();

    void add(Consumer<Emitter> writer, String instruction) {
        Emitter code = new Emitter();
        writer.accept(code);
        bytes.add(code.code());
        text.add(instruction);
    }

    static String name(Gp register) {
        return register.name().toLowerCase(Locale.ROOT);
    }

    static String name(Mem m) {
        return "[" + name(m.base()) + (m.index() == null ? "" : " + " + name(m.index()) + "*" + m.scale())
                + (m.disp() < 0 ? " - " : " + ") + Math.abs(m.disp()) + "]";
    }

    void compare(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("golden.s");
        Path object = folder.resolve("golden.o");
        Path flat = folder.resolve("golden.bin");
        List<String> lines = new ArrayList<>(List.of(".intel_syntax noprefix", ".text"));
        // Each instruction starts at a multiple of 16 or of 1024 bytes, so that one that differs does not hide the
        // others.
        int gap = bytes.stream().mapToInt(b -> b.length).max().orElse(0) <= 64 ? 64 : 1024;
        for (String line : text) {
            lines.add(".balign " + gap + ", 0xcc");
            lines.add(line);
        }
        Files.write(source, lines);
        Assumptions.assumeTrue(run(folder, "as", "--64", "-O0", "-o", object.toString(), source.toString()),
                "skipped: no GNU assembler on this machine");
        Assumptions.assumeTrue(
                run(folder, "objcopy", "-O", "binary", "-j", ".text", object.toString(), flat.toString()),
                "skipped: no objcopy on this machine");
        byte[] golden = Files.readAllBytes(flat);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < bytes.size(); i++) {
            byte[] own = bytes.get(i);
            int at = i * gap;
            int end = Math.min(golden.length, at + gap);
            byte[] expected = Arrays.copyOf(own, end - at);
            Arrays.fill(expected, Math.min(own.length, end - at), end - at, FILLER);
            if (!Arrays.equals(golden, at, end, expected, 0, end - at)) {
                wrong.add(text.get(i) + ": " + HexFormat.of().formatHex(golden, at, Math.min(end, at + 16)) + ", not "
                        + HexFormat.of().formatHex(own));
            }
        }
        assertThat(wrong).isEmpty();
        bytes.clear();
        text.clear();
    }

    private static boolean run(Path folder, String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            int status = process.waitFor();
            assertThat(status).as(Files.readString(folder.resolve("log"))).isZero();
            return true;
        } catch (IOException e) {
            System.out.println("no " + command[0] + ", encodings are not compared: " + e.getMessage());
            return false;
        }
    }
}
