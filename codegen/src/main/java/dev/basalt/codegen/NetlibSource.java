package dev.basalt.codegen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes the implementation of one of netlib's interfaces. A method of Basalt's serves what it can; netlib's own Java does the rest, and each
 * such call is counted. Methods that only the older version has are passed to the translated Fortran that both versions depend on.
 */
final class NetlibSource {
    /** Routines of ARPACK, without their type. */
    private static final Set<String> REVERSE = Set.of("saupd", "seupd");

    /**
     * Routines that have loops of their own on the heap, and the class that has these, behind the letter of the type. Basalt's kernels would copy
     * a matrix there and back for little work: ALS of Spark, which makes millions of updates of packed triangles, took more than twice as long.
     */
    private static final Map<String, String> LOOPS =
            Map.of("spr", "Packed", "spr2", "Packed", "laswp", "Rows", "lascl", "Scaling", "dsdot", "Mixed");

    /** What must hold of their arguments; netlib says what is wrong with sizes of the packed ones. */
    private static final Map<String, String> LOOPED =
            Map.of("spr", "n >= 0 && incx != 0", "spr2", "n >= 0 && incx != 0 && incy != 0");

    private final String room;
    private final String name;
    private final NetlibClasses newer;
    private final NetlibClasses older;
    private final Map<String, List<NetlibMethod>> basalt;
    private final List<String> counted = new ArrayList<>();
    private final List<String> served = new ArrayList<>();

    NetlibSource(String room, NetlibClasses newer, NetlibClasses older) {
        this.room = room;
        this.name = room.toUpperCase(Locale.ROOT);
        this.newer = newer;
        this.older = older;
        this.basalt = newer.statics("dev/basalt/arrays/" + arrays());
    }

    /** Basalt's class on arrays; ARPACK has none, so the name is of no class. */
    private String arrays() {
        return "Array" + name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    /**
     * Writes it.
     *
     * @param output where it goes
     */
    void write(Output output) throws IOException {
        Source body = new Source();
        List<NetlibMethod> methods = newer.methods(room);
        Set<String> known = new LinkedHashSet<>();
        for (NetlibMethod method : methods) {
            known.add(method.signature());
            declare(body, method);
            if (method.hasOffsets()) {
                serve(body, method);
            } else {
                pass(body, method);
            }
        }
        for (NetlibMethod method : older.methods(room)) {
            if (!known.contains(method.signature())) {
                declareOlder(body, method);
                if (method.hasOffsets()) {
                    delegate(body, method, fortran(method) + ".");
                } else {
                    pass(body, method);
                }
            }
        }
        Source source = new Source();
        head(source, methods);
        source.lines().addAll(body.lines());
        source.add("}");
        output.write("dev/basalt/netlib/Basalt" + name + ".java", "netlib's " + name, source.lines());
    }

    private void head(Source source, List<NetlibMethod> methods) {
        source.add("package dev.basalt.netlib;", "");
        source.add("import dev.basalt.BlasException;");
        if (!basalt.isEmpty()) {
            source.add("import dev.basalt.arrays." + arrays() + ";");
        }
        if (served.stream().anyMatch(method -> method.substring(1).startsWith("spr"))) {
            source.add("import dev.basalt.type.Uplo;");
        }
        source.add("import dev.ludovic.netlib." + room + ".Java" + name + ";");
        source.add("import dev.ludovic.netlib." + room + ".Native" + name + ";");
        for (String wrapper : List.of("StringW", "booleanW", "doubleW", "floatW", "intW")) {
            if (methods.stream().anyMatch(m -> m.parameters().stream().anyMatch(p -> p.type().equals(wrapper)))) {
                source.add("import org.netlib.util." + wrapper + ";");
            }
        }
        source.add("");
        source.comment("", List.of("netlib's " + name
                + " by Basalt; calls that Basalt has no routine for reach netlib's own Java and are counted."));
        source.add("final class Basalt" + name + " implements Native" + name + " {");
        source.add("    static final Calls CALLS = new Calls(\"" + name + "\", new String[]{");
        list(source, counted);
        source.add("    }, new String[]{");
        list(source, served);
        source.add("    });", "");
        source.add("    static final Basalt" + name + " INSTANCE = new Basalt" + name + "();", "");
        source.add("    private Basalt" + name + "() {}", "");
        source.add(
                "    /** netlib's own Java, found when it is needed first: what finds it may be what finds this class. */");
        source.add("    private static final class Java {");
        source.add("        static final Java" + name + " " + name + " = Java" + name + ".getInstance();", "");
        source.add("        private Java() {}", "    }");
    }

    private static void list(Source source, List<String> names) {
        StringBuilder line = new StringBuilder("           ");
        for (String method : names) {
            if (line.length() + method.length() > 110) {
                source.add(line.toString());
                line = new StringBuilder("           ");
            }
            line.append(" \"").append(method).append("\",");
        }
        if (!line.toString().isBlank()) {
            source.add(line.toString());
        }
    }

    private static void declare(Source body, NetlibMethod method) {
        body.add("", "    @Override");
        declaration(body, method);
    }

    private static void declareOlder(Source body, NetlibMethod method) {
        body.add("");
        body.comment("    ", List.of("As the older version of netlib declares it."));
        declaration(body, method);
    }

    private static void declaration(Source body, NetlibMethod method) {
        body.call("    public " + method.returns() + " " + method.name() + "(", method.declared(), ") {");
    }

    private static void pass(Source body, NetlibMethod method) {
        body.call("        " + result(method) + method.name() + "(", method.fromTheStart(), ");").add("    }");
    }

    private void serve(Source body, NetlibMethod method) {
        if (REVERSE.contains(method.name().substring(1))) {
            reverse(body, method);
            return;
        }
        if (LOOPS.containsKey(method.name().substring(1))) {
            loops(body, method);
            return;
        }
        NetlibServing serving = NetlibServing.of(method, basalt, arrays());
        if (serving == null) {
            delegate(body, method, "Java." + name + ".");
            return;
        }
        served.add(method.name());
        String java = "    Java." + name + "." + method.name() + "(";
        if (serving.condition() != null) {
            body.add("        if (!" + serving.condition() + ") {");
            body.add("            CALLS.delegated(" + number(method) + ");");
            body.call("        " + java, method.names(), ");");
            body.add("            return;", "        }");
        }
        Source query = new Source().call("    " + java, method.names(), ");");
        serving.write(body, query.lines(), number(method));
        body.add("    }");
    }

    /** ARPACK's reverse communication with symmetric operators has a class of its own, which does not serve all modes. */
    private void reverse(Source body, NetlibMethod method) {
        served.add(method.name());
        String letter = method.name().substring(0, 1).toUpperCase(Locale.ROOT);
        String routine = method.name().substring(1);
        boolean first = routine.equals("saupd");
        body.add("        if (" + (first ? "" : "(!rvec || \"A\".equalsIgnoreCase(howmny)) && ") + letter
                + "Lanczos.serves(bmat, n, which, " + (first ? "nev" : "nev.val")
                + ", ncv, iparam, offsetiparam, lworkl)) {");
        body.add("            CALLS.served(" + number(method) + ");", "            try {");
        body.call("                " + letter + (first ? "Lanczos." : "Ritz.") + routine + "(", method.names(), ");");
        body.add("                return;", "            } catch (BlasException refusal) {");
        body.add("                throw Options.refused(\"" + method.name().toUpperCase(Locale.ROOT) + "\", refusal);");
        body.add("            }", "        }");
        delegate(body, method, "Java." + name + ".");
    }

    private void loops(Source body, NetlibMethod method) {
        served.add(method.name());
        String routine = method.name().substring(1);
        String upper = method.name().toUpperCase(Locale.ROOT);
        List<String> arguments = new ArrayList<>(method.names());
        arguments.replaceAll(
                name -> name.equals("uplo") ? "Options.uplo(\"" + upper + "\", 1, uplo) == Uplo.UPPER" : name);
        String call = upper.charAt(0) + LOOPS.get(routine) + "." + routine + "(";
        String condition = LOOPED.get(routine);
        String indent = condition == null ? "        " : "            ";
        if (condition != null) {
            body.add("        if (" + condition + ") {");
        }
        body.add(indent + "CALLS.served(" + number(method) + ");");
        body.call(indent + result(method) + call, arguments, ");");
        if (condition == null) {
            body.add("    }");
        } else {
            body.add("            return;", "        }");
            delegate(body, method, "Java." + name + ".");
        }
    }

    /** A method's number among those that are counted. */
    private int number(NetlibMethod method) {
        if (!counted.contains(method.name())) {
            counted.add(method.name());
        }
        return counted.indexOf(method.name());
    }

    private void delegate(Source body, NetlibMethod method, String receiver) {
        body.add("        CALLS.delegated(" + number(method) + ");");
        body.call("        " + result(method) + receiver + method.name() + "(", method.names(), ");").add("    }");
    }

    private static String result(NetlibMethod method) {
        return method.returns().equals("void") ? "" : "return ";
    }

    /** The class that the translator made of a routine's Fortran. */
    private String fortran(NetlibMethod method) {
        String className = method.name().substring(0, 1).toUpperCase(Locale.ROOT) + method.name().substring(1);
        if (!newer.hasStatic("org/netlib/" + room + "/" + className, method)) {
            throw new IllegalStateException("only the older netlib has " + method.signature()
                    + ", and the translated Fortran does not have it as it is declared");
        }
        return "org.netlib." + room + "." + className;
    }
}
