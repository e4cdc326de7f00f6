package dev.basalt.bench;

import dev.basalt.internal.call.Argument;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Binds cases to cuBLAS: its handle, then the arguments in the table's order. */
final class TableCublas {
    /** Routines of LAPACK whose batches have the arguments that Basalt's have, but for an info of the whole call on the host. */
    private static final List<String> SAME = List.of("geqrf", "gels");

    private TableCublas() {}

    static Call bind(ForeignLibrary cublas, long handle, Arena arena, TableCase c, TableOperands o) {
        if (c.batch() > 0) {
            return batched(cublas, handle, arena, c, o);
        }
        String plain = "cublas" + c.name().substring(0, 1).toUpperCase(Locale.ROOT) + c.name().substring(1);
        // Functions from before handles were there have names without the ending, but only where there is one with it.
        String name = cublas.has(plain + "_v2") ? plain + "_v2" : plain;
        if (!cublas.has(name)) {
            throw new UnsupportedOperationException("the peer has no " + plain);
        }
        List<Object> all = new ArrayList<>(List.of(handle));
        for (Argument argument : c.arguments()) {
            if (argument instanceof Argument.Dimension d) {
                all.add((int) c.size(d.name()));
            } else if (argument instanceof Argument.Choice option) {
                all.add(constant(c.choice(option)));
            } else if (argument instanceof Argument.Scalar s) {
                all.add(TableFortran.number(arena, c, TableOperands.scalar(c, s)));
            } else if (argument instanceof Argument.Array a) {
                all.add(o.pointer(a).address());
                if (c.stepped(a)) {
                    all.add((int) c.step(a));
                }
            } else {
                all.add(o.peerResult().address());
            }
        }
        return cublas.bind(name, all.toArray());
    }

    /** Tables of addresses: the numbers beside a problem, if it has any, have one as well; pivots of 32 bits lie one problem after the other. */
    private static Call batched(ForeignLibrary cublas, long handle, Arena arena, TableCase c, TableOperands o) {
        String name = "cublas" + c.name().substring(0, 1).toUpperCase(Locale.ROOT) + c.name().substring(1) + "Batched";
        if (!cublas.has(name)) {
            throw new UnsupportedOperationException("the peer has no " + name);
        }
        String family = c.routine().family();
        if (c.isLapack() && !SAME.contains(family)) {
            throw new UnsupportedOperationException("the arguments of " + name + " are not those of the table");
        }
        List<Object> all = new ArrayList<>(List.of(handle));
        for (Argument argument : c.arguments()) {
            switch (argument) {
                case Argument.Dimension d -> all.add((int) c.size(d.name()));
                case Argument.Choice option -> all.add(constant(c.choice(option)));
                case Argument.Scalar s -> all.add(TableFortran.number(arena, c, TableOperands.scalar(c, s)));
                case Argument.Array a -> {
                    all.add(o.table(a).address());
                    if (c.stepped(a)) {
                        all.add((int) c.step(a));
                    }
                }
                case Argument.Pivots p -> all.add(o.table(p).address());
                case Argument.Outcome outcome -> {
                    if (family.equals("gels")) {
                        all.add(arena.allocate(4, 4).address());
                    }
                    all.add(o.info().address());
                }
            }
        }
        if (family.equals("geqrf")) {
            all.add(arena.allocate(4, 4).address());
        }
        all.add((int) c.batch());
        return cublas.bind(name, all.toArray());
    }

    /** cuBLAS counts as Basalt does, but the lower triangle is 0 there. */
    private static int constant(Enum<?> option) {
        if (option instanceof Uplo uplo) {
            return uplo == Uplo.LOWER ? 0 : 1;
        }
        return option.ordinal();
    }
}
