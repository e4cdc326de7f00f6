package dev.basalt.conformance.every;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of one problem of a call, laid out as in memory; whole numbers as doubles too.
 *
 * @param scalars by name, real and imaginary part
 * @param arrays by name
 */
record Problem(Map<String, double[]> scalars, Map<String, double[]> arrays) {
    Problem copy() {
        Map<String, double[]> copies = new LinkedHashMap<>();
        arrays.forEach((name, array) -> copies.put(name, array.clone()));
        return new Problem(scalars, copies);
    }

    /** Every number replaced by the size of it: what comes out bounds the rounding errors. */
    Problem sizes(Map<String, Stored> stored) {
        Map<String, double[]> absolute = new LinkedHashMap<>();
        scalars.forEach((name, v) -> absolute.put(name, new double[] {Math.abs(v[0]) + Math.abs(v[1]), 0}));
        Problem sizes = new Problem(absolute, new LinkedHashMap<>());
        arrays.forEach((name, array) -> {
            Stored s = stored.get(name);
            double[] a = array.clone();
            for (int i = 0; s.floating() && i < a.length; i += s.parts()) {
                double rest = 0;
                if (s.parts() == 2) {
                    rest = Math.abs(a[i + 1]);
                    a[i + 1] = 0;
                }
                a[i] = Math.abs(a[i]) + rest;
            }
            sizes.arrays.put(name, a);
        });
        return sizes;
    }
}
