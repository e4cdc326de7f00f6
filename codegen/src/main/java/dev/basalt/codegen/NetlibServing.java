package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How a method of Basalt's on arrays does the work of one of netlib's. Both have LAPACK's arguments in LAPACK's order, apart from workspace,
 * info, letters for options and boxes for scalars that are results. So the two lists are laid side by side, and each pair is translated; a
 * pair that cannot be translated means that netlib's own Java does the work.
 */
final class NetlibServing {
    /** What Basalt takes from its handle. */
    private static final Set<String> WORKSPACE = Set.of("work", "swork", "iwork", "bwork", "lwork", "liwork", "ldwork");

    /** Dimensions that have another name in Basalt. */
    private static final Map<String, String> SAME = Map.of("nb", "k", "ldab", "lda", "ldafb", "ldaf", "ldz", "ldc");

    /** Types of options, whose letters a method of Options reads. */
    private static final Set<String> OPTIONS = Set.of("Op", "Uplo", "Diag", "Side", "Norm", "Evect", "Svect", "Region",
            "Fact", "Direct", "Storev", "Balance", "Sense", "Erange", "Eorder", "Schur");

    /** Types of options that are numbers. */
    private static final Set<String> NUMBERED = Set.of("Eform", "Sign");

    /** What the letters of equed stand for, from 0 on. */
    private static final Map<String, String> SCALES =
            Map.of("gesvx", "NRCB", "laqge", "NRCB", "posvx", "NY", "laqsy", "NY");

    /** Routines of netlib with one letter for what Basalt asks of both sides. */
    private static final Set<String> BOTH_SIDES = Set.of("gesdd");

    /** Whose eigenvalues may be put into order: Basalt has rules for that, netlib a function of the caller's. */
    private static final Map<String, String> UNSORTED = Map.of("gees", "sort", "gges", "sort", "geesx", "sort, sense");

    /** Arguments that Basalt has no use for: of routines with more ways to return their result those that choose one, or belong to another; workspace of another name. */
    private static final Map<String, Set<String>> ONE_WAY =
            Map.of("bdsdc", Set.of("compq", "q", "iq"), "lasyf", Set.of("w", "ldw"));

    /** What must hold of a letter of those. */
    private static final Map<String, String> THAT_WAY = Map.of("bdsdc", "Options.is('I', compq)");

    /** Letters that say whether anyone wants the vectors of a leading dimension, which LAPACK takes as 1 where nobody does. */
    private static final Map<String, List<String>> WANTED = Map.of("ldz", List.of("jobz", "compz"), "ldvs",
            List.of("jobvs"), "ldvsl", List.of("jobvsl"), "ldvsr", List.of("jobvsr"));

    /** Numbers that count for some ranges of eigenvalues alone. */
    private static final Set<String> OF_RANGE = Set.of("il", "iu");

    /** Routines that are told how many vectors they make, where Basalt asks for room and number. */
    private static final Map<String, String> NUMBER_AND_ROOM = Map.of("stein", "m");

    /** An argument: an array with its offset is one. */
    private record Item(String type, String name, String offset) {}

    private final NetlibMethod netlib;
    private final NetlibMethod basalt;
    private final String className;
    private final List<String> before = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final List<String> after = new ArrayList<>();
    private boolean possible;

    /**
     * The serving of a method.
     *
     * @param netlib netlib's method, with offsets
     * @param methods Basalt's methods, by name
     * @param className Basalt's class
     * @return null if Basalt has no method that does it
     */
    static NetlibServing of(NetlibMethod netlib, Map<String, List<NetlibMethod>> methods, String className) {
        for (NetlibMethod basalt : methods.getOrDefault(netlib.name(), List.of())) {
            NetlibServing serving = new NetlibServing(netlib, basalt, className);
            if (serving.possible) {
                return serving;
            }
        }
        return null;
    }

    /**
     * Lays them side by side.
     *
     * @param netlib netlib's method, with offsets
     * @param basalt Basalt's of the same name, with offsets
     * @param className Basalt's class
     */
    private NetlibServing(NetlibMethod netlib, NetlibMethod basalt, String className) {
        this.netlib = netlib;
        this.basalt = basalt;
        this.className = className;
        List<Item> theirs = items(netlib);
        List<Item> left = new ArrayList<>(theirs);
        left.removeIf(item -> WORKSPACE.contains(item.name) || item.name.equals("info"));
        if (UNSORTED.containsKey(family())) {
            left.removeIf(item -> item.name.equals("sort"));
        }
        left.removeIf(item -> ONE_WAY.getOrDefault(family(), Set.of()).contains(item.name));
        if (NUMBER_AND_ROOM.containsKey(family())) {
            left.add(1, new Item("room", NUMBER_AND_ROOM.get(family()), null));
        }
        List<Item> ours = items(basalt);
        if (BOTH_SIDES.contains(family())) {
            jobOfBothSides(left);
        }
        if (ours.size() == left.size() + 1) {
            // An array that LAPACK keeps in its workspace.
            theirs.stream().filter(item -> item.name.equals("work")).forEach(left::add);
        }
        possible = ours.size() == left.size();
        for (int i = 0; possible && i < ours.size(); i++) {
            translate(left.get(i), ours.get(i));
        }
    }

    private static List<Item> items(NetlibMethod method) {
        List<Item> items = new ArrayList<>();
        List<NetlibMethod.Parameter> parameters = method.parameters();
        for (int i = 0; i < parameters.size(); i++) {
            NetlibMethod.Parameter p = parameters.get(i);
            items.add(new Item(p.type(), p.name(), p.isArray() ? parameters.get(i + 1).name() : null));
            if (p.isArray()) {
                i++;
            }
        }
        return items;
    }

    /** One letter is two options. */
    private static void jobOfBothSides(List<Item> items) {
        String jobz = items.getFirst().name;
        items.set(0, new Item("left", jobz, null));
        items.add(1, new Item("right", jobz, null));
    }

    private void translate(Item theirs, Item ours) {
        if (theirs.type.equals("String") && OPTIONS.contains(ours.type)) {
            option(ours.type, theirs.name);
        } else if (ours.type.equals("Svect") && !theirs.type.equals("String")) {
            arguments.add("Options." + theirs.type + "(\"" + routine() + "\", 1, " + theirs.name + ", m < n)");
        } else if (theirs.type.equals("int") && NUMBERED.contains(ours.type)) {
            option(ours.type, theirs.name);
        } else if (theirs.type.equals("Object") && ours.type.equals("Selection")) {
            arguments.add("dev.basalt.type.Selection.NONE");
        } else if (theirs.type.equals("room")) {
            arguments.add(theirs.name);
        } else if (OF_RANGE.contains(theirs.name)) {
            arguments.add("Options.ordinal(range, " + theirs.name + ")");
        } else if (theirs.type.equals(ours.type)) {
            boolean dimension = theirs.type.equals("int");
            if (dimension && !theirs.name.equalsIgnoreCase(ours.name) && !ours.name.equals(SAME.get(theirs.name))) {
                possible = false;
            }
            arguments.add(dimension ? wanted(theirs.name) : theirs.name);
            if (theirs.offset != null) {
                arguments.add(theirs.offset);
            }
        } else if (ours.type.equals(theirs.type + "[]")) {
            arguments.add("new " + ours.type + "{" + theirs.name + "}");
            arguments.add("0");
        } else if (ours.type.equals(theirs.type.replace("W", "[]"))) {
            box(ours.type, theirs.name, theirs.name + ".val", theirs.name + "Box[0]");
        } else if (theirs.type.equals("StringW") && SCALES.containsKey(family())) {
            String letters = "\"" + SCALES.get(family()) + "\", ";
            box(ours.type, theirs.name, "Options.number(" + letters + theirs.name + ".val)",
                    "Options.letter(" + letters + theirs.name + "Box[0])");
        } else {
            possible = false;
        }
    }

    private String wanted(String dimension) {
        List<String> letters = WANTED.getOrDefault(dimension, List.of());
        return letters.stream()
                .filter(letter -> netlib.names().contains(letter))
                .findFirst()
                .map(letter -> "Options.leading(" + letter + ", " + dimension + ", n)")
                .orElse(dimension);
    }

    private void option(String type, String name) {
        // Of a tridiagonal matrix that is given there are no other vectors.
        String method = type.equals("Evect") && family().startsWith("stev") ? "tridiagonal" : type;
        int position = items(netlib).stream().map(Item::name).toList().indexOf(name) + 1;
        arguments.add("Options." + method.toLowerCase(Locale.ROOT) + "(\"" + routine() + "\", " + position + ", " + name
                + ")");
    }

    /** A scalar that netlib has in a box of its own is an array of one element. */
    private void box(String type, String name, String in, String out) {
        before.add(type + " " + name + "Box = {" + in + "};");
        after.add(name + ".val = " + out + ";");
        arguments.add(name + "Box");
        arguments.add("0");
    }

    private String family() {
        return netlib.name().substring(1);
    }

    private String routine() {
        return netlib.name().toUpperCase(Locale.ROOT);
    }

    /** What must hold of the arguments, as an expression; null where Basalt serves all. */
    String condition() {
        String letters = UNSORTED.get(family());
        return letters == null ? THAT_WAY.get(family()) : "Options.unsorted(" + letters + ")";
    }

    /**
     * Writes the statements.
     *
     * @param body where they go
     * @param query what answers a query of workspace
     * @param index the method's number among those that are counted
     */
    void write(Source body, List<String> query, int index) {
        if (netlib.names().contains("lwork")) {
            String also = netlib.names().contains("liwork") ? " || liwork == -1" : "";
            body.add("        if (lwork == -1" + also + ") {");
            query.forEach(line -> body.add("    " + line));
            body.add("            return;", "        }");
        }
        body.add("        CALLS.served(" + index + ");");
        body.add("        try {");
        before.forEach(line -> body.add("            " + line));
        String result = "            ";
        boolean info = netlib.names().contains("info");
        if (!netlib.returns().equals("void")) {
            result += "return ";
        } else if (info && basalt.returns().equals("int")) {
            result += "info.val = ";
        }
        // netlib counts elements from 0, and sums those of a vector that goes backwards, too.
        String end = family().equals("damax") || family().equals("samax") ? ") - 1;" : ");";
        if (family().equals("asum")) {
            arguments.replaceAll(argument -> argument.equals("incx") ? "Math.abs(incx)" : argument);
        }
        body.call(result + className + "." + basalt.name() + "(", arguments, end);
        if (info && basalt.returns().equals("void")) {
            body.add("            info.val = 0;");
        }
        after.forEach(line -> body.add("            " + line));
        body.add("        } catch (BlasException refusal) {");
        body.add("            throw Options.refused(\"" + routine() + "\", refusal);", "        }");
    }
}
