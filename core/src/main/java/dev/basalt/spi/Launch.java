package dev.basalt.spi;

import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Everything one kernel launch needs, in the field's names. A call frame owns a few and reuses them, so a device that
 * runs kernels later must copy ({@link #set(Launch)}) before it returns.
 */
public final class Launch {
    /** What to run. */
    public Kernel kernel = Kernel.COPY;
    /** Element type of the computation. */
    public ElementType type = ElementType.F64;
    /** How a is read. */
    public Op opA = Op.NONE;
    /** How b is read. */
    public Op opB = Op.NONE;
    /** Side of a. */
    public Side side = Side.LEFT;
    /** Stored triangle. */
    public Uplo uplo = Uplo.UPPER;
    /** Diagonal of a triangular a. */
    public Diag diag = Diag.NON_UNIT;
    /** Conjugated, Hermitian, real alpha or backward: see {@link Kernel}. */
    public boolean flag;
    /** Skip problems whose info (operand e) is not zero. */
    public boolean guarded;
    /** Rows. */
    public long m;
    /** Columns, or elements of a vector. */
    public long n;
    /** Inner dimension. */
    public long k;
    /** First integer parameter: see {@link Kernel}. */
    public long p;
    /** Second integer parameter: see {@link Kernel}. */
    public long q;
    /** Problems in the batch. */
    public long count = 1;
    /** Factor of the product. */
    public final Scalar alpha = new Scalar();
    /** Factor of the result operand's old value. */
    public final Scalar beta = new Scalar();
    /** Operand a. */
    public final Operand a = new Operand();
    /** Operand b. */
    public final Operand b = new Operand();
    /** Operand c. */
    public final Operand c = new Operand();
    /** Operand d. */
    public final Operand d = new Operand();
    /** Operand e. */
    public final Operand e = new Operand();
    /** Address of the kernel's workspace, 0 if none. */
    public long work;
    /** Bytes of workspace. */
    public long workBytes;

    /** A launch with defaults everywhere. */
    public Launch() {}

    /**
     * An operand by number.
     *
     * @param operand 0…4 for a…e
     * @return the operand
     */
    public Operand operand(int operand) {
        return switch (operand) {
            case 0 -> a;
            case 1 -> b;
            case 2 -> c;
            case 3 -> d;
            default -> e;
        };
    }

    /**
     * Puts every field back to its default and makes every operand absent.
     *
     * @param kernelToRun the kernel
     * @param elementType the element type
     * @param problems problems in the batch
     * @return this
     */
    public Launch reset(Kernel kernelToRun, ElementType elementType, long problems) {
        kernel = kernelToRun;
        type = elementType;
        count = problems;
        opA = Op.NONE;
        opB = Op.NONE;
        side = Side.LEFT;
        uplo = Uplo.UPPER;
        diag = Diag.NON_UNIT;
        flag = false;
        guarded = false;
        m = 0;
        n = 0;
        k = 0;
        p = 0;
        q = 0;
        alpha.set(1, 0);
        beta.set(0, 0);
        a.clear();
        b.clear();
        c.clear();
        d.clear();
        e.clear();
        work = 0;
        workBytes = 0;
        return this;
    }

    /**
     * Makes this a deep copy.
     *
     * @param other what to copy
     * @return this
     */
    public Launch set(Launch other) {
        kernel = other.kernel;
        type = other.type;
        opA = other.opA;
        opB = other.opB;
        side = other.side;
        uplo = other.uplo;
        diag = other.diag;
        flag = other.flag;
        guarded = other.guarded;
        m = other.m;
        n = other.n;
        k = other.k;
        p = other.p;
        q = other.q;
        count = other.count;
        alpha.set(other.alpha);
        beta.set(other.beta);
        a.set(other.a);
        b.set(other.b);
        c.set(other.c);
        d.set(other.d);
        e.set(other.e);
        work = other.work;
        workBytes = other.workBytes;
        return this;
    }
}
