package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The types that operands may have together: those of the table's prefixes that are not of one type, and those of the fact {@code mixed}.
 *
 * @param name of the routine
 * @param operands types, in the order of the arguments
 * @param compute the type that the caller names beside them; null where the name tells all
 */
record ClassicTypings(String name, List<String> operands, String compute) {
    /** All of a family that {@code types} with one element each do not tell. */
    static List<ClassicTypings> of(ClassicFamily family) {
        List<ClassicTypings> all = new ArrayList<>();
        for (ClassicType type : family.types()) {
            if (type.narrow()) {
                all.add(new ClassicTypings(family.name(type), types(family, type), null));
            }
        }
        String mixed = family.fact("mixed");
        for (String entry : mixed == null ? List.<String>of() : Arrays.asList(mixed.split("; *", -1))) {
            String[] sides = entry.split(" *: *", -1);
            List<String> operands = List.of(sides[0].strip().split(" +", -1));
            if (operands.size() != typed(family).size()) {
                throw new IllegalArgumentException(family.name() + " has not as many operands as " + entry);
            }
            for (String compute : sides[1].strip().split(" +", -1)) {
                all.add(new ClassicTypings(family.mixedName(), operands, compute));
            }
        }
        return all;
    }

    /** The arguments that have elements. */
    static List<ClassicArgument> typed(ClassicFamily family) {
        return family.arguments()
                .stream()
                .filter(a -> a instanceof ClassicOperand || a instanceof ClassicOutcome)
                .toList();
    }

    private static List<String> types(ClassicFamily family, ClassicType type) {
        return typed(family).stream()
                .map(a -> a instanceof ClassicOperand operand && !operand.written() ? type.element() : type.written())
                .toList();
    }

    /** The types by slot a to g, with a dash where there is none. */
    String slots(ClassicFamily family) {
        String[] slots = new String[7];
        Arrays.fill(slots, "-");
        List<ClassicArgument> typed = typed(family);
        for (int i = 0; i < typed.size(); i++) {
            if (typed.get(i) instanceof ClassicOutcome outcome) {
                slots[outcome.slot()] = operands.get(i);
            } else if (typed.get(i) instanceof ClassicOperand operand) {
                for (int slot : operand.slotNumbers()) {
                    slots[slot] = operands.get(i);
                }
            }
        }
        return String.join(" ", slots);
    }

    /** The type of the call: that of the operand that tells it. */
    String type(ClassicFamily family) {
        return operands.get(typed(family).indexOf(new Shapes(family).typed()));
    }

    /** For people, such as {@code F16 F16 F32}. */
    String words() {
        return String.join(" ", operands);
    }
}
