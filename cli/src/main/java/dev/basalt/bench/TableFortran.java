package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** Binds cases to a Fortran library: the arguments in the table's order, all by address. */
final class TableFortran {
    /** Here Basalt's form has an operand more than BLAS's. */
    private static final List<String> IN_PLACE = List.of("trmm", "trtri");

    private final TableCase c;
    private final TableOperands o;
    /** Calls hold addresses only, which keep nothing alive. */
    private final Arena arena = Arena.global();

    private final LongStream.Builder addresses = LongStream.builder();

    private TableFortran(TableCase c, TableOperands o) {
        this.c = c;
        this.o = o;
    }

    static Call bind(SymbolLookup symbols, TableCase c, TableOperands o) {
        String name = c.name().toLowerCase(Locale.ROOT) + "_";
        MemorySegment function = symbols.find(name).orElse(null);
        if (function == null) {
            throw new UnsupportedOperationException("the peer has no " + name);
        }
        if (IN_PLACE.contains(c.routine().family())) {
            throw new UnsupportedOperationException(name + " is in place; bench -f measures that form");
        }
        Argument.Outcome outcome = c.outcome();
        if (outcome != null && outcome.kind().isEmpty() && c.type().isComplex()) {
            throw new UnsupportedOperationException("no common way to return complex numbers; bench -f measures it");
        }
        return new TableFortran(c, o).call(function);
    }

    private Call call(MemorySegment function) {
        for (Argument argument : c.arguments()) {
            if (argument instanceof Argument.Dimension d) {
                integer(c.size(d.name()));
            } else if (argument instanceof Argument.Choice option) {
                letter(c.choice(option).name());
            } else if (argument instanceof Argument.Scalar s) {
                addresses.add(number(arena, c, o.scalar(s)));
            } else if (argument instanceof Argument.Array a) {
                addresses.add(o.pointer(a).address());
                if (c.stepped(a)) {
                    integer(c.step(a));
                }
            }
        }
        return new FortranCall(function, result(), addresses.build().toArray());
    }

    private FortranCall.Result result() {
        if (c.outcome() == null) {
            return FortranCall.Result.NOTHING;
        }
        if ("index".equals(c.outcome().kind())) {
            return FortranCall.Result.INT;
        }
        return c.type().real() == ElementType.F32 ? FortranCall.Result.FLOAT : FortranCall.Result.DOUBLE;
    }

    private void integer(long value) {
        addresses.add(arena.allocateFrom(JAVA_INT, (int) value).address());
    }

    /** Every option of BLAS is the first letter of its constant. */
    private void letter(String constant) {
        addresses.add(arena.allocateFrom(JAVA_BYTE, (byte) constant.charAt(0)).address());
    }

    /** The address of a scalar as C and Fortran have it. */
    static long number(Arena arena, TableCase c, Complex value) {
        MemorySegment parts = c.type().real() == ElementType.F32
                ? arena.allocateFrom(JAVA_FLOAT, (float) value.re(), (float) value.im())
                : arena.allocateFrom(JAVA_DOUBLE, value.re(), value.im());
        return parts.address();
    }
}
