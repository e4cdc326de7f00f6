package dev.basalt.host.assembled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.batch.AddressCode;
import dev.basalt.host.assembled.batch.BatchDotCode;
import dev.basalt.host.assembled.batch.BatchFrame;
import dev.basalt.host.assembled.batch.BatchPivotCode;
import dev.basalt.host.assembled.batch.BatchProductCode;
import dev.basalt.host.assembled.batch.BatchTransposeCode;
import dev.basalt.host.assembled.batch.ComplexSubstitutionCode;
import dev.basalt.host.assembled.batch.InterleaveCode;
import dev.basalt.host.assembled.batch.SubstitutionCode;
import dev.basalt.host.assembled.batch.TouchCode;
import dev.basalt.host.assembled.factor.CholeskyCode;
import dev.basalt.host.assembled.factor.EliminateCode;
import dev.basalt.host.assembled.factor.FactorTile;
import dev.basalt.host.assembled.factor.PivotCode;
import dev.basalt.host.assembled.factor.ReflectCode;
import dev.basalt.host.assembled.factor.SwapCode;
import dev.basalt.host.assembled.matvec.DotsCode;
import dev.basalt.host.assembled.matvec.GemvCode;
import dev.basalt.host.assembled.matvec.GerCode;
import dev.basalt.host.assembled.matvec.PanelKind;
import dev.basalt.host.assembled.matvec.SymvCode;
import dev.basalt.host.assembled.matvec.TallCode;
import dev.basalt.host.assembled.matvec.Triangle;
import dev.basalt.host.assembled.matvec.TriangleCode;
import dev.basalt.host.assembled.product.BlendCode;
import dev.basalt.host.assembled.product.DirectCode;
import dev.basalt.host.assembled.product.MergeCode;
import dev.basalt.host.assembled.product.PackCode;
import dev.basalt.host.assembled.product.SolveCode;
import dev.basalt.host.assembled.product.TileCode;
import dev.basalt.host.assembled.stream.ExtremeCode;
import dev.basalt.host.assembled.stream.PairCode;
import dev.basalt.host.assembled.stream.StreamCode;
import dev.basalt.host.assembled.stream.StrideCode;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * The bytes of every kernel that any table can make, for both instruction sets, are those of the digests in {@link #FILE}. Kernels are
 * written here and not run, so every processor can tell. {@code -Dbasalt.test.machineCode=write} writes the file anew.
 */
class MachineCodeTest {
    private static final Path FILE = Path.of("src/test/resources/machine-code.txt");
    /** Digests of a line. */
    private static final int LINE = 16;
    /** Stands for the address of constants, which kernels hold and which differs from process to process. */
    private static final long CONSTANTS = 0x1122_3344_5566_7700L;

    private final List<String> lines = new ArrayList<>();

    @Test
    void everyKernelHasTheBytesOfItsDigest() throws IOException {
        for (Isa isa : Isa.values()) {
            for (Real precision : Real.values()) {
                Shape shape = new Shape(isa, precision);
                products(shape);
                for (boolean complex : new boolean[] {false, true}) {
                    vectors(shape, complex);
                    factors(shape, complex);
                    matrices(shape, complex);
                    batches(shape, complex);
                }
            }
        }
        if ("write".equals(System.getProperty("basalt.test.machineCode"))) {
            Files.write(FILE, lines);
        }
        assertThat(lines).isEqualTo(Files.readAllLines(FILE));
    }

    private void products(Shape s) {
        int columns = s.columns();
        int tiles = 2 * Shape.VECTORS * columns;
        for (boolean complex : new boolean[] {false, true}) {
            family(
                    s,
                    complex,
                    "TILE",
                    tiles,
                    i -> TileCode.write(s, row(i, columns), 1 + i % columns, masked(i, columns), complex));
            family(
                    s,
                    complex,
                    "DIRECT",
                    tiles,
                    i -> DirectCode.write(s, row(i, columns), 1 + i % columns, masked(i, columns), complex));
            family(s, complex, "SOLVE", 2 * Shape.VECTORS, i -> SolveCode.write(s, 1 + i % 3, i >= 3, complex));
            family(s, complex, "MERGE", 2 * Shape.VECTORS, i -> MergeCode.write(s, 1 + i % 3, complex, i >= 3));
        }
        family(s, false, "COPY", 4 * Shape.VECTORS, i -> PackCode.copy(s, 1 + i % 3, i >= 6, i / 3 % 2 == 1));
        family(s, false, "TRANSPOSE", 12, i -> PackCode.transpose(4 << i / 2 % 3, 1 + i % 2, i >= 6));
        family(s, false, "BLEND", 4, i -> BlendCode.write(BlendCode.Kind.values()[i], s.isa(), s.precision()));
        StreamCode.Kind[] kinds = StreamCode.Kind.values();
        family(s, false, "STREAM", kinds.length, i -> StreamCode.write(kinds[i], s.isa(), s.precision()));
        family(s, false, "NARROW", kinds.length, i -> StreamCode.write(kinds[i], Isa.AVX2, s.precision()));
        family(s, false, "AHEAD", kinds.length, i -> StreamCode.write(kinds[i], Isa.AVX2, s.precision(), true));
        family(s, false, "STRIDED", kinds.length, i -> StrideCode.write(kinds[i], s.precision()));
    }

    private static int row(int i, int columns) {
        return 1 + i / columns % Shape.VECTORS;
    }

    private static boolean masked(int i, int columns) {
        return i >= Shape.VECTORS * columns;
    }

    private void vectors(Shape s, boolean complex) {
        ExtremeCode.Kind[] extremes = ExtremeCode.Kind.values();
        family(s, complex, "EXTREME", extremes.length, i -> ExtremeCode.write(extremes[i], s, complex));
        if (complex) {
            PairCode.Kind[] pairs = PairCode.Kind.values();
            Shape narrow = new Shape(Isa.AVX2, s.precision());
            int count = pairs.length;
            family(
                    s,
                    true,
                    "PAIR",
                    3 * count,
                    i -> PairCode.write(pairs[i % count], i < count ? s : narrow, i >= 2 * count));
        }
    }

    private void factors(Shape s, boolean complex) {
        int block = FactorTile.block(s, complex);
        family(s, complex, "CHOLESKY", block, i -> CholeskyCode.write(s, CONSTANTS, complex, i + 1));
        family(s, complex, "ELIMINATE", block, i -> EliminateCode.write(s, CONSTANTS, complex, i + 1));
        family(s, complex, "PIVOT", block, i -> PivotCode.write(s, CONSTANTS, complex, i + 1));
        family(s, complex, "SWAP", 2, i -> SwapCode.write(s.precision().bytes * (complex ? 2 : 1), i == 1));
        if (!complex) {
            family(s, false, "REFLECT", 2, i -> ReflectCode.write(s.precision(), i == 1));
        }
    }

    private void matrices(Shape s, boolean complex) {
        Isa isa = s.isa();
        Real p = s.precision();
        PanelKind[] kinds = PanelKind.values();
        family(s, complex, "PANELS", kinds.length, i -> panel(s, complex, kinds[i], false));
        family(s, complex, "SINGLES", kinds.length, i -> panel(s, complex, kinds[i], true));
        int tall = TallCode.most(isa);
        family(
                s,
                complex,
                "TALL",
                4 * tall,
                i -> TallCode.write(isa, p, complex, 1 + i % tall, i / tall % 2 == 1, i >= 2 * tall));
        int block = SymvCode.block(isa, complex);
        SymvCode.Part[] parts = SymvCode.Part.values();
        int half = parts.length * block;
        family(
                s,
                complex,
                "SYMMETRIC",
                (complex ? 2 : 1) * half,
                i -> SymvCode.write(isa, p, complex, parts[i / block % parts.length], i >= half, 1 + i % block));
        int order = TriangleCode.block(complex);
        family(
                s,
                complex,
                "TRIANGLE",
                (complex ? 32 : 16) * order,
                i -> TriangleCode.write(isa, p, complex, triangle(i / order), i % order));
    }

    private static Triangle triangle(int i) {
        return Triangle.of((i & 8) != 0, (i & 4) != 0, (i & 2) != 0, (i & 16) != 0, (i & 1) != 0);
    }

    private static byte[] panel(Shape s, boolean complex, PanelKind kind, boolean single) {
        Isa isa = s.isa();
        Real p = s.precision();
        return switch (kind) {
            case GEMV, GEMV_SET -> GemvCode.write(isa, p, complex, single, kind.sets());
            case GER, GERC -> GerCode.write(isa, p, complex, single, kind.conjugates());
            default -> DotsCode.write(isa, p, complex, single, kind.conjugates(), kind.sets());
        };
    }

    private void batches(Shape s, boolean complex) {
        int element = s.precision().bytes * (complex ? 2 : 1);
        int most = (complex ? 2 : 1) * BatchFrame.ORDER / s.lanes();
        SubstitutionCode.Diagonal[] diagonals = SubstitutionCode.Diagonal.values();
        family(
                s,
                complex,
                "SUBSTITUTION",
                diagonals.length,
                i -> complex
                        ? ComplexSubstitutionCode.write(s, diagonals[i])
                        : SubstitutionCode.write(s, diagonals[i]));
        family(s, complex, "BATCH_PIVOT", 1, i -> BatchPivotCode.write(s, complex));
        family(s, complex, "TOUCH", 2, i -> TouchCode.write(element, i == 0));
        int matrix = most * BatchFrame.ORDER;
        family(
                s,
                complex,
                "BATCH_PRODUCT",
                16 * matrix,
                i -> BatchProductCode.write(
                        s,
                        1 + i / BatchFrame.ORDER % most,
                        1 + i % BatchFrame.ORDER,
                        i / matrix % 2 == 1,
                        i / matrix / 2 / 2 % 2 == 1,
                        i / matrix / 2 % 2 == 1,
                        i / matrix / 2 / 4 == 1,
                        complex));
        if (!complex) {
            family(s, false, "BATCH_DOT", 2 * most, i -> BatchDotCode.write(s, 1 + i / 2, i % 2 == 1));
        }
        if (!complex) {
            family(s, false, "ADDRESSES", 2, i -> AddressCode.write(i == 1));
            family(s, false, "INTERLEAVE", 2, i -> InterleaveCode.write(s, i == 0));
            family(s, false, "BATCH_TRANSPOSE", BatchFrame.ORDER, i -> BatchTransposeCode.write(s, i + 1));
        }
    }

    private void family(Shape shape, boolean complex, String name, int count, IntFunction<byte[]> write) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < count; i++) {
            if (i % LINE == 0) {
                line.append(shape.isa())
                        .append(complex ? " C" : " ")
                        .append(shape.precision())
                        .append(' ')
                        .append(name)
                        .append(' ')
                        .append(i)
                        .append(':');
            }
            line.append(' ').append(digest(write.apply(i)));
            if (i % LINE == LINE - 1 || i == count - 1) {
                lines.add(line.toString());
                line.setLength(0);
            }
        }
    }

    private static String digest(byte[] code) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(code);
            return HexFormat.of().formatHex(hash, 0, 5);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
