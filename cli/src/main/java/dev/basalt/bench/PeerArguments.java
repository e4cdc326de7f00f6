package dev.basalt.bench;

import dev.basalt.VectorView;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Storev;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.function.LongFunction;

/** What the names of arguments in the table of NVIDIA's libraries mean for a case. */
final class PeerArguments {
    private final CudaLibraries libraries;
    private final Arena arena;
    private final TableCase c;
    private final TableOperands o;
    private final PeerOperands own;

    PeerArguments(CudaLibraries libraries, Arena arena, TableCase c, TableOperands o, PeerOperands own) {
        this.libraries = libraries;
        this.arena = arena;
        this.c = c;
        this.o = o;
        this.own = own;
    }

    /**
     * The value of an argument that is no workspace.
     *
     * @param name its name in the table
     * @param wide whether sizes have 64 bits
     * @throws UnsupportedOperationException if the case has nothing of that name
     */
    Object value(String name, boolean wide) {
        LongFunction<Object> size = value -> wide ? (Object) value : (Object) Math.toIntExact(value);
        if (name.matches("\\d")) {
            return Integer.parseInt(name);
        }
        if (name.matches("ld\\w+")) {
            return size.apply(c.step(c.array(name.substring(2))));
        }
        if (name.startsWith("stride")) {
            return name.contains(":") ? c.product(name.substring(7)) : (Object) c.elements(c.array(name.substring(6)));
        }
        return switch (name) {
            case "m", "n", "k", "nrhs", "k1", "k2", "kl", "ku" -> size.apply(c.size(name));
            case "min" -> size.apply(c.product(name));
            case "batch" -> size.apply(c.problems());
            case "type" -> type(c.type());
            case "real" -> type(c.type().real());
            case "itype" -> c.choice(name).map(Enum::ordinal).orElse(0) + 1;
            case "ct" -> c.type().isComplex() ? Op.CONJ_TRANS.ordinal() : Op.TRANS.ordinal();
            case "jobz" -> c.vectors() ? 1 : 0;
            case "jobu", "jobvt" -> (byte) (c.vectors() ? 'S' : 'N');
            case "vect" -> c.choice("storev").filter(Storev.ROWS::equals).isPresent() ? 1 : 0;
            case "side", "uplo", "trans", "diag", "direct", "storev" -> constant(name);
            default -> address(name);
        };
    }

    private int constant(String name) {
        Enum<?> choice = c.choice(name).orElseThrow(() -> c.lacking(name));
        return choice instanceof Uplo uplo ? uplo == Uplo.LOWER ? 0 : 1 : choice.ordinal();
    }

    /** cuSOLVER's and cuSPARSE's number of a type. */
    private static int type(ElementType type) {
        return switch (type) {
            case F32 -> 0;
            case F64 -> 1;
            case C32 -> 4;
            case C64 -> 5;
            default -> throw new UnsupportedOperationException("there is no name for " + type);
        };
    }

    private long address(String name) {
        return switch (name) {
            case "null" -> 0;
            case "info" -> o.info().address();
            case "hostInfo" -> arena.allocate(8, 8).address();
            case "hostReal" -> arena.allocate(8 * c.problems(), 8).address();
            case "one" -> TableFortran.number(arena, c, Complex.ONE);
            case "params" -> libraries.params();
            case "syevj" -> libraries.syevj();
            case "gesvdj" -> libraries.gesvdj();
            case "ipiv" -> own.pivots(ElementType.I32).address();
            case "ipiv64" -> own.pivots(ElementType.I64).address();
            default -> operand(name);
        };
    }

    private long operand(String name) {
        if (name.startsWith("*")) {
            return table(name.substring(1));
        }
        int colon = name.indexOf(':');
        String of = name.substring(colon + 1);
        return switch (colon < 0 ? "" : name.substring(0, colon)) {
            case "new" -> own.memory(name, c.product(of)).address();
            case "front" -> own.padded(c.array(of), true).address();
            case "back" -> own.padded(c.array(of), false).address();
            case "" -> switch (c.named(name)) {
                case Argument.Pivots p -> o.pointer(p).address();
                case Argument.Array a -> o.pointer(a).address();
                default -> throw c.lacking(name);
            };
            default -> view(name).pointer().address();
        };
    }

    private long table(String name) {
        if (name.indexOf(':') > 0) {
            VectorView view = view(name);
            return o.table(view.pointer(), view.size() / c.problems() * view.type().bytes()).address();
        }
        return switch (c.named(name)) {
            case Argument.Pivots p -> o.table(p).address();
            case Argument.Array a -> o.table(a).address();
            default -> throw c.lacking(name);
        };
    }

    /** Memory in the form of an operand. */
    private VectorView view(String name) {
        Argument.Array a = c.array(name.substring(name.indexOf(':') + 1));
        return switch (name.substring(0, name.indexOf(':'))) {
            case "like" -> own.like(a);
            case "out" -> own.out(a);
            case "eye" -> own.eye(a);
            default -> throw new IllegalArgumentException("\"" + name + "\" is no operand");
        };
    }

    /** Bytes of what a name stands for. */
    long bytes(String name) {
        Argument.Array a = c.array(name.substring(name.indexOf(':') + 1));
        return c.elements(a) * c.problems() * c.type(a).bytes();
    }
}
