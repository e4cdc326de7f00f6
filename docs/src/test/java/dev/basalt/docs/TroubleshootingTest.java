package dev.basalt.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every message that the libraries can end a call with has an entry in docs/troubleshooting.md, and no entry is out of date. */
class TroubleshootingTest {
    private static final Path ROOT = Path.of("..");

    /** What describes something inside a message, and is none by itself. */
    private static final Set<String> PARTS = Set.of("a number of threads from 1 to … (default: all processors)",
            "cuMemSetAccess of … bytes", "device name", "host, or host:engine=… ,threads=…",
            "launch of … with a grid of … x … x … blocks of … threads and … bytes of shared memory", "memory pools",
            "virtual memory", "… elements of … bytes", "… of … bytes", "… x … elements",
            "… x … elements, ld or inc … , … problems");

    private static Set<String> messages() throws IOException {
        Set<String> messages = Messages.in(
                Stream.of("core", "host", "gpu", "cuda").map(m -> ROOT.resolve(m).resolve("src/main/java")).toList());
        messages.removeAll(PARTS);
        return messages;
    }

    private static Set<String> entries() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/troubleshooting.md"));
        String own = page.substring(0, page.indexOf("## No exception"));
        return Pattern.compile("(?m)^\\| `(.*?)` \\|")
                .matcher(own)
                .results()
                .map(entry -> entry.group(1).replace("\\|", "|"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyMessageHasAnEntry() throws IOException {
        Set<String> missing = messages();
        assertThat(missing).hasSizeGreaterThan(100);
        missing.removeAll(entries());
        assertThat(missing).as("messages without a row in docs/troubleshooting.md").isEmpty();
    }

    @Test
    void everyEntryIsAMessage() throws IOException {
        Set<String> stale = entries();
        stale.removeAll(messages());
        assertThat(stale).as("rows of docs/troubleshooting.md that no source has").isEmpty();
    }
}
