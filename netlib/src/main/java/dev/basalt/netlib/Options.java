package dev.basalt.netlib;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.type.Balance;
import dev.basalt.type.Diag;
import dev.basalt.type.Direct;
import dev.basalt.type.Eform;
import dev.basalt.type.Eorder;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Fact;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Schur;
import dev.basalt.type.Sense;
import dev.basalt.type.Side;
import dev.basalt.type.Sign;
import dev.basalt.type.Storev;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/** LAPACK's letters for options, in either case, and errors as netlib throws them. */
final class Options {
    private Options() {}

    static Op op(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'N' -> Op.NONE;
            case 'T' -> Op.TRANS;
            case 'C' -> Op.CONJ_TRANS;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Uplo uplo(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'U' -> Uplo.UPPER;
            case 'L' -> Uplo.LOWER;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Diag diag(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'N' -> Diag.NON_UNIT;
            case 'U' -> Diag.UNIT;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Side side(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'L' -> Side.LEFT;
            case 'R' -> Side.RIGHT;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Norm norm(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'M' -> Norm.MAX;
            case '1', 'O' -> Norm.ONE;
            case 'I' -> Norm.INF;
            case 'F', 'E' -> Norm.FRO;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Evect evect(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'N' -> Evect.NONE;
            case 'I' -> Evect.TRIDIAGONAL;
            case 'V' -> Evect.ORIGINAL;
            default -> throw illegal(routine, position, letter);
        };
    }

    /** Whether a tridiagonal matrix's vectors are asked for. */
    static Evect tridiagonal(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'N' -> Evect.NONE;
            case 'V' -> Evect.TRIDIAGONAL;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Svect svect(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'A' -> Svect.ALL;
            case 'S' -> Svect.SINGULAR;
            case 'O' -> Svect.OVERWRITE;
            case 'N' -> Svect.NONE;
            default -> throw illegal(routine, position, letter);
        };
    }

    /**
     * gesdd's left vectors: with O the longer side's take the place of A, and the other side has all of its own.
     *
     * @param wide whether A has more columns than rows
     */
    static Svect left(String routine, int position, String letter, boolean wide) {
        Svect svect = svect(routine, position, letter);
        return svect == Svect.OVERWRITE && wide ? Svect.ALL : svect;
    }

    /** gesdd's right vectors. */
    static Svect right(String routine, int position, String letter, boolean wide) {
        Svect svect = svect(routine, position, letter);
        return svect == Svect.OVERWRITE && !wide ? Svect.ALL : svect;
    }

    /** Any other letter than U and L means the whole matrix. */
    static Region region(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'U' -> Region.UPPER;
            case 'L' -> Region.LOWER;
            default -> Region.GENERAL;
        };
    }

    static Fact fact(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'F' -> Fact.FACTORED;
            case 'N' -> Fact.NOT_FACTORED;
            case 'E' -> Fact.EQUILIBRATE;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Direct direct(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'F' -> Direct.FORWARD;
            case 'B' -> Direct.BACKWARD;
            default -> throw illegal(routine, position, letter);
        };
    }

    /** Vectors in columns are those of Q, vectors in rows those of P. */
    static Storev storev(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'C', 'Q' -> Storev.COLUMNS;
            case 'R', 'P' -> Storev.ROWS;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Balance balance(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'N' -> Balance.NONE;
            case 'P' -> Balance.PERMUTE;
            case 'S' -> Balance.SCALE;
            case 'B' -> Balance.BOTH;
            default -> throw illegal(routine, position, letter);
        };
    }

    /** E are condition numbers of eigenvalues, V those of vectors. */
    static Sense sense(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'N' -> Sense.NONE;
            case 'E' -> Sense.VALUES;
            case 'V' -> Sense.VECTORS;
            case 'B' -> Sense.BOTH;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Erange erange(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'A' -> Erange.ALL;
            case 'V' -> Erange.VALUE;
            case 'I' -> Erange.INDEX;
            default -> throw illegal(routine, position, letter);
        };
    }

    /** The number of an eigenvalue, which LAPACK looks at for one range alone. */
    static int ordinal(String range, int number) {
        return is('I', range) ? number : 0;
    }

    /** A leading dimension of vectors; nobody looks at it where the letter is N. */
    static int leading(String wanted, int ld, int n) {
        return is('N', wanted) ? Math.max(ld, n) : ld;
    }

    static Eorder eorder(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'B' -> Eorder.BLOCKS;
            case 'E' -> Eorder.ENTIRE;
            default -> throw illegal(routine, position, letter);
        };
    }

    static Schur schur(String routine, int position, String letter) {
        return switch (first(letter)) {
            case 'E' -> Schur.EIGENVALUES;
            case 'S' -> Schur.SCHUR;
            default -> throw illegal(routine, position, letter);
        };
    }

    static boolean is(char wanted, String letter) {
        return first(letter) == wanted;
    }

    static Sign sign(String routine, int position, int isgn) {
        return switch (isgn) {
            case 1 -> Sign.PLUS;
            case -1 -> Sign.MINUS;
            default -> throw illegal(routine, position, "" + isgn);
        };
    }

    /** Whether all of these letters are N: nothing is asked for that takes a function of the caller's. */
    static boolean unsorted(String... letters) {
        return Arrays.stream(letters).allMatch(letter -> first(letter) == 'N');
    }

    static Eform eform(String routine, int position, int itype) {
        return switch (itype) {
            case 1 -> Eform.AX;
            case 2 -> Eform.ABX;
            case 3 -> Eform.BAX;
            default -> throw illegal(routine, position, "" + itype);
        };
    }

    /**
     * The number that Basalt has for a letter.
     *
     * @param letters the letters of the numbers from 0 on
     * @param letter one of them; any other is 0
     */
    static int number(String letters, String letter) {
        return Math.max(0, letters.indexOf(first(letter)));
    }

    static String letter(String letters, int number) {
        return letters.substring(number, number + 1);
    }

    /** The first letter in upper case; netlib looks at no other. */
    private static char first(String letter) {
        return letter.isEmpty() ? ' ' : Character.toUpperCase(letter.charAt(0));
    }

    private static IllegalArgumentException illegal(String routine, int position, String value) {
        return new IllegalArgumentException(entry(routine, position) + ": '" + value + "'");
    }

    private static String entry(String routine, int position) {
        return "** On entry to '" + routine + "' parameter number " + position + " had an illegal value";
    }

    /**
     * An error as netlib throws it.
     *
     * @param routine the routine, in capitals
     * @param e what Basalt says
     */
    static RuntimeException refused(String routine, BlasException e) {
        RuntimeException refused = e;
        if (e.status() == Status.INVALID_POINTER) {
            refused = new NullPointerException(e.getMessage());
        } else if (e.status() == Status.INVALID_SIZE && e.position() == 0) {
            // An array that is too short, or an offset outside of it; sizes have a position.
            refused = new IndexOutOfBoundsException(e.getMessage());
        } else if (e.status() == Status.INVALID_SIZE || e.status() == Status.INVALID_VALUE) {
            refused = new IllegalArgumentException(entry(routine, e.position()) + ": " + e.getMessage());
        }
        return refused == e ? e : (RuntimeException) refused.initCause(e);
    }
}
