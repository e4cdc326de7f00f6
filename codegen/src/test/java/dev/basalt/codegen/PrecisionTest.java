package dev.basalt.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrecisionTest {
    private static String single(String line) {
        return String.join("\n", Precision.single(List.of(line)));
    }

    @Test
    void filesWithTheLetterInTheirNameHaveATwin() {
        assertThat(Precision.singleFile("DLeaf.java")).isEqualTo("SLeaf.java");
        assertThat(Precision.singleFile("ZLevel1.java")).isEqualTo("CLevel1.java");
        assertThat(Precision.singleFile("VectorD.java")).isEqualTo("VectorS.java");
        assertThat(Precision.singleFile("VectorZGemm.java")).isEqualTo("VectorCGemm.java");
        assertThat(Precision.singleFile("Leaf.java")).isNull();
        assertThat(Precision.singleFile("Diag.java")).isNull();
        assertThat(Precision.singleFile("DoubleVector.java")).isNull();
        assertThat(Precision.singleFile("DLeaf.txt")).isNull();
    }

    @Test
    void typesAndNamesChange() {
        assertThat(single("class ZLevel2 extends ZLevel1 { DLeaf d; Diag e; D f; }"))
                .isEqualTo("class CLevel2 extends CLevel1 { SLeaf d; Diag e; D f; }");
        assertThat(single("double s = f64(x); // plain")).isEqualTo("float s = f32(x); // plain");
        assertThat(single("DoubleVector v = DoubleVector.zero(Double.SIZE, F64, C64, JAVA_DOUBLE_UNALIGNED);"))
                .isEqualTo("FloatVector v = FloatVector.zero(Float.SIZE, F32, C32, JAVA_FLOAT_UNALIGNED);");
        assertThat(single("s = 0.5 * Math.sqrt(s);")).isEqualTo("s = 0.5f * (float) Math.sqrt(s);");
    }

    @Test
    void byteCountsAreHalved() {
        assertThat(single("a + j * lda * 16L + 8L + k * 8")).isEqualTo("a + j * lda * 8L + 4L + k * 8");
        assertThatThrownBy(() -> single("x + 1L")).hasMessageContaining("1L");
    }

    @Test
    void scalarsStayDouble() {
        assertThat(single("void axpy(long n, double alphaRe, double alphaIm, double s) {"))
                .isEqualTo("void axpy(long n, double alphaRe, double alphaIm, float s) {");
        assertThat(single("double alpha = alphaRe;")).isEqualTo("float alpha = (float) (alphaRe);");
        assertThat(single("double beta = real ? 0 : betaIm;")).isEqualTo("float beta = (float) (real ? 0 : betaIm);");
    }

    @Test
    void markersDecide() {
        assertThat(single("    double sum = f64(x + 8L); // keep double")).isEqualTo("    double sum = f32(x + 4L);");
        assertThat(single("    int lanes = 8; // float: int lanes = 16;")).isEqualTo("    int lanes = 16;");
        assertThat(Precision.single(List.of("a", "b // float:", "c"))).containsExactly("a", "c");
        assertThat(single("    /** The double of {@link DLeaf}, 8L. */"))
                .isEqualTo("    /** The double of {@link SLeaf}, 8L. */");
    }

    @Test
    void outputIsWrittenOnceAndStaleFilesGo(@TempDir Path root) throws IOException {
        Path src = root.resolve("src");
        Path out = root.resolve("out");
        Path folder = Files.createDirectories(src.resolve("dev/basalt/host/vector"));
        Path engine = Files.createDirectories(src.resolve("dev/basalt/host/engine"));
        Files.writeString(folder.resolve("VectorD.java"), "class VectorD {}\n");
        Files.writeString(folder.resolve("VectorZ.java"), "class VectorZ {}\n");
        Files.writeString(folder.resolve("VectorC.java"), "class VectorC {}\n");
        Files.writeString(engine.resolve("StreamZLeaf.java"),
                "import dev.basalt.portable.ZLeaf;\nabstract class StreamZLeaf extends ZLeaf {\n    int parts = 2; // real: int parts = 1;\n}\n");
        Files.writeString(engine.resolve("MatvecZLeaf.java"), "abstract class MatvecZLeaf extends StreamZLeaf {}\n");
        Files.writeString(engine.resolve("ProductZLeaf.java"), "abstract class ProductZLeaf extends MatvecZLeaf {}\n");
        Files.writeString(engine.resolve("AssembledZLeaf.java"),
                "class AssembledZLeaf extends ProductZLeaf {\n    AssembledZLeaf() {}\n}\n");
        String[] args = {"host", out.toString(), src.toString()};
        Generate.main(args);
        Path twin = out.resolve("dev/basalt/host/vector/VectorS.java");
        assertThat(Files.readString(twin))
                .isEqualTo("// Generated from VectorD.java by dev.basalt.codegen; do not edit.\nclass VectorS {}\n");
        assertThat(out.resolve("dev/basalt/host/vector/VectorC.java")).doesNotExist();
        assertThat(Files.readString(out.resolve("dev/basalt/host/engine/AssembledVectorSLeaf.java")))
                .as("the assembled leaf over the Vector API's, in single precision")
                .endsWith("class AssembledVectorSLeaf extends ProductVectorSLeaf {\n    AssembledVectorSLeaf() {}\n}\n")
                .doesNotContain("import");
        assertThat(Files.readString(out.resolve("dev/basalt/host/engine/StreamDLeaf.java")))
                .as("a line that is another one for real numbers")
                .endsWith("class StreamDLeaf extends DLeaf {\n    int parts = 1;\n}\n");

        FileTime old = FileTime.fromMillis(1000);
        Files.setLastModifiedTime(twin, old);
        Generate.main(args);
        assertThat(Files.getLastModifiedTime(twin)).isEqualTo(old);

        Files.delete(folder.resolve("VectorD.java"));
        Generate.main(args);
        assertThat(twin).doesNotExist();
    }
}
