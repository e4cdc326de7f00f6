package dev.basalt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code basalt trace}: the workspace of a run over time, as a page that needs nothing else. */
@Command(name = "trace", description = {
        "Draws the workspace of a run over time, from a recording of the flight recorder, as a page for a browser.",
        "A program is recorded with java -XX:StartFlightRecording=filename=run.jfr, this one with BASALT_JAVA_OPTS."})
final class TraceCommand implements Runnable {
    private static final String PREFIX = "dev.basalt.Workspace";

    /** A browser draws so many without delay; of more, the shortest are left out. */
    private static final int MOST = 100_000;

    /** Kinds of events, and their fields: {@code from>was} renames one. */
    private static final Map<String, List<String>> KINDS =
            Map.of("Lease", List.of("lease", "handle", "stream", "routine", "shape", "tier", "asked", "capacity"),
                    "Grow", List.of("grow", "handle", "from", "to", "reason", "mechanism"), "Trim",
                    List.of("trim", "handle", "from", "to", "cause"), "Degraded",
                    List.of("degraded", "handle", "routine", "shape", "tier", "held", "next", "optimal"), "Failure",
                    List.of("failure", "handle", "routine", "shape", "minimum", "held", "free"), "Plan",
                    List.of("plan", "calls", "minimum", "optimal", "peak", "hash"), "SchemeChange",
                    List.of("scheme", "handle", "from>was", "to>now", "bytes"), "StreamSwitch",
                    List.of("stream", "handle", "from>was", "to>now", "action"), "Hazard",
                    List.of("hazard", "kind>hazard", "detail"));

    @Parameters(paramLabel = "RECORDING.jfr", description = "The recording.")
    private Path recording;

    @Option(names = {"-o", "--out"}, paramLabel = "FILE.html", required = true, description = "The page.")
    private Path page;

    @Mixin
    private Output output;

    TraceCommand() {}

    @Override
    public void run() {
        MarketWriter.check(page);
        List<RecordedEvent> events = read();
        long degraded = events.stream().filter(event -> kind(event).equals("Degraded")).count();
        long calls = events.stream().filter(event -> kind(event).equals("Lease")).count();
        if (events.isEmpty()) {
            throw new Failure(recording + ": the recording has no events of Basalt's workspace");
        }
        MarketWriter.write(page, page(events));
        output.print(new Report().add("recording", recording.toString())
                .add("calls", String.valueOf(calls), "calls", calls)
                .add("degraded", String.valueOf(degraded), "degraded", degraded)
                .add("written", page.toString()));
    }

    private List<RecordedEvent> read() {
        if (!Files.exists(recording)) {
            throw new Failure(recording + ": no such file");
        }
        List<RecordedEvent> events = new ArrayList<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().startsWith(PREFIX) && KINDS.containsKey(kind(event))) {
                    events.add(event);
                }
            }
        } catch (IOException e) {
            throw new Failure(recording + ": not a recording of the flight recorder: " + e.getMessage(), e);
        }
        events.sort(Comparator.comparing(RecordedEvent::getStartTime));
        return events;
    }

    private static String kind(RecordedEvent event) {
        return event.getEventType().getName().substring(PREFIX.length());
    }

    private String page(List<RecordedEvent> all) {
        List<RecordedEvent> events = longest(all);
        Instant begun = all.get(0).getStartTime();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", Optional.ofNullable(recording.getFileName()).orElse(recording).toString());
        data.put("leftOut", all.size() - events.size());
        data.put("events", events.stream().map(event -> values(event, begun)).toList());
        // No text may end the element that holds the data.
        return template().replace("@DATA@", Json.of(data).replace("</", "<\\/").replace("<!--", "<\\u0021--"));
    }

    private static List<RecordedEvent> longest(List<RecordedEvent> events) {
        if (events.size() <= MOST) {
            return events;
        }
        return events.stream()
                .sorted(Comparator.comparing((RecordedEvent event) -> kind(event).equals("Lease"))
                        .thenComparing(RecordedEvent::getDuration, Comparator.reverseOrder()))
                .limit(MOST)
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .collect(Collectors.toList());
    }

    private static Map<String, Object> values(RecordedEvent event, Instant begun) {
        Map<String, Object> values = new LinkedHashMap<>();
        List<String> fields = KINDS.get(kind(event));
        values.put("kind", fields.get(0));
        values.put("t", Duration.between(begun, event.getStartTime()).toNanos() / 1e3);
        values.put("d", event.getDuration().toNanos() / 1e3);
        for (String field : fields.subList(1, fields.size())) {
            String[] names = field.split(">");
            if (event.hasField(names[0])) {
                values.put(names[names.length - 1], event.getValue(names[0]));
            }
        }
        return values;
    }

    private static String template() {
        try (InputStream in = TraceCommand.class.getResourceAsStream("trace.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new Failure("the page cannot be made: " + e.getMessage(), e);
        }
    }
}
