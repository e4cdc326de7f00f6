package dev.basalt.gpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table {@code launches.txt}: one kernel a row, read once. */
final class LaunchTable {
    /** Its name among the resources. */
    static final String RESOURCE = "launches.txt";

    private static final int ATTRIBUTES = 6;
    private static final List<KernelFunction> FUNCTIONS = new ArrayList<>();
    private static final Map<String, KernelFunction> BY_NAME = new HashMap<>();

    static {
        List<String> rows = KernelSources.text(RESOURCE)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(String::trim)
                .toList();
        int all = rows.stream().mapToInt(row -> row.split(" +")[2].length()).sum();
        rows.forEach(row -> row(row, all));
    }

    private LaunchTable() {}

    /** All functions, those of a row in the order of its types. */
    static List<KernelFunction> functions() {
        return FUNCTIONS;
    }

    /**
     * An entry point.
     *
     * @param name such as {@code basalt_dot_d}
     * @return null if there is no such row or it is not for this type
     */
    static KernelFunction find(String name) {
        return BY_NAME.get(name);
    }

    private static void row(String line, int all) {
        String[] cells = line.split(" +");
        Map<String, Integer> attributes = new HashMap<>();
        for (int i = ATTRIBUTES; i < cells.length; i++) {
            String[] parts = cells[i].split("=");
            attributes.put(parts[0], parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
        }
        for (char type : cells[2].toCharArray()) {
            KernelFunction function = new KernelFunction(FUNCTIONS.size(), cells[0], cells[1], type,
                    new LaunchRow(number(cells[3]), number(cells[4]), number(cells[5]), Map.copyOf(attributes)), all);
            FUNCTIONS.add(function);
            if (BY_NAME.put(function.name(), function) != null) {
                throw new IllegalStateException(RESOURCE + " has " + function + " twice");
            }
        }
    }

    private static int number(String cell) {
        return cell.equals("-") ? 0
                : cell.endsWith("K") ? Integer.parseInt(cell.substring(0, cell.length() - 1)) << 10
                : Integer.parseInt(cell);
    }
}
