package dev.basalt.internal.call;

import dev.basalt.Status;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a family's arguments are and which rules they obey. The classes of {@code dev.basalt.internal.signature} are generated from the table of
 * routines; there is no other place that says it. {@link Protocol} asks them in its one order.
 */
public abstract class Signature {
    /** Operands of a call: a…m. */
    static final int OPERANDS = Launch.CALL_OPERANDS;

    private final String level;
    private final String family;
    private final String[] operands;
    private final int[] positions;
    private final int mask;
    private final int written;
    /** Bit i: operand i has the call's type, whatever that is; asked at first use. */
    private int own = -1;

    /**
     * A family.
     *
     * @param level 1, 2, 3 or L
     * @param family BLAS name without the type letter
     * @param operands names of the operands from a on in BLAS, separated by blanks, {@code -} where there is none
     * @param written bit i: the call writes operand i
     * @param positions of the operands in the plain call, from 1
     */
    protected Signature(String level, String family, String operands, int written, int... positions) {
        this.level = level;
        this.family = family;
        this.operands = operands.split(" ", -1);
        this.positions = Arrays.copyOf(positions, OPERANDS);
        this.written = written;
        int present = 0;
        for (int i = 0; i < this.operands.length; i++) {
            present |= this.operands[i].equals("-") ? 0 : 1 << i;
        }
        this.mask = present;
    }

    /**
     * The level of BLAS.
     *
     * @return 1, 2 or 3; L for LAPACK
     */
    public final String level() {
        return level;
    }

    /**
     * The family's BLAS name without the type letter.
     *
     * @return such as {@code symv}
     */
    public final String family() {
        return family;
    }

    /**
     * The full BLAS name.
     *
     * @param type element type
     * @return such as {@code dsymv}
     */
    public abstract String name(ElementType type);

    /**
     * The types it exists for with all operands alike.
     *
     * @return element types of its first operand
     */
    public abstract List<ElementType> types();

    /**
     * The types that operands may have together besides.
     *
     * @return all of them; the same list in every call
     */
    public List<Typing> mixed() {
        return List.of();
    }

    /**
     * All types that operands may have together.
     *
     * @return a new list
     */
    public final List<Typing> typings() {
        List<Typing> all = new ArrayList<>();
        for (ElementType type : types()) {
            List<ElementType> own = new ArrayList<>();
            for (int i = 0; i < OPERANDS; i++) {
                own.add((mask & 1 << i) == 0 ? null : operandType(i, type));
            }
            all.add(new Typing(name(type), type, null, own));
        }
        all.addAll(mixed());
        return all;
    }

    /** Whether operands of several types go together as they were given. */
    final boolean mixes(Call c) {
        List<Typing> typings = mixed();
        for (int i = 0; i < typings.size(); i++) {
            if (typings.get(i).fits(c)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Its arguments.
     *
     * @return in the order of BLAS
     */
    public abstract List<Argument> arguments();

    /**
     * The dimensions that others bound, for those who make up calls: {@link #sizes} refuses all else.
     *
     * @return such as {@code k<=n}; {@code order} is m if side is LEFT, else n
     */
    public List<String> bounds() {
        return List.of();
    }

    /**
     * The form of the first factor that complex elements do not have, for those who make up calls.
     *
     * @return null if they have all
     */
    public Op forbidden() {
        return null;
    }

    /**
     * Whether it takes a constant of one of its options, whatever the type is.
     *
     * @param option the constant
     * @return false if it is an error
     */
    public boolean takes(Enum<?> option) {
        return true;
    }

    /** Refuses a constant that is not taken. */
    protected final void taken(Call c, Enum<?> option, String name, int position) {
        if (!takes(option)) {
            throw c.failure(Status.INVALID_VALUE, name, position, c.routine().family() + " does not take " + option);
        }
    }

    /**
     * Checks the types it takes, and the options.
     *
     * @param c the call
     */
    public void options(Call c) {}

    /**
     * Checks dimensions, leading dimensions and increments.
     *
     * @param c the call
     */
    public abstract void sizes(Call c);

    /**
     * Whether the shape alone means that there is nothing to compute.
     *
     * @param c the call
     * @return true for a quick return
     */
    public abstract boolean quick(Call c);

    /**
     * Whether an operand will be read or written, given the scalars; only such operands must have memory.
     *
     * @param c the call
     * @param operand 0…12 for a…m
     * @return true if it is needed
     */
    public boolean uses(Call c, int operand) {
        return (mask & 1 << operand) != 0;
    }

    /**
     * Whether host scalars say that nothing changes.
     *
     * @param c the call
     * @return true for an early return
     */
    public boolean nothingToDo(Call c) {
        return false;
    }

    /**
     * The element type an operand must have.
     *
     * @param operand 0…12 for a…m
     * @param type the call's type
     * @return element type
     */
    public ElementType operandType(int operand, ElementType type) {
        return type;
    }

    /**
     * The BLAS name of a scalar.
     *
     * @param scalar alpha or beta, as the frame has it
     * @return name
     */
    public String scalarName(String scalar) {
        return scalar;
    }

    /**
     * Whether alpha in device memory may be complex, where the elements are.
     *
     * @return false if alpha must be real
     */
    public boolean alphaMayBeComplex() {
        return true;
    }

    /**
     * The dimensions for people.
     *
     * @param c the call
     * @return such as {@code m=3 n=4}
     */
    public abstract String dimensions(Call c);

    /** Bit i: operand i has the call's type, whatever that is. */
    final int ofCallsType() {
        int bits = own;
        if (bits < 0) {
            bits = 0;
            for (int i = 0; i < OPERANDS; i++) {
                bits |= isOfCallsType(i) ? 1 << i : 0;
            }
            own = bits;
        }
        return bits;
    }

    private boolean isOfCallsType(int operand) {
        for (ElementType type : ElementType.values()) {
            if (type.isFloating() && operandType(operand, type) != type) {
                return false;
            }
        }
        return true;
    }

    /** Bit i: the family has an operand i. */
    final int operandMask() {
        return mask;
    }

    /**
     * Whether the call writes an operand.
     *
     * @param operand 0…12 for a…m
     * @return true if so
     */
    public final boolean writes(int operand) {
        return (written & 1 << operand) != 0;
    }

    /**
     * The operand's position in the plain BLAS call.
     *
     * @param operand 0…12 for a…m
     * @return position from 1, 0 if there is none
     */
    public final int position(int operand) {
        return positions[operand];
    }

    final String operandName(int operand) {
        return operands[operand];
    }

    /** Refuses elements of the wrong kind. */
    protected static void only(Call c, boolean complex, String instead) {
        ElementType type = c.args.type;
        // Where a view is missing, the type is not known yet; that error comes next. Types that the caller names are in a list.
        if (c.missingMask() == 0 && !c.isComputeNamed() && type.isFloating() && type.isComplex() != complex) {
            String kind = complex ? "complex" : "real";
            throw c.failure(Status.INVALID_VALUE, null, 0,
                    kind + " elements are required, but they are " + type + "; " + instead);
        }
    }

    /** Refuses elements that have no precision below theirs. */
    protected static void onlyDouble(Call c, String instead) {
        ElementType type = c.args.type;
        if (c.missingMask() == 0 && type.real() != ElementType.F64) {
            throw c.failure(Status.INVALID_VALUE, null, 0,
                    "elements of double precision are required, but they are " + type + "; " + instead);
        }
    }

    /** Refuses a form that complex elements do not have. */
    protected static void forbidden(Call c, Op op, Op form, String name, int position) {
        if (op == form && c.args.type.isComplex()) {
            Op other = form == Op.TRANS ? Op.CONJ_TRANS : Op.TRANS;
            throw c.failure(Status.INVALID_VALUE, name, position,
                    c.routine().family() + " of complex elements takes NONE or " + other);
        }
    }
}
