package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.conformance.support.ChildJvm;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The command that runs the suites on one device, in the size for a sanitizer. */
class VerifyTest {
    private static String verify(String... args) {
        List<String> options = List.of("-Xss4m", "--add-modules", "jdk.incubator.vector");
        return ChildJvm.run(Verify.class, Map.of(), options, args);
    }

    @Test
    void smallSuitesOfOneDevice() {
        String out =
                verify("--small", "--device", "host:engine=scalar,threads=1", "--tests", ".*\\.(Lapack|Level3)Test");
        assertThat(out).contains("LapackTest: ", "Level3Test: ", ", class host");
        Matcher end = Pattern.compile("(\\d+) passed, 0 failed\\s*$").matcher(out);
        assertThat(end.find()).as(out).isTrue();
        // Four types each, of which two have no Hermitian routines.
        assertThat(Integer.parseInt(end.group(1))).isGreaterThanOrEqualTo(4 * 14 + 4 * 6 + 2 * 2);
    }

    @Test
    void forProgramsThereIsOneObject() {
        String out = verify("--json", "--small", "--device", "host:engine=scalar,threads=1", "--tests",
                ".*\\.numbers\\.ExtentTest");
        assertThat(out).matches(
                "\\{\"device\":\"host:engine=scalar,threads=1\",\"passed\":[1-9]\\d*,\"failed\":0,\"failures\":\\[]}\\s*");
    }

    @Test
    void stringsOfProgramsAreQuoted() {
        assertThat(Tally.quoted("a \"b\" \\ c\n")).isEqualTo("\"a \\\"b\\\" \\\\ c\\u000a\"");
    }

    @Test
    void whatItDoesNotKnowIsNothing() {
        assertThat(verify("--smal")).isEmpty();
        assertThat(verify("--device")).isEmpty();
    }
}
