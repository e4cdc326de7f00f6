package dev.basalt.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes links of the repository links of the site: pages to pages, other files to copies beside them. */
final class Links {
    private static final Pattern OUTSIDE = Pattern.compile("^(https?|mailto):.*");
    private static final Pattern LINK = Pattern.compile("(<a href|<img src)=\"([^\"]*)\"");

    private final Path root;
    private final Path site;
    private final List<String> broken = new ArrayList<>();

    Links(Path root, Path site) {
        this.root = root;
        this.site = site;
    }

    /** HTML whose links lead from the page of a source to where they mean. */
    String rewrite(String source, String html) {
        Matcher matcher = LINK.matcher(html);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            String target = target(source, matcher.group(2));
            matcher.appendReplacement(out, Matcher.quoteReplacement(matcher.group(1) + "=\"" + target + "\""));
        }
        return matcher.appendTail(out).toString();
    }

    private String target(String source, String link) {
        if (link.startsWith("#") || OUTSIDE.matcher(link).matches()) {
            return link;
        }
        int hash = link.indexOf('#');
        String anchor = hash < 0 ? "" : link.substring(hash);
        String path = hash < 0 ? link : link.substring(0, hash);
        Path folder = Path.of(source).getParent();
        Path file = (folder == null ? Path.of(path) : folder.resolve(path)).normalize();
        String name = file.toString();
        if (Files.isDirectory(root.resolve(name))) {
            name = file.resolve("README.md").toString();
        }
        if (name.equals("README.md")) {
            return "index.html" + anchor;
        }
        if (Contents.sources().contains(name)) {
            return Contents.page(name) + anchor;
        }
        if (Files.isRegularFile(root.resolve(name))) {
            copy(name);
            return "files/" + name;
        }
        if (path.endsWith(".html") || path.startsWith("plots/")) {
            return link; // made by the site itself; the test of links looks whether it is there
        }
        broken.add(source + ": " + link);
        return link;
    }

    private void copy(String name) {
        try {
            Path to = site.resolve("files").resolve(name);
            Files.createDirectories(to.getParent());
            Files.write(to, Files.readAllBytes(root.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Links that lead nowhere, each with the file it stands in. */
    List<String> broken() {
        return broken;
    }
}
