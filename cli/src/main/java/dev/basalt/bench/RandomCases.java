package dev.basalt.bench;

import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Draws cases by a seed over all routines, types, options and forms that the table of routines has. Classes of routines come in
 * turns, so each has its share. Shapes are square, skinny, deep or of three sizes that have nothing to do with one another.
 */
public final class RandomCases {
    /** Operations of a call at most, real ones: some ten milliseconds of one core. */
    private static final double MOST_FLOPS = 4e8;

    private static final double MOST_BYTES = 24 << 20;
    private static final long MOST_VECTOR = 1 << 20;
    private static final long MOST_ORDER = 2048;
    private static final long MOST_BATCH = 3000;

    /** The share of a family that the bench knows with all its arguments, beside one of the table alone. */
    private static final int SHARE = 3;

    private static final String TYPES = "sdcz";

    private final SplittableRandom random;
    private final RandomSizes sizes;
    private final Predicate<TableCase> known;
    private final Map<SweepCase.Group, List<String>> families = new EnumMap<>(SweepCase.Group.class);
    private final Map<String, String> typesOf = new TreeMap<>();

    /**
     * A source of cases.
     *
     * @param seed equal seeds give equal cases
     * @param wanted families without type letter; empty for all
     * @param types letters of s d c z; empty for all
     * @param known of the cases that only the table of routines has, those that are worth to be drawn
     * @throws IllegalArgumentException if there is no such family of such a type
     */
    public RandomCases(long seed, List<String> wanted, String types, Predicate<TableCase> known) {
        this.random = new SplittableRandom(seed);
        this.sizes = new RandomSizes(random);
        this.known = known;
        String letters = types.isEmpty() ? TYPES : types;
        for (Routine routine : Routine.values()) {
            String own = common(routine.types(), letters);
            if ((wanted.isEmpty() || wanted.contains(routine.family())) && !own.isEmpty()) {
                enter(SweepCase.Group.of(level(routine.family())), routine.family(), own, SHARE);
                enter(SweepCase.Group.BATCHES, routine.family(), own, SHARE);
            }
        }
        for (String family : TableSweep.othersAndLapack()) {
            if (wanted.isEmpty() || wanted.contains(family)) {
                StringBuilder found = new StringBuilder();
                letters.chars()
                        .filter(letter -> isKnown(family, (char) letter))
                        .forEach(letter -> found.append((char) letter));
                String own = found.toString();
                if (!own.isEmpty()) {
                    enter(SweepCase.Group.of(level(family)), family, own, 1);
                }
            }
        }
        if (families.isEmpty()) {
            throw new IllegalArgumentException("there is nothing of " + wanted + " of type " + letters + " to compare");
        }
    }

    private void enter(SweepCase.Group group, String family, String types, int share) {
        typesOf.put(family, types);
        for (int i = 0; i < share; i++) {
            families.computeIfAbsent(group, g -> new ArrayList<>()).add(family);
        }
    }

    private static String common(String types, String letters) {
        StringBuilder both = new StringBuilder();
        letters.chars().filter(letter -> types.indexOf(letter) >= 0).forEach(letter -> both.append((char) letter));
        return both.toString();
    }

    private static String level(String family) {
        return Signatures.all()
                .stream()
                .filter(routine -> routine.family().equals(family) || routine.family().equals(family + "u"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the table has no " + family))
                .signature()
                .level();
    }

    private boolean isKnown(String family, char letter) {
        Arguments arguments =
                new Arguments().set("function", family).set("precision", Character.toString(letter)).set("n", "2");
        List<TableCase> cases = TableSweep.of(arguments).cases();
        if (cases.isEmpty()) {
            return false;
        }
        TableCase c = cases.getFirst();
        // Bounds with a difference fit no two sizes that are equal.
        return c.routine().signature().bounds().stream().noneMatch(bound -> bound.contains("-")) && TableCalls.has(c)
                && known.test(c);
    }

    /**
     * The next cases.
     *
     * @param count how many
     * @return cases that fit into memory and some milliseconds
     */
    public List<SweepCase> next(int count) {
        List<SweepCase.Group> groups = List.copyOf(families.keySet());
        List<SweepCase> cases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SweepCase.Group group = groups.get(i % groups.size());
            String family = any(families.get(group));
            String types = typesOf.get(family);
            String type = types.charAt(random.nextInt(types.length())) + "";
            Arguments arguments = SweepCase.OF_TABLE.contains(family)
                    ? ofTable(family, type)
                    : ofBench(family, type, group == SweepCase.Group.BATCHES);
            cases.add(new SweepCase(group, arguments));
        }
        return cases;
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    // ---- routines that the bench knows with all their arguments

    private Arguments ofBench(String family, String type, boolean batch) {
        Routine routine = Routine.valueOf(family.toUpperCase(Locale.ROOT));
        boolean vectors = routine.slots().stream().allMatch(slot -> slot.name().isVector());
        long most = vectors ? MOST_VECTOR : MOST_ORDER * 4;
        while (true) {
            Arguments a = new Arguments();
            a.set("function", family + (batch ? any(List.of("_batched", "_strided_batched")) : ""));
            a.set("precision", type);
            shape(routine, a, batch ? Math.min(most, 128) : most);
            options(routine, a);
            if (batch) {
                a.set("batch_count", Long.toString(sizes.size(2, MOST_BATCH)));
            }
            Workload least = a.workload();
            steps(least, a);
            Workload w = a.workload();
            if (w.flops() <= MOST_FLOPS && Operands.bytes(w) <= MOST_BYTES) {
                return a;
            }
            most = Math.max(1, most * 7 / 8);
        }
    }

    /** Log-uniform from 1 on would be below 8 in every fourth case. */
    private long order(long most) {
        return sizes.size(random.nextInt(5) == 0 ? 1 : Math.min(most, 8), most);
    }

    /** Square, skinny, deep, or three sizes that have nothing to do with one another. */
    private void shape(Routine routine, Arguments a, long most) {
        long order = order(most);
        long thin = sizes.size(Math.min(most, 12));
        boolean alone = !routine.has("m") && !routine.has("k");
        int kind = alone ? 0 : random.nextInt(5);
        a.set("n", Long.toString(kind == 2 ? thin : kind == 3 ? sizes.size(Math.min(most, 64)) : order));
        if (routine.has("m")) {
            a.set("m",
                    Long.toString(kind == 1 ? thin
                            : kind == 3 ? sizes.size(Math.min(most, 64))
                            : kind == 4 ? sizes.size(most)
                            : order));
        }
        if (routine.has("k")) {
            a.set("k", Long.toString(
                    kind == 3 || kind == 4 ? sizes.size(most) : kind == 0 && random.nextInt(3) == 0 ? thin : order));
        }
        if (routine.has("nrhs")) {
            a.set("nrhs", Long.toString(random.nextBoolean() ? 1 : sizes.size(Math.min(most, 200))));
        }
    }

    private void options(Routine routine, Arguments a) {
        option(a, "transposeA", routine.has("tA"), operations(routine, a));
        option(a, "transposeB", routine.has("tB"), List.of("N", "T", "C"));
        option(a, "side", routine.has("side"), List.of("L", "R"));
        option(a, "uplo", routine.has("uplo"), List.of("U", "L"));
        option(a, "diag", routine.has("diag"), List.of("N", "N", "U"));
        if (routine.has("beta") || routine.has("rbeta")) {
            option(a, "beta", random.nextBoolean(), List.of("0.5", "1"));
        }
        if (routine != Routine.SCAL && (routine.has("alpha") || routine.has("ralpha"))) {
            option(a, "alpha", random.nextInt(3) == 0, List.of("-1", "0.75"));
        }
    }

    /** A symmetric update of complex elements has no conjugation, a Hermitian one nothing else. */
    private static List<String> operations(Routine routine, Arguments a) {
        boolean complex = "cz".contains(a.get("precision"));
        if (routine == Routine.HERK) {
            return List.of("N", "C");
        }
        return routine == Routine.SYRK && complex ? List.of("N", "T") : List.of("N", "T", "C");
    }

    private void option(Arguments a, String name, boolean has, List<String> values) {
        if (has) {
            a.set(name, any(values));
        }
    }

    private void steps(Workload w, Arguments a) {
        boolean single = w.routine.slots().size() == 1;
        for (Slot slot : w.routine.slots()) {
            String letter = slot.name().name().toLowerCase(Locale.ROOT);
            if (slot.name().isVector()) {
                long increment = sizes.increment(!single);
                if (increment != 1) {
                    a.set("inc" + letter, Long.toString(increment));
                }
            } else {
                long rows = slot.rows().applyAsLong(w);
                long leading = sizes.leading(rows);
                if (leading != Math.max(1, rows)) {
                    a.set("ld" + letter, Long.toString(leading));
                }
            }
        }
    }

    // ---- routines that only the table of routines has

    private Arguments ofTable(String family, String type) {
        long most = level(family).equals("1") ? MOST_VECTOR : MOST_ORDER;
        while (true) {
            long n = order(most);
            Arguments a = new Arguments().set("function", family).set("precision", type).set("n", Long.toString(n));
            TableCase c = TableSweep.of(a).cases().getFirst();
            // Rows are no fewer than columns, and the third size is no larger: what all shapes of LAPACK allow.
            long m = c.has("m") && !isSquare(c) && random.nextBoolean() ? sizes.size(n, Math.max(n, most)) : n;
            long k = sizes.size(c.isLapack() || level(family).equals("2") ? Math.min(n, 40) : n);
            if (c.has("m")) {
                a.set("m", Long.toString(m));
            }
            if (List.of("k", "nrhs", "kl", "ku", "kd", "l", "nb").stream().anyMatch(c::has)) {
                a.set("k", Long.toString(k));
            }
            option(a, "side", c.has("side"), List.of("L", "R"));
            option(a, "uplo", c.has("uplo"), List.of("U", "L"));
            option(a, "diag", c.has("diag"), List.of("N", "U"));
            option(a, "transposeA", c.has("trans") || c.has("transA"), operations(c));
            option(a, "transposeB", c.has("transB"), List.of("N", "T"));
            double parts = c.type().isComplex() ? 4 : 1;
            double work = 2 * parts * m * n
                    * (c.isLapack() ? Math.max(n, k) : level(family).equals("3") ? Math.max(k, 1) : 1);
            TableCase whole = TableSweep.of(a).cases().getFirst();
            if (work <= MOST_FLOPS && whole.bytes() <= MOST_BYTES) {
                return a;
            }
            most = Math.max(1, most * 7 / 8);
        }
    }

    /** Whether rows are kept equal to columns: m has a bound, or an order by the side, which k must not exceed. */
    private static boolean isSquare(TableCase c) {
        return c.has("side")
                || c.routine().signature().bounds().stream().anyMatch(bound -> bound.matches("m<=.*|k<=m"));
    }

    private static List<String> operations(TableCase c) {
        List<String> all = new ArrayList<>(List.of("N", "T", "C"));
        boolean complex = c.type() == ElementType.C32 || c.type() == ElementType.C64;
        Op forbidden = complex ? c.routine().signature().forbidden() : Op.CONJ_TRANS;
        if (forbidden != null) {
            all.remove(forbidden.ordinal());
        }
        return all;
    }
}
