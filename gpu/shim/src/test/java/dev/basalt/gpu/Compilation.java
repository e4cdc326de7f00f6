package dev.basalt.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** A library or program that g++ makes of many sources, one by one on all processors, whoever else compiles. */
final class Compilation {
    private static final ExecutorService COMPILERS = Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(), Thread.ofPlatform().daemon().name("g++").factory());

    /** Switches between threads at each barrier and shuffle of a kernel, so it is optimised whatever the kernels are. */
    private static final String SCHEDULER = "shim.cpp";

    /** Where the kernels are, and what stands for a GPU. */
    static final Path KERNELS = Path.of("../src/main/resources/dev/basalt/gpu").toAbsolutePath().normalize();

    static final Path CPP = Path.of("src/test/cpp").toAbsolutePath();

    private final Path made;
    private final List<String> linking;
    private final List<Future<Path>> objects = new ArrayList<>();

    /**
     * Begins; the longest sources come first, so that all processors end together.
     *
     * @param made what is made
     * @param sources what it is made of
     * @param options for each source, language and headers included
     * @param linking options for all of it
     */
    Compilation(Path made, List<Path> sources, List<String> options, List<String> linking) throws IOException {
        this.made = made;
        this.linking = linking;
        Path folder = Files.createDirectory(made.resolveSibling(made.getFileName() + ".d"));
        List<Path> ordered = new ArrayList<>(sources);
        ordered.sort(Comparator.comparingLong((Path source) -> source.toFile().length()).reversed());
        for (Path source : ordered) {
            Path object = folder.resolve(source.getFileName() + ".o");
            List<String> command = new ArrayList<>(List.of("g++", "-x", "c++", "-std=c++17", "-c"));
            command.addAll(options);
            // Sources are programs of their own on a GPU, so names of one may mean something else in another.
            command.add("-Dbasalt=basalt_" + source.getFileName().toString().replaceAll("\\W.*", ""));
            if (source.toString().endsWith(SCHEDULER)) {
                command.add("-O2");
            }
            command.addAll(List.of("-o", object.toString(), source.toString()));
            objects.add(COMPILERS.submit(() -> run(command, object)));
        }
    }

    /** What was made, as soon as it is there. Throws an {@code IOException} where there is no g++. */
    Path done() throws IOException {
        List<String> command = new ArrayList<>(List.of("g++", "-o", made.toString()));
        try {
            for (Future<Path> object : objects) {
                command.add(object.get().toString());
            }
            command.addAll(linking);
            return run(command, made);
        } catch (ExecutionException e) {
            objects.forEach(object -> object.cancel(false));
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The sources of kernels, or of those the ones that are compiled for capped launches too. */
    static List<Path> sources(boolean capped) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(KERNELS)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".cu")).sorted().toList()) {
                if (!capped || Files.readString(file).contains("BASALT_CAPPED_TOO")) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static Path run(List<String> command, Path made) throws IOException, InterruptedException {
        Path log = made.resolveSibling(made.getFileName() + ".log");
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        if (compiler.waitFor() != 0) {
            throw new AssertionError("g++ refuses the kernels:\n" + Files.readString(log));
        }
        return made;
    }
}
