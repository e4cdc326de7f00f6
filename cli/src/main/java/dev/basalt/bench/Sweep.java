package dev.basalt.bench;

import java.util.ArrayList;
import java.util.List;

/** Values of an argument as a list ({@code 8,16,32}), as a range ({@code 64:512:64}), or growing by a factor ({@code 64:4096:*2}). */
public final class Sweep {
    private static final int MOST = 10_000;

    private Sweep() {}

    /**
     * All workloads that arguments with lists and ranges stand for, the last argument varying fastest.
     *
     * @param arguments some of which are lists or ranges
     * @return arguments with one value each
     * @throws IllegalArgumentException if a range makes no sense
     */
    public static List<Arguments> of(Arguments arguments) {
        List<Arguments> all = List.of(arguments);
        for (String name : Arguments.NAMES) {
            String text = arguments.get(name);
            if (text == null || !(text.contains(",") || text.contains(":"))) {
                continue;
            }
            List<Arguments> more = new ArrayList<>();
            for (Arguments one : all) {
                for (String value : values(name, text)) {
                    more.add(one.with(name, value));
                }
            }
            if (more.size() > MOST) {
                throw new IllegalArgumentException("more than " + MOST + " cases are too many");
            }
            all = more;
        }
        return all;
    }

    /** The values of one argument. */
    static List<String> values(String name, String text) {
        List<String> values = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (part.contains(":")) {
                range(name, part, values);
            } else {
                values.add(part.strip());
            }
        }
        return values;
    }

    private static void range(String name, String text, List<String> values) {
        String[] parts = text.strip().split(":", -1);
        IllegalArgumentException wrong = new IllegalArgumentException(name + " = \"" + text
                + "\" is not accepted: a range is first:last, first:last:step or first:last:*factor, growing");
        if (parts.length < 2 || parts.length > 3) {
            throw wrong;
        }
        try {
            long first = Long.parseLong(parts[0]);
            long last = Long.parseLong(parts[1]);
            boolean factor = parts.length == 3 && parts[2].startsWith("*");
            long step = parts.length < 3 ? 1 : Long.parseLong(factor ? parts[2].substring(1) : parts[2]);
            if (first < 1 || last < first || step < (factor ? 2 : 1) || last > 1L << 40) {
                throw wrong;
            }
            for (long value = first; value <= last; value = factor ? value * step : value + step) {
                values.add(Long.toString(value));
                if (values.size() > MOST) {
                    throw new IllegalArgumentException(name + " = \"" + text + "\" is more than " + MOST + " values");
                }
            }
        } catch (NumberFormatException e) {
            throw wrong;
        }
    }
}
