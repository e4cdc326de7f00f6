package dev.basalt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Basalt's version, as Maven left it in the jar, and Java's. */
final class Version implements IVersionProvider {
    Version() {}

    @Override
    public String[] getVersion() {
        return new String[] {"basalt " + basalt() + ", Java " + Runtime.version()};
    }

    static String basalt() {
        Properties maven = new Properties();
        try (InputStream in =
                Version.class.getResourceAsStream("/META-INF/maven/dev.basalt/basalt-cli/pom.properties")) {
            if (in != null) {
                maven.load(in);
            }
        } catch (IOException e) {
            // Not knowing the version is no reason to fail.
        }
        return maven.getProperty("version", "(not packaged)");
    }
}
