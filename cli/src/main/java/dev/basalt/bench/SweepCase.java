package dev.basalt.bench;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A case of a random sweep: arguments of rocblas-bench, so that its line can be run again by itself.
 *
 * @param group what its ratio is counted with
 * @param arguments routine, type, sizes and options
 */
public record SweepCase(Group group, Arguments arguments) {
    /** Families that only the table of routines has. */
    static final Set<String> OF_TABLE = Set.copyOf(TableSweep.othersAndLapack());

    /** The classes of routines in a report. */
    public enum Group {
        /** Vectors. */
        LEVEL1,
        /** A matrix with vectors. */
        LEVEL2,
        /** Matrices. */
        LEVEL3,
        /** Factorisations and solves. */
        LAPACK,
        /** Many problems a call. */
        BATCHES;

        /** The class of a level of the table of routines. */
        static Group of(String level) {
            return level.equals("L") ? LAPACK : valueOf("LEVEL" + level);
        }

        @Override
        public String toString() {
            return switch (this) {
                case LAPACK -> "LAPACK";
                case BATCHES -> "batches";
                default -> "level " + name().charAt(name().length() - 1);
            };
        }
    }

    /**
     * The letter of its type.
     *
     * @return s, d, c or z
     */
    public char type() {
        return arguments.get("precision").charAt(0);
    }

    /** The case as the table of routines has it; empty if the bench knows the routine with all its arguments. */
    Optional<TableCase> tableCase() {
        return OF_TABLE.contains(arguments.get("function"))
                ? Optional.of(TableSweep.of(arguments).cases().getFirst())
                : Optional.empty();
    }

    /**
     * The options that run it again.
     *
     * @return such as {@code -f gemv -r d -m 7 -n 9 --incx 2}
     */
    public String options() {
        return Arguments.NAMES.stream()
                .filter(name -> arguments.get(name) != null)
                .map(name -> option(name) + " " + arguments.get(name))
                .collect(Collectors.joining(" "));
    }

    private static String option(String name) {
        return switch (name) {
            case "function" -> "-f";
            case "precision" -> "-r";
            default -> (name.length() == 1 ? "-" : "--") + name;
        };
    }
}
