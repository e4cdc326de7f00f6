package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.basalt.DevicePointer;
import dev.basalt.VectorView;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Operands that another library wants in another form than Basalt, and memory of its own; they live as long as the case's. */
final class PeerOperands {
    private final TableCase c;
    private final TableOperands o;
    private final Site site;
    private final Map<String, VectorView> made = new HashMap<>();
    private final Map<VectorView, VectorView> pristine = new LinkedHashMap<>();
    private final Map<Argument.Array, VectorView> elsewhere = new LinkedHashMap<>();

    PeerOperands(TableCase c, TableOperands o, Site site) {
        this.c = c;
        this.o = o;
        this.site = site;
    }

    /** What stands for operands of Basalt's when results are compared. */
    Map<Argument.Array, VectorView> elsewhere() {
        return elsewhere;
    }

    /** Puts back what calls may have overwritten. */
    void restore() {
        pristine.forEach((live, from) -> {
            if (site.isAsynchronous()) {
                site.copy(from.pointer(), live.pointer(), live.size() * live.type().bytes());
            }
        });
    }

    /** Pivots that exchange nothing. */
    DevicePointer pivots(ElementType type) {
        long own = Math.max(1, Math.max(c.m(), c.n()));
        Argument.Pivots p = c.pivots().stream().filter(one -> c.type(one) == ElementType.I64).findFirst().orElse(null);
        long each = p == null ? own : Math.max(1, c.size(p.size()));
        return made("pivots" + type, type, each * c.problems(), view -> {
            if (type == ElementType.I32) {
                view.upload(IntStream.range(0, Math.toIntExact(view.size())).map(i -> (int) (i % each + 1)).toArray());
            } else {
                view.upload(LongStream.range(0, view.size()).map(i -> i % each + 1).toArray());
            }
        }).pointer();
    }

    /** Memory of so many elements a problem. */
    DevicePointer memory(String text, long elements) {
        return made(text, c.type(), Math.max(1, elements) * c.problems(), view -> {}).pointer();
    }

    /** Memory as large as an operand. */
    VectorView like(Argument.Array a) {
        return made("like:" + a.name(), c.type(a), Math.max(1, c.elements(a)) * c.problems(), view -> {});
    }

    /** The same, and what is in it is compared with the operand. */
    VectorView out(Argument.Array a) {
        return elsewhere.computeIfAbsent(a, this::like);
    }

    /** A unit matrix as large as an operand. */
    VectorView eye(Argument.Array a) {
        return made("eye:" + a.name(), c.type(a), c.elements(a) * c.problems(), view -> upload(view, (to, i) -> {
            long at = i % c.elements(a);
            put(to, view.type(), i, at / c.step(a) == at % c.step(a) ? 1 : 0);
        }));
    }

    /** A diagonal beside the main one, as long as that: a 0 stands before or behind its elements. */
    DevicePointer padded(Argument.Array a, boolean front) {
        long order = c.n();
        VectorView view = made((front ? "front:" : "back:") + a.name(), c.type(a), order * c.problems(),
                v -> upload(v, (to, at) -> {
                    long p = c.interleaved() ? at % c.problems() : at / order;
                    long i = (c.interleaved() ? at / c.problems() : at % order) - (front ? 1 : 0);
                    boolean there = i >= 0 && i < c.elements(a);
                    long from = c.interleaved() ? i * c.problems() + p : p * c.elements(a) + i;
                    copy(there ? o.original(a) : null, from, to, at, v.type());
                }));
        pristine.computeIfAbsent(view, live -> made("again:" + a.name(), c.type(a), order * c.problems(), again -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment copy = arena.allocate(live.size() * live.type().bytes(), 64);
                live.download(copy);
                again.upload(copy);
            }
        }));
        return view.pointer();
    }

    private VectorView made(String name, ElementType type, long elements, Consumer<VectorView> fill) {
        VectorView view = made.get(name);
        if (view == null) {
            view = o.memory(type, elements);
            fill.accept(view);
            made.put(name, view);
        }
        return view;
    }

    /** Writes the element with an index into memory on the host. */
    @FunctionalInterface
    private interface Element {
        void put(MemorySegment to, long index);
    }

    private static void upload(VectorView view, Element element) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(view.size() * view.type().bytes(), 64);
            for (long i = 0; i < view.size(); i++) {
                element.put(host, i);
            }
            view.upload(host);
        }
    }

    private static void put(MemorySegment to, ElementType type, long index, double value) {
        int parts = type.isComplex() ? 2 : 1;
        if (type.real() == ElementType.F32) {
            to.setAtIndex(JAVA_FLOAT, index * parts, (float) value);
        } else {
            to.setAtIndex(JAVA_DOUBLE, index * parts, value);
        }
    }

    private static void copy(MemorySegment from, long index, MemorySegment to, long at, ElementType type) {
        if (from != null) {
            MemorySegment.copy(from, index * type.bytes(), to, at * type.bytes(), type.bytes());
        }
    }
}
