package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.internal.call.Argument;
import dev.basalt.spi.Memory;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A native BLAS and LAPACK with 32-bit integers, through its Fortran interface, on the memory of the host device. A batch is a loop
 * over its problems, which is what a user of such a library writes. At most one in a process: two copies of
 * one library share their symbols and crash.
 */
public final class NativePeer implements Peer {
    /** A complex dot product returns its value differently in every Fortran, so it is called through CBLAS. */
    private static final MethodHandle COMPLEX_DOT = NativeAccess.downcall(
            FunctionDescriptor.ofVoid(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG),
            Linker.Option.critical(false));

    private final NativeLibrary library;
    private final SymbolLookup symbols;

    /**
     * Loads a library.
     *
     * @param library which one
     * @param threads threads it may use
     * @throws IllegalStateException that says how to supply it, if it cannot be found
     */
    public NativePeer(NativeLibrary library, int threads) {
        this.library = library;
        this.symbols = library.load(threads);
    }

    @Override
    public String name() {
        return library.peer();
    }

    @Override
    public String description() {
        return library.description(symbols);
    }

    @Override
    public Call[] bind(Workload w, Operands operands) {
        boolean complexDot = w.type.isComplex() && (w.routine == Routine.DOT || w.routine == Routine.DOTC);
        String name = complexDot ? "cblas_" + w.routine.symbol(w.type) + "_sub" : w.routine.symbol(w.type) + "_";
        MemorySegment function = symbols.find(name).orElse(null);
        if (function == null) {
            return null;
        }
        Call[] calls = new Call[operands.count()];
        for (int i = 0; i < calls.length; i++) {
            Call[] problems = new Call[(int) w.batch];
            Scalars scalars = new Scalars(w);
            for (int p = 0; p < problems.length; p++) {
                problems[p] = complexDot
                        ? complexDot(function, w, operands.copy(i), p)
                        : new FortranCall(function, result(w), scalars.addresses(operands.copy(i), p));
            }
            calls[i] = problems.length == 1 ? problems[0] : new Loop(problems);
        }
        return calls;
    }

    @Override
    public List<PeerCall> calls(TableCase c, TableOperands o) {
        Call call = TableFortran.bind(symbols, c, o);
        PeerRow row = LapackFortran.row(c);
        if (row == null) {
            return List.of(PeerCall.of(name(), call));
        }
        List<Argument> compared = row.operands().stream().map(c::named).toList();
        return List.of(new PeerCall(name(), () -> {}, call, null, compared, row.norm(), false, Map.of()));
    }

    @Override
    public boolean knows(TableCase c) {
        return TableFortran.refusal(symbols, c) == null;
    }

    private static FortranCall.Result result(Workload w) {
        return switch (w.routine) {
            case IAMAX, IAMIN -> FortranCall.Result.INT;
            case ASUM, DOT, NRM2 ->
                w.type.real() == ElementType.F32 ? FortranCall.Result.FLOAT : FortranCall.Result.DOUBLE;
            default -> FortranCall.Result.NOTHING;
        };
    }

    private static Call complexDot(MemorySegment function, Workload w, Operands.Copy o, int problem) {
        int n = (int) w.n;
        int incx = (int) w.leading(Slot.Name.X);
        int incy = (int) w.leading(Slot.Name.Y);
        long x = address(w, o, Slot.Name.X, problem);
        long y = address(w, o, Slot.Name.Y, problem);
        MemorySegment sum = Arena.ofAuto().allocate(16, 16);
        long to = sum.address();
        boolean single = w.type == ElementType.C32;
        return () -> {
            try {
                COMPLEX_DOT.invokeExact(function, n, x, incx, y, incy, to);
            } catch (Throwable t) {
                throw FortranCall.failure(t);
            }
            return single ? sum.get(JAVA_FLOAT, 0) : sum.get(JAVA_DOUBLE, 0);
        };
    }

    private static long address(Workload w, Operands.Copy o, Slot.Name slot, int problem) {
        return o.address(slot) + problem * w.stride(slot) * w.type.bytes();
    }

    /** Problems one after the other. */
    private static final class Loop implements Call {
        private final Call[] problems;

        Loop(Call[] problems) {
            this.problems = problems;
        }

        @Override
        public double run() {
            double sum = 0;
            for (Call problem : problems) {
                sum += problem.run();
            }
            return sum;
        }
    }

    /** What Fortran takes by address and is no operand; shared by the problems of a batch. */
    private static final class Scalars {
        private final Workload w;
        /** Calls hold addresses only, which keep nothing alive. */
        private final Arena arena = Arena.global();

        private final long[] shared;

        Scalars(Workload w) {
            this.w = w;
            List<String> arguments = w.routine.arguments();
            shared = new long[arguments.size()];
            for (int i = 0; i < shared.length; i++) {
                shared[i] = scalar(arguments.get(i));
            }
        }

        private long scalar(String argument) {
            return switch (argument) {
                case "n" -> integer(w.n);
                case "m" -> integer(w.m);
                case "k" -> integer(w.k);
                case "nrhs" -> integer(w.nrhs);
                case "tA" -> letter(op(w.transA));
                case "tB" -> letter(op(w.transB));
                case "side" -> letter(w.side == Side.LEFT ? 'L' : 'R');
                case "uplo" -> letter(w.uplo == Uplo.LOWER ? 'L' : 'U');
                case "diag" -> letter(w.diag == Diag.UNIT ? 'U' : 'N');
                case "alpha", "ralpha" -> number(w.alpha);
                case "beta", "rbeta" -> number(w.beta);
                case "cosine" -> number(w.cosine);
                case "sine" -> number(w.sine);
                case "info" -> integer(0);
                case "ipiv" -> 0;
                default -> integer(w.leading(slot(argument)));
            };
        }

        private static Slot.Name slot(String argument) {
            return Slot.Name.valueOf(argument.toUpperCase(Locale.ROOT));
        }

        private static char op(Op op) {
            return switch (op) {
                case NONE -> 'N';
                case TRANS -> 'T';
                case CONJ_TRANS -> 'C';
            };
        }

        private long integer(long value) {
            return arena.allocateFrom(JAVA_INT, (int) value).address();
        }

        private long letter(char value) {
            return arena.allocateFrom(JAVA_BYTE, (byte) value).address();
        }

        private long number(Complex value) {
            MemorySegment parts = w.type.real() == ElementType.F32
                    ? arena.allocateFrom(JAVA_FLOAT, (float) value.re(), (float) value.im())
                    : arena.allocateFrom(JAVA_DOUBLE, value.re(), value.im());
            return parts.address();
        }

        long[] addresses(Operands.Copy o, int problem) {
            List<String> arguments = w.routine.arguments();
            List<Long> all = new ArrayList<>();
            for (int i = 0; i < shared.length; i++) {
                String argument = arguments.get(i);
                if (argument.equals("ipiv")) {
                    all.add(o.pivots32.pointer().address() + problem * o.pivots32.size() * Integer.BYTES);
                    continue;
                }
                if (argument.length() == 1 && "ABCxy".contains(argument)) {
                    all.add(address(w, o, slot(argument), problem));
                }
                all.add(shared[i]);
            }
            return all.stream().mapToLong(Long::longValue).toArray();
        }
    }

    /** Text that a function without arguments returns. */
    static String text(SymbolLookup symbols, String function) {
        MemorySegment address = symbols.find(function).orElse(null);
        if (address == null) {
            return "";
        }
        try {
            long text = (long) NativeAccess.downcall(address, FunctionDescriptor.of(JAVA_LONG)).invokeExact();
            return Memory.ALL.getString(text).strip();
        } catch (Throwable t) {
            throw FortranCall.failure(t);
        }
    }
}
