package dev.basalt.codegen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Small sizes for the example of a family: those of a tall problem, or of a wide or a square one where the table's bounds want it. */
final class ExampleSizes {
    private static final List<List<Long>> SHAPES =
            List.of(List.of(4L, 3L, 2L), List.of(3L, 4L, 2L), List.of(3L, 3L, 3L));
    private static final Pattern BOUND = Pattern.compile("(.+)<=(.+)");

    /** Elements of inverted blocks for each row. */
    private static final long INVERSE = 128;

    private final Map<String, Long> sizes;

    ExampleSizes(ClassicFamily family) {
        this.sizes = SHAPES.stream()
                .map(ExampleSizes::of)
                .filter(sizes -> fits(family.fact("where"), sizes))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no example fits the bounds of " + family.name()));
    }

    private static boolean fits(String bounds, Map<String, Long> sizes) {
        for (String bound : bounds == null ? new String[0] : bounds.split(" ", -1)) {
            Matcher matcher = BOUND.matcher(bound);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("not a bound: " + bound);
            }
            if (Formula.of(matcher.group(1)).value(sizes) > Formula.of(matcher.group(2)).value(sizes)) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, Long> of(List<Long> shape) {
        long m = shape.get(0);
        long n = shape.get(1);
        long k = shape.get(2);
        Map<String, Long> sizes = new HashMap<>(Map.of("m", m, "n", n, "k", k, "nrhs", 2L, "p", 2L, "l", 2L, "nb", 2L,
                "nblocks", 3L, "kl", 1L, "ku", 1L));
        sizes.putAll(Map.of("kd", 1L, "ilo", 1L, "ihi", n, "ifst", 1L, "ilst", 2L, "k1", 1L, "k2", 2L, "il", 0L, "iu",
                0L, "niters", 2L));
        sizes.putAll(Map.of("ncvt", n, "nru", n, "ncc", 2L, "maxSweeps", 60L, "sizeInv", INVERSE * n));
        long least = Math.min(m, n);
        // The options of the example: LEFT, all eigenvalues, thin singular vectors.
        sizes.putAll(Map.of("order", m, "over", k, "across", n, "longest", Math.max(m, n), "most", n, "urows", m,
                "ucols", least, "vrows", least, "vcols", n));
        sizes.putAll(Map.of("uchosen", least, "vchosen", least, "lrows", n, "rrows", n));
        return sizes;
    }

    /** What an expression of the table comes to. */
    long of(String expression) {
        return Math.max(0, (long) Formula.of(expression).value(sizes));
    }
}
