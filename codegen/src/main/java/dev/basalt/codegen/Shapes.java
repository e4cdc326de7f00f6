package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where a family's dimensions come from when its operands are views, and which of their extents must agree. */
final class Shapes {
    /**
     * An extent of an operand.
     *
     * @param operand the operand
     * @param second its second side instead of its first
     */
    record Extent(ClassicOperand operand, boolean second) {
        /** The dimension that it must be. */
        String dimension() {
            return second ? operand.second() : operand.first();
        }

        /** Its value, where a prefix such as {@code g.} and the fields rows and cols tell it. */
        String value(String rows, String cols) {
            String one = second ? cols : rows;
            String other = second ? rows : cols;
            return operand.option() == null ? one : operand.plain() + " ? " + one + " : " + other;
        }

        /** What it is for people, such as {@code rows of op(A)}. */
        String words(boolean read) {
            String name =
                    read ? operand.option() == null ? "op(" + operand.name() + ")" : operand.read() : operand.read();
            if (!operand.matrix()) {
                return "size of " + operand.name();
            }
            return (second ? "columns of " : "rows of ") + name;
        }
    }

    private final ClassicFamily family;
    private final Map<String, Extent> definers = new LinkedHashMap<>();

    Shapes(ClassicFamily family) {
        this.family = family;
        for (String dimension : family.dimensions()) {
            Extent definer = definer(dimension);
            if (definer != null) {
                definers.put(dimension, definer);
            }
        }
    }

    private Extent definer(String dimension) {
        List<ClassicOperand> operands = new ArrayList<>(family.operands());
        if (family.level().equals("2")) {
            operands.sort((x, y) -> Boolean.compare(y.matrix(), x.matrix()));
        } else if (!family.level().equals("L")) {
            operands.sort((x, y) -> Boolean.compare(y.slots().contains("c"), x.slots().contains("c")));
        }
        for (ClassicOperand operand : operands) {
            if (operand.first().equals(dimension) && (operand.matrix() || operand.option() == null)) {
                return new Extent(operand, false);
            }
            if (operand.matrix() && dimension.equals(operand.second())) {
                return new Extent(operand, true);
            }
        }
        return null;
    }

    /** The extent that a dimension is; null for diagonals of a band. */
    Extent of(String dimension) {
        return definers.get(dimension);
    }

    /** Whether views tell a dimension: an operand has it, a band its diagonals, or there are so many numbers beside a problem. */
    boolean tells(String dimension) {
        return of(dimension) != null || new ClassicDimension(dimension).inOperand()
                || family.operands().stream().anyMatch(operand -> dimension.equals(operand.below()))
                || family.of(ClassicPivots.class).stream().anyMatch(pivots -> pivots.size().equals(dimension));
    }

    /** The numbers beside a problem that tell a dimension by how many there are, or null. */
    ClassicPivots beside(String dimension) {
        return family.of(ClassicPivots.class)
                .stream()
                .filter(pivots -> of(dimension) == null && pivots.size().equals(dimension))
                .findFirst()
                .orElse(null);
    }

    /** The extents that must be equal to a dimension, because another operand has told it. */
    List<Extent> others() {
        List<Extent> others = new ArrayList<>();
        for (ClassicOperand operand : family.operands()) {
            if (operand.fixed() && !operand.contiguous() || operand.packed() && isDefiner(new Extent(operand, false))) {
                continue;
            }
            List<Extent> extents = new ArrayList<>(List.of(new Extent(operand, false)));
            if (operand.matrix() && !operand.packed()) {
                extents.add(new Extent(operand, true));
            }
            extents.removeIf(this::isDefiner);
            others.addAll(extents);
        }
        return others;
    }

    private boolean isDefiner(Extent extent) {
        return extent.equals(definers.get(extent.dimension()));
    }

    /** The view that tells a call's type and how many problems it has. */
    ClassicOperand typed() {
        return family.operands()
                .stream()
                .filter(operand -> operand.slots().contains("c") && !operand.real())
                .findFirst()
                .orElse(family.operands().get(0));
    }
}
