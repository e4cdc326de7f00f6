package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.ElementType;
import dev.basalt.type.Storev;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Binds cases of LAPACK to a Fortran library by a row of {@code fortran.table}: work areas have the size that the library asks for. */
final class LapackFortran {
    /** What the library is asked with in the place of a size. */
    private static final int ASK = -1;

    /** Behind an operand that the library overwrites and Basalt does not. */
    private static final String SPOILED = "*";

    /** Calls hold addresses only, which keep nothing alive. */
    private final Arena arena = Arena.global();

    private final TableCase c;
    private final TableOperands o;
    private final long problem;
    private final List<Long> addresses = new ArrayList<>();
    private final List<Area> areas = new ArrayList<>();

    /** A work area whose size the library names in its first element: where its address and its size are among the arguments. */
    private record Area(ElementType type, int at, MemorySegment first, MemorySegment size) {}

    private LapackFortran(TableCase c, TableOperands o, long problem) {
        this.c = c;
        this.o = o;
        this.problem = problem;
    }

    /** The row for a case, null if there is none. */
    static PeerRow row(TableCase c) {
        return c.isLapack()
                ? PeerTable.FORTRAN.rows()
                        .stream()
                        .filter(row -> row.fits(c::has) && row.isForFamily(c.routine().family())
                                && row.limits().stream().allMatch(c::holds))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    /** Whether the library overwrites an operand that Basalt leaves as it was. */
    static boolean spoils(TableCase c, Argument.Array a) {
        PeerRow row = row(c);
        return row != null && row.steps().get(0).arguments().contains(a.name() + SPOILED);
    }

    /** The library's name of the function. */
    static String symbol(PeerRow row, TableCase c) {
        return row.steps().get(0).symbol(c.routine().family(), c.name().charAt(0)).toLowerCase(Locale.ROOT) + "_";
    }

    /** A call for one problem of a case. */
    static Call bind(SymbolLookup symbols, PeerRow row, TableCase c, TableOperands o, long problem) {
        MemorySegment function = symbols.find(symbol(row, c)).orElseThrow();
        LapackFortran binding = new LapackFortran(c, o, problem);
        row.steps().get(0).arguments().forEach(binding::add);
        return binding.call(function);
    }

    private void add(String name) {
        if (name.matches("ld\\w+")) {
            integer(c.step(c.array(name.substring(2))));
            return;
        }
        int colon = name.indexOf(':');
        switch (colon < 0 ? name : name.substring(0, colon)) {
            case "m", "n", "k", "nrhs", "ilo", "ihi", "kd" -> integer(c.size(name));
            case "itype" -> integer(choice(name).ordinal() + 1);
            case "side", "uplo", "trans" -> letter(TableFortran.letterOf(c, choice(name)));
            case "vect" -> letter(choice("storev") == Storev.ROWS ? 'P' : 'Q');
            case "jobz", "jobvl", "jobvr" -> letter(c.vectors() ? 'V' : 'N');
            case "jobs" -> letter(c.vectors() ? 'S' : 'N');
            case "work" -> area(c.type());
            case "lrwork" -> {
                if (c.type().isComplex()) {
                    area(c.type().real());
                }
            }
            case "iwork" -> {
                if (colon < 0) {
                    area(ElementType.I32);
                } else {
                    memory(ElementType.I32, name.substring(colon + 1));
                }
            }
            case "rwork" -> {
                if (c.type().isComplex()) {
                    memory(c.type().real(), name.substring(colon + 1));
                }
            }
            case "new" -> memory(c.type(), name.substring(colon + 1));
            case "info" -> integer(0);
            default -> addresses.add(operand(c.named(name.replace(SPOILED, ""))));
        }
    }

    private Enum<?> choice(String name) {
        return c.choice(name).orElseThrow(() -> c.lacking(name));
    }

    private long operand(Argument argument) {
        return switch (argument) {
            case Argument.Array a -> o.pointer(a).address() + problem * c.elements(a) * c.type(a).bytes();
            case Argument.Pivots p when c.type(p) != ElementType.I64 ->
                o.pointer(p).address() + problem * c.size(p.size()) * c.type(p).bytes();
            // Those of Basalt have 64 bits.
            case Argument.Pivots p ->
                arena.allocateFrom(JAVA_INT, IntStream.rangeClosed(1, (int) c.size(p.size())).toArray()).address();
            default -> throw c.lacking(argument.name());
        };
    }

    private void memory(ElementType type, String size) {
        addresses.add(arena.allocate(Math.max(1, c.product(size)) * type.bytes(), 64).address());
    }

    private void area(ElementType type) {
        MemorySegment first = arena.allocate(type.bytes(), 64);
        MemorySegment size = arena.allocateFrom(JAVA_INT, ASK);
        areas.add(new Area(type, addresses.size(), first, size));
        addresses.add(first.address());
        addresses.add(size.address());
    }

    private void integer(long value) {
        addresses.add(arena.allocateFrom(JAVA_INT, (int) value).address());
    }

    private void letter(char letter) {
        addresses.add(arena.allocateFrom(JAVA_BYTE, (byte) letter).address());
    }

    private Call call(MemorySegment function) {
        MemoryLayout[] layouts = new MemoryLayout[addresses.size()];
        Arrays.fill(layouts, JAVA_LONG);
        // No critical call: these last.
        MethodHandle handle = NativeAccess.downcall(FunctionDescriptor.ofVoid(layouts)).bindTo(function);
        if (!areas.isEmpty()) {
            bound(handle).run();
            for (Area area : areas) {
                long elements = Math.max(1,
                        area.type == ElementType.I32
                                ? area.first.get(JAVA_INT, 0)
                                : (long) TableOperands.get(area.first, area.type, 0));
                area.size.set(JAVA_INT, 0, Math.toIntExact(elements));
                addresses.set(area.at, arena.allocate(elements * area.type.bytes(), 64).address());
            }
        }
        return bound(handle);
    }

    private Call bound(MethodHandle handle) {
        MethodHandle all = MethodHandles.insertArguments(handle, 0, addresses.toArray());
        return () -> {
            try {
                all.invokeExact();
            } catch (Throwable t) {
                throw NativeAccess.failure(t);
            }
            return 0;
        };
    }
}
