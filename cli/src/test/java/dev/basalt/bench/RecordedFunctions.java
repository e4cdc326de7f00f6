package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.spi.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A library that notes what is called, and computes where a test says how. It has the functions of a list. */
final class RecordedFunctions implements Functions {
    /** A call. */
    record Recorded(String symbol, Object... arguments) {
        /** How the parameters are passed, in the letters of the list. */
        String layout() {
            StringBuilder text = new StringBuilder();
            for (Object argument : arguments) {
                text.append(argument instanceof Byte ? 'b' : argument instanceof Integer ? 'i' : 'l');
            }
            return text.toString();
        }

        long address(int argument) {
            return (Long) arguments[argument];
        }

        int number(int argument) {
            return (Integer) arguments[argument];
        }
    }

    /** Elements or bytes of workspace that every query asks for. */
    static final int WORK = 24;

    private final Map<String, String> list;
    private final Map<String, Consumer<Recorded>> bodies = new HashMap<>();
    private final List<Recorded> bound = new ArrayList<>();
    private long objects = 1000;

    RecordedFunctions(Map<String, String> list) {
        this.list = list;
    }

    /** Says what a function does. */
    RecordedFunctions with(String symbol, Consumer<Recorded> body) {
        bodies.put(symbol, body);
        return this;
    }

    /** Calls that were bound, without those that make, ask and free. */
    List<Recorded> bound() {
        return bound;
    }

    @Override
    public boolean has(String symbol) {
        return list.containsKey(symbol) || symbol.matches(".*(Create|Destroy|Set|GetProperty).*");
    }

    @Override
    public Call bind(String symbol, Object... arguments) {
        Recorded call = new Recorded(symbol, arguments);
        if (list.containsKey(symbol)) {
            bound.add(call);
        }
        return () -> {
            run(call);
            return 0;
        };
    }

    private void run(Recorded call) {
        String symbol = call.symbol;
        if (symbol.contains("Create")) {
            Memory.ALL.set(JAVA_LONG, call.address(0), objects++);
        } else if (symbol.contains("GetProperty")) {
            Memory.ALL.set(JAVA_INT, call.address(1), 12 + call.number(0));
        } else if (symbol.contains("_bufferSize")) {
            int size = list.get(symbol).length() - 1;
            while (!(call.arguments[size] instanceof Long) || call.address(size) < 1 << 16) {
                size--;
            }
            Memory.ALL.set(JAVA_INT, call.address(size), WORK);
        } else if (bodies.containsKey(symbol)) {
            bodies.get(symbol).accept(call);
        }
    }
}
