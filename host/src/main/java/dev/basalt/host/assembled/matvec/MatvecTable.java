package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import java.lang.foreign.MemorySegment;

/** The kernels of matrices and vectors of one element type, written, checked and installed at their first use. */
final class MatvecTable {
    private static final PanelKind[] KINDS = PanelKind.values();
    private static final SymvCode.Part[] PARTS = SymvCode.Part.values();

    private final Isa isa;
    private final Real precision;
    private final boolean complex;
    private final MemorySegment[] panels = new MemorySegment[KINDS.length];
    private final MemorySegment[] singles = new MemorySegment[KINDS.length];
    private final MemorySegment[] tall;
    private final MemorySegment[] symmetric;
    private final MemorySegment[] triangles = new MemorySegment[Triangle.COUNT * TriangleCode.WIDEST];

    MatvecTable(Isa isa, Real precision, boolean complex) {
        this.isa = isa;
        this.precision = precision;
        this.complex = complex;
        this.tall = new MemorySegment[4 * mostTall()];
        this.symmetric = new MemorySegment[2 * PARTS.length * block()];
    }

    /** Whether y may pass by for every column of a product: with half the vector it takes as many stores as A takes loads. */
    boolean oneStream() {
        return isa == Isa.AVX512;
    }

    /** Vectors of rows that {@link #tall} can have. */
    int mostTall() {
        return TallCode.most(isa);
    }

    /** Columns of a block of {@link #symmetric}. */
    int block() {
        return SymvCode.block(isa, complex);
    }

    /** A {@link SymvCode}. */
    MemorySegment symmetric(SymvCode.Part part, boolean hermitian, int width) {
        boolean conj = hermitian && complex;
        int i = ((conj ? PARTS.length : 0) + part.ordinal()) * block() + width - 1;
        MemorySegment found = symmetric[i];
        return found != null ? found : makeSymmetric(i, part, conj, width);
    }

    private synchronized MemorySegment makeSymmetric(int index, SymvCode.Part part, boolean hermitian, int width) {
        if (symmetric[index] == null) {
            MemorySegment code = CodeMemory.install(SymvCode.write(isa, precision, complex, part, hermitian, width));
            int rows = 5 * lanes() + lanes() - 1;
            require(new MatvecCheck(precision, complex, rows).symmetric(part, hermitian, width, code));
            symmetric[index] = code;
        }
        return symmetric[index];
    }

    /** A {@link TriangleCode}. */
    MemorySegment triangle(Triangle what, int rest) {
        int i = what.number() * TriangleCode.WIDEST + rest;
        MemorySegment found = triangles[i];
        return found != null ? found : makeTriangle(i, what, rest);
    }

    private synchronized MemorySegment makeTriangle(int index, Triangle what, int rest) {
        if (triangles[index] == null) {
            MemorySegment code = CodeMemory.install(TriangleCode.write(isa, precision, complex, what, rest));
            require(new MatvecCheck(precision, complex, 0).triangle(what, rest, code));
            triangles[index] = code;
        }
        return triangles[index];
    }

    private static void require(boolean agrees) {
        if (!agrees) {
            throw new IllegalStateException(
                    "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar");
        }
    }

    /** Elements of a vector. */
    int lanes() {
        return isa.lanes(precision) / (complex ? 2 : 1);
    }

    /** A kernel that takes several columns at a time. */
    MemorySegment panels(PanelKind kind) {
        MemorySegment found = panels[kind.ordinal()];
        return found != null ? found : make(panels, kind.ordinal(), kind, false, 0, false);
    }

    /** A kernel that takes one column after the other, if there is one. */
    MemorySegment singles(PanelKind kind) {
        MemorySegment found = singles[kind.ordinal()];
        if (found != null) {
            return found;
        }
        boolean dots = kind.transposes() && !DotsCode.single(isa, complex);
        return dots ? panels(kind) : make(singles, kind.ordinal(), kind, true, 0, false);
    }

    /** A {@link TallCode} of GEMV or GEMV_SET. */
    MemorySegment tall(PanelKind kind, int vectors, boolean masked) {
        int i = ((kind.sets() ? 2 : 0) + (masked ? 1 : 0)) * mostTall() + vectors - 1;
        MemorySegment found = tall[i];
        return found != null ? found : make(tall, i, kind, false, vectors, masked);
    }

    private synchronized MemorySegment make(
            MemorySegment[] table, int index, PanelKind kind, boolean single, int vectors, boolean masked) {
        if (table[index] == null) {
            MemorySegment code = CodeMemory.install(
                    vectors > 0
                            ? TallCode.write(isa, precision, complex, vectors, masked, kind.sets())
                            : write(kind, single));
            // A whole vector and a part of one at least; or as many rows as a tall kernel has.
            int rows = vectors == 0 ? 5 * lanes() + lanes() - 1 : vectors * lanes() - (masked ? 1 : 0);
            require(new MatvecCheck(precision, complex, rows).agrees(kind, code));
            table[index] = code;
        }
        return table[index];
    }

    private byte[] write(PanelKind kind, boolean single) {
        return switch (kind) {
            case GEMV, GEMV_SET -> GemvCode.write(isa, precision, complex, single, kind.sets());
            case GEMV_T, GEMV_T_SET, GEMV_C, GEMV_C_SET ->
                DotsCode.write(isa, precision, complex, single, kind.conjugates(), kind.sets());
            case GER, GERC -> GerCode.write(isa, precision, complex, single, kind.conjugates());
        };
    }
}
