package dev.basalt.bench;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The operands of a workload on a device, as one or more copies: calls in turns on several copies find nothing of their own in a
 * cache, or find fresh input without a pause between them.
 */
public final class Operands implements AutoCloseable {
    private static final long SEED = 42;
    private static final double HOT_BYTES = 256 << 10;
    private static final int MOST_HOT = 64;

    private final Workload workload;
    private final DeviceArena arena;
    private final Arena host = Arena.ofShared();
    private final Map<Slot.Name, MemorySegment> originals = new EnumMap<>(Slot.Name.class);
    private final MemorySegment pivots;
    /** Null where operands are put back from the host. */
    private final Site site;

    private final Map<Slot.Name, VectorView> pristine = new EnumMap<>(Slot.Name.class);
    private final Copy[] copies;
    private VectorView pristinePivots;
    private VectorView pristinePivots32;
    private VectorView pristineInfo;

    /** One copy of all operands. */
    final class Copy {
        private final Map<Slot.Name, VectorView> flat = new EnumMap<>(Slot.Name.class);
        private final Map<Slot.Name, MatrixView> matrices = new EnumMap<>(Slot.Name.class);
        private final Map<Slot.Name, VectorView> vectors = new EnumMap<>(Slot.Name.class);
        /** Pivots as Basalt has them. */
        final VectorView pivots;
        /** Pivots as LAPACK has them. */
        final VectorView pivots32;

        final VectorView info;
        /** Where a reduction goes whose result stays on the device. */
        final VectorView results;
        /** Where another library's goes: an index has 32 bits there. */
        final VectorView peerResults;

        private final Map<Slot.Name, VectorView> tables = new EnumMap<>(Slot.Name.class);

        Copy() {
            for (Slot slot : workload.routine.slots()) {
                place(slot);
            }
            long order = Math.min(workload.m, workload.n);
            boolean pivoted = workload.routine.has("ipiv");
            pivots = pivoted ? arena.vector(ElementType.I64, order, workload.batch) : null;
            pivots32 = pivoted ? arena.vector(ElementType.I32, order, workload.batch) : null;
            info = workload.routine.has("info") ? arena.vector(ElementType.I32, workload.batch) : null;
            ElementType result = resultType();
            results = workload.routine.reduces() ? arena.vector(result, workload.batch) : null;
            peerResults = workload.routine.reduces() && site != null
                    ? arena.vector(result == ElementType.I64 ? ElementType.I32 : result, workload.batch)
                    : null;
        }

        private void place(Slot slot) {
            Slot.Name name = slot.name();
            VectorView all = arena.vector(workload.type, elements(slot));
            flat.put(name, all);
            DevicePointer at = all.pointer();
            long stride = workload.stride(name);
            long ld = workload.leading(name);
            long rows = slot.rows().applyAsLong(workload);
            long cols = slot.cols().applyAsLong(workload);
            int batch = (int) workload.batch;
            boolean table = workload.form == Form.BATCHED;
            if (name.isVector()) {
                VectorView view = VectorView.strided(workload.type, at, rows, ld, batch, stride);
                if (table) {
                    VectorView[] problems = new VectorView[batch];
                    for (int p = 0; p < batch; p++) {
                        problems[p] = VectorView.of(workload.type, at.plus(workload.type, p * stride), rows, ld);
                    }
                    view = arena.pointers(problems);
                }
                vectors.put(name, view);
            } else {
                MatrixView view = MatrixView.strided(workload.type, at, rows, cols, ld, batch, stride);
                if (table) {
                    MatrixView[] problems = new MatrixView[batch];
                    for (int p = 0; p < batch; p++) {
                        problems[p] = MatrixView.of(workload.type, at.plus(workload.type, p * stride), rows, cols, ld);
                    }
                    view = arena.pointers(problems);
                }
                matrices.put(name, view);
            }
        }

        MatrixView matrix(Slot.Name name) {
            return matrices.get(name);
        }

        VectorView vector(Slot.Name name) {
            return vectors.get(name);
        }

        /** Device address of the first problem. */
        long address(Slot.Name name) {
            return flat.get(name).pointer().address();
        }

        /** Device address of a table of the addresses of all problems, in device memory. */
        long table(Slot.Name name) {
            return tables.computeIfAbsent(name, this::newTable).pointer().address();
        }

        private VectorView newTable(Slot.Name name) {
            long[] addresses = new long[(int) workload.batch];
            for (int p = 0; p < addresses.length; p++) {
                addresses[p] = address(name) + p * workload.stride(name) * workload.type.bytes();
            }
            VectorView table = arena.vector(ElementType.I64, addresses.length);
            table.upload(addresses);
            return table;
        }

        /** Puts the input back. */
        void restore(boolean all) {
            if (site != null) {
                restoreOnDevice(all);
                return;
            }
            for (Slot slot : workload.routine.slots()) {
                if (all || slot.access().writes()) {
                    flat.get(slot.name()).upload(originals.get(slot.name()));
                }
            }
            if (info != null) {
                // Some routines have no info here, and one in LAPACK.
                info.upload(new int[(int) workload.batch]);
            }
            if (pivots != null) {
                pivots.upload(pivots64());
                pivots32.upload(Operands.this.pivots);
            }
        }

        private void restoreOnDevice(boolean all) {
            for (Slot slot : workload.routine.slots()) {
                if (all || slot.access().writes()) {
                    copyBack(pristine.get(slot.name()), flat.get(slot.name()));
                }
            }
            copyBack(pristineInfo, info);
            copyBack(pristinePivots, pivots);
            copyBack(pristinePivots32, pivots32);
        }

        private void copyBack(VectorView from, VectorView to) {
            if (to != null) {
                long bytes = to.size() * to.count() * to.type().bytes();
                site.copy(from.pointer(), to.pointer(), bytes);
            }
        }

        /** Overwrites the operand. */
        void upload(Slot.Name name, MemorySegment from) {
            flat.get(name).upload(from);
        }

        /** The operand as it is now. */
        MemorySegment download(Slot.Name name, Arena to) {
            MemorySegment segment = to.allocate(originals.get(name).byteSize(), 64);
            flat.get(name).download(segment);
            return segment;
        }
    }

    /**
     * Allocates and fills.
     *
     * @param device where
     * @param workload for which call
     * @param count copies
     */
    public Operands(Device device, Workload workload, int count) {
        this(device, workload, count, null);
    }

    /**
     * Allocates and fills.
     *
     * @param device where
     * @param workload for which call
     * @param count copies
     * @param asynchronous where calls are timed if that copies on the device, else null
     */
    Operands(Device device, Workload workload, int count, Site asynchronous) {
        this.workload = workload;
        this.site = asynchronous;
        this.arena = device.arena();
        boolean done = false;
        try {
            SplittableRandom random = new SplittableRandom(SEED);
            for (Slot slot : workload.routine.slots()) {
                originals.put(slot.name(), Filling.of(workload, slot, elements(slot), random, host));
            }
            pivots = workload.routine.has("ipiv") ? Filling.pivots(workload, random, host) : null;
            if (site != null) {
                keepPristine();
            }
            copies = new Copy[count];
            for (int c = 0; c < count; c++) {
                copies[c] = new Copy();
                copies[c].restore(true);
            }
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    /** The input in device memory, from which it is put back without crossing the bus. */
    private void keepPristine() {
        for (Slot slot : workload.routine.slots()) {
            VectorView copy = arena.vector(workload.type, elements(slot));
            copy.upload(originals.get(slot.name()));
            pristine.put(slot.name(), copy);
        }
        if (workload.routine.has("info")) {
            pristineInfo = arena.vector(ElementType.I32, workload.batch);
            pristineInfo.upload(new int[(int) workload.batch]);
        }
        if (pivots != null) {
            pristinePivots = arena.vector(ElementType.I64, pivots64().length);
            pristinePivots.upload(pivots64());
            pristinePivots32 = arena.vector(ElementType.I32, pivots64().length);
            pristinePivots32.upload(pivots);
        }
    }

    private long[] pivots64() {
        long[] wide = new long[(int) (pivots.byteSize() / Integer.BYTES)];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = pivots.getAtIndex(ValueLayout.JAVA_INT, i);
        }
        return wide;
    }

    /** Whether reductions leave their results on the device. */
    boolean resultsOnDevice() {
        return site != null;
    }

    /**
     * Copies that a workload needs so that a sample is long enough for the clock: several where each call needs fresh input, as many
     * as stay in the second-level cache together.
     *
     * @param workload the workload
     * @return copies
     */
    public static int copies(Workload workload) {
        return workload.consumes() ? (int) Math.clamp(HOT_BYTES / bytes(workload), 1, MOST_HOT) : 1;
    }

    /** Bytes of one copy. */
    static double bytes(Workload workload) {
        double elements = 0;
        for (Slot slot : workload.routine.slots()) {
            elements += (workload.batch - 1) * (double) workload.stride(slot.name()) + workload.span(slot);
        }
        return elements * workload.type.bytes();
    }

    private long elements(Slot slot) {
        try {
            return Math.addExact(Math.multiplyExact(workload.batch - 1, workload.stride(slot.name())),
                    workload.span(slot));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("operand " + slot.name() + " of " + workload + " is too large", e);
        }
    }

    private ElementType resultType() {
        return switch (workload.routine) {
            case IAMAX, IAMIN -> ElementType.I64;
            case ASUM, NRM2 -> workload.type.real();
            default -> workload.type;
        };
    }

    /**
     * Copies of the operands.
     *
     * @return at least 1
     */
    public int count() {
        return copies.length;
    }

    Copy copy(int c) {
        return copies[c];
    }

    /** What an operand held at first. */
    MemorySegment original(Slot.Name name) {
        return originals.get(name);
    }

    /** The pivots that were given, 1-based ints, problem after problem. */
    MemorySegment originalPivots() {
        return pivots;
    }

    /** Puts the input of all copies back. */
    public void restore() {
        for (Copy copy : copies) {
            copy.restore(false);
        }
    }

    @Override
    public void close() {
        arena.close();
        host.close();
    }
}
