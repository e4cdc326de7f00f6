package dev.basalt.codegen;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A number of operations as the table writes it: {@code 2/3*n^3+2*n^2*nrhs}, of names, numbers, + - * / ^, min, max and parentheses. */
sealed interface Formula {
    /** Adds or subtracts. */
    int SUM = 0;

    /** Multiplies or divides. */
    int PRODUCT = 1;

    /** What has no operator around it. */
    int ATOM = 2;

    /** A whole number. */
    record Constant(long value) implements Formula {
        @Override
        public double value(Map<String, Long> sizes) {
            return value;
        }

        @Override
        public String java() {
            return value + ".0";
        }

        @Override
        public String words() {
            return Long.toString(value);
        }

        @Override
        public int binding() {
            return ATOM;
        }

        @Override
        public Set<String> names() {
            return Set.of();
        }
    }

    /** A dimension. */
    record Name(String name) implements Formula {
        @Override
        public double value(Map<String, Long> sizes) {
            Long size = sizes.get(name);
            if (size == null) {
                throw new IllegalArgumentException("no size is called " + name + ": " + sizes.keySet());
            }
            return size;
        }

        @Override
        public String java() {
            return "size.applyAsDouble(\"" + name + "\")";
        }

        @Override
        public String words() {
            return name;
        }

        @Override
        public int binding() {
            return ATOM;
        }

        @Override
        public Set<String> names() {
            return Set.of(name);
        }
    }

    /** Two formulas and what is between them: an operator, or {@code min} or {@code max} before both. */
    record Both(String operator, Formula left, Formula right) implements Formula {
        @Override
        public double value(Map<String, Long> sizes) {
            double x = left.value(sizes);
            double y = right.value(sizes);
            return switch (operator) {
                case "+" -> x + y;
                case "-" -> x - y;
                case "*" -> x * y;
                case "/" -> x / y;
                case "^" -> Math.pow(x, y);
                case "min" -> Math.min(x, y);
                default -> Math.max(x, y);
            };
        }

        @Override
        public String java() {
            return switch (operator) {
                case "^" -> "Math.pow(" + left.java() + ", " + right.java() + ")";
                case "min", "max" -> "Math." + operator + "(" + left.java() + ", " + right.java() + ")";
                default -> within(left, left.java(), 0) + " " + operator + " " + within(right, right.java(), 1);
            };
        }

        @Override
        public String words() {
            return switch (operator) {
                case "^" -> within(left, left.words(), ATOM) + (right.words().equals("2") ? "²" : "³");
                case "min", "max" -> operator + "(" + left.words() + ", " + right.words() + ")";
                case "+" -> left.words() + " + " + right.words();
                case "-" -> left.words() + " − " + within(right, right.words(), 1);
                case "*" -> within(left, left.words(), 0) + "·" + within(right, right.words(), 0);
                default -> fraction();
            };
        }

        private String fraction() {
            return switch (left.words() + "/" + right.words()) {
                case "1/2" -> "½";
                case "1/3" -> "⅓";
                case "2/3" -> "⅔";
                default -> within(left, left.words(), 0) + "/" + within(right, right.words(), 1);
            };
        }

        /** In parentheses where it binds less than what is around it; {@code more}: where it binds no more. */
        private String within(Formula part, String text, int more) {
            return part.binding() < Math.min(ATOM, binding() + more) ? "(" + text + ")" : text;
        }

        @Override
        public int binding() {
            return switch (operator) {
                case "+", "-" -> SUM;
                case "*", "/" -> PRODUCT;
                default -> ATOM;
            };
        }

        @Override
        public Set<String> names() {
            Set<String> names = new TreeSet<>(left.names());
            names.addAll(right.names());
            return names;
        }
    }

    /** What it comes to. */
    double value(Map<String, Long> sizes);

    /** Java for it, of doubles, where {@code size} tells what a name stands for. */
    String java();

    /** For people. */
    String words();

    /** How much it binds. */
    int binding();

    /** The dimensions in it. */
    Set<String> names();

    /**
     * Reads one.
     *
     * @param text without blanks
     * @return the formula
     * @throws IllegalArgumentException if it is none
     */
    static Formula of(String text) {
        return new FormulaReader(text).whole();
    }
}
