package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Runs a new {@link StoredPanelCode} once over three panels and compares with scalar Java. Operands are small whole numbers, so both must agree in every bit; what
 * is not stored is NaN, and memory around the results must stay as it was.
 */
final class StoredPanelCheck {
    private static final double ALPHA = 3;
    private static final int WIDTH = StoredPanelCode.WIDTH;
    private static final int PANELS = 3;
    private static final int COLUMNS = PANELS * WIDTH;

    private final int size;
    private final WholeNumbers memory;
    private final StoredPanelKind kind;
    private final StoredPanelKind.Form form;
    /** Rows of the rectangles of the first panel, and of the matrix. */
    private final int m;

    private final int rows;
    /** The row of the diagonal in column 0. */
    private final int before;

    /** Whether unknowns are elements of the vector along the rows. */
    private final boolean inPlace;

    StoredPanelCheck(Shape shape, StoredPanelKind kind, StoredPanelKind.Form form) {
        this.size = shape.precision().bytes;
        this.memory = new WholeNumbers(size);
        this.kind = kind;
        this.form = form;
        // Pairs of vectors, one more, and a part of one.
        this.m = form.narrow() > 0 ? 0 : 3 * shape.lanes() + 3;
        this.inPlace = kind.triangular() && kind != StoredPanelKind.SYMV;
        this.before = !kind.triangular() || !form.upper() ? 0 : m + (form.head() ? WIDTH : 0);
        this.rows = m + COLUMNS + 2 * WIDTH;
    }

    /** Rows of the rectangle of a panel. */
    private int rectangle(int panel) {
        return m + WIDTH * panel * ((form.tail() ? 1 : 0) - (form.head() ? 1 : 0));
    }

    /** The first row of a panel. */
    private int first(int panel) {
        return form.head() ? WIDTH * panel : 0;
    }

    private boolean stored(int i, int j) {
        int panel = j / WIDTH;
        int c = j % WIDTH;
        if (form.narrow() > 0) {
            int end = form.upper() ? before + j : j + form.narrow();
            return i >= end - form.narrow() && i <= end;
        }
        int from = first(panel) + (form.head() ? c : 0);
        int tail = first(panel) + (form.head() ? WIDTH : 0) + rectangle(panel);
        return i >= from && i < tail + (form.tail() ? c + 1 : 0);
    }

    /** Where element (i, j) lies; columns get further apart. */
    private int at(int i, int j) {
        return i + j * 2 * rows + j * (j - 1) / 2;
    }

    boolean agrees(MemorySegment code) {
        double[] a = new double[at(rows, COLUMNS)];
        Arrays.fill(a, Double.NaN);
        double[] x = WholeNumbers.of(rows + 1, 2);
        double[] y = WholeNumbers.of(rows + 1, 3);
        double[] product = inPlace ? x.clone() : y.clone();
        boolean transposed = kind == StoredPanelKind.TRMV_T || kind == StoredPanelKind.TRSV_T;
        for (int j = 0; j < COLUMNS && inPlace; j++) {
            product[before + j] = form.unit() ? x[before + j] : x[before + j] * (1 + j % 2);
        }
        for (int j = 0; j < COLUMNS; j++) {
            for (int i = 0; i < rows; i++) {
                boolean diagonal = kind.triangular() && i == before + j;
                double value = diagonal ? 1 + j % 2 : (i * 7 + j * 5) % 11 - 5;
                if (!stored(i, j)) {
                    continue;
                }
                a[at(i, j)] = diagonal && form.unit() ? Double.NaN : value;
                switch (kind) {
                    case AXPY -> product[i] += ALPHA * value * x[j];
                    case DOT -> product[j] += ALPHA * value * x[i];
                    case SYMV -> {
                        product[i] += ALPHA * value * x[before + j];
                        product[before + j] += diagonal ? 0 : ALPHA * value * x[i];
                    }
                    default -> {
                        int to = transposed ? before + j : i;
                        product[to] += diagonal ? 0 : value * x[transposed ? i : before + j];
                    }
                }
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            long atA = memory.place(arena, a);
            boolean solves = kind.solves();
            long atX = memory.place(arena, solves ? product : x);
            long atY = memory.place(arena, y);
            run(code, atA, atX, atY);
            return memory.same(solves ? x : inPlace ? product : x, atX) && memory.same(inPlace ? y : product, atY);
        }
    }

    private void run(MemorySegment code, long atA, long atX, long atY) {
        boolean descends = form.descends(kind);
        int panel = descends ? PANELS - 1 : 0;
        int j = panel * WIDTH;
        int step = at(0, j + 1) - at(0, j);
        int shift = form.head() ? WIDTH : 0;
        int next = descends ? -(at(0, j) - at(0, j - WIDTH)) - shift : at(0, j + WIDTH) - at(0, j) + shift;
        boolean rowsOfX = inPlace || kind == StoredPanelKind.DOT;
        long along = rowsOfX ? atX : atY;
        long columns = (inPlace || kind == StoredPanelKind.AXPY ? atX : atY) + (long) (before + j) * size;
        NativeCall.direct(code, rectangle(panel), PANELS, atA + (long) at(first(panel), j) * size, (long) step * size,
                along + (long) first(panel) * size, columns, atX - atY, size, (long) next * size, 0, ALPHA, 0);
    }
}
