package dev.basalt.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/** Makes the site: {@code Site ROOT OUT}. */
public final class Site {
    private static final String WEB = "/META-INF/resources/webjars/";

    private static final Map<String, String> ASSETS =
            Map.of("pico.css", WEB + "picocss__pico/2.1.1/css/pico.classless.min.css", "lunr.js",
                    WEB + "lunr/2.3.9/lunr.min.js", "highlight.js", WEB + "highlightjs/11.11.1/highlight.min.js",
                    "code-light.css", WEB + "highlightjs/11.11.1/styles/github.min.css", "code-dark.css",
                    WEB + "highlightjs/11.11.1/styles/github-dark.min.css", "site.css", "/dev/basalt/docs/site.css",
                    "site.js", "/dev/basalt/docs/site.js");

    private static final List<String> PLOTTED = List.of("dgemm", "dtrsm", "dgetrf", "dpotrf", "dgemv-n", "ddot");

    private final Path root;
    private final Path site;
    private final Links links;
    private final SearchIndex search = new SearchIndex();
    private final Map<String, Markdown> pages = new LinkedHashMap<>();
    private final Map<String, String> sources = new LinkedHashMap<>();

    private Site(Path root, Path site) {
        this.root = root;
        this.site = site;
        this.links = new Links(root, site);
    }

    /**
     * Makes the site anew.
     *
     * @param args the root of the project, and the folder of the site
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        new Site(Path.of(args[0]).toAbsolutePath().normalize(), Path.of(args[1])).make();
    }

    private void make() throws IOException {
        Files.createDirectories(site.resolve("assets"));
        Files.createDirectories(site.resolve("plots"));
        for (Map.Entry<String, String> asset : ASSETS.entrySet()) {
            Files.write(site.resolve("assets").resolve(asset.getKey()), resource(asset.getValue()));
        }
        for (String group : PLOTTED) {
            List<String> peers = Stream.of("openblas", "vectorblas", "ejml", "ojalgo").toList();
            Files.writeString(site.resolve("plots/" + group + ".svg"),
                    Plot.paired(group, root.resolve("benchmarks/results"), peers).svg());
        }
        for (String source : Contents.sources()) {
            add(Contents.page(source), source, Files.readString(root.resolve(source)));
        }
        Map<String, String> routines = RoutinePages.all(root.resolve("core/src/main/java"));
        routines.forEach((page, text) -> add(page, page.replace(".html", ".md"), text));
        for (String page : pages.keySet()) {
            Files.writeString(site.resolve(page), html(page, routines));
        }
        Files.writeString(site.resolve("assets/sections.js"), search.script());
        if (!links.broken().isEmpty()) {
            throw new IOException("links that lead nowhere:\n" + String.join("\n", links.broken()));
        }
        System.out.println("docs: " + pages.size() + " pages; open " + site.resolve("index.html"));
    }

    private void add(String page, String source, String text) {
        Markdown markdown = new Markdown(text);
        pages.put(page, markdown);
        sources.put(page, source);
        search.add(page, markdown.title(), markdown.sections());
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("there is no " + name + " on the class path");
            }
            return in.readAllBytes();
        }
    }

    private String html(String page, Map<String, String> routines) throws IOException {
        Markdown markdown = pages.get(page);
        String template = new String(resource("/dev/basalt/docs/page.html"), StandardCharsets.UTF_8);
        return template.replace("{title}", escaped(markdown.title()))
                .replace("{menu}", menu(page, routines))
                // The headings of the page are listed below its title.
                .replace("{body}", links.rewrite(sources.get(page), markdown.html())
                        .replaceFirst("</h1>", Matcher.quoteReplacement("</h1>" + contents(markdown))));
    }

    /** The headings of a page, where it has several. */
    private static String contents(Markdown markdown) {
        List<Markdown.Section> headings = markdown.sections().stream().filter(section -> section.level() == 2).toList();
        if (headings.size() < 3) {
            return "";
        }
        StringBuilder out = new StringBuilder("<nav class=\"contents\" aria-label=\"On this page\"><ul>");
        for (Markdown.Section section : headings) {
            out.append("<li><a href=\"#")
                    .append(section.anchor())
                    .append("\">")
                    .append(escaped(section.title()))
                    .append("</a></li>");
        }
        return out.append("</ul></nav>").toString();
    }

    private String menu(String current, Map<String, String> routines) {
        StringBuilder out = new StringBuilder();
        Contents.groups().forEach((group, members) -> {
            boolean project = group.equals("Project");
            boolean open = !project || members.stream().anyMatch(source -> Contents.page(source).equals(current));
            out.append(project
                    ? "<details" + (open ? " open" : "") + "><summary>" + group + "</summary>"
                    : "<p>" + group + "</p>");
            out.append("<ul>");
            members.forEach(source -> entry(out, Contents.page(source), current));
            if (group.equals("Reference")) {
                routines.keySet().forEach(page -> entry(out, page, current));
            }
            out.append("</ul>").append(project ? "</details>" : "");
        });
        return out.toString();
    }

    private void entry(StringBuilder out, String page, String current) {
        String title = page.equals("index.html")
                ? "Overview"
                : pages.get(page).title().replaceFirst("^LAPACK: ", "").replaceFirst("^BLAS level", "Level");
        out.append("<li><a href=\"")
                .append(page)
                .append('"')
                .append(page.equals(current) ? " aria-current=\"page\"" : "")
                .append('>')
                .append(escaped(title))
                .append("</a></li>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
