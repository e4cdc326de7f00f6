package dev.basalt.docs;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.PlannedCall;
import dev.basalt.bench.TableSweep;
import dev.basalt.codegen.Reference;
import dev.basalt.codegen.Reference.Entry;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page for each branch of the table of routines, with a section for each row: what, shapes, types, names, the call on views, workspace. */
final class RoutinePages {
    private static final long SIZE = 1000;

    private RoutinePages() {}

    /** The pages by the name of their file, as Markdown. */
    static Map<String, String> all(Path sources) throws IOException {
        Map<String, List<Entry>> branches = new LinkedHashMap<>();
        for (Entry entry : Reference.entries()) {
            branches.computeIfAbsent(entry.branch(), branch -> new ArrayList<>()).add(entry);
        }
        Map<String, String> pages = new LinkedHashMap<>();
        try (Device device = Device.open("host:threads=1");
                Handle handle = device.handleBuilder().deviceMemorySize(0).create()) {
            branches.forEach((branch, entries) -> pages.put(file(branch), page(branch, entries, handle, sources)));
        }
        return pages;
    }

    /** The file of a branch: {@code routines-blas-level-1.html}. */
    static String file(String branch) {
        String words = branch.replaceFirst("(level \\d).*", "$1").replaceFirst("(?s)(LAPACK: [^:]*):.*", "$1");
        return "routines-" + words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "")
                + ".html";
    }

    private static String page(String branch, List<Entry> entries, Handle handle, Path sources) {
        StringBuilder page = new StringBuilder("# ").append(branch).append("\n\n");
        page.append(
                "Made from the table of routines when the documents were built. Shapes are in the letters of the arguments. ")
                .append("Workspace is that of one call with all dimensions ")
                .append(SIZE)
                .append(" on the device class `")
                .append(handle.device().deviceClass())
                .append("`; [the guide to workspace](docs/workspace.md) says what tiers are, and `basalt plan routine` plans other sizes.\n\n")
                .append("Operations are additions and multiplications on real elements, the terms of highest order; complex elements take up to four times as many. *order* is m if side is LEFT, else n. ")
                .append("In the examples `handle` and `arena` are those of the program in [Getting started](docs/getting-started.md), which imports `dev.basalt.*` and `dev.basalt.type.*`. ")
                .append("They are small, and their matrices tridiagonal.\n");
        for (Entry entry : entries) {
            section(page, entry, handle, sources);
        }
        return page.toString();
    }

    private static void section(StringBuilder page, Entry entry, Handle handle, Path sources) {
        page.append("\n## ").append(entry.view()).append("\n\n").append(entry.text()).append(".\n\n| | |\n|---|---|\n");
        row(page, "arguments", "`" + String.join("`, `", entry.arguments()) + "`");
        if (entry.result()) {
            row(page, "returns", "a number for each problem");
        }
        row(page, "types", String.join("; ",
                entry.types().stream().map(type -> type.replaceFirst("^(in|of) ", "")).distinct().toList()));
        row(page, "names",
                entry.names().isEmpty()
                        ? "none of its own; on views `" + entry.view() + "`"
                        : "`" + String.join("` `", entry.names()) + "`, each also with `"
                                + String.join("` and `", entry.forms()) + "`");
        String call = onViews(entry.view());
        if (!call.isEmpty()) {
            row(page, "on views", "`" + call + "`");
        }
        Standards.of(entry.view()).ifPresent(paper -> row(page, "defined by", paper));
        List<String> papers = Papers.named(sources.resolve(entry.source()));
        if (!papers.isEmpty()) {
            row(page, "algorithm of", String.join("; ", papers));
        }
        // The Javadoc may name the same paper, in full or by its authors and year.
        List<String> background = Standards.background(entry.view())
                .stream()
                .filter(paper -> papers.stream().noneMatch(named -> Standards.same(named, paper)))
                .toList();
        if (!background.isEmpty()) {
            row(page, "background", String.join("; ", background));
        }
        row(page, "workspace", entry.workspace() ? workspace(entry, handle) : "none");
        row(page, "operations", entry.operations());
        row(page, "elements",
                Stream.of(elements("reads ", entry.read()), elements("overwrites ", entry.overwritten()))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("; ")));
        if (!entry.example().isEmpty()) {
            page.append("\n```java\n").append(String.join("\n", entry.example())).append("\n```\n");
        }
    }

    private static String elements(String verb, String operands) {
        return operands.isEmpty() ? "" : verb + operands;
    }

    /** The method on views as a program calls it, with scalars of type double where there is a choice; empty if there is none. */
    static String onViews(String name) {
        for (Class<?> level : List.of(Blas.class, Lapack.class)) {
            Optional<Method> method = Stream.of(level.getMethods())
                    .filter(one -> one.getName().equals(name))
                    .min(Comparator.comparingLong(RoutinePages::doubles)
                            .reversed()
                            .thenComparingInt(Method::getParameterCount)
                            .thenComparing(Method::toString));
            if (method.isPresent()) {
                return level.getSimpleName() + "." + name
                        + Stream.of(method.get().getParameters())
                                .map(argument -> argument.getType().getSimpleName() + " " + argument.getName())
                                .collect(Collectors.joining(", ", "(", ")"));
            }
        }
        return "";
    }

    private static long doubles(Method method) {
        return Stream.of(method.getParameterTypes()).filter(double.class::equals).count();
    }

    private static void row(StringBuilder page, String title, String text) {
        page.append("| ").append(title).append(" | ").append(text.replace("|", "\\|")).append(" |\n");
    }

    private static String workspace(Entry entry, Handle handle) {
        Optional<PlannedCall> call = planned(entry, handle);
        if (call.isEmpty()) {
            return "yes; a size query or a plan tells how much";
        }
        List<String> tiers = new ArrayList<>();
        for (PlannedCall.Tier tier : call.get().tiers()) {
            tiers.add(tier.name() + " " + bytes(tier.bytes()));
        }
        return "`" + call.get().routine() + "`: " + String.join(", or ", tiers);
    }

    private static Optional<PlannedCall> planned(Entry entry, Handle handle) {
        for (String type : List.of("d", "z", "s", "c")) {
            try {
                TableSweep one = new TableSweep(List.of(entry.view()), type, List.of(), List.of(SIZE), List.of(),
                        List.of(), List.of(), List.of("L"), List.of("U"), List.of("N"), List.of("N"), List.of("N"),
                        List.of("V"), List.of(0L));
                return one.plan(handle).calls().stream().filter(call -> !call.tiers().isEmpty()).findFirst();
            } catch (IllegalArgumentException | BlasException e) {
                // It is not there for this type, or not in these sizes: the next type may have it.
            }
        }
        return Optional.empty();
    }

    private static String bytes(long bytes) {
        if (bytes < 10 * 1024) {
            return bytes + " B";
        }
        return bytes < 10L * 1024 * 1024 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    }
}
