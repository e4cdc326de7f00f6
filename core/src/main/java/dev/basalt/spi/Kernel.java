package dev.basalt.spi;

/**
 * The operations a device must supply. Each works on a batch of {@link Launch#count} problems and on the operands
 * {@code a b c d e} of the launch; the letters beside each constant say which of them it reads ({@code r}), writes
 * ({@code w}) or both ({@code x}), in that order. Element types are those of the launch; a device offers every kernel
 * for s d c z unless said otherwise. With {@link Launch#guarded}, problems whose {@code e} (info, one 32-bit integer a
 * problem) is not zero are skipped.
 */
public enum Kernel {
    /** Vectors: c := a. */
    COPY("r-w--"),
    /** Vectors: a and c exchange their elements. */
    SWAP("x-x--"),
    /** Vectors: a := alpha·a + beta·c and c := alpha·c - conj(beta)·a, both from the old values; alpha is real, with {@code flag} beta too. */
    ROT("x-x--"),
    /** Vectors: c := alpha·a + c; alpha = 0 reads nothing. */
    AXPY("r-x--"),
    /** Vector: c := alpha·c; {@code flag}: alpha is real although c is complex. NaN in c stays NaN even for alpha = 0. */
    SCAL("--x--"),
    /** Vector of any type, integers too: c := alpha. */
    FILL("--w--"),
    /** Matrix m×n: c := a. */
    COPY_MATRIX("r-w--"),
    /** Matrix m×n: c := beta·c; beta = 0 overwrites without reading. */
    SCAL_MATRIX("--x--"),
    /** The triangle {@code uplo} of c (n×n) := beta·c; beta = 0 overwrites; {@code flag}: Hermitian, the diagonal ends real. */
    SCAL_TRIANGLE("--x--"),
    /** d := Σ aᵢ·bᵢ, or conj(aᵢ)·bᵢ with {@code flag}. {@code work}: one double (two for complex types) a block of the traits' reduction block and problem, or none. */
    DOT("rr-w-"),
    /** d (real) := Σ |re aᵢ| + |im aᵢ|. {@code work}: one double a block and problem, or none. */
    ASUM("r--w-"),
    /** d (real) := ‖a‖₂ without avoidable overflow or underflow. {@code work}: one double a block and problem, or none. */
    NRM2("r--w-"),
    /** d (I64) := 1-based index of the first element with the largest |re| + |im|, 0 if n = 0; NaN counts as largest. */
    IAMAX("r--w-"),
    /** d (I64) := 1-based index of the first element with the smallest |re| + |im|, 0 if n = 0. */
    IAMIN("r--w-"),
    /** c := alpha·opA(a)·b + beta·c, a is m×n. {@code work}: see the routine; may be 0. */
    GEMV("rrx--"),
    /** c (m×n) := alpha·a·bᵀ + c, or a·bᴴ with {@code flag}. */
    GER("rrx--"),
    /** c := alpha·a·b + beta·c, a symmetric n×n in triangle {@code uplo}, Hermitian with {@code flag}. */
    SYMV("rrx--"),
    /** c := opA(a)·c, a triangular n×n. {@code work}: n elements a problem, or 0. */
    TRMV("r-x--"),
    /** Solves opA(a)·x = c, x overwrites c. */
    TRSV("r-x--"),
    /** c (m×n) := alpha·opA(a)·opB(b) + beta·c with inner dimension k; alpha = 0 or k = 0 reads neither a nor b, beta = 0 overwrites c. {@code work}: packing, any size from 0. */
    GEMM("rrx--"),
    /** c (m×n) := alpha·a·b + beta·c (LEFT) or alpha·b·a + beta·c, a symmetric (Hermitian with {@code flag}) in {@code uplo}; needs no work, for small blocks. */
    SYMM("rrx--"),
    /** Triangle {@code uplo} of c (n×n) := alpha·opA(a)·opA(a)ᵀ + beta·c ({@code ᴴ} and a real diagonal with {@code flag}); needs no work, for small blocks. */
    SYRK("r-x--"),
    /** c (m×n) := alpha·opA(a)·c (LEFT) or alpha·c·opA(a), a triangular; needs no work, for small blocks. */
    TRMM("r-x--"),
    /** c (m×n) := alpha·opA(a)·b (LEFT) or alpha·b·opA(a), a triangular; c apart from b, or a problem's c is its b; alpha = 0 reads neither a nor b. How far one launch goes at the speed of GEMM is its {@link Reach}. */
    TRMM_APART("rrw--"),
    /** Solves opA(a)·X = alpha·c (LEFT) or X·opA(a) = alpha·c, a triangular, X overwrites c (m×n); alpha = 0 does not read a; needs no work, for small blocks. */
    TRSM("r-x--"),
    /** Triangle {@code uplo} of c (n×n) := inverse of the triangle of c; {@code diag}. Needs no work, for small blocks. */
    TRTRI("--x--"),
    /** Full n×n c := the matrix stored in triangle {@code uplo} of a: triangular ({@code p = 0}; zeros elsewhere, {@code diag}), symmetric ({@code p = 1}) or Hermitian ({@code p = 2}). */
    EXPAND("r-w--"),
    /** Triangle {@code uplo} of c (n×n) := a + beta·c; {@code flag}: Hermitian, the diagonal ends real. */
    ADD_TRIANGLE("r-x--"),
    /** Triangle {@code uplo} of c (n×n) := that of a; with {@code diag} UNIT the diagonal := 1 and a's is not read. A problem whose c is its a is left alone. */
    COPY_TRIANGLE("r-x--"),
    /** LU with partial pivoting of the m×n panel c. d (I64) := p + 1-based pivot rows, e := p + 1-based column of the first zero pivot if e was 0 and there is one. */
    GETF2("--xwx"),
    /**
     * Row interchanges on c (m×n): rows p…q-1 with d[i] - k - 1 (d: 1-based pivots, k: the row of the whole matrix that row 0 of c is); {@code flag}: backward.
     * Where a pivot names no row of c, all of c becomes NaN and nothing else is touched. e, where there is one and the launch is not guarded by it, :=
     * 0, or {@link #WRONG_PIVOTS} there.
     */
    LASWP("--xrw"),
    /** Cholesky of triangle {@code uplo} of c (n×n); e := p + 1-based order of the first minor that is not positive definite, the problem is then left there. Always skips problems whose e is not 0. */
    POTF2("--x-x");

    /** What {@link #LASWP} reports of a problem with a pivot that is no row: ipiv is the sixth argument of LAPACK's getrs. */
    public static final int WRONG_PIVOTS = -6;

    private final String access;
    private final int operands;

    Kernel(String access) {
        this.access = access;
        int used = 0;
        for (int i = 0; i < access.length(); i++) {
            used |= access.charAt(i) != '-' ? 1 << i : 0;
        }
        operands = used;
    }

    /**
     * The operands that the kernel uses.
     *
     * @return bit i is set if it reads or writes operand i, 0…4 for a…e
     */
    public int operands() {
        return operands;
    }

    /**
     * Whether the kernel reads an operand.
     *
     * @param operand 0…4 for a…e
     * @return true if it may read it
     */
    public boolean reads(int operand) {
        return access.charAt(operand) == 'r' || access.charAt(operand) == 'x';
    }

    /**
     * Whether the kernel writes an operand.
     *
     * @param operand 0…4 for a…e
     * @return true if it may write it
     */
    public boolean writes(int operand) {
        return access.charAt(operand) == 'w' || access.charAt(operand) == 'x';
    }
}
