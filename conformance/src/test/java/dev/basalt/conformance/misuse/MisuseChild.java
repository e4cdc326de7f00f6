package dev.basalt.conformance.misuse;

import java.util.List;

/** Runs all cases of misuse on a device and says how each ended; a JVM of its own, since one that ends the process is a failure. */
public final class MisuseChild {
    private MisuseChild() {}

    /**
     * Runs the cases.
     *
     * @param args the device, and {@code captures} if it can capture
     */
    public static void main(String[] args) {
        boolean captures = List.of(args).contains("captures");
        int right = 0;
        int all = 0;
        for (Misuse.Case c : Misuse.all()) {
            if (c.captures() && !captures) {
                continue;
            }
            all++;
            System.out.println("case " + c.name());
            String outcome = Misuse.outcome(c, args[0]);
            if (outcome.equals(c.expected())) {
                right++;
            } else {
                System.out.println("WRONG " + c.name() + ": expected " + c.expected() + ", but " + outcome);
            }
        }
        System.out.println(right + " of " + all + " cases as documented");
        System.exit(right == all ? 0 : 3);
    }
}
