package dev.basalt.netlib;

import dev.ludovic.netlib.arpack.ARPACK;
import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.blas.JavaBLAS;
import dev.ludovic.netlib.blas.NativeBLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program that says which implementation netlib hands out, after Basalt has come in one way or another. */
final class WaysIn {
    private WaysIn() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        switch (args[0]) {
            case "asked", "bare" -> {}
            case "installed", "refused" -> System.out.println("installed " + Netlib.install());
            case "late" -> {
                BLAS.getInstance();
                System.out.println("installed " + Netlib.install());
            }
            case "child" -> System.out.println("installed " + inChildLoader(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        print("BLAS", BLAS.getInstance());
        print("LAPACK", LAPACK.getInstance());
        print("ARPACK", ARPACK.getInstance());
        print("JavaBLAS", JavaBLAS.getInstance());
        if (!List.of("late", "bare", "refused").contains(args[0])) {
            print("NativeBLAS", NativeBLAS.getInstance());
        }
        double[] x = {1, 2, 3};
        System.out.println("ddot " + BLAS.getInstance().ddot(3, x, 1, x, 1));
    }

    /** As Spark does with {@code --jars}: netlib in the application's class loader, Basalt in a child of it. */
    private static Object inChildLoader(String classPath) throws ReflectiveOperationException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(java.io.File.pathSeparator)) {
            try {
                urls.add(Path.of(entry).toUri().toURL());
            } catch (java.net.MalformedURLException e) {
                throw new IllegalArgumentException(entry, e);
            }
        }
        ClassLoader child = new URLClassLoader(urls.toArray(URL[]::new), WaysIn.class.getClassLoader());
        return child.loadClass("dev.basalt.netlib.Netlib").getMethod("install").invoke(null);
    }

    private static void print(String what, Object instance) {
        System.out.println(what + " " + instance.getClass().getSimpleName());
    }
}
