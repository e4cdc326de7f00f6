package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * D := Aᵀ·B + D of real numbers, where B has few columns: four columns of A at a time, each of which has a vector of sums with each of B's. An element's bits
 * depend on its two columns alone.
 *
 * <p>Arguments are those of {@link PanelCode}, with B along the rows and D's first column along A's columns; and bytes between the columns of B and of D.
 */
final class FewDotsCode extends PanelCode {
    /** Columns of A that are taken together. */
    private static final int WIDTH = 4;

    /** A sum's register that is free once sums are added up. */
    private static final int OLD = 1;

    private static final Gp LDB = R12;
    private static final Gp LDB3 = R13;
    private static final Gp LDD = R14;

    private final int few;
    private final int a;
    private final int b;

    private FewDotsCode(Shape shape, int few) {
        super(shape, false, false);
        this.few = few;
        this.a = WIDTH * few;
        this.b = a + 1;
    }

    /** Columns of B that a kernel can have: sums, those columns and one of A have to fit the registers. */
    static int most(Isa isa) {
        return isa == Isa.AVX512 ? WIDTH : 2;
    }

    /** Writes a kernel for so many columns of B. */
    static byte[] write(Shape shape, int few) {
        FewDotsCode dots = new FewDotsCode(shape, few);
        dots.write();
        return dots.code.code();
    }

    private void write() {
        enter(R12, R13, R14);
        stacked(LDB, LDD);
        code.lea(LDB3, Mem.at(LDB, LDB, 2, 0));
        prepare();
        panels();
        leave();
    }

    @Override
    int columns() {
        return WIDTH;
    }

    @Override
    void panel(int columns) {
        for (int sum = 0; sum < WIDTH * few; sum++) {
            v.zero(sum);
        }
        rows(columns);
        for (int j = 0; j < few; j++) {
            for (int i = 0; j > 0 && i < columns; i++) {
                v.or(i, WIDTH * j + i, WIDTH * j + i);
            }
            sums(columns, a);
            Mem d = switch (j) {
                case 0 -> Mem.at(COLUMNS, 0);
                case 1 -> Mem.at(COLUMNS, LDD, 1, 0);
                case 2 -> Mem.at(COLUMNS, LDD, 2, 0);
                default -> {
                    code.lea(P, Mem.at(LDD, LDD, 2, 0));
                    yield Mem.at(COLUMNS, P, 1, 0);
                }
            };
            v.loadPart(OLD, d, columns * size);
            v.add(0, 0, OLD);
            v.storePart(d, 0, columns * size);
        }
    }

    @Override
    void step(int columns, int at, boolean masked) {
        for (int j = 0; j < few; j++) {
            load(b + j, other(j, at), masked);
        }
        for (int i = 0; i < columns; i++) {
            load(a, column(i, at), masked);
            for (int j = 0; j < few; j++) {
                v.fma(WIDTH * j + i, a, b + j);
            }
        }
    }

    /** The row loop's place in a column of B. */
    private Mem other(int j, int at) {
        return switch (j) {
            case 0 -> row(at);
            case 1 -> Mem.at(T, LDB, 1, at * bytes);
            case 2 -> Mem.at(T, LDB, 2, at * bytes);
            default -> Mem.at(T, LDB3, 1, at * bytes);
        };
    }
}
