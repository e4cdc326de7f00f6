package dev.basalt.spi;

import dev.basalt.type.Balance;
import dev.basalt.type.Diag;
import dev.basalt.type.Direct;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Eorder;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Fact;
import dev.basalt.type.MathMode;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Schur;
import dev.basalt.type.Selection;
import dev.basalt.type.Sense;
import dev.basalt.type.Side;
import dev.basalt.type.Sign;
import dev.basalt.type.Storev;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/**
 * Everything one kernel launch needs, in the field's names. A call frame owns a few and reuses them, so a device that
 * runs kernels later must copy ({@link #set(Launch)}) before it returns.
 */
public final class Launch {
    /** How many operands a kernel has at most: a to g. */
    public static final int OPERANDS = 7;

    /** How many operands a call has at most: a to m. */
    public static final int CALL_OPERANDS = 13;

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
    /** Whether a factor is conjugated: DOT, GER. */
    public boolean conjugated;
    /** Whether what is symmetric otherwise is Hermitian. */
    public boolean hermitian;
    /** Whether row interchanges go from the last to the first. */
    public boolean backward;
    /** Whether the factor of complex vectors is real: SCAL, ROT. */
    public boolean real;
    /** What a triangle stands for that is expanded. */
    public Structure structure = Structure.TRIANGULAR;
    /** What a product of GEAM_EX is made of. */
    public Semiring semiring = Semiring.MIN_PLUS;
    /** How LDLᵀ chooses its pivots, or chose them. */
    public Pivoting pivoting = Pivoting.BUNCH_KAUFMAN;
    /** How exactly a product takes its factors, GEMM of F32. A device that has no faster way takes them as they are. */
    public MathMode math = MathMode.DEFAULT;
    /** Which norm. */
    public Norm norm = Norm.MAX;
    /** In what order reflectors are multiplied. */
    public Direct direct = Direct.FORWARD;
    /** Where reflectors lie. */
    public Storev storev = Storev.COLUMNS;
    /** Which left singular vectors are computed. */
    public Svect leftSvect = Svect.NONE;
    /** Which right singular vectors are computed. */
    public Svect rightSvect = Svect.NONE;
    /** Which eigenvectors are computed. */
    public Evect evect = Evect.NONE;
    /** Which left eigenvectors are computed. */
    public Evect leftEvect = Evect.NONE;
    /** Which right eigenvectors are computed. */
    public Evect rightEvect = Evect.NONE;
    /** How a matrix is balanced. */
    public Balance balance = Balance.NONE;
    /** Whether a Schur form is computed. */
    public Schur job = Schur.EIGENVALUES;
    /** Which eigenvalues come first. */
    public Selection select = Selection.NONE;
    /** The sign between two products. */
    public Sign isgn = Sign.PLUS;
    /** Which condition numbers are computed. */
    public Sense sense = Sense.NONE;
    /** Which generalised eigenproblem is solved. */
    public Eform itype = Eform.AX;
    /** Which eigenvalues are computed. */
    public Erange erange = Erange.ALL;
    /** In what order they come. */
    public Eorder eorder = Eorder.ENTIRE;
    /** What an expert driver is given. */
    public Fact fact = Fact.NOT_FACTORED;
    /** Which elements of a matrix are meant: LASET, LASCL. */
    public Region region = Region.GENERAL;
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
    /** A third scalar of a routine: how exact an iteration is to be. Kernels have none. */
    public final Scalar gamma = new Scalar();
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
    /** Operand f. */
    public final Operand f = new Operand();
    /** Operand g. */
    public final Operand g = new Operand();
    /**
     * Address in device memory of a 64-bit integer that caps a dimension when the kernel runs, 0 if none: the dimension is then the smaller of itself and
     * the integer, and 0 if the integer is negative. Operands keep the shapes they are given with; so element 0 of a vector stays where it is.
     */
    public long extent;
    /** Elements from the extent of one problem to that of the next; 0: one for all. */
    public long extentStride;
    /** The dimension that {@link #extent} caps. */
    public Dim extentOf = Dim.N;
    /** Address of the kernel's workspace, 0 if none. */
    public long work;
    /** Bytes of workspace. */
    public long workBytes;

    /** Operands h to m, which calls of expert drivers alone have. */
    private Operand[] more;

    /** Whether anyone has asked for one of those since they were made absent. */
    private boolean furtherAsked;

    /** A launch with defaults everywhere. */
    public Launch() {}

    /**
     * An operand by number.
     *
     * @param operand 0 to 6 for a to g, and up to 12 for the further ones of a call
     * @return the operand
     */
    public Operand operand(int operand) {
        return switch (operand) {
            case 0 -> a;
            case 1 -> b;
            case 2 -> c;
            case 3 -> d;
            case 4 -> e;
            case 5 -> f;
            case 6 -> g;
            default -> further(operand - OPERANDS);
        };
    }

    private Operand further(int operand) {
        if (more == null) {
            more = new Operand[CALL_OPERANDS - OPERANDS];
            Arrays.setAll(more, i -> new Operand());
        }
        furtherAsked = true;
        return more[operand];
    }

    /** Makes the operands behind g absent, where there are any. */
    public void clearFurther() {
        if (furtherAsked) {
            for (Operand operand : more) {
                operand.clear();
            }
            furtherAsked = false;
        }
    }

    /**
     * The rows of one problem when the kernel runs. Reads {@link #extent}, so for devices whose memory the CPU can reach.
     *
     * @param problem index in the batch
     * @return m, or less
     */
    public long m(long problem) {
        return extent == 0 || extentOf != Dim.M ? m : capped(m, problem);
    }

    /**
     * The columns of one problem when the kernel runs; as {@link #m(long)}.
     *
     * @param problem index in the batch
     * @return n, or less
     */
    public long n(long problem) {
        return extent == 0 || extentOf != Dim.N ? n : capped(n, problem);
    }

    /**
     * The inner dimension of one problem when the kernel runs; as {@link #m(long)}.
     *
     * @param problem index in the batch
     * @return k, or less
     */
    public long k(long problem) {
        return extent == 0 || extentOf != Dim.K ? k : capped(k, problem);
    }

    private long capped(long given, long problem) {
        return Math.min(given, Math.max(0, Memory.i64(extent + 8 * problem * extentStride)));
    }

    /**
     * Whether a, b or c has another type than the computation, or the computation one that is in memory only: see {@link Kernel#mixes}.
     *
     * @return true if elements are converted
     */
    public boolean mixed() {
        return kernel.mixes() && (differs(a, 1) || differs(b, 2) || differs(c, 4) || !type.isFloating());
    }

    private boolean differs(Operand x, int bit) {
        return x.type != type && (kernel.operands() & bit) != 0 && x.present();
    }

    /**
     * Whether this is a launch as kernels for one case have it: every operand dense, all of one type, and no dimension that only the device knows.
     *
     * @return false if it takes a kernel that knows more
     */
    public boolean plain() {
        return extent == 0 && a.storage == Storage.DENSE && c.storage == Storage.DENSE && !mixed();
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
        if (kernel != kernelToRun) {
            kernel = kernelToRun;
        }
        if (type != elementType) {
            type = elementType;
        }
        count = problems;
        if (opA != Op.NONE) {
            opA = Op.NONE;
        }
        if (opB != Op.NONE) {
            opB = Op.NONE;
        }
        if (side != Side.LEFT) {
            side = Side.LEFT;
        }
        if (uplo != Uplo.UPPER) {
            uplo = Uplo.UPPER;
        }
        if (diag != Diag.NON_UNIT) {
            diag = Diag.NON_UNIT;
        }
        conjugated = false;
        hermitian = false;
        backward = false;
        real = false;
        if (structure != Structure.TRIANGULAR) {
            structure = Structure.TRIANGULAR;
        }
        if (semiring != Semiring.MIN_PLUS) {
            semiring = Semiring.MIN_PLUS;
        }
        if (pivoting != Pivoting.BUNCH_KAUFMAN) {
            pivoting = Pivoting.BUNCH_KAUFMAN;
        }
        if (math != MathMode.DEFAULT) {
            math = MathMode.DEFAULT;
        }
        if (norm != Norm.MAX) {
            norm = Norm.MAX;
        }
        if (direct != Direct.FORWARD) {
            direct = Direct.FORWARD;
        }
        if (storev != Storev.COLUMNS) {
            storev = Storev.COLUMNS;
        }
        if (leftSvect != Svect.NONE) {
            leftSvect = Svect.NONE;
        }
        if (rightSvect != Svect.NONE) {
            rightSvect = Svect.NONE;
        }
        if (evect != Evect.NONE) {
            evect = Evect.NONE;
        }
        if (leftEvect != Evect.NONE) {
            leftEvect = Evect.NONE;
        }
        if (rightEvect != Evect.NONE) {
            rightEvect = Evect.NONE;
        }
        if (balance != Balance.NONE) {
            balance = Balance.NONE;
        }
        if (job != Schur.EIGENVALUES) {
            job = Schur.EIGENVALUES;
        }
        if (select != Selection.NONE) {
            select = Selection.NONE;
        }
        if (isgn != Sign.PLUS) {
            isgn = Sign.PLUS;
        }
        if (sense != Sense.NONE) {
            sense = Sense.NONE;
        }
        if (itype != Eform.AX) {
            itype = Eform.AX;
        }
        if (erange != Erange.ALL) {
            erange = Erange.ALL;
        }
        if (eorder != Eorder.ENTIRE) {
            eorder = Eorder.ENTIRE;
        }
        if (fact != Fact.NOT_FACTORED) {
            fact = Fact.NOT_FACTORED;
        }
        if (region != Region.GENERAL) {
            region = Region.GENERAL;
        }
        guarded = false;
        m = 0;
        n = 0;
        k = 0;
        p = 0;
        q = 0;
        alpha.set(1, 0);
        beta.set(0, 0);
        gamma.set(0, 0);
        a.clear();
        b.clear();
        c.clear();
        d.clear();
        e.clear();
        f.clear();
        g.clear();
        extent = 0;
        extentStride = 0;
        if (extentOf != Dim.N) {
            extentOf = Dim.N;
        }
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
        if (kernel != other.kernel) {
            kernel = other.kernel;
        }
        if (type != other.type) {
            type = other.type;
        }
        if (opA != other.opA) {
            opA = other.opA;
        }
        if (opB != other.opB) {
            opB = other.opB;
        }
        if (side != other.side) {
            side = other.side;
        }
        if (uplo != other.uplo) {
            uplo = other.uplo;
        }
        if (diag != other.diag) {
            diag = other.diag;
        }
        conjugated = other.conjugated;
        hermitian = other.hermitian;
        backward = other.backward;
        real = other.real;
        if (structure != other.structure) {
            structure = other.structure;
        }
        if (semiring != other.semiring) {
            semiring = other.semiring;
        }
        if (pivoting != other.pivoting) {
            pivoting = other.pivoting;
        }
        if (math != other.math) {
            math = other.math;
        }
        if (norm != other.norm) {
            norm = other.norm;
        }
        if (direct != other.direct) {
            direct = other.direct;
        }
        if (storev != other.storev) {
            storev = other.storev;
        }
        if (leftSvect != other.leftSvect) {
            leftSvect = other.leftSvect;
        }
        if (rightSvect != other.rightSvect) {
            rightSvect = other.rightSvect;
        }
        if (evect != other.evect) {
            evect = other.evect;
        }
        if (leftEvect != other.leftEvect) {
            leftEvect = other.leftEvect;
        }
        if (rightEvect != other.rightEvect) {
            rightEvect = other.rightEvect;
        }
        if (balance != other.balance) {
            balance = other.balance;
        }
        if (job != other.job) {
            job = other.job;
        }
        if (select != other.select) {
            select = other.select;
        }
        if (isgn != other.isgn) {
            isgn = other.isgn;
        }
        if (sense != other.sense) {
            sense = other.sense;
        }
        if (itype != other.itype) {
            itype = other.itype;
        }
        if (erange != other.erange) {
            erange = other.erange;
        }
        if (eorder != other.eorder) {
            eorder = other.eorder;
        }
        if (fact != other.fact) {
            fact = other.fact;
        }
        if (region != other.region) {
            region = other.region;
        }
        guarded = other.guarded;
        m = other.m;
        n = other.n;
        k = other.k;
        p = other.p;
        q = other.q;
        count = other.count;
        alpha.set(other.alpha);
        beta.set(other.beta);
        gamma.set(other.gamma);
        a.set(other.a);
        b.set(other.b);
        c.set(other.c);
        d.set(other.d);
        e.set(other.e);
        f.set(other.f);
        g.set(other.g);
        extent = other.extent;
        extentStride = other.extentStride;
        if (extentOf != other.extentOf) {
            extentOf = other.extentOf;
        }
        work = other.work;
        workBytes = other.workBytes;
        return this;
    }
}
