package dev.basalt.internal.call;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.internal.workspace.Need;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Storage;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Sense;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The frame of a call on a handle: the user's arguments, the need, the lease's slots, and the launches the algorithm fills.
 * Each handle owns one and reuses it, so that a call allocates nothing.
 */
public final class Call {
    /** The user's arguments: m n k, options, scalars and operands a…e. */
    public final Launch args = new Launch();

    /** The tiers the routine asked for. */
    public final Need need = new Need();

    /** The kernel launch that the algorithm is filling. */
    public final Launch k = new Launch();

    /** What a composite routine works with: blocks, scratch, packing memory and launches on them. */
    public final Scope scope;

    /** The JVM's memory of a copy, null for none. */
    public MemorySegment host;

    /** The device's facts. */
    public final DeviceTraits traits;

    /** Whether the result of a reduction goes to the host, through a slot of the lease. */
    public boolean hostResult;

    /** Bit i: argument operand i was given as null although its shape is needed. */
    private int missing;

    /** Bit i: argument operand i was given, if only as a shape. */
    private int given;

    private String missingScalar;
    private ElementType compute;
    private boolean computeNamed;
    private boolean scalarsTyped;
    private String missingType;
    private ElementType alphaType;
    private ElementType betaType;
    private ElementType gammaType;

    private String mismatch;
    private long mismatchLeft;
    private long mismatchRight;
    private final MemoryCore[] memory = new MemoryCore[Signature.OPERANDS];
    private final long[] before = new long[Signature.OPERANDS];
    private final long[] available = new long[Signature.OPERANDS];
    private final long[] counts = new long[Signature.OPERANDS];

    private double fetchedRe;
    private double fetchedIm;
    private long fetchedIndex;
    private long staging;

    private final HandleCore handle;
    private final DeviceDriver driver;
    private long stream;
    private Routine routine;
    private int tier;
    private boolean alone;
    private final long[] slotAddress = new long[24];

    /**
     * A frame for a handle.
     *
     * @param handle the handle
     */
    Call(HandleCore handle) {
        this.handle = handle;
        this.driver = handle.driver;
        this.traits = driver.traits();
        this.scope = new Scope(driver);
    }

    /**
     * Begins a call.
     *
     * @param routineToCall what is called
     * @param type element type, or null if a view that would tell is missing
     */
    public void begin(Routine routineToCall, ElementType type) {
        if (routine != routineToCall) {
            routine = routineToCall;
        }
        // Only what a routine may leave unset is put back: a small call costs little more than its arithmetic. References are compared first, here and
        // wherever a call stores some: most calls are like the one before.
        Launch g = args;
        ElementType known = type == null ? ElementType.F64 : type;
        if (g.type != known) {
            g.type = known;
        }
        g.count = 1;
        if (g.opA != Op.NONE) {
            g.opA = Op.NONE;
        }
        if (g.opB != Op.NONE) {
            g.opB = Op.NONE;
        }
        if (g.side != Side.LEFT) {
            g.side = Side.LEFT;
        }
        if (g.uplo != Uplo.UPPER) {
            g.uplo = Uplo.UPPER;
        }
        if (g.diag != Diag.NON_UNIT) {
            g.diag = Diag.NON_UNIT;
        }
        // Kernels that compute vectors ask for these, whoever launches them.
        if (g.evect != Evect.NONE) {
            g.evect = Evect.NONE;
        }
        if (g.leftEvect != Evect.NONE) {
            g.leftEvect = Evect.NONE;
        }
        if (g.rightEvect != Evect.NONE) {
            g.rightEvect = Evect.NONE;
        }
        if (g.leftSvect != Svect.NONE) {
            g.leftSvect = Svect.NONE;
        }
        if (g.rightSvect != Svect.NONE) {
            g.rightSvect = Svect.NONE;
        }
        // Drivers that run for experts, too, ask for it.
        if (g.sense != Sense.NONE) {
            g.sense = Sense.NONE;
        }
        g.conjugated = false;
        g.hermitian = false;
        g.real = false;
        if (g.math != handle.math) {
            g.math = handle.math;
        }
        g.alpha.set(1, 0);
        g.beta.set(0, 0);
        g.m = 0;
        g.n = 0;
        g.k = 0;
        // Kernels that a device cuts read p and q as a range of columns.
        g.p = 0;
        g.q = 0;
        absent(g.a);
        absent(g.b);
        absent(g.c);
        absent(g.d);
        absent(g.e);
        absent(g.f);
        absent(g.g);
        g.clearFurther();
        if (g.extent != 0) {
            g.extent = 0;
        }
        given = 0;
        missing = 0;
        if (missingScalar != null) {
            missingScalar = null;
        }
        if (computeNamed) {
            compute = null;
            computeNamed = false;
            scalarsTyped = false;
            missingType = null;
        }
        if (alphaType != null) {
            alphaType = null;
        }
        if (betaType != null) {
            betaType = null;
        }
        if (gammaType != null) {
            gammaType = null;
        }
        if (mismatch != null) {
            mismatch = null;
        }
        hostResult = false;
        if (host != null) {
            host = null;
        }
        fetchedRe = 0;
        fetchedIm = 0;
        fetchedIndex = 0;
    }

    /** Takes an earlier call's operand out of the frame. Its storage would make a launch a special one that reads none of it. */
    private static void absent(Operand o) {
        o.base = 0;
        if (o.storage != Storage.DENSE) {
            o.storage = Storage.DENSE;
        }
    }

    /**
     * Marks an operand as null where its shape is needed.
     *
     * @param operand 0…6
     */
    public void missing(int operand) {
        missing |= 1 << operand;
        // What an earlier call left there is no shape of this one.
        args.operand(operand).clear();
    }

    /**
     * Sets alpha to a scalar on the device.
     *
     * @param memory where it is, null if it was not given
     * @param address its address
     * @param type its element type
     */
    public void alpha(MemoryCore memory, long address, ElementType type) {
        alphaType = scalar("alpha", memory, type);
        args.alpha.device(address == 0 ? 1 : address, type);
    }

    /**
     * Sets beta to a scalar on the device.
     *
     * @param memory where it is, null if it was not given
     * @param address its address
     * @param type its element type
     */
    public void beta(MemoryCore memory, long address, ElementType type) {
        betaType = scalar("beta", memory, type);
        args.beta.device(address == 0 ? 1 : address, type);
    }

    /**
     * Sets gamma to a scalar on the device.
     *
     * @param memory where it is, null if it was not given
     * @param address its address
     * @param type its element type
     */
    public void gamma(MemoryCore memory, long address, ElementType type) {
        gammaType = scalar("gamma", memory, type);
        args.gamma.device(address == 0 ? 1 : address, type);
    }

    private ElementType scalar(String name, MemoryCore memory, ElementType type) {
        if (memory == null || !memory.admits(handle)) {
            missingScalar(name);
        } else if (handle.stream.recording != null) {
            handle.stream.recording.uses(memory);
        }
        return type;
    }

    /**
     * Names the type of the computation; the types of the operands must then go together with it.
     *
     * @param type what the caller said, or null
     */
    public void compute(ElementType type) {
        compute = type;
        computeNamed = true;
        if (type == null) {
            missingType("compute");
        }
    }

    /**
     * Notes that a type was not given.
     *
     * @param name the argument
     */
    public void missingType(String name) {
        computeNamed = true;
        if (missingType == null) {
            missingType = name;
        }
    }

    /** Notes that the caller names the types of scalars, each behind its scalar. */
    public void scalarTyped() {
        computeNamed = true;
        scalarsTyped = true;
    }

    ElementType compute() {
        return compute;
    }

    boolean isComputeNamed() {
        return computeNamed;
    }

    /** Refuses a call that left out a type. */
    void requireTypes() {
        if (missingType != null) {
            throw failure(Status.INVALID_VALUE, missingType, 0, missingType + " is null; name an ElementType");
        }
    }

    /** The types of the operands that were given, for people. */
    String typing() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Signature.OPERANDS; i++) {
            text.append(isGiven(i) ? args.operand(i).type + " " : "");
        }
        return computeNamed ? text + "in " + compute : text.toString().strip();
    }

    /**
     * Notes that a scalar was not given; an error unless the call returns before it is needed.
     *
     * @param name alpha or beta
     */
    public void missingScalar(String name) {
        if (missingScalar == null) {
            missingScalar = name;
        }
    }

    /** Checks the scalars: there, on this device, and of a type that fits. */
    void scalars() {
        if (missingScalar != null) {
            String name = routine.signature().scalarName(missingScalar);
            throw failure(Status.INVALID_POINTER, name, 0, name + " is null, closed or not on this device");
        }
        if (alphaType != null) {
            scalarType("alpha", alphaType, routine.signature().alphaMayBeComplex());
        }
        scalarType("beta", betaType, true);
        scalarType("gamma", gammaType, true);
        hostScalar("alpha", args.alpha);
        hostScalar("beta", args.beta);
        if (gammaType == null) {
            hostScalar("gamma", args.gamma);
        }
    }

    private void hostScalar(String scalar, Scalar value) {
        if (!args.type.isComplex() && !value.onDevice() && value.im() != 0) {
            throw failure(Status.INVALID_VALUE, routine.signature().scalarName(scalar), 0,
                    "a complex scalar does not fit elements of " + args.type);
        }
    }

    private void scalarType(String scalar, ElementType type, boolean mayBeComplex) {
        if (type != null && (type != args.type || !mayBeComplex) && type != args.type.real()
                && !(type == ElementType.F32 && args.type.computed() == type)) {
            String name = routine.signature().scalarName(scalar);
            throw failure(Status.INVALID_VALUE, name, 0,
                    name + " of type " + type + " does not fit elements of " + args.type);
        }
    }

    /**
     * Tells where an operand's memory ends and who owns it; makes the operand a given one.
     *
     * @param operand 0…6
     * @param owner the memory, null for a shape
     * @param bytes bytes from the operand's address to the end of the memory
     * @param bytesBefore bytes from the start of the memory to the operand's address
     * @param count problems the operand has; -1 if it follows the call
     */
    public void memory(int operand, MemoryCore owner, long bytes, long bytesBefore, long count) {
        given |= 1 << operand;
        if (memory[operand] != owner) {
            memory[operand] = owner;
        }
        available[operand] = bytes;
        before[operand] = bytesBefore;
        counts[operand] = count;
    }

    /**
     * Notes a pair of dimensions that must agree; the first that does not is reported in its turn.
     *
     * @param what both names, such as {@code A.cols = B.rows}
     * @param left first
     * @param right second
     */
    public void match(String what, long left, long right) {
        if (left != right && mismatch == null) {
            mismatch = what;
            mismatchLeft = left;
            mismatchRight = right;
        }
    }

    /**
     * Reports the first disagreement of dimensions, if any.
     *
     * @throws BlasException INVALID_SIZE
     */
    void raiseMismatch() {
        if (mismatch != null) {
            throw failure(Status.INVALID_SIZE, null, 0,
                    mismatch + " is required, but " + mismatchLeft + " != " + mismatchRight);
        }
    }

    HandleCore handle() {
        return handle;
    }

    boolean isMissing(int operand) {
        return (missing & 1 << operand) != 0;
    }

    int missingMask() {
        return missing;
    }

    int given() {
        return given;
    }

    /**
     * Whether an operand was given, if only as a shape.
     *
     * @param operand 0…6
     * @return false if the caller's form has none
     */
    public boolean isGiven(int operand) {
        return (given & 1 << operand) != 0;
    }

    MemoryCore memory(int operand) {
        return memory[operand];
    }

    long before(int operand) {
        return before[operand];
    }

    long available(int operand) {
        return available[operand];
    }

    long count(int operand) {
        return counts[operand];
    }

    /**
     * An error of this call.
     *
     * @param status error status
     * @param argument the argument's name, or null
     * @param position its position, or 0
     * @param text the rule and the numbers
     * @return exception to throw
     */
    public BlasException failure(Status status, String argument, int position, String text) {
        String name = computeNamed ? named(routine.family()) : routine.name(args.type);
        int at = computeNamed && position > 0 ? position + typesBefore(position) : position;
        String where = argument == null ? "" : at == 0 ? argument + ": " : "argument " + at + " (" + argument + "): ";
        return new BlasException(status, name, argument, at,
                name + ": " + where + text + "  [" + routine.shape(this) + "]", null, null);
    }

    /** The name under which the caller tells the types. */
    private static String named(String family) {
        return family.endsWith("Ex") ? family : family + "Ex";
    }

    /** The types that stand before an operand, one behind each operand, and behind each scalar where the caller names those too. */
    private int typesBefore(int position) {
        int types = 0;
        if (scalarsTyped) {
            List<Argument> arguments = routine.signature().arguments();
            for (int i = 0; !(arguments.get(i) instanceof Argument.Array); i++) {
                types += arguments.get(i) instanceof Argument.Scalar ? 1 : 0;
            }
        }
        int last = 0;
        for (int i = 0; i < Signature.OPERANDS; i++) {
            int operand = routine.signature().position(i);
            if (operand > 0 && operand < position && operand != last) {
                types++;
                last = operand;
            }
        }
        return types;
    }

    /**
     * Requires a size rule to hold.
     *
     * @param ok whether it holds
     * @param argument the argument's name
     * @param position its position
     * @param rule the rule, such as {@code lda >= max(1, m)}
     * @param value the value that broke it
     */
    public void size(boolean ok, String argument, int position, String rule, long value) {
        if (!ok) {
            throw failure(Status.INVALID_SIZE, argument, position, rule + " is required, but it is " + value);
        }
    }

    /**
     * Requires an option to be there.
     *
     * @param option the option
     * @param argument its name
     * @param position its position
     */
    public void option(Object option, String argument, int position) {
        if (option == null) {
            throw failure(Status.INVALID_VALUE, argument, position, "it is null");
        }
    }

    /**
     * Requires an operand to be usable before anything else is looked at, as BLAS does for results of reductions.
     *
     * @param operand 0…6
     */
    public void requireOperand(int operand) {
        Protocol.pointer(this, routine, operand, true);
    }

    /**
     * The routine being called.
     *
     * @return routine
     */
    public Routine routine() {
        return routine;
    }

    /**
     * The tier that runs, by the number the routine declared it with.
     *
     * @return number from 0
     */
    public int tier() {
        return need.id(tier);
    }

    /**
     * The algorithm that runs, where the routine declared several.
     *
     * @return number from 0
     */
    public int algorithm() {
        return need.algorithm(tier);
    }

    /**
     * The address of a slot of the lease.
     *
     * @param slot index in the tier
     * @return address, 0 if the slot is empty or the tier has no such slot
     */
    public long slot(int slot) {
        // The array keeps the addresses of earlier calls: what this tier did not ask for must not be taken from it.
        return slot < need.slots(tier) ? slotAddress[slot] : 0;
    }

    /**
     * The size of a slot of the lease.
     *
     * @param slot index in the tier
     * @return bytes
     */
    public long slotBytes(int slot) {
        return slot < need.slots(tier) ? need.slot(tier, slot) : 0;
    }

    /**
     * Slot addresses, to be filled by the workspace.
     *
     * @return array
     */
    public long[] slotAddresses() {
        return slotAddress;
    }

    void running(int tierIndex, long onStream) {
        tier = tierIndex;
        alone = false;
        stream = onStream;
        scope.begin(args.type, args.count, onStream);
    }

    /**
     * Says that the kernels which the row in the table of routines names for the small lane were all, on the operands as they lie: a call of the same shape may then
     * take that lane.
     */
    public void alone() {
        alone = true;
    }

    boolean isAlone() {
        return alone;
    }

    /**
     * Puts {@link #k} back to defaults for a kernel on this call's type and batch.
     *
     * @param kernel what will run
     * @return the launch to fill
     */
    public Launch kernel(Kernel kernel) {
        k.reset(kernel, args.type, args.count);
        return k;
    }

    /** Keeps the JVM's memory of a copy from being collected while the device uses it. */
    public void keepHost() {
        StreamRef on = handle.stream();
        if (!(driver instanceof DirectDevice) && on.keep(host)) {
            driver.synchronizeStream(stream);
            on.reached();
        }
    }

    /** Launches {@link #k} on the handle's stream. */
    public void launch() {
        scope.launch(k, stream);
    }

    /**
     * Launches the user's arguments themselves as one kernel.
     *
     * @param kernel what to run
     * @param work workspace address or 0
     * @param workBytes bytes there
     */
    public void launchArgs(Kernel kernel, long work, long workBytes) {
        if (args.kernel != kernel) {
            args.kernel = kernel;
        }
        args.work = work;
        args.workBytes = workBytes;
        scope.launch(args, stream);
    }

    /**
     * Waits for a result on the device and reads it.
     *
     * @param address where it is
     * @param type its element type
     */
    public void fetch(long address, ElementType type) {
        long at = address;
        if (!traits.hostAccessible()) {
            staging();
            driver.download(address, type.bytes(), staging, type.bytes(), type.bytes(), 1, stream);
            driver.synchronizeStream(stream);
            at = staging;
        }
        switch (type) {
            case F64 -> fetchedRe = Memory.f64(at);
            case F32 -> fetchedRe = Memory.f32(at);
            case C64 -> {
                fetchedRe = Memory.f64(at);
                fetchedIm = Memory.f64(at + 8);
            }
            case C32 -> {
                fetchedRe = Memory.f32(at);
                fetchedIm = Memory.f32(at + 4);
            }
            default -> fetchedIndex = Memory.i64(at);
        }
    }

    /**
     * A few bytes of the CPU's memory that belong to the frame: a result lands there where kernels can write it.
     *
     * @return address of 64 bytes
     */
    public long staging() {
        if (staging == 0) {
            staging = SystemMemory.allocate(64, 64);
        }
        return staging;
    }

    /**
     * The real part of the result fetched by this call.
     *
     * @return real part; 0 after a quick return or in a query
     */
    public double fetchedRe() {
        return fetchedRe;
    }

    /**
     * The imaginary part of the result fetched by this call.
     *
     * @return imaginary part
     */
    public double fetchedIm() {
        return fetchedIm;
    }

    /**
     * The index fetched by this call.
     *
     * @return 1-based index; 0 after a quick return or in a query
     */
    public long fetchedIndex() {
        return fetchedIndex;
    }

    /** Frees what the frame holds. */
    public void close() {
        if (staging != 0) {
            SystemMemory.free(staging);
            staging = 0;
        }
    }

    /**
     * The handle's device.
     *
     * @return driver
     */
    public DeviceDriver driver() {
        return driver;
    }

    /**
     * The handle's stream.
     *
     * @return stream
     */
    public long stream() {
        return stream;
    }
}
