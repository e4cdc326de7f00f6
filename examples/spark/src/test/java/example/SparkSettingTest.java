package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The program prints what README.md says. */
class SparkSettingTest {
    @Test
    void itPrintsWhatTheDocumentSays() throws Exception {
        String document = Files.readString(Path.of("README.md"));
        String shown = document.replaceFirst("(?s).*```text\\n(.*?)```.*", "$1");
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            SparkSetting.main(new String[0]);
        } finally {
            System.setOut(out);
        }
        assertEquals(shown, printed.toString(StandardCharsets.UTF_8));
    }
}
