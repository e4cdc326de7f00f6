package dev.basalt.docs;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The messages of errors, read out of the sources: what is known of each before a program runs, and {@code …} for the rest. */
final class Messages {
    /** Methods that make an error of a text that they are given. */
    private static final Set<String> MAKERS = Set.of("tooBig", "refused", "notASwitch", "foreign", "failed", "shortage",
            "broken", "apart", "absent", "failure", "unknown", "invalid", "refusal", "require");

    private Messages() {}

    /** The messages of the sources below some folders. */
    static Set<String> in(List<Path> folders) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> all = Files.walk(folder)) {
                all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
            }
        }
        Set<String> messages = new TreeSet<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null,
                    manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                new Finder(messages).scan(unit, null);
            }
        }
        return messages;
    }

    /** Looks at every place where an error is made. */
    private static final class Finder extends TreeScanner<Void, Void> {
        private final Set<String> messages;

        Finder(Set<String> messages) {
            this.messages = messages;
        }

        @Override
        public Void visitNewClass(NewClassTree made, Void none) {
            if (made.getIdentifier().toString().matches("(dev\\.basalt\\.)?BlasException|DriverException")) {
                take(made.getArguments());
            }
            return super.visitNewClass(made, none);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
            String name = call.getMethodSelect().toString().replaceFirst(".*\\.", "");
            if (MAKERS.contains(name)) {
                take(call.getArguments());
            }
            return super.visitMethodInvocation(call, none);
        }

        private void take(List<? extends ExpressionTree> arguments) {
            for (ExpressionTree argument : arguments) {
                String message = known(argument).replaceAll("(…\\s*)+", "… ").replaceAll("\\s+", " ").strip();
                // A text of one word is a name, and one without words says what the caller says.
                if (message.replaceAll("[^\\p{L} ]", "").strip().contains(" ")) {
                    messages.add(message);
                }
            }
        }

        private static String known(ExpressionTree text) {
            if (text instanceof ParenthesizedTree inner) {
                return known(inner.getExpression());
            }
            if (text instanceof LiteralTree literal && literal.getValue() instanceof String words) {
                return words;
            }
            if (text instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
                return known(sum.getLeftOperand()) + known(sum.getRightOperand());
            }
            return "…";
        }
    }
}
