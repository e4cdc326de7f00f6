package dev.basalt.conformance.misuse;

import static dev.basalt.Status.INTERNAL_ERROR;
import static dev.basalt.Status.INVALID_HANDLE;
import static dev.basalt.Status.INVALID_POINTER;
import static dev.basalt.Status.INVALID_SIZE;
import static dev.basalt.Status.INVALID_VALUE;
import static dev.basalt.Status.MEMORY_ERROR;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.DegradePolicy;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.Layout;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.Workspace;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Wrong uses of the library, each with the error that it must end in. */
final class Misuse {
    /** Stands for an {@link IllegalStateException}. */
    static final String STATE = "IllegalStateException";

    /** A wrong use. */
    record Case(String name, String expected, boolean captures, Consumer<Scene> action) {}

    private final List<Case> cases = new ArrayList<>();

    private Misuse() {}

    static List<Case> all() {
        Misuse m = new Misuse();
        m.closedMemory();
        m.shapes();
        m.arguments();
        m.closedObjects();
        m.workspace();
        m.leases();
        m.streams();
        m.captures();
        m.segments();
        return m.cases;
    }

    private void add(String name, Status expected, Consumer<Scene> action) {
        cases.add(new Case(name, expected.name(), false, action));
    }

    private void state(String name, Consumer<Scene> action) {
        cases.add(new Case(name, STATE, false, action));
    }

    private void capture(String name, Status expected, Consumer<Scene> action) {
        cases.add(new Case(name, expected.name(), true, action));
    }

    private void closedMemory() {
        Status p = INVALID_POINTER;
        add("axpy of a closed x", p, s -> Blas.axpy(s.handle, 2, s.closedVector(), s.y));
        add("axpy into a closed y", p, s -> Blas.axpy(s.handle, 2, s.x, s.closedVector()));
        add("dot of a closed x", p, s -> Blas.dot(s.handle, s.closedVector(), s.y));
        add("nrm2 of a closed x", p, s -> Blas.nrm2(s.handle, s.closedVector()));
        add("iamax of a closed x", p, s -> Blas.iamax(s.handle, s.closedVector()));
        add("swap with a closed y", p, s -> Blas.swap(s.handle, s.x, s.closedVector()));
        add("copy into a closed y", p, s -> Blas.copy(s.handle, s.x, s.closedVector()));
        add("rot of a closed y", p, s -> Blas.rot(s.handle, s.x, s.closedVector(), 0.6, 0.8));
        add("dot into a closed result", p, s -> Blas.dot(s.handle, s.x, s.y, s.closedVector()));
        add("gemv of a closed A", p, s -> Blas.gemv(s.handle, Op.NONE, 1, s.closedMatrix(), s.x, 0, s.y));
        add("gemv of a closed x", p, s -> Blas.gemv(s.handle, Op.TRANS, 1, s.a, s.closedVector(), 0, s.y));
        add("ger into a closed A", p, s -> Blas.ger(s.handle, 1, s.x, s.y, s.closedMatrix()));
        add("trsv with a closed A", p, s -> Blas.trsv(s.handle, Uplo.LOWER, Op.NONE, Diag.UNIT, s.closedMatrix(), s.x));
        add("gemm of a closed A", p, s -> Blas.gemm(s.handle, Op.NONE, Op.NONE, 1, s.closedMatrix(), s.a, 0, s.b));
        add("gemm into a closed C", p, s -> Blas.gemm(s.handle, Op.NONE, Op.NONE, 1, s.a, s.a, 0, s.closedMatrix()));
        add("gemm of a table with a closed member", p, s -> {
            MatrixView table = s.brokenTable();
            Blas.gemm(s.handle, Op.NONE, Op.NONE, 1, table, table, 0, table);
        });
        add("trsm into a closed B", p,
                s -> Blas.trsm(s.handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, s.a, s.closedMatrix()));
        add("syrk into a closed C", p, s -> Blas.syrk(s.handle, Uplo.LOWER, Op.NONE, 1, s.a, 0, s.closedMatrix()));
        add("potrf of a closed A", p, s -> Lapack.potrf(s.handle, Uplo.LOWER, s.closedMatrix(), s.info));
        add("potrf of a table with a closed member", p,
                s -> Lapack.potrf(s.handle, Uplo.LOWER, s.brokenTable(), s.arena.vector(ElementType.I32, 2)));
        add("getrf of a closed A", p, s -> Lapack.getrf(s.handle, s.closedMatrix(), s.pivots, s.info));
        add("upload to a closed vector", p, s -> s.closedVector().upload(new double[Scene.N]));
        add("download of a closed matrix", p, s -> s.closedMatrix().download(new double[Scene.N * Scene.N]));
        add("upload to a table with a closed member", p, s -> s.brokenTable().upload(new double[288]));
        add("download of a table with a closed member", p, s -> s.brokenTable().download(new double[288]));
        add("a scalar whose arena is closed", p, s -> {
            VectorView alpha;
            try (DeviceArena brief = s.device.arena()) {
                alpha = brief.scalar(ElementType.F64, new Complex(2, 0));
            }
            Blas.axpy(s.handle, alpha, s.x, s.y);
        });
        add("a table of a member that is closed", INVALID_VALUE, s -> s.arena.pointers(s.a, s.closedMatrix()));
        add("a table of nothing", INVALID_VALUE, s -> s.arena.pointers(new MatrixView[0]));
        add("a table of unlike members", INVALID_VALUE, s -> s.arena.pointers(s.a, s.a.block(0, 0, 3, 3)));
        add("a table of a shape", INVALID_VALUE,
                s -> s.arena.pointers(s.a, MatrixView.shape(ElementType.F64, Scene.N, Scene.N)));
    }

    private void shapes() {
        add("a vector of -1", INVALID_SIZE, s -> s.arena.vector(ElementType.F64, -1));
        add("a vector of 2^63-1", INVALID_SIZE, s -> s.arena.vector(ElementType.F64, Long.MAX_VALUE));
        add("a matrix of 2^40 x 2^40", INVALID_SIZE, s -> s.arena.matrix(ElementType.F64, 1L << 40, 1L << 40));
        add("a view that leaves its memory", INVALID_SIZE,
                s -> VectorView.of(ElementType.F64, s.x.pointer(), Scene.N + 100, 1));
        add("a view with a vast increment", INVALID_SIZE,
                s -> VectorView.of(ElementType.F64, s.x.pointer(), 3, Long.MIN_VALUE));
        add("a matrix with ld < rows", INVALID_SIZE,
                s -> MatrixView.of(ElementType.F64, s.a.pointer(), Scene.N, Scene.N, Scene.N - 1));
        add("a batch of vast stride", INVALID_SIZE,
                s -> MatrixView.strided(ElementType.F64, s.a.pointer(), 2, 2, 2, 3, Long.MAX_VALUE));
        add("a batch of negative stride", INVALID_SIZE,
                s -> MatrixView.strided(ElementType.F64, s.a.pointer(), 2, 2, 2, 3, -4));
        add("a pointer far on", INVALID_SIZE, s -> s.x.pointer().plus(ElementType.F64, 1L << 40));
        add("a pointer that wraps around", INVALID_SIZE, s -> s.x.pointer().plus(ElementType.F64, 1L << 61));
        add("a pointer that wraps back", INVALID_SIZE, s -> s.x.pointer().plus(ElementType.C64, Long.MIN_VALUE));
        add("a pointer before its memory", INVALID_SIZE, s -> s.x.pointer().plus(ElementType.F64, -1));
        add("a block outside", INVALID_SIZE, s -> s.a.block(5, 5, Scene.N, 1));
        add("a block that wraps around", INVALID_SIZE, s -> s.a.block(1, 0, Long.MAX_VALUE, 1));
        add("a column outside", INVALID_SIZE, s -> s.a.column(Scene.N));
        add("a problem outside", INVALID_SIZE, s -> s.a.problem(-1));
        add("a slice outside", INVALID_SIZE, s -> s.x.slice(Scene.N, 1));
        add("vectors of two sizes", INVALID_SIZE, s -> Blas.axpy(s.handle, 1, s.x, s.y.slice(0, 3)));
        add("matrices that do not fit", INVALID_SIZE,
                s -> Blas.gemm(s.handle, Op.NONE, Op.NONE, 1, s.a, s.b.block(0, 0, 3, 3), 0, s.a));
        add("a triangle that is not square", INVALID_SIZE,
                s -> Blas.trsv(s.handle, Uplo.LOWER, Op.NONE, Diag.UNIT, s.a.block(0, 0, 4, 5), s.x));
        add("pivots too few", INVALID_SIZE, s -> Lapack.getrf(s.handle, s.a, s.pivots.slice(0, 3), s.info));
        add("an array of the wrong length", INVALID_SIZE, s -> s.x.upload(new double[3]));
        add("two batches of unlike counts", INVALID_SIZE,
                s -> Blas.gemm(s.handle, Op.NONE, Op.NONE, 1, s.arena.matrix(ElementType.F64, 2, 2, 3),
                        s.arena.matrix(ElementType.F64, 2, 2, 3), 0, s.arena.matrix(ElementType.F64, 2, 2, 4)));
    }

    private void arguments() {
        add("a null handle", INVALID_HANDLE, s -> Blas.nrm2(null, s.x));
        add("a null vector", INVALID_POINTER, s -> Blas.nrm2(s.handle, null));
        add("a null matrix", INVALID_POINTER, s -> Blas.gemm(s.handle, Op.NONE, Op.NONE, 1, s.a, null, 0, s.b));
        add("a null option", INVALID_VALUE, s -> Blas.gemm(s.handle, null, Op.NONE, 1, s.a, s.a, 0, s.b));
        add("a null triangle", INVALID_VALUE, s -> Lapack.potrf(s.handle, null, s.a, s.info));
        add("a null scalar", INVALID_POINTER, s -> Blas.axpy(s.handle, (Complex) null, s.x, s.y));
        add("null pivots", INVALID_POINTER, s -> Lapack.getrf(s.handle, s.a, null, s.info));
        add("a shape in place of memory", INVALID_POINTER,
                s -> Blas.nrm2(s.handle, VectorView.shape(ElementType.F64, 8)));
        add("an upload to a shape", INVALID_POINTER, s -> VectorView.shape(ElementType.F64, 8).upload(new double[8]));
        add("elements of two types", INVALID_VALUE,
                s -> Blas.axpy(s.handle, 1, s.x, s.arena.vector(ElementType.F32, Scene.N)));
        add("whole numbers in BLAS", INVALID_VALUE, s -> Blas.nrm2(s.handle, s.pivots));
        add("pivots of real numbers", INVALID_VALUE, s -> Lapack.getrf(s.handle, s.a, s.x, s.info));
        add("a complex scalar on real elements", INVALID_VALUE, s -> Blas.axpy(s.handle, new Complex(1, 1), s.x, s.y));
        add("an array of the wrong type", INVALID_VALUE, s -> s.x.upload(new float[Scene.N]));
        add("a null array", INVALID_VALUE, s -> s.x.download(null));
        add("a batch where one is wanted", INVALID_SIZE,
                s -> Blas.nrm2(s.handle, s.arena.vector(ElementType.F64, 4, 3)));
    }

    private void closedObjects() {
        add("a call on a closed handle", INVALID_HANDLE, s -> {
            s.handle.close();
            Blas.nrm2(s.handle, s.x);
        });
        add("a size for a closed handle", INVALID_HANDLE, s -> {
            s.handle.close();
            s.handle.setDeviceMemorySize(64);
        });
        add("a plan on a closed handle", INVALID_HANDLE, s -> {
            s.handle.close();
            s.handle.plan(h -> Blas.nrm2(h, s.x));
        });
        add("a lease of a closed handle", INVALID_HANDLE, s -> {
            s.handle.close();
            s.handle.deviceMalloc(64);
        });
        add("a query on a closed handle", INVALID_HANDLE, s -> {
            s.handle.close();
            s.handle.startDeviceMemorySizeQuery();
        });
        add("memory of a closed arena", INVALID_HANDLE, s -> {
            s.arena.close();
            s.arena.allocate(64);
        });
        add("a table in a closed arena", INVALID_HANDLE, s -> {
            s.arena.close();
            s.arena.pointers(s.a);
        });
        add("a wrapped address in a closed arena", INVALID_HANDLE, s -> {
            s.arena.close();
            s.arena.wrap(4096, 64);
        });
        add("a handle of a closed device", INVALID_HANDLE, s -> {
            s.device.close();
            s.device.createHandle();
        });
        add("a builder of a device closed meanwhile", INVALID_HANDLE, s -> {
            dev.basalt.HandleBuilder builder = s.device.handleBuilder();
            s.device.close();
            builder.create();
        });
        add("an arena of a closed device", INVALID_HANDLE, s -> {
            s.device.close();
            s.device.arena();
        });
        add("a stream of a closed device", INVALID_HANDLE, s -> {
            s.device.close();
            s.device.createStream();
        });
        add("a call after the device was closed", INVALID_HANDLE, s -> {
            s.device.close();
            Blas.scal(s.handle, 2, s.x);
        });
        add("a lease after the device was closed", INVALID_HANDLE, s -> {
            s.device.close();
            s.handle.deviceMalloc(1 << 30);
        });
        add("a wait for a closed device", INVALID_HANDLE, s -> {
            s.device.close();
            s.device.synchronize();
        });
        add("a call on a closed stream", INVALID_HANDLE, s -> {
            s.stream.close();
            Blas.scal(s.handle, 2, s.x);
        });
        add("a long call on a closed stream", INVALID_HANDLE, s -> {
            VectorView big = s.arena.vector(ElementType.F64, 100_000);
            s.stream.close();
            Blas.scal(s.handle, 2, big);
        });
        add("a number from a closed stream", INVALID_HANDLE, s -> {
            s.stream.close();
            Blas.nrm2(s.handle, s.x);
        });
        add("a wait for a closed stream", INVALID_HANDLE, s -> {
            s.stream.close();
            s.handle.synchronize();
        });
        add("a handle on a closed stream", INVALID_HANDLE, s -> {
            s.stream.close();
            s.device.handleBuilder().stream(s.stream).create();
        });
        add("a closed workspace", INVALID_HANDLE, s -> {
            Workspace w = s.device.createWorkspace();
            w.close();
            s.device.handleBuilder().workspace(w).create();
        });
    }

    private void workspace() {
        add("a negative size", INVALID_SIZE, s -> s.handle.setDeviceMemorySize(-1));
        add("a size of 2^63-1", INVALID_SIZE, s -> s.handle.setDeviceMemorySize(Long.MAX_VALUE));
        add("a size that no device has", MEMORY_ERROR, s -> s.handle.setDeviceMemorySize(1L << 50));
        add("a reservation that no device has", MEMORY_ERROR, s -> s.handle.reserve(1L << 50));
        add("a negative reservation", INVALID_SIZE, s -> s.handle.reserve(-1));
        add("a negative cap", INVALID_SIZE, s -> s.handle.setMaxManagedBytes(-1));
        add("a preallocation that no device has", INVALID_VALUE,
                s -> s.device.handleBuilder().deviceMemorySize(1L << 50).create());
        add("a null policy", INVALID_VALUE, s -> s.handle.setDegradePolicy(null));
        add("a null policy of a builder", INVALID_VALUE, s -> s.device.handleBuilder().degradePolicy(null).create());
        add("a size beside a shared workspace", INVALID_VALUE, s -> {
            try (Workspace w = s.device.createWorkspace()) {
                s.device.handleBuilder().workspace(w).deviceMemorySize(64).create();
            }
        });
        add("a cap beside a shared workspace", INVALID_VALUE, s -> {
            try (Workspace w = s.device.createWorkspace()) {
                s.device.handleBuilder().workspace(w).maxManagedBytes(64).create();
            }
        });
        add("a user's block that is too small", INVALID_SIZE, s -> s.handle.setWorkspace(s.arena.allocate(64), 63));
        add("a user's block shorter than said", INVALID_SIZE, s -> s.handle.setWorkspace(s.arena.allocate(64), 65));
        add("a user's block of 2^63-1", INVALID_SIZE, s -> s.handle.setWorkspace(s.arena.allocate(64), Long.MAX_VALUE));
        add("a user's block that is closed", INVALID_POINTER,
                s -> s.handle.setWorkspace(s.closedVector().pointer().memory(), 64));
        add("a user's block off its alignment", INVALID_POINTER,
                s -> s.handle.setWorkspace(s.arena.allocate(4096).pointer().plus(ElementType.F64, 1), 64));
        add("a user's block closed under the handle", INVALID_POINTER, s -> {
            try (DeviceArena brief = s.device.arena()) {
                s.handle.setWorkspace(brief.allocate(1 << 20), 1 << 20);
            }
            s.handle.deviceMalloc(64);
        });
        add("a user's block closed under a call", INVALID_POINTER, s -> {
            MatrixView big = s.arena.matrix(ElementType.F64, 200, 200);
            try (DeviceArena brief = s.device.arena()) {
                s.handle.setWorkspace(brief.allocate(1 << 20), 1 << 20);
            }
            Blas.trmm(s.handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, big, big, big);
        });
        add("degrading where it is forbidden", MEMORY_ERROR, s -> {
            MatrixView big = s.arena.matrix(ElementType.F64, 200, 200);
            s.handle.setDeviceMemorySize(64);
            s.handle.setDegradePolicy(DegradePolicy.FORBID);
            Blas.trmm(s.handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, big, big, big);
        });
        state("a listener that closes its arena", s -> {
            s.handle.setDeviceMemorySize(0);
            s.handle.faults().failAbove(0);
            RuntimeException[] seen = new RuntimeException[1];
            s.handle.onAllocationFailure(bytes -> {
                try {
                    s.arena.close();
                } catch (RuntimeException e) {
                    seen[0] = e;
                }
                return false;
            });
            MatrixView big = s.arena.matrix(ElementType.F64, 200, 200);
            Blas.trmm(s.handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, big, big, big);
            throw seen[0];
        });
        state("a listener that calls its handle", s -> {
            s.handle.setDeviceMemorySize(0);
            s.handle.faults().failAbove(0);
            s.handle.onAllocationFailure(bytes -> Blas.nrm2(s.handle, s.x) > 0);
            MatrixView big = s.arena.matrix(ElementType.F64, 200, 200);
            Blas.trmm(s.handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, big, big, big);
        });
        add("a second query", Status.SIZE_QUERY_MISMATCH, s -> {
            s.handle.startDeviceMemorySizeQuery();
            s.handle.startDeviceMemorySizeQuery();
        });
        add("the end of no query", Status.SIZE_QUERY_MISMATCH, s -> s.handle.stopDeviceMemorySizeQuery());
        add("an answer to no query", INTERNAL_ERROR, s -> s.handle.setOptimalDeviceMemorySize(64));
    }

    private void leases() {
        add("a negative slot", INVALID_SIZE, s -> s.handle.deviceMalloc(64, -1));
        add("slots beyond 2^63", INVALID_SIZE, s -> s.handle.deviceMalloc(Long.MAX_VALUE, Long.MAX_VALUE));
        add("a lease that no device has", MEMORY_ERROR, s -> s.handle.deviceMalloc(1L << 50).orThrow());
        add("a lease in a query", INTERNAL_ERROR, s -> {
            s.handle.startDeviceMemorySizeQuery();
            s.handle.deviceMalloc(64);
        });
        add("a lease in a plan", INTERNAL_ERROR, s -> s.handle.plan(h -> h.deviceMalloc(64)));
        add("a slot that is none", INVALID_SIZE, s -> {
            try (Lease lease = s.handle.deviceMalloc(64)) {
                lease.slot(1);
            }
        });
        add("a slot of a closed lease", INVALID_POINTER, s -> Blas.nrm2(s.handle, slotOfClosedLease(s)));
        add("a download from a closed lease", INVALID_POINTER, s -> slotOfClosedLease(s).download(new double[8]));
        add("a resize under a lease", INTERNAL_ERROR, s -> {
            try (Lease lease = s.handle.deviceMalloc(64)) {
                s.handle.setDeviceMemorySize(lease.slots());
            }
        });
        add("a trim under a lease", INTERNAL_ERROR, s -> {
            try (Lease lease = s.handle.deviceMalloc(64)) {
                s.handle.trim();
                lease.slots();
            }
        });
        add("another stream under a lease", INTERNAL_ERROR, s -> {
            try (Lease lease = s.handle.deviceMalloc(64)) {
                s.handle.setStream(s.device.defaultStream());
                lease.slots();
            }
        });
        add("the handle closed under a lease", INTERNAL_ERROR, s -> {
            try (Lease lease = s.handle.deviceMalloc(64)) {
                s.handle.close();
                lease.slots();
            }
        });
        add("a slot without a tier", INVALID_VALUE, s -> Layout.of("mine", "").slot("a", 64));
        add("a layout of negative slots", INVALID_SIZE, s -> Layout.of("mine", "").tier("t").slot("a", -64));
        add("a layout beyond 2^63", INVALID_SIZE,
                s -> Layout.of("mine", "").tier("t").slot("a", Long.MAX_VALUE - 64).slot("b", Long.MAX_VALUE - 64));
        add("a layout changed after its use", INVALID_VALUE, s -> {
            Layout layout = Layout.of("mine", "").tier("t").slot("a", 64);
            s.handle.deviceMalloc(layout).close();
            layout.slot("b", 64);
        });
        add("a layout of nine tiers", INVALID_VALUE, s -> {
            Layout layout = Layout.of("mine", "");
            for (int t = 0; t < 9; t++) {
                layout.tier("t" + t).slot("a", 6400 - 64 * t);
            }
        });
    }

    private static VectorView slotOfClosedLease(Scene s) {
        try (Lease lease = s.handle.deviceMalloc(64)) {
            return VectorView.of(ElementType.F64, lease.slot(0).pointer(), 8, 1);
        }
    }

    private void streams() {
        add("a null stream", INVALID_POINTER, s -> s.handle.setStream(null));
        add("a closed stream", INVALID_HANDLE, s -> {
            Stream other = s.device.createStream();
            other.close();
            s.handle.setStream(other);
        });
        add("a wait for null", INVALID_POINTER, s -> s.stream.waitFor(null));
        add("a wait on a closed stream", INVALID_HANDLE, s -> {
            Stream other = s.device.createStream();
            other.close();
            other.waitFor(s.stream);
        });
        add("the end of a closed stream's work", INVALID_HANDLE, s -> {
            s.stream.close();
            s.stream.synchronize();
        });
        add("a stream of another device", INVALID_VALUE, s -> {
            try (Device other = Device.open("sim:seed=5"); Stream foreign = other.createStream()) {
                s.handle.setStream(foreign);
            }
        });
        add("a wait for another device", INVALID_VALUE, s -> {
            try (Device other = Device.open("sim:seed=5")) {
                s.stream.waitFor(other.defaultStream());
            }
        });
        add("a handle on another device's stream", INVALID_VALUE, s -> {
            try (Device other = Device.open("sim:seed=5")) {
                s.device.handleBuilder().stream(other.defaultStream()).create();
            }
        });
        add("memory of another device", INVALID_POINTER, s -> {
            try (Device other = Device.open("sim:seed=5"); DeviceArena elsewhere = other.arena()) {
                Blas.nrm2(s.handle, elsewhere.vector(ElementType.F64, 8));
            }
        });
        add("a table of another device's memory", INVALID_VALUE, s -> {
            try (Device other = Device.open("sim:seed=5"); DeviceArena elsewhere = other.arena()) {
                s.arena.pointers(elsewhere.vector(ElementType.F64, 8));
            }
        });
        add("a user's block of another device", INVALID_POINTER, s -> {
            try (Device other = Device.open("sim:seed=5"); DeviceArena elsewhere = other.arena()) {
                s.handle.setWorkspace(elsewhere.allocate(4096), 4096);
            }
        });
        add("an unknown device", INVALID_VALUE, s -> Device.open("quantum"));
        add("an unknown setting of a device", INVALID_VALUE, s -> Device.open("sim:colour=red"));
        add("no device", INVALID_VALUE, s -> Device.open(""));
    }

    private void captures() {
        capture("a capture in a query", INTERNAL_ERROR, s -> {
            s.handle.startDeviceMemorySizeQuery();
            s.handle.capture(h -> Blas.scal(h, 2, s.x));
        });
        capture("a capture in a plan", INTERNAL_ERROR, s -> s.handle.plan(h -> h.capture(i -> {})));
        capture("a capture in a capture", INVALID_VALUE, s -> s.handle.capture(h -> h.capture(i -> {})));
        capture("a resize in a capture", INTERNAL_ERROR, s -> s.handle.capture(h -> h.setDeviceMemorySize(64)));
        capture("another stream in a capture", INTERNAL_ERROR,
                s -> s.handle.capture(h -> h.setStream(s.device.defaultStream())));
        capture("the handle closed in a capture", INTERNAL_ERROR, s -> s.handle.capture(Handle::close));
        capture("the stream closed in a capture", INTERNAL_ERROR, s -> s.handle.capture(h -> s.stream.close()));
        capture("growth in a capture", MEMORY_ERROR, s -> {
            s.handle.setDeviceMemorySize(0);
            MatrixView big = s.arena.matrix(ElementType.F64, 200, 200);
            s.handle.capture(h -> Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, big, big, big));
        });
        capture("a graph that is closed", INVALID_HANDLE, s -> {
            Graph graph = s.handle.capture(h -> Blas.scal(h, 2, s.x));
            graph.close();
            graph.launch(s.stream);
        });
        capture("a graph on no stream", INVALID_POINTER, s -> {
            try (Graph graph = s.handle.capture(h -> Blas.scal(h, 2, s.x))) {
                graph.launch(null);
            }
        });
        capture("a graph on a closed stream", INVALID_HANDLE, s -> {
            Stream other = s.device.createStream();
            other.close();
            try (Graph graph = s.handle.capture(h -> Blas.scal(h, 2, s.x))) {
                graph.launch(other);
            }
        });
        capture("a graph on another device", INVALID_VALUE, s -> {
            try (Graph graph = s.handle.capture(h -> Blas.scal(h, 2, s.x)); Device other = Device.open("sim:seed=5")) {
                graph.launch(other.defaultStream());
            }
        });
        capture("a graph whose operand is gone", INVALID_POINTER, s -> {
            try (Graph graph = s.handle.capture(h -> Blas.scal(h, 2, s.x))) {
                s.arena.close();
                graph.launch(s.stream);
            }
        });
        capture("a graph whose workspace is gone", INVALID_POINTER, s -> {
            MatrixView big = s.arena.matrix(ElementType.F64, 200, 200);
            DeviceArena brief = s.device.arena();
            s.handle.setWorkspace(brief.allocate(4 << 20), 4 << 20);
            try (Graph graph =
                    s.handle.capture(h -> Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, big, big, big))) {
                brief.close();
                graph.launch(s.stream);
            }
        });
        capture("a graph run inside a capture", INTERNAL_ERROR, s -> {
            try (Graph graph = s.handle.capture(h -> Blas.scal(h, 2, s.x))) {
                s.handle.capture(h -> graph.launch(s.stream));
            }
        });
        capture("a capture whose calls fail", INVALID_SIZE,
                s -> s.handle.capture(h -> Blas.axpy(h, 1, s.x, s.y.slice(0, 3))));
    }

    private void segments() {
        add("null to wrap", INVALID_VALUE, s -> s.arena.wrap((MemorySegment) null));
        add("a Java array to wrap", INVALID_POINTER, s -> s.arena.wrap(MemorySegment.ofArray(new double[8])));
        add("address 0 to wrap", INVALID_VALUE, s -> s.arena.wrap(0, 64));
        add("no bytes to wrap", INVALID_VALUE, s -> s.arena.wrap(4096, 0));
        add("more bytes than there are addresses", INVALID_VALUE, s -> s.arena.wrap(4096, Long.MAX_VALUE));
        add("a read-only segment to wrap", INVALID_POINTER,
                s -> s.arena.wrap(Arena.ofAuto().allocate(64, 64).asReadOnly()));
        add("a closed segment to wrap", INVALID_POINTER, s -> {
            Arena brief = Arena.ofShared();
            MemorySegment gone = brief.allocate(64, 64);
            brief.close();
            s.arena.wrap(gone);
        });
        add("a vector set from null", INVALID_POINTER, s -> Blas.setVector(s.handle, null, 1, s.x));
        add("a vector set from a closed segment", INVALID_POINTER, s -> {
            Arena brief = Arena.ofShared();
            MemorySegment gone = brief.allocate(256, 64);
            brief.close();
            Blas.setVector(s.handle, gone, 1, s.x);
        });
        add("a vector set from too little", INVALID_POINTER,
                s -> Blas.setVector(s.handle, Arena.ofAuto().allocate(8, 64), 1, s.x));
        add("a matrix got into a read-only segment", INVALID_POINTER,
                s -> Blas.getMatrix(s.handle, s.a, Arena.ofAuto().allocate(8192, 64).asReadOnly(), Scene.N));
        add("a matrix got into a Java array", INVALID_POINTER,
                s -> Blas.getMatrix(s.handle, s.a, MemorySegment.ofArray(new double[200]), Scene.N));
        add("a segment of closed memory", INVALID_POINTER, s -> s.closedVector().pointer().memory().segment());
    }

    /** What a case ended in: a status, {@link #STATE}, or what nobody should see. */
    static String outcome(Case c, String device) {
        try (Scene scene = new Scene(device)) {
            try {
                c.action.accept(scene);
                return "nothing";
            } catch (BlasException e) {
                return e.getMessage() == null || e.getMessage().isBlank() ? "no message" : e.status().name();
            } catch (IllegalStateException e) {
                return STATE;
            } catch (RuntimeException | Error e) {
                return e.toString();
            }
        }
    }
}
