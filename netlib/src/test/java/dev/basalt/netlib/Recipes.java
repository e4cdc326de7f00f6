package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ludovic.netlib.blas.BLAS;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.netlib.util.intW;

/** What a routine wants of its arguments, and what of its results is one and the same whoever computes it. */
final class Recipes {
    /** Netlib's own Java, which prepares factors. */
    private final Object java;

    private final Map<String, Method> methods;

    /** By the name of the routine without its type. */
    private final Map<String, Consumer<Arguments>> recipes = new HashMap<>();

    /** Arrays that a routine leaves something in that it does not promise. */
    private static final Map<String, Set<String>> LEFTOVERS = new HashMap<>(Map.of("gels", Set.of("a"), "gelsy",
            Set.of("a"), "gglse", Set.of("a", "b", "c"), "ggglm", Set.of("a", "b", "d"), "sterf", Set.of("e"), "steqr",
            Set.of("e"), "stedc", Set.of("e"), "bdsqr", Set.of("e"), "sgesv", Set.of("a", "ipiv", "iter")));

    static {
        LEFTOVERS.putAll(Map.of("geev", Set.of("a"), "gelsd", Set.of("a"), "gelss", Set.of("a"), "spev", Set.of("ap"),
                "spevd", Set.of("ap"), "sbev", Set.of("ab"), "sbevd", Set.of("ab"), "stev", Set.of("e"), "stevd",
                Set.of("e")));
        LEFTOVERS.putAll(Map.of("geevx", Set.of("a"), "gesvd", Set.of("a"), "gesdd", Set.of("a"), "labrd",
                Set.of("a", "x", "y"), "ggev", Set.of("a", "b")));
        LEFTOVERS.putAll(Map.of("syevx", Set.of("a", "ifail"), "syevr", Set.of("a", "isuppz"), "sygvx",
                Set.of("a", "ifail"), "stein", Set.of("ifail"), "bdsdc", Set.of("e"), "gges",
                Set.of("a", "b", "vsl", "vsr"), "lasyf", Set.of("w")));
    }

    /** Leading dimensions of vectors, which may be 1 where the letter N says that nobody wants these. */
    private static final Map<String, List<String>> UNWANTED = Map.of("ldz", List.of("jobz", "compz"), "ldvl",
            List.of("jobvl"), "ldvr", List.of("jobvr"), "ldvs", List.of("jobvs"), "ldvsl", List.of("jobvsl"), "ldvsr",
            List.of("jobvsr"), "ldu", List.of("jobu", "jobz"), "ldvt", List.of("jobvt", "jobz"));

    /** Vectors whose signs are open. */
    private static final Set<String> SIGNS_OPEN = Set.of("syev", "syevd", "sygv", "sygvd", "steqr", "stedc", "gesvd",
            "gesdd", "bdsqr", "bdsdc", "syevx", "syevr", "sygvx", "stein", "geev", "geevx", "ggev", "spev", "spevd",
            "sbev", "sbevd", "stev", "stevd");

    /** Estimates, which two ways may answer by another factor. */
    private static final Set<String> ESTIMATES = Set.of("rcond", "ferr", "berr", "rcondv");

    Recipes(Object java, Map<String, Method> methods) {
        this.java = java;
        this.methods = methods;
        for (String name : "gemv gemm symm trmm trsm trmv trsv getrf getf2 getri getrs gesv gesvx gecon potri"
                .split(" ")) {
            recipes.put(name, this::dominant);
        }
        for (String name : "posv potrf potf2 lauum pocon posvx trtri trtrs trcon".split(" ")) {
            recipes.put(name, this::dominant);
        }
        factored("getrs getri gecon", "getrf", "m", "n");
        factored("gbtrs gbcon", "gbtrf", "m", "n");
        factored("potrs potri pocon", "potrf", "n", "n");
        factored("pptrs pptri", "pptrf", "n", "n");
        factored("pbtrs", "pbtrf", "n", "n");
        factored("pttrs", "pttrf", "n", "n");
        factored("gttrs", "gttrf", "n", "n");
        factored("sytrs sytri sycon", "sytrf", "n", "n");
        factored("sptrs sptri", "sptrf", "n", "n");
        for (String name : "ppsv pptrf ppequ".split(" ")) {
            recipes.put(name, this::packedDominant);
        }
        for (String name : "pbsv pbtrf tbsv tbmv".split(" ")) {
            recipes.put(name, this::bandDominant);
        }
        recipes.put("tpsv", this::packedDominant);
        for (String name : "ptsv pttrf".split(" ")) {
            recipes.put(name, a -> shift(a, "d", 4));
        }
        for (String name : "gtsv gttrf".split(" ")) {
            recipes.put(name, a -> shift(a, "d", 1));
        }
        recipes.put("gerfs", a -> refined(a, "getrf"));
        recipes.put("porfs", a -> refined(a, "potrf"));
        for (String name : "sygst sygs2".split(" ")) {
            recipes.put(name, a -> {
                diagonal(a, "b", 6);
                prepare(a, "potrf", Map.of("a", "b", "offseta", "offsetb", "lda", "ldb"));
            });
        }
        for (String name : "sygv sygvd".split(" ")) {
            recipes.put(name, a -> diagonal(a, "b", 6));
        }
        for (String name : "orgqr org2r orgql org2l".split(" ")) {
            recipes.put(name, a -> {
                ordered(a, "k", "n", "m");
                if (name.contains("l")) {
                    a.set("k", a.number("n"));
                }
                prepare(a, name.contains("l") ? "geqlf" : "geqrf", Map.of("n", "k"));
            });
        }
        for (String name : "orglq orgl2 orgrq orgr2".split(" ")) {
            recipes.put(name, a -> {
                ordered(a, "k", "m", "n");
                boolean last = name.startsWith("orgr");
                if (last) {
                    a.set("k", a.number("m"));
                }
                prepare(a, last ? "gerqf" : "gelqf", Map.of("m", "k"));
            });
        }
        reflectors("ormqr orm2r", "geqrf", true);
        reflectors("ormql orm2l", "geqlf", true);
        reflectors("ormlq orml2", "gelqf", false);
        reflectors("ormrq ormr2", "gerqf", false);
        recipes.put("ormrz", a -> {
            int order = applied(a);
            a.set("k", Math.min(a.number("k"), order));
            a.set("l", order - a.number("k"));
            prepare(a, "tzrzf", Map.of("m", "k", "n", "order"));
        });
        recipes.put("tzrzf", a -> ordered(a, "m", "n"));
        recipes.put("orgtr", a -> prepare(a, "sytrd", Map.of()));
        recipes.put("ormtr", a -> {
            applied(a);
            prepare(a, "sytrd", Map.of("n", "order"));
        });
        recipes.put("orgbr", a -> a.set("k", a.number("n")).set("m", a.number("n")));
        recipes.put("larfb", a -> a.set("k", Math.min(a.number("k"), applied(a))).set("ldwork", 20));
        recipes.put("larft", a -> ordered(a, "k", "n"));
        recipes.put("labrd", a -> {
            int least = Math.min(a.number("m"), a.number("n"));
            a.set("m", a.number("m") + 1).set("n", a.number("n") + 1).set("nb", Math.min(a.number("nb"), least));
        });
        recipes.put("latrd", a -> ordered(a, "nb", "n"));
        recipes.put("lantr", a -> a.set("m", a.number("n")));
        recipes.put("gglse", a -> {
            ordered(a, "p", "n");
            a.set("m", Math.max(a.number("m"), a.number("n") - a.number("p")));
        });
        recipes.put("ggglm", a -> {
            ordered(a, "m", "n");
            a.set("p", Math.max(a.number("p"), a.number("n") - a.number("m")));
        });
        for (String name : "ger larfg".split(" ")) {
            // netlib's own Java goes wrong where increments of ger are negative.
            recipes.put(name, Recipes::forward);
        }
        if (Arrays.stream(BLAS.class.getFields()).noneMatch(field -> field.getName().equals("ALLOW_NATIVE_BLAS"))) {
            // So does the older netlib's where those of symv and spmv are.
            recipes.put("symv", Recipes::forward);
            recipes.put("spmv", Recipes::forward);
        }
        for (String name : "gbtrf gbtf2".split(" ")) {
            // In columns behind the last row LAPACK clears what is not the matrix.
            recipes.put(name, a -> a.set("m", Math.max(a.number("n"), a.has("m") ? a.number("m") : 0)));
        }
        recipes.put("laswp", a -> {
            ordered(a, "k1", "k2");
            // Distances of two and three, and of one; the pivots of any row are below it, or its own.
            int[] pivots = (int[]) a.get("ipiv");
            for (int i = 0; i < pivots.length; i++) {
                pivots[i] = 1 + (7 * i + a.number("offseta")) % Arguments.LARGEST;
            }
        });
        // A panel has room for a block of two columns.
        recipes.put("lasyf", a -> a.set("nb", Math.max(2, Math.min(a.number("nb"), a.number("n")))));
        recipes.put("rotm", a -> a.put("param", 0, a.number("n") % 4 - 2));
        recipes.put("sgesv", a -> {
            // netlib's own Java writes into the gaps of X.
            dominant(a);
            a.set("ldx", a.number("n"));
        });
        recipes.put("gesvd", a -> square(a, "jobu", "jobvt"));
        recipes.put("gesdd", a -> square(a.set("jobz", "ANSO".substring(a.number("m") % 4).substring(0, 1)), "jobz"));
        // gehd2 leaves numbers of reflectors alone that are none.
        recipes.put("gehd2", a -> a.set("n", Math.max(2, a.number("n"))).set("ilo", 1).set("ihi", a.number("n")));
        recipes.put("gehrd", a -> rows(a.set("n", Math.max(2, a.number("n"))), a.number("n")));
        recipes.put("orghr", a -> {
            rows(a.set("n", Math.max(2, a.number("n"))), a.number("n"));
            prepare(a, "gehrd", Map.of());
        });
        recipes.put("ormhr", a -> {
            a.set("m", Math.max(2, a.number("m"))).set("n", Math.max(2, a.number("n")));
            rows(a, applied(a));
            prepare(a, "gehrd", Map.of("n", "order"));
        });
        recipes.put("geev", Recipes::apart);
        recipes.put("gees", Recipes::apart);
        recipes.put("geesx", a -> {
            apart(a);
            if (a.isLetter("sort", 'N')) {
                // Condition numbers are those of what is chosen.
                a.set("sense", "N");
            }
        });
        recipes.put("geevx", a -> {
            // For one row netlib's own Java asks for the element of iwork before the first.
            a.set("n", Math.max(2, a.number("n")));
            apart(a);
            if (a.isLetter("sense", 'E') || a.isLetter("sense", 'B')) {
                a.set("jobvl", "V").set("jobvr", "V");
            }
            isolated(a);
        });
        recipes.put("gebal", Recipes::isolated);
        recipes.put("ggbal", a -> {
            // Basalt scales by powers of two, LAPACK by powers of ten.
            if (a.isLetter("job", 'S') || a.isLetter("job", 'B')) {
                a.set("job", a.isLetter("job", 'S') ? "N" : "P");
            }
            for (int j = 0; j < a.number("n"); j++) {
                // A row with elements in one column alone.
                if (j != a.number("n") / 2) {
                    a.put("a", j * a.number("lda"), 0);
                    a.put("b", j * a.number("ldb"), 0);
                }
            }
        });
        recipes.put("gebak", a -> balanced(a, "scale"));
        recipes.put("ggbak", a -> {
            balanced(a, "lscale");
            balanced(a, "rscale");
        });
        recipes.put("trsyl", a -> {
            schur(a, "a", a.number("m"), 10);
            schur(a, "b", a.number("n"), 3);
        });
        recipes.put("lahr2", a -> {
            a.set("n", Math.max(2, a.number("n")));
            a.set("k", Math.min(a.number("k"), a.number("n") - 1));
            a.set("nb", Math.min(a.number("nb"), a.number("n") - a.number("k")));
        });
        recipes.put("ggev", a -> {
            for (int i = 0; i < Arguments.LARGEST; i++) {
                // Real and far from each other: netlib's own Java ends the JVM over blocks of complex ones that its iteration leaves.
                a.add("a", i * (a.number("lda") + 1), 40 * i);
                a.add("b", i * (a.number("ldb") + 1), 20);
            }
        });
        for (String name : "syevx syevr sygvx stebz".split(" ")) {
            recipes.put(name, a -> {
                if (name.equals("sygvx")) {
                    diagonal(a, "b", 6);
                }
                some(a);
            });
        }
        recipes.put("stein", a -> {
            some(a.set("il", 1).set("iu", a.number("n")));
            a.set("range", "A").set("order", "B").set("mbox", new intW(0));
            prepare(a, "stebz", Map.of("m", "mbox"));
            a.set("m", a.number("n"));
        });
        // For one row netlib's own Java asks for the element before the first of e.
        recipes.put("bdsdc", a -> a.set("compq", "I").set("n", Math.max(2, a.number("n"))));
        recipes.put("hseqr", a -> {
            a.set("job", a.isLetter("compz", 'N') ? "E" : "S").set("ilo", 1).set("ihi", a.number("n"));
            if (a.isLetter("compz", 'V')) {
                a.set("compz", "I");
            }
            for (int j = 0; j < Arguments.LARGEST; j++) {
                a.add("h", j * (a.number("ldh") + 1), 10 * (j / 2));
                for (int i = j + 2; i < Arguments.LARGEST; i++) {
                    a.put("h", i + j * a.number("ldh"), 0);
                }
            }
        });
        recipes.put("gges", a -> recipes.get("ggev").accept(a.set("sort", "N")));
        for (String name : "sbevd stedc steqr".split(" ")) {
            // Of one row LAPACK's stedc makes a one, whatever Z was, and its sbevd takes another element for the diagonal.
            recipes.put(name, a -> a.set("n", Math.max(2, a.number("n"))));
        }
    }

    private static void same(Arguments a) {}

    /** Some eigenvalues, all digits of them. */
    private static void some(Arguments a) {
        a.set("abstol", a.isSingle() ? (Object) 0f : (Object) 0.0);
        ordered(a, "il", "iu", "n");
        if (a.isSingle()) {
            a.set("vl", -0.7f).set("vu", 1.1f);
        } else {
            a.set("vl", -0.7).set("vu", 1.1);
        }
    }

    /** What lies behind the values that were found promises nothing. */
    private static void found(Arguments a) {
        int n = a.number("n");
        int m = a.get("m") instanceof intW box ? box.val : a.number("m");
        for (int j = m; j < n; j++) {
            a.put("w", j, 0);
            for (int i = 0; a.has("ldz") && i < n; i++) {
                a.put("z", i + j * a.number("ldz"), 0);
            }
            if (a.get("iblock") instanceof int[] blocks) {
                blocks[a.number("offsetiblock") + j] = 0;
            }
        }
        if (a.get("isplit") instanceof int[] ends) {
            int from = a.number("offsetisplit");
            Arrays.fill(ends, from + ((intW) a.get("nsplit")).val, from + n, 0);
        }
    }

    /** Pairs of eigenvalues far from each other, some of them complex. */
    private static void apart(Arguments a) {
        for (int i = 0; i < Arguments.LARGEST; i++) {
            a.add("a", i * (a.number("lda") + 1), 10 * (i / 2));
        }
    }

    /**
     * The first row has an eigenvalue of its own, if balancing may move it. Elements beside the diagonal are about as large, so that there is nothing to scale; in half
     * of the cases the last column is out of scale.
     */
    private static void isolated(Arguments a) {
        int n = a.number("n");
        int lda = a.number("lda");
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                double x = a.element("a", i + j * lda);
                if (i != j) {
                    double size = i == 0 && !isLetter(a, 'S') ? 0 : j == n - 1 && isScaled(a) ? 512 : 1;
                    a.put("a", i + j * lda, Math.copySign(size * (0.6 + 0.4 * Math.abs(x)), x));
                }
            }
        }
    }

    /** What balancing has left of vectors' rows: their range, and what they were multiplied by or changed places with. */
    private static void balanced(Arguments a, String scale) {
        int n = a.number("n");
        int first = Math.min(n, 1 + a.number("ldv") % 2);
        int last = Math.max(first, n - a.number("offsetv") % 2);
        a.set("ilo", first).set("ihi", last);
        for (int i = 0; i < n; i++) {
            a.put(scale, i, i + 1 >= first && i + 1 <= last ? Math.scalb(1.0, i - 3) : 1 + i / 2);
        }
    }

    /** Whether balancing scales: by how much depends on the norm of a row, which LAPACK has changed over the years. */
    private static boolean isScaled(Arguments a) {
        return a.number("lda") % 2 == 0 && (isLetter(a, 'S') || isLetter(a, 'B'));
    }

    private static boolean isLetter(Arguments a, char balance) {
        return a.isLetter(a.has("job") ? "job" : "balanc", balance);
    }

    /** Takes the scaling away, with what belongs to the scaled matrix alone. */
    private static void unscale(Arguments a, boolean balanced) {
        Arguments before = a.copy();
        int n = a.number("n");
        for (int j = 0; j < n; j++) {
            for (int i = 0; balanced && i < n; i++) {
                double turned = before.element("a", i + j * a.number("lda")) * factor(before, i) / factor(before, j);
                a.put("a", i + j * a.number("lda"), turned);
            }
            if (factor(before, j) != 1) {
                a.put("scale", j, 1);
            }
            if (!balanced) {
                a.put("rconde", j, 0);
                a.put("rcondv", j, 0);
            }
        }
        if (!balanced) {
            a.set("abnrm", null);
        }
    }

    private static double factor(Arguments a, int i) {
        boolean inside = i + 1 >= ((intW) a.get("ilo")).val && i + 1 <= ((intW) a.get("ihi")).val;
        double factor = inside ? a.element("scale", i) : 1;
        assertThat(Math.scalb(1.0, Math.getExponent(factor))).as("a power of two").isEqualTo(factor);
        return factor;
    }

    /** A Schur form whose real eigenvalues, and those of whose blocks, are about a number; a pair comes first. */
    private static void schur(Arguments a, String name, int n, double about) {
        int ld = a.number("ld" + name);
        for (int i = 0; i < n; i++) {
            a.add(name, i * (ld + 1), about);
            if (i + 1 < n) {
                a.put(name, i + 1 + i * ld, 0);
            }
        }
        if (n > 1) {
            a.put(name, ld + 1, a.element(name, 0));
            a.put(name, ld, 1.5);
            a.put(name, 1, -0.5);
        }
    }

    /** Brings results to a form that does not depend on what is left open. */
    static void settle(String routine, Arguments a) {
        if (routine.matches("sy(ev|gv)[xr]|stebz")) {
            found(a);
        } else if (routine.equals("hseqr")) {
            rising(a, "wr", "wi");
            together(a, a.isLetter("compz", 'I'), "z", "h");
        } else if (routine.equals("gges")) {
            quotients(a);
            rising(a, "alphar", "alphai");
        } else if (routine.equals("ggev")) {
            quotients(a);
            rising(a, "alphar", "alphai");
        } else if (routine.startsWith("geev")) {
            rising(a, "wr", "wi");
            if (routine.equals("geevx") && isScaled(a)) {
                unscale(a, false);
            }
        } else if (routine.equals("gebal") && isScaled(a)) {
            unscale(a, true);
        } else if (routine.startsWith("gees")) {
            rising(a, "wr", "wi");
            together(a, a.isLetter("jobvs", 'V'), "vs", "a");
        } else if (routine.equals("lahr2")) {
            // Nothing is said of what lies below the diagonal of T.
            for (int j = 0; j < a.number("nb"); j++) {
                for (int i = j + 1; i < a.number("nb"); i++) {
                    a.put("t", i + j * a.number("ldt"), 0);
                }
            }
        } else if (routine.matches("gels[ds]")) {
            residual(a);
        }
    }

    /** Numerators and denominators depend on the order of eigenvalues. */
    private static void quotients(Arguments a) {
        for (int j = 0; j < a.number("n"); j++) {
            a.put("alphar", j, a.element("alphar", j) / a.element("beta", j));
            a.put("beta", j, 1);
        }
    }

    /** Eigenvalues may come in any order, but for complex pairs. */
    private static void rising(Arguments a, String real, String imaginary) {
        int n = a.number("n");
        Integer[] order = IntStream.range(0, n).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(i -> a.element(real, i)));
        for (String name : List.of(real, imaginary, "vl", "vr", "rconde", "rcondv")) {
            boolean vectors = name.startsWith("v");
            if (vectors ? !a.isLetter("job" + name, 'V') : !a.has("offset" + name)) {
                continue;
            }
            int rows = vectors ? n : 1;
            int ld = vectors ? a.number("ld" + name) : 1;
            Arguments before = a.copy();
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < rows; i++) {
                    a.put(name, i + j * ld, before.element(name, i + order[j] * ld));
                }
            }
        }
    }

    /**
     * A Schur form is one of many: A becomes VS·T·VSᵀ, which must be the matrix that was given. VS becomes how far its columns are from
     * orthonormal, and T from triangular but for blocks of two rows.
     */
    private static void together(Arguments a, boolean vectors, String vs, String form) {
        int n = a.number("n");
        Arguments t = a.copy();
        double apart = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                double product = i == j ? -1 : 0;
                for (int k = 0; vectors && k < n; k++) {
                    product += t.element(vs, k + i * t.number("ld" + vs)) * t.element(vs, k + j * t.number("ld" + vs));
                    for (int l = 0; l < n; l++) {
                        sum += t.element(vs, i + k * t.number("ld" + vs))
                                * t.element(form, k + l * t.number("ld" + form))
                                * t.element(vs, j + l * t.number("ld" + vs));
                    }
                }
                apart += vectors ? Math.abs(product) : 0;
                apart += vectors && i > j + 1 ? Math.abs(t.element(form, i + j * t.number("ld" + form))) : 0;
                a.put(form, i + j * a.number("ld" + form), sum);
            }
        }
        for (int i = 0; vectors && i < n; i++) {
            for (int j = 0; j < n; j++) {
                a.put(vs, i + j * a.number("ld" + vs), i + j == 0 ? apart : 0);
            }
        }
    }

    /** What lies behind the solution in B promises no more than its norm. */
    private static void residual(Arguments a) {
        int n = a.number("n");
        for (int j = 0; j < a.number("nrhs"); j++) {
            double norm = 0;
            for (int i = n; i < a.number("m"); i++) {
                norm = Math.hypot(norm, a.element("b", i + j * a.number("ldb")));
                a.put("b", i + j * a.number("ldb"), 0);
            }
            if (n < a.number("m")) {
                a.put("b", n + j * a.number("ldb"), norm);
            }
        }
    }

    /** The rows that are not triangular yet. */
    private static void rows(Arguments a, int order) {
        int first = order > 2 ? 1 + a.number("lda") % 2 : 1;
        a.set("ilo", first).set("ihi", Math.max(first, order - a.number("offseta") % 2));
    }

    private static void forward(Arguments a) {
        for (String name : List.of("incx", "incy")) {
            if (a.has(name)) {
                a.set(name, Math.abs(a.number(name)));
            }
        }
    }

    /** Vectors that make a matrix square are not unique. */
    private static void square(Arguments a, String... jobs) {
        for (String job : jobs) {
            if (a.isLetter(job, 'A')) {
                a.set("n", a.number("m"));
            }
        }
    }

    /** Prepares arguments for a routine. */
    void prepare(String routine, Arguments arguments) {
        if (routine.endsWith("con")) {
            arguments.set("norm", arguments.isLetter("norm", 'I') ? "I" : "1");
        }
        if ((routine.startsWith("orm") || routine.equals("gels")) && arguments.isLetter("trans", 'C')) {
            // Where there is nothing to conjugate, LAPACK knows no C here.
            arguments.set("trans", "T");
        }
        recipes.getOrDefault(routine, Recipes::same).accept(arguments);
        UNWANTED.forEach((ld, letters) -> {
            if (arguments.has(ld) && letters.stream().anyMatch(letter -> arguments.isLetter(letter, 'N'))) {
                arguments.set(ld, 1);
            }
        });
    }

    /** Whether the results in an array are promised. */
    static boolean isPromised(String routine, String name) {
        return !LEFTOVERS.getOrDefault(routine, Set.of()).contains(name);
    }

    static boolean isSignOpen(String routine) {
        return SIGNS_OPEN.contains(routine);
    }

    static boolean isEstimate(String name) {
        return ESTIMATES.contains(name);
    }

    private void factored(String routines, String factorisation, String set, String from) {
        for (String routine : routines.split(" ")) {
            recipes.put(routine, a -> {
                recipes.getOrDefault(factorisation, Recipes::same).accept(a);
                prepare(a, factorisation, Map.of(set, from));
            });
        }
    }

    private void refined(Arguments a, String factorisation) {
        dominant(a);
        a.set("af", a.copy().get("a")).set("offsetaf", a.number("offseta")).set("ldaf", a.number("lda"));
        prepare(a, factorisation, Map.of("a", "af", "offseta", "offsetaf", "lda", "ldaf", "m", "n"));
    }

    private void reflectors(String routines, String factorisation, boolean columns) {
        for (String routine : routines.split(" ")) {
            recipes.put(routine, a -> {
                int order = applied(a);
                a.set("k", Math.min(a.number("k"), order));
                prepare(a, factorisation, columns ? Map.of("m", "order", "n", "k") : Map.of("m", "k", "n", "order"));
            });
        }
    }

    /** The order of a Q that is applied to C. */
    private static int applied(Arguments a) {
        int order = a.isLetter("side", 'L') ? a.number("m") : a.number("n");
        a.set("order", order);
        return order;
    }

    /** Runs a routine of netlib's on these arguments, some of them under another name. */
    private void prepare(Arguments a, String routine, Map<String, String> renamed) {
        Map<String, Object> kept = new HashMap<>();
        Map<String, Object> given = new HashMap<>();
        renamed.forEach((name, from) -> {
            kept.put(name, a.get(name));
            given.put(name, a.get(from));
        });
        given.forEach(a::set);
        a.call(java, methods.get((a.isSingle() ? "s" : "d") + routine));
        kept.forEach(a::set);
    }

    private void dominant(Arguments a) {
        diagonal(a, "a", 6);
    }

    private static void diagonal(Arguments a, String name, double more) {
        for (int i = 0; i < Arguments.LARGEST; i++) {
            a.add(name, i * (a.number("ld" + name) + 1), more);
        }
    }

    private void packedDominant(Arguments a) {
        String name = a.has("ap") ? "ap" : "a";
        int n = a.number("n");
        int at = 0;
        for (int j = 0; j < n; j++) {
            at += a.isLetter("uplo", 'U') ? j == 0 ? 0 : j + 1 : j == 0 ? 0 : n - j + 1;
            a.add(name, at, 6);
        }
    }

    private void bandDominant(Arguments a) {
        boolean lapack = a.has("ab");
        int below = a.isLetter("uplo", 'U') ? a.number(lapack ? "kd" : "k") : 0;
        String name = lapack ? "ab" : "a";
        for (int j = 0; j < a.number("n"); j++) {
            a.add(name, below + j * a.number("ld" + name), 6);
        }
    }

    private static void shift(Arguments a, String name, double more) {
        for (int i = 0; i < Arguments.LARGEST; i++) {
            a.add(name, i, more);
        }
    }

    /** Sorts dimensions, so that each is at most the next. */
    private static void ordered(Arguments a, String... names) {
        for (int i = names.length - 1; i > 0; i--) {
            a.set(names[i - 1], Math.min(a.number(names[i - 1]), a.number(names[i])));
        }
    }
}
