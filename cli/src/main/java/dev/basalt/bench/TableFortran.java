package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Binds cases to a Fortran library: the arguments in the table's order, all by address. */
final class TableFortran {
    /** Here Basalt's form has an operand more than BLAS's. */
    private static final List<String> IN_PLACE = List.of("trmm", "trtri");

    private final TableCase c;
    private final TableOperands o;
    /** Families of LAPACK whose calls are their arguments, and an info. */
    private static final String PLAIN = "(ge|gb|gt|po|pp|pb|pt)(trf|trs|sv)|getf2|potf2|p[op]tri|lauum|trtrs";

    /** Those that take a work area before their info, which knows its own size. */
    private static final String UNBLOCKED = "ge(qr|lq|ql|rq)2|(or|un)[gm](2r|2l|l2|r2)";

    /** Those that are told its size. */
    private static final String BLOCKED = "ge(qr|lq|ql|rq)f|(or|un)[gm](qr|lq|ql|rq)|gels|getri";

    /** Columns of a block at most. */
    private static final long BLOCK = 128;

    /** Calls hold addresses only, which keep nothing alive. */
    private final Arena arena = Arena.global();

    private final LongStream.Builder addresses = LongStream.builder();
    private final long problem;

    private TableFortran(TableCase c, TableOperands o, long problem) {
        this.c = c;
        this.o = o;
        this.problem = problem;
    }

    /** Why a library cannot be called with a case, or null if it can. */
    static String refusal(SymbolLookup symbols, TableCase c) {
        PeerRow row = LapackFortran.row(c);
        String name = row == null ? symbol(c) : LapackFortran.symbol(row, c);
        if (symbols.find(name).isEmpty()) {
            return "the peer has no " + name;
        }
        if (IN_PLACE.contains(c.routine().family())) {
            return name + " is in place; bench -f measures that form";
        }
        if (row != null) {
            return null;
        }
        if (c.isLapack() && !c.routine().family().matches(String.join("|", PLAIN, UNBLOCKED, BLOCKED))) {
            return "the work areas of " + name + " are not known";
        }
        Argument.Outcome outcome = c.outcome();
        if (outcome != null && outcome.kind().isEmpty() && c.type().isComplex()) {
            return "no common way to return complex numbers; bench -f measures it";
        }
        return null;
    }

    private static String symbol(TableCase c) {
        return c.name().toLowerCase(Locale.ROOT) + "_";
    }

    static Call bind(SymbolLookup symbols, TableCase c, TableOperands o) {
        String refusal = refusal(symbols, c);
        if (refusal != null) {
            throw new UnsupportedOperationException(refusal);
        }
        if (c.batch() == 0) {
            return one(symbols, c, o, 0);
        }
        // A loop is what the peer has for a batch.
        Call[] calls = new Call[Math.toIntExact(c.batch())];
        for (int p = 0; p < calls.length; p++) {
            calls[p] = one(symbols, c, o, p);
        }
        return () -> {
            double last = 0;
            for (Call one : calls) {
                last = one.run();
            }
            return last;
        };
    }

    private static Call one(SymbolLookup symbols, TableCase c, TableOperands o, long problem) {
        PeerRow row = LapackFortran.row(c);
        return row != null
                ? LapackFortran.bind(symbols, row, c, o, problem)
                : new TableFortran(c, o, problem).call(symbols.find(symbol(c)).orElseThrow());
    }

    private Call call(MemorySegment function) {
        for (Argument argument : c.arguments()) {
            if (argument instanceof Argument.Dimension d) {
                integer(c.size(d.name()));
            } else if (argument instanceof Argument.Choice option) {
                letter(c.choice(option));
            } else if (argument instanceof Argument.Scalar s) {
                addresses.add(number(arena, c, TableOperands.scalar(c, s)));
            } else if (argument instanceof Argument.Array a) {
                addresses.add(o.pointer(a).address() + problem * c.elements(a) * c.type(a).bytes());
                if (c.stepped(a)) {
                    integer(c.step(a));
                }
            } else if (argument instanceof Argument.Pivots p) {
                addresses.add(beside(p));
            }
        }
        if (c.isLapack()) {
            workAndInfo();
        }
        return new FortranCall(function, result(), addresses.build().toArray());
    }

    /** Pivots have 32 bits; other numbers are shared. */
    private long beside(Argument.Pivots p) {
        if (c.type(p) != ElementType.I64) {
            return o.pointer(p).address() + problem * c.size(p.size()) * c.type(p).bytes();
        }
        int[] pivots = IntStream.rangeClosed(1, (int) c.size(p.size())).toArray();
        return arena.allocateFrom(JAVA_INT, pivots).address();
    }

    private void workAndInfo() {
        String family = c.routine().family();
        if (!family.matches(PLAIN)) {
            long elements = BLOCK * (long) (c.terms() + 1);
            addresses.add(arena.allocate(elements * c.type().bytes(), 64).address());
            if (family.matches(BLOCKED)) {
                integer(elements);
            }
        }
        addresses.add(arena.allocateFrom(JAVA_INT, 0).address());
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

    private void letter(Enum<?> constant) {
        addresses.add(arena.allocateFrom(JAVA_BYTE, (byte) letterOf(c, constant)).address());
    }

    /** Every option of BLAS is the first letter of its constant; some routines of LAPACK know no conjugate of real elements. */
    static char letterOf(TableCase c, Enum<?> constant) {
        return constant == Op.CONJ_TRANS && !c.type().isComplex() ? 'T' : constant.name().charAt(0);
    }

    /** The address of a scalar as C and Fortran have it. */
    static long number(Arena arena, TableCase c, Complex value) {
        MemorySegment parts = c.type().real() == ElementType.F32
                ? arena.allocateFrom(JAVA_FLOAT, (float) value.re(), (float) value.im())
                : arena.allocateFrom(JAVA_DOUBLE, value.re(), value.im());
        return parts.address();
    }
}
