package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code compile.sh} compiles what changed and nothing else, with a compiler that only takes notes. */
@EnabledOnOs(OS.LINUX)
class CompileScriptTest {
    /** Four element types, PTX and machine code. */
    private static final int PROGRAMS = 8;

    @TempDir
    private Path folder;

    private Path sources;
    private Path notes;

    @BeforeEach
    void makeSources() throws IOException {
        sources = Files.createDirectories(folder.resolve("the sources"));
        notes = folder.resolve("notes");
        Files.writeString(sources.resolve("a.cu"), "#include \"basalt.h\"\nint a;\n");
        Files.writeString(sources.resolve("b.cu"), "#include <cstdio>\n#include \"tile.h\"\nint b;\n");
        Files.writeString(sources.resolve("tile.h"), "#include \"basalt.h\"\n#include \"not_there.h\"\n");
        Files.writeString(sources.resolve("basalt.h"), "");
        compiler("13.0", "");
    }

    /** A compiler that fails for a source with a certain text. */
    private void compiler(String version, String more) throws IOException {
        Path nvcc = Files.createDirectories(folder.resolve("bin")).resolve("nvcc");
        Files.writeString(nvcc, """
                #!/bin/sh
                if [ "$1" = --version ]; then echo "release %s"; exit; fi
                for source; do :; done
                if grep -q mistake "$source"; then echo "$source: error" >&2; exit 2; fi
                echo "$@" >> "$NOTES"
                while [ "$1" != -o ]; do shift; done
                cat "$source" > "$2"
                %s
                """.formatted(version, more));
        nvcc.toFile().setExecutable(true);
    }

    private record Ended(int code, String out, List<String> compiled) {}

    private Ended compile() throws IOException, InterruptedException {
        return compile(sources, "none");
    }

    private Ended compile(Path sources, String programs) throws IOException, InterruptedException {
        return compile(sources, programs, "all");
    }

    private Ended compile(Path sources, String programs, String what) throws IOException, InterruptedException {
        Files.deleteIfExists(notes);
        ProcessBuilder builder = new ProcessBuilder("sh", Path.of("compile.sh").toAbsolutePath().toString(),
                sources.toString(), sources.resolveSibling(sources.getFileName() + " stamps").toString(), what);
        builder.environment().put("BASALT_PROGRAMS", programs);
        builder.environment().put("NOTES", notes.toString());
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, first) -> first + ":" + path);
        Process process = builder.redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        return new Ended(code, out, Files.exists(notes) ? Files.readAllLines(notes) : List.of());
    }

    private static long of(Ended ended, String source) {
        return ended.compiled().stream().filter(line -> line.endsWith(source)).count();
    }

    @Test
    void compilesEverythingOnceAndSaysHowFarItIs() throws IOException, InterruptedException {
        Ended first = compile();
        assertThat(first.code()).as(first.out()).isZero();
        assertThat(first.compiled()).hasSize(2 * PROGRAMS);
        assertThat(first.out()).contains("kernels: nvcc compiles 16 programs", "-Dbasalt.kernels.sourcesOnly=true")
                // Two that end at once may both count both.
                .contains("of 16 programs compiled", "kernels: 16 of 16 programs compiled");
        for (String type : List.of("s", "d", "c", "z")) {
            assertThat(sources.resolve("a_" + type + ".ptx")).hasContent("#include \"basalt.h\"\nint a;");
            assertThat(sources.resolve("b_" + type + ".sm_90.cubin")).exists();
        }
        try (Stream<Path> files = Files.list(sources)) {
            assertThat(files).as("nothing but programs beside the sources").hasSize(4 + 2 * PROGRAMS);
        }
        Ended second = compile();
        assertThat(second.compiled()).isEmpty();
        assertThat(second.out()).contains("kernels: all programs of nvcc are up to date");
    }

    @Test
    void someSourcesAreCompiledTwice() throws IOException, InterruptedException {
        Files.writeString(sources.resolve("b.cu"), "BASALT_CAPPED_TOO\n");
        Ended both = compile();
        assertThat(both.code()).as(both.out()).isZero();
        assertThat(of(both, "a.cu")).isEqualTo(PROGRAMS);
        assertThat(of(both, "b.cu")).isEqualTo(2 * PROGRAMS);
        assertThat(both.compiled().stream().filter(line -> line.contains("-DBASALT_CAPPED "))).hasSize(PROGRAMS)
                .allMatch(line -> line.matches(".*-DBASALT_TYPE_[SDCZ] .*b.cu"));
        assertThat(sources.resolve("b_z_capped.sm_90.cubin")).exists();
        assertThat(compile().compiled()).isEmpty();
    }

    @Test
    void aCheckMakesNothing() throws IOException, InterruptedException {
        Files.writeString(sources.resolve("b.cu"), "BASALT_CAPPED_TOO\n#if BASALT_CUDA_ARCH >= 900\n");
        Ended checked = compile(sources, "none", "check");
        assertThat(checked.code()).as(checked.out()).isZero();
        assertThat(of(checked, "a.cu")).as("a real and a complex type at once").isEqualTo(1);
        assertThat(checked.compiled())
                .anyMatch(line -> line.matches("-ptx -arch=compute_75 .*-DBASALT_TYPE_S -DBASALT_TYPE_Z .*a.cu"))
                .anyMatch(line -> line.matches("-cubin -arch=sm_90 .*-DBASALT_TYPE_S -DBASALT_TYPE_Z .*b.cu"))
                .anyMatch(line -> line.matches("-ptx -arch=compute_90 .*-DBASALT_TYPE_D -DBASALT_CAPPED .*b.cu"))
                .anyMatch(line -> line.matches("-ptx -arch=compute_75 .*-DBASALT_TYPE_C .*b.cu"))
                .hasSize(4);
        try (Stream<Path> files = Files.list(sources)) {
            assertThat(files).as("the sources alone").hasSize(4);
        }
        assertThat(compile(sources, "none", "check").compiled()).isEmpty();
        assertThat(of(compile(), "a.cu")).as("after a check all is made").isEqualTo(PROGRAMS);
        Files.writeString(sources.resolve("a.cu"), "mistake\n");
        assertThat(compile(sources, "none", "check").code()).isNotZero();
    }

    @Test
    void compilesWhatChanged() throws IOException, InterruptedException {
        compile();
        // A new date is no change: a checkout gives everything one.
        Files.writeString(sources.resolve("basalt.h"), "");
        assertThat(compile().compiled()).isEmpty();
        Files.writeString(sources.resolve("b.cu"), "#include \"tile.h\"\nint bb;\n");
        Ended source = compile();
        assertThat(of(source, "a.cu")).isZero();
        assertThat(of(source, "b.cu")).isEqualTo(PROGRAMS);
        Files.writeString(sources.resolve("tile.h"), "#include \"basalt.h\"\nint tile;\n");
        Ended header = compile();
        assertThat(of(header, "a.cu")).isZero();
        assertThat(of(header, "b.cu")).isEqualTo(PROGRAMS);
        Files.writeString(sources.resolve("basalt.h"), "int basalt;\n");
        assertThat(compile().compiled()).hasSize(2 * PROGRAMS);
        Files.delete(sources.resolve("a_d.ptx"));
        assertThat(compile().compiled()).hasSize(1);
        compiler("13.1", "");
        assertThat(compile().compiled()).as("another compiler").hasSize(2 * PROGRAMS);
    }

    @Test
    void anotherCheckoutTakesProgramsFromTheCache() throws IOException, InterruptedException {
        Path cache = folder.resolve("the cache");
        assertThat(compile(sources, cache.toString()).compiled()).hasSize(2 * PROGRAMS);
        Path other = Files.createDirectories(folder.resolve("other"));
        for (String name : List.of("a.cu", "b.cu", "tile.h", "basalt.h")) {
            Files.copy(sources.resolve(name), other.resolve(name));
        }
        Files.writeString(other.resolve("a.cu"), "int other;\n");
        Ended taken = compile(other, cache.toString());
        assertThat(taken.code()).as(taken.out()).isZero();
        assertThat(taken.out()).contains("8 programs were taken from " + cache);
        assertThat(of(taken, "a.cu")).isEqualTo(PROGRAMS);
        assertThat(of(taken, "b.cu")).as("nothing of it changed").isZero();
        assertThat(other.resolve("b_z.ptx")).hasSameTextualContentAs(sources.resolve("b_z.ptx"));
        assertThat(compile(other, cache.toString()).out()).contains("up to date");
    }

    @Test
    void aCacheThatCannotBeWrittenStopsNothing() throws IOException, InterruptedException {
        Path file = Files.createFile(folder.resolve("no folder"));
        Ended compiled = compile(sources, file.resolve("in it").toString());
        assertThat(compiled.code()).as(compiled.out()).isZero();
        assertThat(compiled.compiled()).hasSize(2 * PROGRAMS);
    }

    @Test
    void aMistakeEndsTheBuildAndTheRestIsCompiledLater() throws IOException, InterruptedException {
        Files.writeString(sources.resolve("a.cu"), "mistake\n");
        Ended wrong = compile();
        assertThat(wrong.code()).isNotZero();
        assertThat(wrong.out()).contains("a.cu: error");
        assertThat(sources.resolve("a_s.ptx")).doesNotExist();
        Files.writeString(sources.resolve("a.cu"), "int a;\n");
        Ended right = compile();
        assertThat(right.code()).isZero();
        assertThat(wrong.compiled().size() + right.compiled().size()).isEqualTo(2 * PROGRAMS);
    }
}
