package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.matvec.FewLines;
import dev.basalt.host.assembled.matvec.Matvec;
import dev.basalt.host.engine.Engines;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where launches are cut for threads. */
class CutTest {
    /** Few lines beside a triangle or a symmetric matrix take a path with other bits: only a whole launch may have so few. */
    @ParameterizedTest
    @EnumSource(value = Kernel.class, names = {"TRSM", "TRMM", "SYMM"})
    void noPartHasFewLines(Kernel kernel) {
        Cut cut = new Cut(Engines.choose("auto").engine(), null);
        int several = 0;
        for (Side side : Side.values()) {
            for (int lines = 1; lines <= 300; lines++) {
                for (int wanted = 2; wanted <= 9; wanted++) {
                    Launch l = new Launch().reset(kernel, ElementType.F64, 1);
                    l.side = side;
                    l.m = side == Side.LEFT ? 40 : lines;
                    l.n = side == Side.LEFT ? lines : 40;
                    int parts = cut.plan(l, wanted);
                    several += parts > 1 ? 1 : 0;
                    for (int p = 0; p < parts && parts > 1; p++) {
                        assertThat(cut.from(p + 1) - cut.from(p))
                                .as("%s %s, %d lines in %d parts, part %d", kernel, side, lines, parts, p)
                                .isGreaterThan(AssembledKernels.FEW_LINES);
                    }
                }
            }
        }
        assertThat(several).isPositive();
    }

    /** Few results of a matrix with a vector have sums of their own, too: few rows, or few columns of few rows. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void noPartOfAMatrixWithAVectorHasFewResults(ElementType type) {
        Cut cut = new Cut(Engines.choose("auto").engine(), null);
        int several = 0;
        for (Op op : new Op[] {Op.NONE, Op.TRANS}) {
            for (int results = 1; results <= 900; results++) {
                for (int wanted = 2; wanted <= 9; wanted++) {
                    Launch l = new Launch().reset(Kernel.GEMV, type, 1);
                    l.opA = op;
                    l.m = op == Op.NONE ? results : 2;
                    l.n = op == Op.NONE ? 500 : results;
                    int parts = cut.plan(l, wanted);
                    several += parts > 1 ? 1 : 0;
                    for (int p = 0; p < parts && parts > 1; p++) {
                        assertThat(cut.from(p + 1) - cut.from(p))
                                .as("%s, %d results in %d parts, part %d", op, results, parts, p)
                                .isGreaterThan(Matvec.FEW_ROWS);
                    }
                }
            }
        }
        assertThat(several).isPositive();
    }

    /** Nor does a product with few rows or columns; of a triangle's parts, the last has a rectangle beside it. */
    @ParameterizedTest
    @EnumSource(value = Kernel.class, names = {"GEMM", "SYRK", "SYR2K"})
    void noPartOfAProductHasFewLines(Kernel kernel) {
        Cut cut = new Cut(Engines.choose("auto").engine(), null);
        int several = 0;
        for (int lines = 1; lines <= 300; lines++) {
            for (int wanted = 2; wanted <= 9; wanted++) {
                Launch l = new Launch().reset(kernel, ElementType.F64, 1);
                l.m = 20;
                l.n = lines;
                l.k = 500;
                int parts = cut.plan(l, wanted);
                several += parts > 1 ? 1 : 0;
                for (int p = 0; p < parts && parts > 1; p++) {
                    long part = cut.from(p + 1) - cut.from(p);
                    boolean empty = kernel != Kernel.GEMM && part == 0;
                    assertThat(empty || part > FewLines.MOST)
                            .as("%s, %d lines in %d parts, part %d of %d", kernel, lines, parts, p, part)
                            .isTrue();
                }
            }
        }
        assertThat(several).isPositive();
    }

    /** Nor is a part of a complex rank-2k update as small as the triangles that take both products as one. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"C32", "C64"})
    void noPartOfAComplexUpdateIsSmall(ElementType type) {
        Cut cut = new Cut(Engines.choose("auto").engine(), null);
        int several = 0;
        for (Uplo uplo : Uplo.values()) {
            for (int n = 1; n <= 300; n++) {
                for (int wanted = 2; wanted <= 9; wanted++) {
                    Launch l = new Launch().reset(Kernel.SYR2K, type, 1);
                    l.uplo = uplo;
                    l.n = n;
                    l.k = 500;
                    int parts = cut.plan(l, wanted);
                    long sum = 0;
                    for (int p = 0; p < parts && parts > 1; p++) {
                        long part = cut.from(p + 1) - cut.from(p);
                        several += part > 0 && part < n ? 1 : 0;
                        sum += part;
                        assertThat(part == 0 || part > AssembledKernels.BOTH)
                                .as("%s %s, order %d in %d parts, part %d of %d", type, uplo, n, parts, p, part)
                                .isTrue();
                    }
                    assertThat(sum).isEqualTo(parts > 1 ? n : 0);
                }
            }
        }
        assertThat(several).isPositive();
    }
}
