package dev.basalt.internal.call;

import dev.basalt.internal.workspace.Need;
import dev.basalt.type.ElementType;

/**
 * One family of routines: its rules, which come from the table of routines, its size formula and its algorithm. There is one
 * object a family, without state; everything about a call is in its {@link Call} frame. {@link Protocol} drives all families
 * through the same steps.
 */
public abstract class Routine {
    private final Signature signature;
    private final boolean composed;

    /**
     * A family.
     *
     * @param signature its arguments and their rules
     */
    protected Routine(Signature signature) {
        this.signature = signature;
        this.composed = signature.level().equals("L");
    }

    /**
     * Whether the launches of a small call are worth keeping: where the formula and what makes them take long beside one launch.
     *
     * @return true for routines of LAPACK
     */
    protected boolean isComposed() {
        return composed;
    }

    /**
     * What a quick return still has to do, such as setting results to zero.
     *
     * @param c the call
     */
    protected void quickRun(Call c) {}

    /**
     * Whether the shape alone means that there is nothing to compute. The batch count is looked at elsewhere.
     *
     * @param c the call
     * @return true for a quick return
     */
    protected boolean quick(Call c) {
        return signature.quick(c);
    }

    /**
     * Whether an operand will be read or written, given the scalars; only such operands must have memory.
     *
     * @param c the call
     * @param operand 0…6 for a…g
     * @return true if it is needed
     */
    protected boolean uses(Call c, int operand) {
        return signature.uses(c, operand);
    }

    /**
     * Whether a view may be null, given the options. Options have been looked at.
     *
     * @param c the call
     * @param operand 0…12 for a…m
     * @return true if nothing of it is asked for
     */
    protected boolean optional(Call c, int operand) {
        return false;
    }

    /**
     * The size formula: pure in (type, shape, options, traits).
     *
     * @param c the call; its pointers and scalars must not be looked at
     * @param need what to fill
     */
    protected abstract void need(Call c, Need need);

    /**
     * The algorithm.
     *
     * @param c the call with its lease
     */
    protected abstract void run(Call c);

    /**
     * Its arguments and their rules.
     *
     * @return the signature
     */
    public final Signature signature() {
        return signature;
    }

    /**
     * The family's BLAS name without type letter.
     *
     * @return name
     */
    public final String family() {
        return signature.family();
    }

    /**
     * The full BLAS name.
     *
     * @param type element type
     * @return such as {@code dgemm}
     */
    public final String name(ElementType type) {
        return signature.name(type);
    }

    /**
     * The BLAS name of an operand.
     *
     * @param operand 0…6
     * @return name, or {@code -} if there is none
     */
    public final String operandName(int operand) {
        return signature.operandName(operand);
    }

    /**
     * The call's shape for people.
     *
     * @param c the call
     * @return such as {@code m=3 n=4 k=5}
     */
    public final String shape(Call c) {
        String dimensions = signature.dimensions(c);
        return c.args.count == 1 ? dimensions : dimensions + " batch=" + c.args.count;
    }
}
