package dev.basalt.cli;

import io.jhdf.api.Dataset;
import io.jhdf.object.datatype.CompoundDataType;
import io.jhdf.object.datatype.CompoundDataType.CompoundDataMember;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;

/** Numbers as jHDF gives them: arrays of any type, and complex ones as a compound of two fields. */
final class HdfNumbers {
    private HdfNumbers() {}

    /**
     * The names of the fields for real and imaginary parts: r and i, or real and imag. None of a dataset that is not a compound.
     *
     * @throws Failure if the fields are others
     */
    static List<String> fields(Input input, Dataset dataset) {
        if (!(dataset.getDataType() instanceof CompoundDataType compound)) {
            return List.of();
        }
        List<String> names = compound.getMembers().stream().map(CompoundDataMember::getName).toList();
        for (List<String> both : List.of(List.of("r", "i"), List.of("real", "imag"))) {
            if (names.size() == 2 && names.containsAll(both)) {
                return both;
            }
        }
        throw new Failure(input.file() + ": dataset " + HdfMatrix.name(dataset) + " has the fields " + names
                + "; a complex matrix has r and i, or real and imag");
    }

    /** The parts of data, by the names of their fields, or the data itself. */
    static Object[] parts(Object data, List<String> fields) {
        return fields.isEmpty() ? new Object[] {data} : fields.stream().map(((Map<?, ?>) data)::get).toArray();
    }

    /** An element of an array, as a double. */
    static double number(Object array, int i) {
        return switch (array) {
            case double[] all -> all[i];
            case float[] all -> all[i];
            case boolean[] all -> all[i] ? 1 : 0;
            // Unsigned numbers of 64 bits come so.
            case Number[] all -> all[i].doubleValue();
            default -> Array.getDouble(array, i);
        };
    }

    /** The elements of an array, which may be these themselves. */
    static double[] doubles(Object array) {
        if (array instanceof double[] all) {
            return all;
        }
        double[] doubles = new double[Array.getLength(array)];
        if (array instanceof float[] all) {
            for (int i = 0; i < doubles.length; i++) {
                doubles[i] = all[i];
            }
        } else {
            for (int i = 0; i < doubles.length; i++) {
                doubles[i] = number(array, i);
            }
        }
        return doubles;
    }
}
