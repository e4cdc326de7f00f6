package dev.basalt.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Java and C++ both say of memory: the argument structure, and the layouts of shared memory. */
class LayoutTest {
    private static final List<ElementType> TYPES =
            List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);
    private static final int WARP = 32;

    /** Who shares a panel, as lu.cu has it, and how many candidates of others a block then keeps. */
    private static final int[] OTHERS = {0, 64, 1};

    @BeforeAll
    static void theSourcesAreCompiled() {
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
    }

    private static long layout(String name, ElementType type, long x, long y, long z) {
        try {
            return (long) Shim
                    .function("basalt_layout_" + name + "_" + "sdcz".charAt(TYPES.indexOf(type)),
                            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG))
                    .invokeExact(x, y, z);
        } catch (Throwable t) {
            throw new AssertionError(name, t);
        }
    }

    @Test
    void theArgumentStructureIsThatOfTheHeader() throws Throwable {
        Map<String, Long> theirs = new LinkedHashMap<>();
        MethodHandle name = Shim.function("basalt_layout_field", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        MethodHandle offset = Shim.function("basalt_layout_offset", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
        for (int i = 0;; i++) {
            MemorySegment text = (MemorySegment) name.invokeExact(i);
            if (text.address() == 0) {
                break;
            }
            theirs.put(Memory.ALL.getString(text.address()), (long) offset.invokeExact(i));
        }
        assertThat(theirs).isEqualTo(ours());
    }

    private static Map<String, Long> ours() {
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("Operand", (long) Arguments.OPERAND);
        ours.put("Scalar", (long) Arguments.SCALAR);
        ours.put("Args", (long) Arguments.BYTES);
        ours.put("Operand.base", (long) Arguments.BASE);
        ours.put("Operand.offset", (long) Arguments.OFFSET);
        ours.put("Operand.stride", (long) Arguments.STRIDE);
        ours.put("Operand.ld", (long) Arguments.LD);
        ours.put("Operand.pointers", (long) Arguments.POINTERS);
        ours.put("Operand.storage", Arguments.POINTERS + 4L);
        ours.put("Scalar.re", (long) Arguments.RE);
        ours.put("Scalar.im", (long) Arguments.IM);
        ours.put("Scalar.address", (long) Arguments.ADDRESS);
        ours.put("Scalar.gateValue", (long) Arguments.GATE);
        ours.put("Scalar.type", (long) Arguments.TYPE);
        ours.put("Scalar.gated", Arguments.TYPE + 4L);
        for (int i = 0; i < 5; i++) {
            ours.put("Args." + "abcde".charAt(i), (long) i * Arguments.OPERAND);
        }
        ours.put("Args.alpha", (long) Arguments.ALPHA);
        ours.put("Args.beta", (long) Arguments.BETA);
        consecutive(ours, Arguments.SIZES, 8, "m", "n", "k", "p", "q", "count");
        consecutive(ours, Arguments.WORK, 8, "work", "workBytes");
        ours.put("Args.sync", (long) Arguments.SYNC);
        consecutive(ours, Arguments.OPTIONS, 4, "opA", "opB", "side", "uplo", "diag", "flag", "guarded");
        consecutive(ours, Arguments.X, 4, "x", "y", "z");
        consecutive(ours, Arguments.EXTENT_OF, 4, "extentOf", "semiring");
        consecutive(ours, Arguments.F, Arguments.OPERAND, "f", "g");
        consecutive(ours, Arguments.BAND_A, 8, "bandA.kl", "bandA.ku");
        consecutive(ours, Arguments.BAND_C, 8, "bandC.kl", "bandC.ku");
        consecutive(ours, Arguments.EXTENT, 8, "extent", "extentStride");
        return ours;
    }

    private static void consecutive(Map<String, Long> ours, int from, int bytes, String... names) {
        for (int i = 0; i < names.length; i++) {
            ours.put("Args." + names[i], from + (long) i * bytes);
        }
    }

    @Test
    void panelsOfLu() {
        for (ElementType type : TYPES) {
            for (int rows = WARP; rows <= 256; rows *= 2) {
                for (int n = 1; n <= LuRules.PANEL; n++) {
                    for (int mode = 0; mode < OTHERS.length; mode++) {
                        long bytes = layout("lu", type, rows, n, mode);
                        assertThat(Layouts.lu(type, rows, n, OTHERS[mode]))
                                .as("%s %d x %d mode %d", type, rows, n, mode)
                                .isEqualTo((int) ((bytes + 15) / 16 * 16));
                    }
                    assertThat(Layouts.luWarp(type, n)).isEqualTo((int) layout("lu_warp", type, n, 0, 0));
                }
            }
            assertThat(Layouts.latrd(type)).isEqualTo((int) layout("latrd_panel", type, 0, 0, 0));
            for (int n = 1; n <= WARP; n++) {
                assertThat(Layouts.sytd2Warp(type, n)).isEqualTo((int) layout("sytd2_warp", type, n, 0, 0));
            }
            for (long blocks : new long[] {1, 7, 132}) {
                assertThat(Layouts.sytd2(type, 130, blocks)).isEqualTo(layout("sytd2_blocks", type, 130, blocks, 0));
                assertThat(Layouts.gebd2(type, 150, 130, blocks))
                        .isEqualTo(layout("gebd2_blocks", type, 150, 130, blocks));
            }
            assertThat(Layouts.syevjBlocks(type)).isEqualTo((int) layout("syevj_blocks", type, 0, 0, 0));
            assertThat(Layouts.gesvjBlocks(type)).isEqualTo((int) layout("gesvj_blocks", type, 0, 0, 0));
            assertThat(Layouts.chase(type, 33)).isEqualTo(layout("sb2st", type, 33, 0, 0));
            for (long k : new long[] {5, 16, 17, 32}) {
                assertThat(Layouts.chaseWarps(type, k)).isEqualTo(layout("sb2st_warps", type, k, 0, 0));
            }
            assertThat(Layouts.chasedRows(type)).isEqualTo(layout("chased_rows", type, 0, 0, 0));
            for (long passes : new long[] {1, 2, 4}) {
                assertThat(Layouts.chased(passes)).isEqualTo(layout("chased", type, passes, 0, 0));
            }
            for (long rows : new long[] {0, 1, 1000, 8000, 9000, 20_000, 50_000, 1L << 40}) {
                assertThat(Layouts.labrd(type, rows, Integer.MAX_VALUE))
                        .isEqualTo((int) layout("labrd_panel", type, rows, 0, 0));
            }
            for (long blocks : new long[] {1, 7, 132}) {
                for (long rows : new long[] {8, 16}) {
                    assertThat(Layouts.labrdColumns(type, rows, 1000, blocks, 3))
                            .isEqualTo(layout("labrd_columns_" + rows, type, 1000, blocks, 3));
                }
            }
            for (int blocks = 1; blocks < 200; blocks++) {
                assertThat(Layouts.luShown(type, LuRules.PANEL, blocks))
                        .isEqualTo(layout("lu_shown", type, blocks, 0, 0));
            }
        }
    }

    @Test
    void panelsOfQr() {
        for (ElementType type : TYPES) {
            for (int rows = 1; rows <= 800; rows += 37) {
                for (int n = 1; n <= QrPanelRules.PANEL; n++) {
                    for (int blocks : new int[] {0, 1, 8, 16}) {
                        assertThat(Layouts.qrPanel(type, rows, n, blocks)).as("%s %d x %d, %d", type, rows, n, blocks)
                                .isEqualTo(layout("qr_panel", type, rows, n, blocks));
                    }
                }
            }
            for (int n = 1; n <= QrPanelRules.PANEL; n++) {
                assertThat(Layouts.qrTall(type, n)).as("%s %d columns", type, n)
                        .isEqualTo(layout("qr_tall", type, n, 0, 0));
            }
        }
    }

    @Test
    void smallQr() {
        for (ElementType type : TYPES) {
            for (int rows = 8; rows <= 1024; rows *= 2) {
                for (int n = 1; n <= 256; n += 5) {
                    assertThat(Layouts.qr(type, rows, n)).isEqualTo((int) layout("qr", type, rows, n, 0));
                }
            }
        }
    }

    @Test
    void qrInLanes() {
        for (ElementType type : TYPES) {
            for (int rows = 2; rows <= 256; rows *= 2) {
                for (int columns = 8; columns <= 16; columns *= 2) {
                    assertThat(Layouts.qrLanes(type, 1, rows, columns))
                            .isEqualTo((int) layout("qr_lanes", type, rows, columns, 0));
                }
            }
        }
    }

    @Test
    void jacobiInLanes() {
        for (ElementType type : TYPES) {
            for (int n = 1; n <= 128; n++) {
                int columns = Math.max(8, Integer.highestOneBit(2 * n - 1));
                assertThat(Layouts.syevj(type, columns, columns, n))
                        .isEqualTo((int) layout("syevj", type, columns, columns, n));
            }
        }
    }

    @Test
    void tridiagonalSystems() {
        for (ElementType type : TYPES) {
            for (int threads = 1; threads <= 64; threads *= 2) {
                for (int n = 16; n <= 3000; n += 77) {
                    for (int problems = 1; problems <= 32; problems *= 2) {
                        assertThat(Layouts.gtsv(type, n, threads, problems))
                                .isEqualTo(layout("gtsv", type, n, threads, problems));
                    }
                }
            }
        }
    }

    @Test
    void trianglesOfReflectors() {
        for (ElementType type : TYPES) {
            for (int n = 1; n <= QrPanelRules.PANEL; n++) {
                assertThat(Layouts.larft(type, n)).isEqualTo((int) layout("larft", type, n, 0, 0));
            }
        }
    }

    @Test
    void choleskyInLanes() {
        for (ElementType type : TYPES) {
            for (int order = 8; order <= WARP; order *= 2) {
                assertThat(Layouts.choleskyLanes(type, order))
                        .isEqualTo((int) layout("cholesky_lanes", type, order, 0, 0));
            }
        }
    }

    @Test
    void inversesInLanes() {
        for (ElementType type : TYPES) {
            for (int order = 8; order <= WARP; order *= 2) {
                assertThat(Layouts.inverse(type, order)).isEqualTo((int) layout("inverse", type, order, 0, 0));
            }
        }
    }

    @Test
    void inversesByColumns() {
        for (ElementType type : TYPES) {
            for (int n = WARP + 1; n <= InverseRules.SMALL; n++) {
                assertThat(Layouts.inverseColumns(type, n)).isEqualTo((int) layout("inverse_columns", type, n, 0, 0));
            }
        }
    }

    @Test
    void pivotedMatrices() {
        for (ElementType type : TYPES) {
            for (int m = 0; m <= 64; m++) {
                for (int n = 1; n <= 64; n++) {
                    assertThat(Layouts.pivoted(type, m, n)).isEqualTo(layout("pivoted", type, m, n, 0));
                }
            }
        }
    }

    @Test
    void solutions() {
        for (ElementType type : TYPES) {
            for (int warps = 1; warps <= 8; warps++) {
                for (int sides = 8; sides <= 32; sides *= 2) {
                    for (int staged = 0; staged < 2; staged++) {
                        assertThat(Layouts.trsm(type, sides, warps, staged == 1))
                                .isEqualTo((int) layout("trsm_" + sides, type, warps * WARP, staged, 0));
                    }
                    if (type != ElementType.F32) {
                        assertThat(Layouts.trsmProducts(sides, warps))
                                .isEqualTo((int) layout("trsm_products_" + sides, type, warps * WARP, 0, 0));
                    }
                }
            }
            for (int order = 1; order <= 64; order++) {
                assertThat(Layouts.across(type, order, 16))
                        .isEqualTo((int) layout("solve_across_16", type, order, 0, 0));
            }
            int rows = type == ElementType.C64 ? 32 : 64;
            for (int turned = 0; turned < 2; turned++) {
                assertThat(Layouts.thin(type, rows, 8, 8, turned == 1))
                        .isEqualTo((int) layout("thin", type, turned, 0, 0));
            }
        }
    }
}
