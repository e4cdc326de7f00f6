package dev.basalt.netlib;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.netlib.util.StringW;
import org.netlib.util.doubleW;
import org.netlib.util.floatW;
import org.netlib.util.intW;

/**
 * Arguments of a call by name. Any routine can be called with them: dimensions are at most 8, all leading dimensions are at least 12, and all
 * arrays have room for the largest matrix behind their offset.
 */
final class Arguments {
    static final int LARGEST = 8;
    private static final int LEADING = 12;
    private static final int LENGTH = LEADING * 16;

    /** Numbers of workspace: enough for any routine. */
    private static final int WORK = 3000;

    /** Letters that options may have, by the name of the option. */
    private static final Map<String, String> LETTERS =
            new HashMap<>(Map.of("trans", "NTC", "uplo", "UL", "diag", "NU", "side", "LR", "norm", "M1OIFE", "jobz",
                    "NV", "compz", "NIV", "direct", "FB", "storev", "CR", "vect", "QP"));

    static {
        LETTERS.putAll(Map.of("transa", "NTC", "transb", "NTC", "fact", "NE", "jobu", "ASN", "jobvt", "ASN"));
        LETTERS.putAll(Map.of("jobvl", "NV", "jobvr", "NV", "jobvs", "NV", "sort", "NNS", "sense", "NEVB"));
        LETTERS.putAll(Map.of("balanc", "NPSB", "job", "NPSB", "trana", "NTC", "tranb", "NTC"));
        LETTERS.putAll(Map.of("range", "AVI", "order", "BE", "jobvsl", "NV", "jobvsr", "NV"));
    }

    /** Which eigenvalues come first, as netlib asks for it: an object of a class with one static method. */
    public static final class Positive {
        /** Whether an eigenvalue is chosen. */
        public static boolean select(double re, double im) {
            return re > 0;
        }
    }

    private final Map<String, Object> values = new HashMap<>();
    private final boolean single;
    private final Random random;

    /**
     * Arguments for a method and for those that prepare it.
     *
     * @param method the method, with offsets
     * @param random where numbers come from
     */
    Arguments(Method method, Random random) {
        this.random = random;
        this.single = Arrays.stream(method.getParameterTypes())
                .anyMatch(type -> type == float[].class || type == float.class || type == floatW.class)
                && !method.getName().equals("dsgesv");
        for (Parameter parameter : method.getParameters()) {
            value(parameter);
        }
    }

    private Arguments(Arguments other) {
        random = other.random;
        single = other.single;
        other.values.forEach((name, value) -> values.put(name, copy(value)));
    }

    /** Arguments of the same values, in arrays of their own. */
    Arguments copy() {
        return new Arguments(this);
    }

    private static Object copy(Object value) {
        return switch (value) {
            case double[] x -> x.clone();
            case float[] x -> x.clone();
            case int[] x -> x.clone();
            case boolean[] x -> x.clone();
            case doubleW x -> new doubleW(x.val);
            case floatW x -> new floatW(x.val);
            case intW x -> new intW(x.val);
            case StringW x -> new StringW(x.val);
            default -> value;
        };
    }

    /** The value of a parameter; made up where there is none yet. */
    private Object value(Parameter parameter) {
        return values.computeIfAbsent(parameter.getName().toLowerCase(Locale.ROOT),
                name -> made(name, parameter.getType()));
    }

    private Object made(String name, Class<?> type) {
        int length = name.endsWith("work") ? WORK : LENGTH;
        if (type == String.class) {
            String letters = LETTERS.getOrDefault(name, "UL");
            String letter = letters.substring(random.nextInt(letters.length())).substring(0, 1);
            return random.nextBoolean() ? letter : letter.toLowerCase(Locale.ROOT);
        }
        if (type == int.class) {
            return made(name);
        }
        if (type == double[].class) {
            return random.doubles(length, -1, 1).toArray();
        }
        if (type == float[].class) {
            float[] x = new float[length];
            for (int i = 0; i < x.length; i++) {
                x[i] = 2 * random.nextFloat() - 1;
            }
            return x;
        }
        if (type == int[].class) {
            return random.ints(length, 0, 2).toArray();
        }
        if (type == boolean[].class) {
            return new boolean[length];
        }
        if (type == Object.class) {
            return new Positive();
        }
        return switch (type.getSimpleName()) {
            case "double" -> name.endsWith("cond") && !name.equals("rowcnd") ? 1e-6 : random.nextDouble(0.1, 2);
            case "float" -> name.endsWith("cond") ? 1e-4f : (float) random.nextDouble(0.1, 2);
            case "doubleW" -> new doubleW(random.nextDouble(0.1, 2));
            case "floatW" -> new floatW((float) random.nextDouble(0.1, 2));
            case "intW" -> new intW(0);
            case "StringW" -> new StringW("N");
            default -> throw new IllegalArgumentException("no value for " + type + " " + name);
        };
    }

    private int made(String name) {
        if (name.startsWith("offset")) {
            return random.nextInt(4);
        }
        if (name.startsWith("ld")) {
            return LEADING + random.nextInt(3);
        }
        if (name.startsWith("inc")) {
            int inc = 1 + random.nextInt(3);
            return random.nextBoolean() ? inc : -inc;
        }
        return switch (name) {
            case "lwork", "liwork" -> WORK - 4;
            case "itype" -> 1 + random.nextInt(3);
            case "isgn" -> 2 * random.nextInt(2) - 1;
            case "kl", "ku", "kd" -> random.nextInt(3);
            case "nrhs" -> 1 + random.nextInt(3);
            default -> 1 + random.nextInt(LARGEST);
        };
    }

    int number(String name) {
        return (int) values.get(name);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    boolean isLetter(String name, char letter) {
        return has(name) && Character.toUpperCase(((String) values.get(name)).charAt(0)) == letter;
    }

    /** Gives an argument a value; null takes it away. */
    Arguments set(String name, Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
        return this;
    }

    Object get(String name) {
        return values.get(name);
    }

    /** An element of an array behind its offset. */
    double element(String array, int index) {
        int at = number("offset" + array) + index;
        return get(array) instanceof float[] x ? x[at] : ((double[]) get(array))[at];
    }

    /** Adds to an element of an array behind its offset. */
    void add(String array, int index, double more) {
        int at = (int) values.getOrDefault("offset" + array, 0) + index;
        switch (values.get(array)) {
            case double[] x -> x[at] += more;
            case float[] x -> x[at] += (float) more;
            default -> throw new IllegalArgumentException(array);
        }
    }

    /**
     * Calls a method with these arguments.
     *
     * @param instance any implementation of netlib's interface
     * @param method Basalt's, which keeps the names of its parameters
     */
    Object call(Object instance, Method method) {
        Parameter[] parameters = method.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            arguments[i] = value(parameters[i]);
        }
        try {
            // netlib's classes are closed to this package; their interface is not.
            Class<?> type = method.getDeclaringClass().getInterfaces()[0];
            return type.getMethod(method.getName(), method.getParameterTypes()).invoke(instance, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException | NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sets an element of an array behind its offset. */
    void put(String array, int index, double value) {
        int at = number("offset" + array) + index;
        switch (get(array)) {
            case double[] x -> x[at] = value;
            case float[] x -> x[at] = (float) value;
            default -> throw new IllegalArgumentException(array);
        }
    }

    boolean isSingle() {
        return single;
    }

    /** What a call may have changed, as numbers: arrays and boxes but workspace. */
    Map<String, double[]> results() {
        Map<String, double[]> results = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (!name.endsWith("work")) {
                double[] numbers = switch (value) {
                    case double[] x -> x;
                    case float[] x -> {
                        double[] wide = new double[x.length];
                        Arrays.setAll(wide, i -> x[i]);
                        yield wide;
                    }
                    case int[] x -> Arrays.stream(x).asDoubleStream().toArray();
                    case doubleW x -> new double[] {x.val};
                    case floatW x -> new double[] {x.val};
                    case intW x -> new double[] {x.val};
                    case StringW x -> new double[] {x.val.charAt(0)};
                    default -> null;
                };
                if (numbers != null) {
                    results.put(name, numbers);
                }
            }
        });
        return results;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> {
            if (value instanceof Integer || value instanceof String) {
                text.append(name).append('=').append(value).append(' ');
            }
        });
        return text.toString();
    }
}
