package dev.basalt.internal.call;

import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * Types that the operands of one call may have together.
 *
 * @param name of the routine
 * @param type of the call: that of the operand that tells it
 * @param compute the type of the computation where the caller names it, else null
 * @param operands the types of a…g, null where there is no operand
 */
public record Typing(String name, ElementType type, ElementType compute, List<ElementType> operands) {
    /**
     * Reads one as the generated signatures write it.
     *
     * @param name of the routine
     * @param type of the call
     * @param compute the type of the computation, or null
     * @param slots the types of a…g, separated by blanks, {@code -} where there is no operand
     * @return the typing
     */
    public static Typing of(String name, ElementType type, ElementType compute, String slots) {
        List<ElementType> operands = new ArrayList<>();
        for (String slot : slots.split(" ", -1)) {
            operands.add(slot.equals("-") ? null : ElementType.valueOf(slot));
        }
        return new Typing(name, type, compute, operands);
    }

    /** Whether the operands that were given are of these types. */
    boolean fits(Call c) {
        if (type != c.args.type || (c.isComputeNamed() && compute != c.compute())) {
            return false;
        }
        for (int given = c.given(); given != 0; given &= given - 1) {
            int i = Integer.numberOfTrailingZeros(given);
            Operand o = c.args.operand(i);
            if (o.type != operands.get(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * For people.
     *
     * @return such as {@code F16 F16 F32 in F32}
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (ElementType operand : operands) {
            text.append(operand == null ? "" : operand + " ");
        }
        return compute == null ? text.toString().strip() : text + "in " + compute;
    }
}
