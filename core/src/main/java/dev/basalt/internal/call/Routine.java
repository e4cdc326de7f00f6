package dev.basalt.internal.call;

import dev.basalt.internal.workspace.Need;
import dev.basalt.type.ElementType;

/**
 * One family of routines: its argument rules, its size formula and its algorithm. There is one object a family, without
 * state; everything about a call is in its {@link Call} frame. {@link Protocol} drives all families through the same steps.
 */
public abstract class Routine {
    private final String family;
    private final String dims;
    private final int operandMask;
    private final String[] operands = {"-", "-", "-", "-", "-"};

    /**
     * A family.
     *
     * @param family BLAS name without the type letter, such as {@code gemm}
     * @param dims the dimensions that describe a call, a string of {@code m n k}
     * @param operands names of the operands a…e in BLAS, separated by blanks, {@code -} where there is none
     */
    protected Routine(String family, String dims, String operands) {
        this.family = family;
        this.dims = dims;
        String[] names = operands.split(" ");
        int mask = 0;
        for (int i = 0; i < names.length; i++) {
            this.operands[i] = names[i];
            mask |= names[i].equals("-") ? 0 : 1 << i;
        }
        this.operandMask = mask;
    }

    /**
     * Checks the options (enums).
     *
     * @param c the call
     */
    protected void options(Call c) {}

    /**
     * Checks dimensions, leading dimensions and increments.
     *
     * @param c the call
     */
    protected abstract void sizes(Call c);

    /**
     * Whether the shape alone means that there is nothing to compute. The batch count is looked at elsewhere.
     *
     * @param c the call
     * @return true for a quick return
     */
    protected abstract boolean quick(Call c);

    /**
     * What a quick return still has to do, such as setting results to zero.
     *
     * @param c the call
     */
    protected void quickRun(Call c) {}

    /**
     * Whether an operand will be read or written, given the scalars; only such operands must have memory.
     *
     * @param c the call
     * @param operand 0…4 for a…e
     * @return true if it is needed
     */
    protected boolean uses(Call c, int operand) {
        return (operandMask & 1 << operand) != 0;
    }

    /**
     * Whether host scalars say that nothing changes (alpha = 0 and beta = 1).
     *
     * @param c the call
     * @return true for an early return
     */
    protected boolean nothingToDo(Call c) {
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
     * The element type an operand must have.
     *
     * @param operand 0…4
     * @param type the call's type
     * @return element type
     */
    protected ElementType operandType(int operand, ElementType type) {
        return type;
    }

    /**
     * Whether the call writes an operand, so that a batch cannot share one.
     *
     * @param operand 0…4
     * @return true for outputs
     */
    protected boolean writes(int operand) {
        return operand >= 2;
    }

    /**
     * The operand's position in the BLAS call.
     *
     * @param operand 0…4
     * @return position from 1, 0 if not known
     */
    protected int position(int operand) {
        return 0;
    }

    /**
     * The BLAS name of a scalar.
     *
     * @param scalar alpha or beta, as the frame has it
     * @return name
     */
    protected String scalarName(String scalar) {
        return scalar;
    }

    /**
     * Whether alpha in device memory may be complex, where the elements are.
     *
     * @return false if alpha must be real
     */
    protected boolean alphaMayBeComplex() {
        return true;
    }

    /** Bit i: the family has an operand i. */
    final int operandMask() {
        return operandMask;
    }

    /**
     * The family's BLAS name without type letter.
     *
     * @return name
     */
    public final String family() {
        return family;
    }

    /**
     * The full BLAS name.
     *
     * @param type element type
     * @return such as {@code dgemm}
     */
    public String name(ElementType type) {
        return type.letter() + family;
    }

    /**
     * The BLAS name of an operand.
     *
     * @param operand 0…4
     * @return name, or {@code -} if there is none
     */
    public final String operandName(int operand) {
        return operands[operand];
    }

    /**
     * The call's shape for people.
     *
     * @param c the call
     * @return such as {@code m=3 n=4 k=5}
     */
    public String shape(Call c) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < dims.length(); i++) {
            char d = dims.charAt(i);
            long value = d == 'm' ? c.args.m : d == 'n' ? c.args.n : c.args.k;
            text.append(i == 0 ? "" : " ").append(d).append('=').append(value);
        }
        if (c.args.count != 1) {
            text.append(" batch=").append(c.args.count);
        }
        return text.toString();
    }
}
