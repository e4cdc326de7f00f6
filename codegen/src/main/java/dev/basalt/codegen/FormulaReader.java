package dev.basalt.codegen;

/** Reads a {@link Formula}, from left to right. */
final class FormulaReader {
    private final String text;
    private int at;

    FormulaReader(String text) {
        this.text = text;
    }

    Formula whole() {
        Formula formula = sum();
        if (at < text.length()) {
            throw wrong();
        }
        return formula;
    }

    private Formula sum() {
        Formula left = product();
        while (at < text.length() && "+-".indexOf(text.charAt(at)) >= 0) {
            String operator = text.substring(at, ++at);
            left = new Formula.Both(operator, left, product());
        }
        return left;
    }

    private Formula product() {
        Formula left = power();
        while (at < text.length() && "*/".indexOf(text.charAt(at)) >= 0) {
            String operator = text.substring(at, ++at);
            left = new Formula.Both(operator, left, power());
        }
        return left;
    }

    private Formula power() {
        Formula left = atom();
        return at < text.length() && text.charAt(at) == '^' && skip('^') ? new Formula.Both("^", left, atom()) : left;
    }

    private Formula atom() {
        if (at < text.length() && text.charAt(at) == '(') {
            skip('(');
            Formula inner = sum();
            skip(')');
            return inner;
        }
        int start = at;
        while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        if (word.matches("\\d+")) {
            return new Formula.Constant(Long.parseLong(word));
        }
        if (word.equals("min") || word.equals("max")) {
            skip('(');
            Formula left = sum();
            skip(',');
            Formula right = sum();
            skip(')');
            return new Formula.Both(word, left, right);
        }
        if (word.isEmpty()) {
            throw wrong();
        }
        return new Formula.Name(word);
    }

    /** Goes past a character that must be there. */
    private boolean skip(char one) {
        if (at >= text.length() || text.charAt(at) != one) {
            throw wrong();
        }
        at++;
        return true;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not a formula from character " + at + " on: " + text);
    }
}
