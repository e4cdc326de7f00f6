package dev.basalt.gpu;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The rules of all families, and which kernel belongs to which. */
final class Families<C> {
    private final VectorRules<C> vectors;
    private final MatrixRules<C> matrices;
    private final MixedRules<C> mixed;

    /** By kernel; null where GPUs have none. */
    private final List<Family<C>> families = new ArrayList<>(Collections.nCopies(Kernel.values().length, null));

    Families(Functions<C> functions, Chip chip) {
        vectors = new VectorRules<>(functions, chip);
        matrices = new MatrixRules<>(functions, chip);
        mixed = new MixedRules<>(functions, chip);
        BandRules<C> bands = new BandRules<>(functions, chip);
        List<Family<C>> all = List.of(vectors, matrices, new ReductionRules<>(functions, chip),
                new MatvecRules<>(functions, chip, bands), new RankRules<>(functions, chip),
                new TriangularVectorRules<>(functions, chip, vectors, bands), new ProductRules<>(functions, chip),
                new PartRules<>(functions, chip), new TriangleRules<>(functions, chip),
                new SolveRules<>(functions, chip), new GeamRules<>(functions, chip),
                new EmulationRules<>(functions, chip), new RotgRules<>(functions, chip), new LuRules<>(functions, chip),
                new InverseRules<>(functions, chip), new CholeskyRules<>(functions, chip),
                new StoredCholeskyRules<>(functions, chip), new IndefiniteRules<>(functions, chip),
                new BandedRules<>(functions, chip), new SingularRules<>(functions, chip),
                new ReflectorRules<>(functions, chip), new PivotingRules<>(functions, chip),
                new NormRules<>(functions, chip), new RefineRules<>(functions, chip),
                new RefinementRules<>(functions, chip), new RealFormRules<>(functions, chip),
                new SymmetricRules<>(functions, chip), new NonsymmetricRules<>(functions, chip));
        for (Family<C> family : all) {
            for (Kernel kernel : family.kernels()) {
                if (families.set(kernel.ordinal(), family) != null) {
                    throw new IllegalStateException("two families run " + kernel);
                }
            }
        }
    }

    /** Whether a family has a kernel. */
    boolean has(Kernel kernel) {
        return families.get(kernel.ordinal()) != null;
    }

    /** Runs a launch whose arguments are written. */
    void run(Launch l, long arguments, C channel) {
        if (l.mixed()) {
            if (!mixed.run(l, arguments, channel)) {
                throw refusal(l);
            }
            return;
        }
        if (!l.type.isFloating()) {
            integers(l, arguments, channel);
            return;
        }
        Family<C> family = families.get(l.kernel.ordinal());
        if (family == null || !family.takes(l)) {
            throw refusal(l);
        }
        family.run(Arguments.letter(l.type), l, arguments, channel);
    }

    private void integers(Launch l, long arguments, C channel) {
        if (l.a.storage != Storage.DENSE || l.c.storage != Storage.DENSE) {
            throw refusal(l);
        }
        switch (l.kernel) {
            case COPY, FILL -> vectors.integers(l, arguments, channel);
            case COPY_MATRIX -> matrices.integers(l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    static DriverException refusal(Launch l) {
        String form = " of " + l.type + ", a " + l.a.storage + ", c " + l.c.storage
                + (l.extent == 0 ? "" : ", " + l.extentOf + " known to the device alone");
        return new DriverException(DriverException.Code.NOT_IMPLEMENTED, "GPUs have no kernel for " + l.kernel + form);
    }
}
