package dev.basalt.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON strictly, as far as plans use it. */
final class JsonText {
    private final String text;
    private int at;

    JsonText(String text) {
        this.text = text;
    }

    /** The only value of the text. */
    Object value() {
        Object value = next();
        if (peek() != 0) {
            throw wrong();
        }
        return value;
    }

    private Object next() {
        char c = peek();
        if (c == '{') {
            return object();
        } else if (c == '[') {
            return array();
        } else if (c == '"') {
            return string();
        } else if (text.startsWith("true", at) || text.startsWith("false", at)) {
            boolean truth = c == 't';
            at += truth ? 4 : 5;
            return truth;
        } else if (text.startsWith("null", at)) {
            at += 4;
            return null;
        }
        int from = at;
        while (at < text.length() && "-+.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Double.valueOf(text.substring(from, at));
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        eat('{');
        while (peek() != '}') {
            if (!object.isEmpty()) {
                eat(',');
            }
            String name = string();
            eat(':');
            if (object.containsKey(name)) {
                throw wrong();
            }
            object.put(name, next());
        }
        eat('}');
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        eat('[');
        while (peek() != ']') {
            if (!array.isEmpty()) {
                eat(',');
            }
            array.add(next());
        }
        eat(']');
        return array;
    }

    private String string() {
        StringBuilder value = new StringBuilder();
        eat('"');
        while (text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 1 : 0;
            value.append(text.charAt(at++));
        }
        eat('"');
        return value.toString();
    }

    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void eat(char c) {
        if (peek() != c) {
            throw wrong();
        }
        at++;
    }

    private AssertionError wrong() {
        return new AssertionError("not JSON at " + at + ": " + text);
    }
}
