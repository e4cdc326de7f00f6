package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command that the build runs before it compiles a module: {@code Generate what outDir srcDir}. */
public final class Generate {
    private static final String ENGINE = "dev/basalt/host/engine";

    /** What is generated for each module, in order. */
    private static final Map<String, List<Generator>> GENERATORS = Map.of("core",
            List.of(new PrecisionSources("dev/basalt/portable"), new PrecisionSources("dev/basalt/arrays"),
                    new SignatureSource(), new FacadeSource(), new LaneSource(), new ClassicNames(), new ArrayNames(),
                    new ArrayLaneSource(), new OperationsSource()),
            "host", List.of(new PrecisionSources(ENGINE), new PrecisionSources("dev/basalt/host/vector"),
                    // One leaf of assembled kernels: its parts over the portable kernels of real numbers, and over the Vector API's.
                    new Reparented(ENGINE, "StreamZLeaf", "ZLeaf", "StreamDLeaf", "dev.basalt.portable.DLeaf"),
                    new Reparented(ENGINE, "MatvecZLeaf", "StreamZLeaf", "MatvecDLeaf", "StreamDLeaf"),
                    new Reparented(ENGINE, "ProductZLeaf", "MatvecZLeaf", "ProductDLeaf", "MatvecDLeaf"),
                    new Reparented(ENGINE, "AssembledZLeaf", "ProductZLeaf", "AssembledDLeaf", "ProductDLeaf"),
                    new Reparented(ENGINE, "StreamZLeaf", "ZLeaf", "StreamVectorDLeaf",
                            "dev.basalt.host.vector.VectorDLeaf"),
                    new Reparented(ENGINE, "MatvecZLeaf", "StreamZLeaf", "MatvecVectorDLeaf", "StreamVectorDLeaf"),
                    new Reparented(ENGINE, "ProductZLeaf", "MatvecZLeaf", "ProductVectorDLeaf", "MatvecVectorDLeaf"),
                    new Reparented(ENGINE, "AssembledZLeaf", "ProductZLeaf", "AssembledVectorDLeaf",
                            "ProductVectorDLeaf")));

    private Generate() {}

    /**
     * Runs all generators of a module.
     *
     * @param args the module ({@code core} or {@code host}), the folder to write to, the module's source folder
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3 || !GENERATORS.containsKey(args[0])) {
            throw new IllegalArgumentException("usage: Generate core|host outDir srcDir, not " + List.of(args));
        }
        Output output = new Output(Path.of(args[1]));
        for (Generator generator : GENERATORS.get(args[0])) {
            generator.generate(Path.of(args[2]), output);
        }
        output.removeStale();
    }
}
