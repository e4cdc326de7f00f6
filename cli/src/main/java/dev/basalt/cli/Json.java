package dev.basalt.cli;

import java.util.Collection;
import java.util.Map;

/** Writes values as JSON (RFC 8259): maps, collections, arrays of numbers, texts, numbers, truths and null. */
final class Json {
    private final StringBuilder text = new StringBuilder();

    private Json() {}

    /** A value as JSON on one line. */
    static String of(Object value) {
        Json json = new Json();
        json.value(value);
        return json.text.toString();
    }

    private void value(Object value) {
        switch (value) {
            case null -> text.append("null");
            case Map<?, ?> map -> map(map);
            case Collection<?> all -> collection(all);
            case double[] numbers -> numbers(numbers);
            case Double number -> number(number);
            case Float number -> number(number);
            case Number number -> text.append(number);
            case Boolean truth -> text.append(truth);
            default -> quoted(value.toString());
        }
    }

    private void map(Map<?, ?> map) {
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(before);
            quoted(entry.getKey().toString());
            text.append(':');
            value(entry.getValue());
            before = ',';
        }
        text.append(map.isEmpty() ? "{}" : "}");
    }

    private void collection(Collection<?> all) {
        char before = '[';
        for (Object one : all) {
            text.append(before);
            value(one);
            before = ',';
        }
        text.append(all.isEmpty() ? "[]" : "]");
    }

    private void numbers(double[] numbers) {
        char before = '[';
        for (double number : numbers) {
            text.append(before);
            number(number);
            before = ',';
        }
        text.append(numbers.length == 0 ? "[]" : "]");
    }

    /** JSON has neither infinities nor NaN. */
    private void number(double number) {
        if (Double.isFinite(number)) {
            text.append(number);
        } else {
            text.append("null");
        }
    }

    private void quoted(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ') {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
