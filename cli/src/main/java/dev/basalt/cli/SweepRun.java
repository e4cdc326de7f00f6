package dev.basalt.cli;

import dev.basalt.bench.SweepBench;
import dev.basalt.bench.SweepCase;
import dev.basalt.bench.SweepLine;
import dev.basalt.bench.SweepReport;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the lines of a random sweep go.
 *
 * @param output for the report, or a JSON object a case
 * @param file a line each; null for none
 */
record SweepRun(Output output, Path file) {
    /** Measures all cases; those that are wrong or failed are told at the end. */
    int run(List<SweepCase> cases, SweepBench bench, String where, String command) throws IOException {
        List<SweepLine> lines = new ArrayList<>();
        try (Writer to = file == null ? Writer.nullWriter() : Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            to.write(SweepLine.HEAD + System.lineSeparator());
            BenchLines objects = output.json() ? new BenchLines(output, SweepLine.HEAD) : null;
            for (SweepCase c : cases) {
                SweepLine line = bench.run(c);
                lines.add(line);
                to.write(line.csv() + System.lineSeparator());
                to.flush();
                if (objects != null) {
                    objects.print(line.csv());
                }
            }
        }
        if (!output.json() && !output.quiet()) {
            output.out().println(where);
            new SweepReport(lines, command).text().forEach(output.out()::println);
            output.out().flush();
        }
        long bad = lines.stream().filter(SweepLine::bad).count();
        if (bad > 0) {
            throw new Failure(bad + " of " + cases.size() + " cases are wrong or failed");
        }
        return 0;
    }
}
