package dev.basalt.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** A file of Markdown as HTML, with its headings and the text below each for the search. */
final class Markdown {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    /**
     * What stands below one heading.
     *
     * @param level 1 to 6
     * @param title the heading
     * @param anchor its identifier
     * @param text all words below it
     */
    record Section(int level, String title, String anchor, String text) {}

    private final String html;
    private final List<Section> sections;

    Markdown(String text) {
        Node document = PARSER.parse(text);
        Map<Node, String> anchors = new HashMap<>();
        sections = sections(document, anchors);
        html = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (anchors.containsKey(node)) {
                        attributes.put("id", anchors.get(node));
                    }
                    if (node instanceof TableBlock && tag.equals("table")) {
                        attributes.put("class", "striped");
                    }
                })
                .build()
                .render(document)
                // A wide table scrolls by itself, and the page does not.
                .replace("<table", "<div class=\"wide\"><table")
                .replace("</table>", "</table></div>");
    }

    private static List<Section> sections(Node document, Map<Node, String> anchors) {
        List<Section> sections = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        Heading heading = null;
        StringBuilder below = new StringBuilder();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading next) {
                add(sections, heading, below, anchors);
                heading = next;
                below.setLength(0);
                anchors.put(next, anchor(words(next), taken));
            } else {
                below.append(words(node)).append(' ');
            }
        }
        add(sections, heading, below, anchors);
        return sections;
    }

    private static void add(List<Section> sections, Heading heading, StringBuilder below, Map<Node, String> anchors) {
        if (heading != null) {
            sections.add(new Section(heading.getLevel(), words(heading), anchors.get(heading), below.toString()));
        }
    }

    /** The identifier that repositories on the web give to a heading, so that links work in both places. */
    private static String anchor(String title, Set<String> taken) {
        StringBuilder anchor = new StringBuilder();
        title.toLowerCase(Locale.ROOT).codePoints().forEach(c -> {
            if (Character.isLetterOrDigit(c) || c == '-' || c == '_') {
                anchor.appendCodePoint(c);
            } else if (c == ' ') {
                anchor.append('-');
            }
        });
        String first = anchor.toString();
        String free = first;
        for (int i = 1; !taken.add(free); i++) {
            free = first + "-" + i;
        }
        return free;
    }

    private static String words(Node node) {
        StringBuilder words = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral()).append(spaced(text));
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral()).append(spaced(code));
            }

            /* The last piece of a cell or paragraph is not glued to the next one. */
            private String spaced(Node piece) {
                return piece.getNext() == null && !(piece.getParent() instanceof Heading) ? " " : "";
            }
        });
        return words.toString();
    }

    String html() {
        return html;
    }

    List<Section> sections() {
        return sections;
    }

    /** The first heading. */
    String title() {
        return sections.isEmpty() ? "" : sections.get(0).title();
    }
}
