package dev.basalt.bench;

import dev.basalt.internal.call.Argument;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Binds cases of BLAS to cuBLAS: its handle, then the arguments in the table's order. */
final class TableCublas {
    private TableCublas() {}

    static PeerCall bind(CudaLibraries libraries, Arena arena, TableCase c, TableOperands o) {
        String plain = "cublas" + c.name().substring(0, 1).toUpperCase(Locale.ROOT) + c.name().substring(1);
        Functions cublas = libraries.of("cublasCreate_v2");
        // Functions from before handles were there have names without the ending, but only where there is one with it.
        String name = c.batch() > 0 ? plain + "Batched" : cublas.has(plain + "_v2") ? plain + "_v2" : plain;
        List<Object> all = new ArrayList<>(List.of(libraries.handle(name)));
        for (Argument argument : c.arguments()) {
            switch (argument) {
                case Argument.Dimension d -> all.add((int) c.size(d.name()));
                case Argument.Choice option -> all.add(constant(c.choice(option)));
                case Argument.Scalar s -> all.add(TableFortran.number(arena, c, TableOperands.scalar(c, s)));
                case Argument.Array a -> {
                    all.add((c.batch() > 0 ? o.table(a) : o.pointer(a)).address());
                    if (c.stepped(a)) {
                        all.add((int) c.step(a));
                    }
                }
                default -> all.add(o.peerResult().address());
            }
        }
        if (c.batch() > 0) {
            all.add((int) c.batch());
        }
        return PeerCall.of(name + " of " + libraries.version(name), libraries.of(name).bind(name, all.toArray()));
    }

    /** cuBLAS counts as Basalt does, but the lower triangle is 0 there. */
    private static int constant(Enum<?> option) {
        if (option instanceof Uplo uplo) {
            return uplo == Uplo.LOWER ? 0 : 1;
        }
        return option.ordinal();
    }
}
