package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/** {@link SubstitutionCode} of real matrices: blocks are four unknowns high. */
final class RealSubstitutionCode extends SubstitutionCode {
    RealSubstitutionCode(Shape shape, Diagonal diagonal) {
        super(shape, diagonal, 1, 4);
    }

    private static Mem a(int s) {
        return at(RSI, s, R8, R9, 0);
    }

    private static Mem b(int j) {
        return at(RDX, j, R11, RAX, 0);
    }

    @Override
    void loadA(int to, int s) {
        v.load(to, a(s));
    }

    @Override
    void loadB(int to, int j) {
        v.load(to, b(j));
    }

    @Override
    void subtract(int sum, int a, int b) {
        v.fnma(sum, a, b);
    }

    @Override
    void solve(int x, int q, int j, int scratch) {
        v.add(x, x, b(j));
        if (diagonal != Diagonal.UNIT) {
            v.mul(x, x, vector(RECIPROCALS + q));
        }
        v.store(b(j), x);
    }

    @Override
    void reciprocals(int rows) {
        int one = 0;
        int nan = 1;
        int zero = 2;
        code.load(RAX, slot(DIAGONAL_ELEMENT));
        v.broadcast(one, slot(ONE));
        v.load(nan, vector(NAN));
        v.zero(zero);
        for (int q = 0; q < rows; q++) {
            v.load(3, Mem.at(RAX, 0));
            code.add(RAX, R8);
            code.add(RAX, R10);
            v.div(3, one, 3);
            v.store(vector(RECIPROCALS + q), 3);
            v.fma(nan, zero, 3);
        }
        v.store(vector(NAN), nan);
        code.store(slot(DIAGONAL_ELEMENT), RAX);
    }

    @Override
    int factorRegisters(int rows) {
        return triangle(rows, 0);
    }

    @Override
    void factorColumn(int rows) {
        int operand = 10;
        for (int s = 0; s < rows; s++) {
            loadA(operand + s, s);
        }
        for (int s = 0; s < rows; s++) {
            for (int q = 0; q <= s; q++) {
                subtract(triangle(s, q), operand + s, operand + q);
            }
        }
    }

    @Override
    void factorBlock(int rows) {
        int one = 10;
        int nan = 11;
        int zero = 12;
        int reciprocal = 13;
        v.broadcast(one, slot(ONE));
        v.load(nan, vector(NAN));
        v.zero(zero);
        for (int q = 0; q < rows; q++) {
            for (int s = q; s < rows; s++) {
                v.add(triangle(s, q), triangle(s, q), a(s));
            }
            int root = triangle(q, q);
            v.sqrt(root, root);
            v.div(reciprocal, one, root);
            v.fma(nan, zero, reciprocal);
            v.store(vector(RECIPROCALS + q), reciprocal);
            v.store(a(q), root);
            for (int s = q + 1; s < rows; s++) {
                v.mul(triangle(s, q), triangle(s, q), reciprocal);
                v.store(a(s), triangle(s, q));
            }
            for (int s = q + 1; s < rows; s++) {
                for (int t = q + 1; t <= s; t++) {
                    subtract(triangle(s, t), triangle(s, q), triangle(t, q));
                }
            }
            code.add(RSI, R10);
        }
        v.store(vector(NAN), nan);
    }

    private static int triangle(int row, int column) {
        return row * (row + 1) / 2 + column;
    }
}
