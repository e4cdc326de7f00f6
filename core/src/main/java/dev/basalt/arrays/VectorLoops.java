package dev.basalt.arrays;

import jdk.incubator.vector.VectorShape;

/** Whether loops on arrays may use the Vector API: its module is there, and the compiler that makes it fast, and vectors of 256 bits. */
final class VectorLoops {
    private static final int BITS = 256;

    static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && isCompiled() && Widest.BITS >= BITS;

    private VectorLoops() {}

    private static boolean isCompiled() {
        String vm = System.getProperty("java.vm.info", "");
        return !vm.contains("interpreted") && !vm.contains("emulated-client");
    }

    /** Loaded only where the module is. */
    private static final class Widest {
        static final int BITS = VectorShape.preferredShape().vectorBitSize();
    }
}
