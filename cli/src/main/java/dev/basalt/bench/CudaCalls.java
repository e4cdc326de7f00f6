package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.internal.call.Argument;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Binds the rows of the table of NVIDIA's libraries to a case. Workspace is asked for and obtained here, so that none of it is
 * timed.
 */
final class CudaCalls {
    private final CudaLibraries libraries;
    private final Arena arena;
    private final TableCase c;
    private final TableOperands o;
    private final Site site;
    private final PeerOperands own;
    private final PeerArguments values;

    private CudaCalls(CudaLibraries libraries, Arena arena, TableCase c, TableOperands o, Site site) {
        this.libraries = libraries;
        this.arena = arena;
        this.c = c;
        this.o = o;
        this.site = site;
        own = new PeerOperands(c, o, site);
        values = new PeerArguments(libraries, arena, c, o, own);
    }

    /**
     * All ways in which the libraries compute a case, and why some cannot be taken.
     *
     * @param libraries libraries
     * @param arena for what functions keep on the host
     * @param c case
     * @param o its operands
     * @param site copies on the device
     * @return a call for each row of the table
     * @throws UnsupportedOperationException if the table has no row
     */
    static List<PeerCall> bind(CudaLibraries libraries, Arena arena, TableCase c, TableOperands o, Site site) {
        List<PeerRow> rows = PeerTable.NVIDIA.of(c);
        if (rows.isEmpty()) {
            throw new UnsupportedOperationException(
                    "the peer has no " + c.name() + (c.batch() > 0 ? " in batches" : ""));
        }
        return rows.stream().map(row -> new CudaCalls(libraries, arena, c, o, site).bind(row)).toList();
    }

    private PeerCall bind(PeerRow row) {
        String name = row.steps()
                .stream()
                .filter(step -> !step.copies())
                .map(step -> step.symbol(c.routine().family(), c.type().letter()))
                .distinct()
                .collect(Collectors.joining("+"));
        try {
            for (String condition : row.limits()) {
                if (!c.holds(condition)) {
                    return PeerCall.refused(name, "it wants " + condition);
                }
            }
            List<Call> steps = new ArrayList<>();
            for (PeerStep step : row.steps()) {
                steps.add(step.copies() ? copy(step) : bind(step));
            }
            List<Argument> compared = row.operands().stream().map(c::named).toList();
            String version = libraries.version(name);
            return new PeerCall(name + " of " + version, own::restore, inTurn(steps), null, compared, row.norm(),
                    compared.isEmpty(), own.elsewhere());
        } catch (UnsupportedOperationException | IllegalStateException | ArithmeticException e) {
            return PeerCall.refused(name, e.getMessage());
        }
    }

    private static Call inTurn(List<Call> steps) {
        if (steps.size() == 1) {
            return steps.get(0);
        }
        Call[] all = steps.toArray(Call[]::new);
        return () -> {
            double last = 0;
            for (Call one : all) {
                last = one.run();
            }
            return last;
        };
    }

    private Call copy(PeerStep step) {
        long from = (Long) values.value(step.arguments().get(0), false);
        long to = (Long) values.value(step.arguments().get(1), false);
        return site.copyCall(from, to, values.bytes(step.arguments().get(0)));
    }

    private Call bind(PeerStep step) {
        String symbol = step.symbol(c.routine().family(), c.type().letter());
        Functions library = libraries.of(symbol);
        List<Object> all = new ArrayList<>(List.of(libraries.handle(symbol)));
        for (String argument : step.arguments()) {
            if (PeerStep.WORKSPACE.contains(argument)) {
                all.addAll(workspace(step, symbol));
            } else {
                all.add(values.value(argument, step.wide()));
            }
        }
        return library.bind(symbol, all.toArray());
    }

    /** Asks how much workspace a call wants, obtains it, and returns its arguments. */
    private List<Object> workspace(PeerStep step, String symbol) {
        String kind = step.workspace();
        MemorySegment sizes = arena.allocate(JAVA_LONG, 2);
        List<Object> all = new ArrayList<>(List.of(libraries.handle(symbol)));
        step.queryArguments().forEach(argument -> all.add(values.value(argument, step.wide())));
        all.add(sizes.address());
        if (kind.equals("spaces")) {
            all.add(sizes.address() + JAVA_LONG.byteSize());
        }
        step.queryEnd().forEach(argument -> all.add(values.value(argument, step.wide())));
        String query = step.querySymbol(symbol);
        libraries.of(query).call(query, all.toArray());
        int elements = sizes.get(JAVA_INT, 0);
        long bytes = sizes.get(JAVA_LONG, 0);
        return switch (kind) {
            case "work" -> List.of(memory(elements * (long) c.type().bytes()), elements);
            case "bare" -> List.of(memory(elements * (long) c.type().bytes()));
            case "bytes" -> List.of(memory(bytes), bytes);
            case "buffer" -> List.of(memory(bytes));
            default -> {
                long onHost = sizes.getAtIndex(JAVA_LONG, 1);
                yield List.of(memory(bytes), bytes, onHost == 0 ? 0L : arena.allocate(onHost, 64).address(), onHost);
            }
        };
    }

    private long memory(long bytes) {
        return o.memory(bytes).address();
    }
}
