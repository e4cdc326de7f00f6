package dev.basalt.netlib;

import dev.ludovic.netlib.arpack.ARPACK;
import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.io.PrintStream;
import java.util.List;

/** The command that says, for the class path it is started with, which implementation each call of netlib's reaches. */
public final class Doctor {
    private Doctor() {}

    /**
     * Prints it.
     *
     * @param args {@code install} to look at what {@link Netlib#install} brings; without it, at what the class path alone does
     */
    public static void main(String[] args) {
        if (List.of(args).contains("install")) {
            System.out.println("installed: " + Netlib.install());
        }
        print(System.out, BLAS.getInstance(), BasaltBLAS.CALLS);
        print(System.out, LAPACK.getInstance(), BasaltLAPACK.CALLS);
        print(System.out, ARPACK.getInstance(), BasaltARPACK.CALLS);
    }

    private static void print(PrintStream out, Object instance, Calls calls) {
        out.println(calls.interfaceName() + ".getInstance() is " + instance.getClass().getName());
        if (instance.getClass().getSimpleName().startsWith("Basalt")) {
            list(out, "Basalt", calls.servedMethods());
            list(out, "netlib's own Java", calls.delegatedMethods());
        }
    }

    private static void list(PrintStream out, String who, List<String> methods) {
        out.println(
                "  by " + who + ": " + methods.size() + (methods.isEmpty() ? "" : ": " + String.join(" ", methods)));
    }
}
