package dev.basalt.spi;

import static dev.basalt.spi.Row.uses;

/**
 * The operations a device must supply. Each works on a batch of {@link Launch#count} problems and on the operands
 * {@code a} to {@code g} of the launch. Each constant is a row: which operands it reads ({@code r}), writes ({@code w}) or both ({@code x}), in that
 * order; what of it is independent; what it costs; what zero scalars leave alone. Element types are those of the launch; a device offers every kernel
 * for s d c z unless said otherwise. Matrices a and c of matrix-vector kernels may be stored as {@link Storage} says where the kernel's line does. With {@link Launch#guarded}, problems whose {@code e} (info, one 32-bit integer a
 * problem) is not zero are skipped.
 */
public enum Kernel {
    /** Vectors: c := a. */
    COPY(uses("r-w").capped().cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS).moves(2, Amount.N)),
    /** Vectors: a and c exchange their elements. */
    SWAP(uses("x-x").capped().cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS).moves(3, Amount.N)),
    /** Vectors: a := alpha·a + beta·c and c := alpha·c - conj(beta)·a, both from the old values; alpha is real, with {@code real} beta too. */
    ROT(uses("x-x").capped().cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS).moves(3, Amount.N).mixes()),
    /** Vectors: c := alpha·a + c; alpha = 0 reads nothing. */
    AXPY(uses("r-x").capped()
            .cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS)
            .moves(3, Amount.N)
            .zero(AlphaRule.ALPHA_READS_AB)
            .mixes()),
    /** Vector: c := alpha·c; {@code real}: alpha is real although c is complex. NaN in c stays NaN even for alpha = 0. */
    SCAL(uses("--x").capped().cut(Axis.ELEMENTS, Part.WHOLE, Part.WHOLE, Part.ELEMENTS).moves(2, Amount.N).mixes()),
    /** Vector of any type, integers too: c := alpha. */
    FILL(uses("--w").capped().cut(Axis.ELEMENTS, Part.WHOLE, Part.WHOLE, Part.ELEMENTS).moves(1, Amount.N)),
    /** Matrix m×n: c := a. */
    COPY_MATRIX(uses("r-w").capped().cut(Axis.MATRIX, Part.MATRIX, Part.WHOLE, Part.MATRIX).moves(2, Amount.MN)),
    /** Matrix m×n: c := beta·c; beta = 0 overwrites without reading. */
    SCAL_MATRIX(uses("--x").capped().cut(Axis.MATRIX, Part.WHOLE, Part.WHOLE, Part.MATRIX).moves(2, Amount.MN)),
    /** The triangle {@code uplo} of c (n×n) := beta·c; beta = 0 overwrites; {@code hermitian}: the diagonal ends real. */
    SCAL_TRIANGLE(uses("--x").capped().moves(1, Amount.NN)),
    /** d := Σ aᵢ·bᵢ, or conj(aᵢ)·bᵢ with {@code conjugated}. {@code work}: one double (two for complex types) a block of the traits' reduction block and problem, or none. */
    DOT(uses("rr-w").capped().cut(Axis.BLOCKS).moves(2, Amount.N).works().mixes()),
    /** d (real) := Σ |re aᵢ| + |im aᵢ|. {@code work}: one double a block and problem, or none. */
    ASUM(uses("r--w").capped().cut(Axis.BLOCKS).moves(1, Amount.N).works()),
    /** d (real) := ‖a‖₂ without avoidable overflow or underflow. {@code work}: one double a block and problem, or none. */
    NRM2(uses("r--w").capped().cut(Axis.BLOCKS).moves(1, Amount.N).works().mixes()),
    /** d (I64) := 1-based index of the first element with the largest |re| + |im|, 0 if n = 0; NaN counts as largest. */
    IAMAX(uses("r--w").capped().moves(1, Amount.N)),
    /** d (I64) := 1-based index of the first element with the smallest |re| + |im|, 0 if n = 0. */
    IAMIN(uses("r--w").capped().moves(1, Amount.N)),
    /** c := alpha·opA(a)·b + beta·c, a is m×n, dense or a band. {@code work}: see the routine; may be 0. */
    GEMV(uses("rrx").capped()
            .cut(Axis.RESULT, Part.MATRIX, Part.WHOLE, Part.ELEMENTS)
            .moves(1, Amount.A_MN)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()
            .mixes()),
    /** c (m×n) := alpha·a·bᵀ + c, or a·bᴴ with {@code conjugated}. */
    GER(uses("rrx").capped()
            .cut(Axis.MATRIX, Part.ROWS, Part.COLUMNS, Part.MATRIX)
            .moves(2, Amount.MN)
            .zero(AlphaRule.ALPHA_READS_AB)),
    /** c := alpha·a·b + beta·c, a symmetric n×n in triangle {@code uplo}, Hermitian with {@code hermitian}; dense, a band or packed. */
    SYMV(uses("rrx").capped().moves(1, Amount.A_NN).zero(AlphaRule.ALPHA_READS_AB).works()),
    /** c := opA(a)·c, a triangular n×n; dense, a band or packed. {@code work}: n elements a problem, or 0. */
    TRMV(uses("r-x").capped().moves(1, Amount.A_NN).works()),
    /** Solves opA(a)·x = c, x overwrites c; a triangular n×n; dense, a band or packed. */
    TRSV(uses("r-x").capped().moves(1, Amount.A_NN)),
    /** c (m×n) := alpha·opA(a)·opB(b) + beta·c with inner dimension k; alpha = 0 or k = 0 reads neither a nor b, beta = 0 overwrites c. {@code work}: packing, any size from 0. */
    GEMM(uses("rrx").capped()
            .cut(Axis.PRODUCT, Part.OP_ROWS, Part.OP_COLUMNS, Part.MATRIX)
            .multiplies(2, Amount.MNK, Bound.PRODUCT)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()
            .mixes()),
    /** c (m×n) := alpha·a·b + beta·c (LEFT) or alpha·b·a + beta·c, a symmetric (Hermitian with {@code hermitian}) in {@code uplo}. {@code work}: packing, any size from 0. */
    SYMM(uses("rrx").capped()
            .cut(Axis.SIDE, Part.WHOLE, Part.MATRIX, Part.MATRIX)
            .multiplies(2, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** Triangle {@code uplo} of c (n×n) := alpha·opA(a)·opA(a)ᵀ + beta·c ({@code ᴴ} and a real diagonal with {@code hermitian}). {@code work}: packing, any size from 0. */
    SYRK(uses("r-x").capped()
            .cut(Axis.TRIANGLE, Part.OP_ROWS, Part.WHOLE, Part.MATRIX)
            .multiplies(1, Amount.NNK, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** c (m×n) := alpha·opA(a)·c (LEFT) or alpha·c·opA(a), a triangular. {@code work}: packing, any size from 0. */
    TRMM(uses("r-x").capped()
            .cut(Axis.SIDE, Part.WHOLE, Part.WHOLE, Part.MATRIX)
            .multiplies(1, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** c (m×n) := alpha·opA(a)·b (LEFT) or alpha·b·opA(a), a triangular; c apart from b, or a problem's c is its b; alpha = 0 reads neither a nor b. How far one launch goes at the speed of GEMM is its {@link Reach}. */
    TRMM_APART(uses("rrw").capped()
            .cut(Axis.SIDE, Part.WHOLE, Part.MATRIX, Part.MATRIX)
            .multiplies(1, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** Solves opA(a)·X = alpha·c (LEFT) or X·opA(a) = alpha·c, a triangular, X overwrites c (m×n); alpha = 0 does not read a. {@code work}: packing, any size from 0. */
    TRSM(uses("r-x").capped()
            .cut(Axis.SIDE, Part.WHOLE, Part.WHOLE, Part.MATRIX)
            .multiplies(1, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** Triangle {@code uplo} of c (n×n) := inverse of the triangle of c; {@code diag}. Needs no work, for small blocks. */
    TRTRI(uses("--x").capped().multiplies(1.0 / 3, Amount.NNN, Bound.BLOCK)),
    /** Full n×n c := the matrix stored in triangle {@code uplo} of a: what it stands for is {@code structure}; a triangular one has {@code diag}. */
    EXPAND(uses("r-w").capped().moves(2, Amount.NN)),
    /** Triangle {@code uplo} of c (n×n) := a + beta·c; {@code hermitian}: the diagonal ends real. */
    ADD_TRIANGLE(uses("r-x").capped().moves(2, Amount.NN)),
    /** Triangle {@code uplo} of c (n×n) := that of a; with {@code diag} UNIT the diagonal := 1 and a's is not read. A problem whose c is its a is left alone. */
    COPY_TRIANGLE(uses("r-x").capped().moves(2, Amount.NN)),
    /** LU with partial pivoting of the m×n panel c. d (I64) := p + 1-based pivot rows, e := p + 1-based column of the first zero pivot if e was 0 and there is one. With k not 0 nobody has set e before, as of {@link #ZERO_DIAGONAL}: devices that work in waves are asked so. */
    GETF2(uses("--xwx").capped().multiplies(1, Amount.MNN, Bound.BLOCK)),
    /**
     * Row interchanges on c (m×n): rows p…q-1 with d[i] - k - 1 (d: 1-based pivots, k: the row of the whole matrix that row 0 of c is); {@code backward}: from the last to the first.
     * Of rows from an m that is capped on there are none.
     * Where a pivot names no row of c, all of c becomes NaN and nothing else is touched. e, where there is one and the launch is not guarded by it, :=
     * 0, or {@link #WRONG_PIVOTS} there.
     */
    LASWP(uses("--xrw").capped()
            .cut(Axis.COLUMNS, Part.WHOLE, Part.WHOLE, Part.MATRIX)
            .moves(4, Amount.ROWS_PQ)
            .scattered()),
    /** Cholesky of triangle {@code uplo} of c (n×n); e := p + 1-based order of the first minor that is not positive definite, the problem is then left there. Always skips problems whose e is not 0. With k not 0 nobody has set e before, as of {@link #ZERO_DIAGONAL}: devices that work in waves are asked so. */
    POTF2(uses("--x-x").capped().multiplies(1.0 / 3, Amount.NNN, Bound.BLOCK)),
    /** The triangle {@code uplo} of c (n×n, dense or packed) := alpha·a·aᵀ + c; {@code hermitian}: a·aᴴ, alpha is real, the diagonal ends real. alpha = 0 reads and writes nothing. Columns p to q - 1 alone if q > 0. */
    SYR(uses("r-x").capped().cut(Axis.SPAN).moves(2, Amount.C_NN).zero(AlphaRule.ALPHA_READS_AB)),
    /** The triangle {@code uplo} of c (n×n, dense or packed) := alpha·a·bᵀ + alpha·b·aᵀ + c; {@code hermitian}: alpha·a·bᴴ + conj(alpha)·b·aᴴ + c, the diagonal ends real. alpha = 0 reads and writes nothing. Columns p to q - 1 alone if q > 0. */
    SYR2(uses("rrx").capped().cut(Axis.SPAN).moves(2, Amount.C_NN).zero(AlphaRule.ALPHA_READS_AB)),
    /**
     * The triangle {@code uplo} of c (n×n) := alpha·opA(a)·opA(b)ᵀ + alpha·opA(b)·opA(a)ᵀ + beta·c; {@code hermitian}: ᴴ, the second product times
     * conj(alpha), beta real, the diagonal ends real. opA is NONE, or TRANS (CONJ_TRANS where Hermitian). {@code work}: packing, any size from 0.
     */
    SYR2K(uses("rrx").capped()
            .cut(Axis.TRIANGLE, Part.OP_ROWS, Part.OP_ROWS, Part.MATRIX)
            .multiplies(2, Amount.NNK, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** The triangle {@code uplo} of c (n×n) := alpha·opA(a)·opB(b) + beta·c with inner dimension k; {@code hermitian}: the diagonal ends real. {@code work}: packing, any size from 0. */
    GEMMT(uses("rrx").capped()
            .cut(Axis.TRIANGLE, Part.OP_ROWS, Part.OP_COLUMNS, Part.MATRIX)
            .multiplies(1, Amount.NNK, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** c (m×n) := diag(b)·a (LEFT) or a·diag(b), b a vector of any increment; c may be a. */
    DGMM(uses("rrw").capped().cut(Axis.MATRIX, Part.MATRIX, Part.DIAGONAL, Part.MATRIX).moves(2, Amount.MN)),
    /** c (m×n) := alpha·opA(a) + beta·opB(b); alpha = 0 does not read a, beta = 0 not b; c may be a where opA is NONE, b where opB is. */
    GEAM(uses("rrw").capped()
            .cut(Axis.MATRIX, Part.OP_MATRIX, Part.OP_MATRIX, Part.MATRIX)
            .moves(3, Amount.MN)
            .zero(AlphaRule.ALPHA_READS_A_BETA_READS_B)),
    /**
     * Real types, halves too. d (m×n), by {@code semiring}: MIN_PLUS, the smallest of beta·c and all alpha·(opA(a)ᵢₗ + opB(b)ₗⱼ); PLUS_MIN, beta·c + Σ min(alpha·opA(a)ᵢₗ,
     * alpha·opB(b)ₗⱼ); l runs to k. alpha = 0 reads neither a nor b, beta = 0 not c: what they multiply counts as 0. NaN wins; d may be c.
     */
    GEAM_EX(uses("rrrw").cut(Axis.MATRIX, Part.OP_ROWS, Part.OP_COLUMNS, Part.MATRIX, Part.MATRIX)
            .multiplies(2, Amount.MNK, Bound.BLOCK)
            .zero(AlphaRule.ALPHA_READS_AB_BETA_READS_C)
            .mixes()),
    /**
     * F64. d (I32, n) := the least power of two above all magnitudes of each column of opA(a) (m×n), as an exponent, at least -1022; {@link #NO_EXPONENT} of a column of zeros. e := 1 where an
     * element is infinite or not a number.
     */
    EXPONENTS(uses("r--wx").cut(Axis.COLUMNS, Part.OP_COLUMNS, Part.WHOLE, Part.WHOLE, Part.ELEMENTS)
            .moves(1, Amount.MN)),
    /**
     * F64. Integers of p bits, column j of opA(a) (m×n) times 2 to the power of p less the exponent d (I32, n), leave c (I8): columns from t·k on := the remainders of division by the t-th of the
     * {@link Moduli}, between minus and plus one half of it. c may have more rows than m, which become 0. With p = 0 c := their magnitudes in 7 bits, rounded down, of {@link Moduli#RUN}
     * neighbouring elements of each q·{@link Moduli#RUN}.
     */
    RESIDUES(uses("r-wr").cut(Axis.COLUMNS, Part.OP_COLUMNS, Part.WHOLE, Part.MATRIX, Part.ELEMENTS)
            .moves(8, Amount.MN)),
    /** F64. c (I8, m×n) := the remainders of a (I32) of division by p, one of the {@link Moduli}, between minus and plus one half of it. */
    MODULO(uses("r-w").cut(Axis.MATRIX, Part.MATRIX, Part.WHOLE, Part.MATRIX).moves(1, Amount.MN)),
    /**
     * F64. e := 1 where an element of a (I32, m×n) is less than {@link Moduli#least} of p bits, unless the exponent of its row, d (I32, m), or of its column, b (I32, n), is that of zeros: by
     * magnitudes of {@link #RESIDUES}, where integers are rounded by more than k products in double may be.
     */
    FAINT(uses("rr-rx").moves(0.5, Amount.MN)),
    /**
     * F64. c (m×n) := alpha·x + beta·c, where x is the integer of which a (I8) has the remainders of division by the {@link Moduli}, those of one in columns from t·k on, times 2 to the power of the
     * exponents of its row, d (I32, m), and of its column, b (I32, n), less 2p. beta = 0 overwrites c.
     */
    RECONSTRUCT(
            uses("rrxr").cut(Axis.COLUMNS, Part.MATRIX, Part.ELEMENTS, Part.MATRIX, Part.WHOLE).moves(8, Amount.MN)),
    /**
     * Householder QR of the m×n panel c, m ≥ n: R, and below it the reflectors; d := their n factors tau, as LAPACK's geqr2. b, where there is one, is n×n: its upper triangle := T of I -
     * V·T·Vᴴ = H₁…Hₙ, below that anything. c is read as {@code opB} says: CONJ_TRANS has the reflectors in rows (LQ); with {@code backward} from the last row
     * and column on (QL, RQ): the last factor is that of the first reflector, and T is a lower triangle.
     */
    GEQR2(uses("-wxw").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /**
     * c (m×n) := op(H₁…Hₖ)·c (LEFT) or c·op(H₁…Hₖ), the reflectors of a and their factors d as {@link #GEQR2} left them; {@code opA} is NONE or CONJ_TRANS;
     * {@code opB} and {@code backward} as there.
     */
    ORM2R(uses("r-xr").cut(Axis.SIDE, Part.WHOLE, Part.WHOLE, Part.MATRIX, Part.WHOLE)
            .multiplies(2, Amount.MNK, Bound.BLOCK)),
    /** c (m×n, m ≥ n ≥ k) := the first n columns of H₁…Hₖ, from the reflectors in c's first k columns and their factors d; {@code opB} and {@code backward} as in {@link #GEQR2}. */
    ORG2R(uses("--xr").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /**
     * c (n×n) := Q of a reduction to tridiagonal or Hessenberg form, from its reflectors and their factors d. They lie in c from row and column p to before q, 0-based, and each begins one row below
     * its column; with {@code backward} as a mirrored matrix has them. Around that range c is the identity. m is n.
     */
    ORGTR(uses("--xr").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /** The triangle of c (n×n) := that of a standard eigenproblem with the Cholesky factor a of the other matrix of a generalised one, as {@code itype} says. b is n×n scratch; m is n. */
    SYGST(uses("rwx").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /**
     * The upper triangle of c (n×n) := T of the block reflector of a (m×n) and its factors d; {@code opB} and {@code backward} as in {@link #GEQR2}. Without a
     * the triangle of c holds VᴴV.
     */
    LARFT(uses("r-xr").multiplies(1, Amount.MNN, Bound.BLOCK)),
    /**
     * F·X = B by least squares, or with {@code opA} CONJ_TRANS the solution of least norm of Fᴴ·X = B, for a small m×n F, m ≥ n, that a holds as {@code opB} says: NONE as it is, CONJ_TRANS its
     * conjugate transpose. a := R and the reflectors, d := their factors, as {@link #GEQR2}; c (m×k) := X, in least squares with what the residuals are made of behind it; e := 1-based place of the
     * first zero on R's diagonal, c is left alone then, or 0. Numbers near the ends of the range are scaled as by {@link #RESCALE}.
     */
    GELS(uses("x-xww").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /** e := p + 1-based place of the first element of the diagonal of c (n×n) that is exactly zero, or p + q if q is not 0, if e was 0 and there is one. With k not 0 nobody has set e before: it becomes 0 where there is none. */
    ZERO_DIAGONAL(uses("--r-x").moves(8, Amount.N)),
    // LAPACK: norms, copies, scaling
    /**
     * b (vector of F64) := what {@code norm} takes the largest of: of each column of a (m×n) the largest modulus (MAX), their sum (ONE) or the root of the sum of their
     * squares (FRO), or of each row their sum (INF). NaN wins. Elements of a more than p below the diagonal or more than q above it are zero and not read.
     * {@code structure}, where it is not TRIANGULAR, is that of the triangle {@code uplo} of a, which alone is read; with {@code diag} UNIT the diagonal is 1 and not read.
     */
    NORM_LINES(uses("rw").moves(1, Amount.MN)),
    /** d (real) := the {@code norm} of a (m×n), without avoidable overflow or underflow; NaN wins. What a stands for is said as for {@link #NORM_LINES}. */
    NORM(uses("r--w").moves(1, Amount.MN)),
    /** d (real) := the {@code norm} of a symmetric or Hermitian tridiagonal matrix of order n: diagonal a (real), n - 1 elements beside it c. NaN wins. */
    NORM_TRIDIAGONAL(uses("r-rw").moves(3, Amount.N)),
    /** The {@code region} of c (m×n): elements of the main diagonal := beta, others := alpha. */
    LASET(uses("--w").moves(1, Amount.MN)),
    /**
     * The {@code region} of c (m×n) := (beta / alpha)·c, both real, without overflow or underflow of the quotient; e := 0. Where alpha is 0 or NaN e := -4, else where beta is NaN e :=
     * -5, and c is left alone.
     */
    LASCL(uses("--x-w").moves(2, Amount.MN)),
    /**
     * The {@code region} of c (m×n) times a power of two that brings the norm a (real) between the smallest number over the precision and its reciprocal: no power where it is there already, 0, infinite or NaN.
     * {@code backward}: divided by it. Then divided by that of the norm b (real), if there is one; rows from the p-th on are divided by that alone. With f (I64) m and n are no more than f says.
     */
    RESCALE(uses("rrx--r").moves(2, Amount.MN)),
    /**
     * A step of the estimate of ‖X‖₁ by products with X and Xᴴ, which lie between the steps. Vectors of n elements: c is multiplied, b holds signs; d (real) is the estimate times a scale, f (I64)
     * the index of the last unit vector, e 1 once the steps COLUMN and SIGNS have no more to do. The scale is the power of two below the root of g (real), 1 if there is no g or none below it.
     * {@code p} names the step: {@link #START}, {@link #FIRST}, {@link #COLUMN}, {@link #SIGNS}, {@link #ALTERNATING}, {@link #LAST}; {@code q} counts the unit vectors.
     */
    LACN2(uses("-xxxxxr").moves(4, Amount.N)),
    /**
     * d (real) := 1 / (a·‖X‖₁), with the norm a (real) and the estimate d that {@link #LACN2} made with it; 0 if a is 0 or the estimate infinite. e := 0; p where a is NaN, infinite or
     * negative, and d is then NaN or 0; 1 and d := 0 where the estimate is NaN.
     */
    RCOND(uses("r--xw").moves(4, Amount.N)),

    // LAPACK: LU
    /** LU without interchanges of the n×n block c; e := p + 1-based column of the first zero pivot, the problem is then left there. Always skips problems whose e is not 0. With k not 0 nobody has set e before, as of {@link #ZERO_DIAGONAL}: devices that work in waves are asked so. */
    GETF2_NPVT(uses("--x-x").multiplies(2.0 / 3, Amount.NNN, Bound.BLOCK)),
    /** c (n×n) := the inverse of what was factored into the L and U that c holds, with the pivots d, or without any where d is absent. Where a pivot names no column, c becomes NaN. */
    GETRI(uses("--xr").multiplies(4.0 / 3, Amount.NNN, Bound.BLOCK)),
    /** Interchanges of columns of c (m×n), from the last to the first: j with d[j] - 1 (d: 1-based pivots). Where a pivot names no column, all of c becomes NaN. */
    SWAP_COLUMNS(uses("--xr").cut(Axis.ROWS, Part.WHOLE, Part.WHOLE, Part.MATRIX).moves(4, Amount.MN)),

    // LAPACK: Cholesky
    /** The triangle {@code uplo} of c (n×n) := LᴴL of the lower triangle L that is there, or UUᴴ of the upper one. For small blocks. */
    LAUUM(uses("--x").multiplies(1.0 / 3, Amount.NNN, Bound.BLOCK)),
    /** The triangle {@code uplo} of c (n×n) := that of a. Each of the two is dense or packed. */
    COPY_STORED(uses("r-w").moves(1, Amount.NN)),
    /** As {@link #POTF2} for a c that is packed or a band. {@code work}: n×n elements, in which a packed one is factored faster, or none. */
    POTF2_STORED(uses("--x-x").multiplies(1, Amount.C_NN_COLUMN, Bound.BLOCK).works()),
    /**
     * Cholesky of the packed triangle {@code uplo} of a, as {@link #POTF2}, and then c (n×k, k > 0) := A⁻¹·c. e := 1-based order of the first minor that is not
     * positive definite, whose problem keeps c, or 0. {@code work} as there.
     */
    POSV_STORED(uses("x-x-w").multiplies(1.0 / 3, Amount.NNN, Bound.BLOCK).works()),
    /**
     * The packed triangle {@code uplo} of c (n×n) := that of A⁻¹, from the factor of A that is there. e := 1-based place of the first element of its diagonal
     * that is exactly zero, if e was 0 and there is one; such a problem is left as it is. {@code work}: n×n elements, or none.
     */
    POTRI_STORED(uses("--x-x").multiplies(2.0 / 3, Amount.NNN, Bound.BLOCK).works()),
    /**
     * L·D·Lᴴ of the positive definite tridiagonal matrix with the real diagonal a (n elements) and the subdiagonal c (n - 1), in place. e := p + 1-based order of
     * the first minor that is not positive definite, if e was 0 and there is one; the problem is then left there.
     */
    PTTRF(uses("x-x-x").moves(4, Amount.N)),
    /** c (n×k) := A⁻¹·c for A = L·D·Lᴴ with the real diagonal a of D and the subdiagonal b of L; with {@code uplo} UPPER A = Uᴴ·D·U, b the superdiagonal of U. */
    PTTRS(uses("rrx").moves(8, Amount.NK)),

    // LAPACK: LDL
    /**
     * LDLᵀ of the triangle {@code uplo} of c (n×n, dense or packed), LDLᴴ with {@code hermitian}, by diagonal {@code pivoting}, without blocks. d (I64) := LAPACK's pivots:
     * 1-based rows, both negative for a 2×2 block. All kernels of such factors are told how they were chosen. e := 1-based column of the first pivot that is zero or not a number, if e was 0 and there is one.
     */
    SYTF2(uses("--xwx").multiplies(1.0 / 3, Amount.NNN, Bound.BLOCK)),
    /**
     * Columns p to q - 1 of the same factorisation of a dense c (n×n), counted from the last one for an upper triangle, from the panels before. A 2×2 block may take column q as well: f
     * (I64) := the number of columns that are done, q or q + 1. a and b (n×(q - p + 1), counted as c is): rows from q on := L and the conjugate of L·D, whose product is to be taken off
     * c from row and column q on. Both have zeros where a column, or row q, is none of the panel.
     */
    LASYF(uses("wwxwxx").multiplies(1, Amount.N_PQ_PQ, Bound.BLOCK)),
    /**
     * Columns p to q - 1 of P·c·Pᵀ = L·T·Lᵀ of the dense triangle {@code uplo} of c (n×n), Lᴴ with {@code hermitian}, T tridiagonal (Aasen); what is behind the columns before is up to date. d (I64) :=
     * 1-based rows for {@link #LASWP}, for the unknown behind each column, and for the first one. c has T, and below it L one column to the left; an upper triangle their transposes. a and b
     * (n×(q - p + 1)): rows from q on := L and the conjugate of T·Lᴴ; L times the transpose of the latter is to be taken off c from row and column q on, for an upper triangle the transpose of
     * that. Without a q is n, and b scratch of q - p elements.
     */
    AASEN(uses("wwxw").multiplies(1, Amount.MNN, Bound.BLOCK)),
    /** Solves A·X = c (m×n) from the factors a (m×m, triangle {@code uplo}, dense or packed; {@code hermitian}) and pivots d (I64), pivot by pivot. Where d holds no pivots, c becomes NaN. */
    SYTRS(uses("r-xr").cut(Axis.COLUMNS, Part.WHOLE, Part.WHOLE, Part.MATRIX)
            .multiplies(2, Amount.MN_ORDER, Bound.BLOCK)),
    /**
     * The triangle {@code uplo} of c (n×n) := L of the factors a and pivots d (I64) with all interchanges, A = Pᵀ·L·D·Lᴴ·P, but for its unit diagonal. f (n of I64) := the interchanges of P for {@link
     * #LASWP}, backward for an upper triangle; 0 where d holds no pivot.
     */
    SYCONV(uses("r-wr-w").moves(2, Amount.NN)),
    /** c (m×n) := D⁻¹·c, D of the factors a (m×m, triangle {@code uplo}; {@code hermitian}) and pivots d (I64). Where d holds no pivots, c becomes NaN. */
    D22SOLVE(uses("r-xr").cut(Axis.COLUMNS, Part.WHOLE, Part.WHOLE, Part.MATRIX).moves(4, Amount.MN)),
    /**
     * The triangle {@code uplo} of c (n×n, dense or packed) := A⁻¹ from the factors in c ({@code hermitian}) and pivots d (I64). b: n elements of scratch. Where a pivot is
     * zero, e := its 1-based column if e was 0, and c is unchanged; where d holds no pivots, {@link #WRONG_FACTORS} or {@link #WRONG_PACKED}, and c becomes NaN. With q = 1 that is all
     * that is done, without b.
     */
    SYTRI(uses("-wxrx").multiplies(2.0 / 3, Amount.NNN, Bound.BLOCK)),

    // LAPACK: bands and tridiagonals
    /**
     * LU with partial pivoting of the band c (m×n), column by column; its ku counts the kl diagonals for fill, which are cleared first. d (I64) := p + 1-based pivot rows, e := p + 1-based column of
     * the first zero pivot if e was 0 and there is one. Rows are interchanged right of the pivot only, as LAPACK's gbtf2 does.
     */
    GBTF2(uses("--xwx").multiplies(1, Amount.C_BAND_LU, Bound.BLOCK)),
    /** c (m×n) := a, where a or c is a block of a band: what lies outside of the band is read as 0 and not written. */
    COPY_BAND(uses("r-w").moves(2, Amount.MN)),
    /**
     * c (m×n), a block of a band, := the panel a that GETF2 factored, with its multipliers as LAPACK's gbtrf leaves them: where they were before later pivots
     * moved their rows. d (1-based pivots, k: the row of the whole matrix that row 0 of c is). a is overwritten.
     */
    UNPIVOT_BAND(uses("x-wr").moves(4, Amount.MN)),
    /**
     * Solves opA(a)·X = c from the factors a (a band, n×n) and pivots d that {@link #GBTF2} left; X overwrites c (n×m). Where a pivot is no row, all of c becomes NaN.
     */
    GBTRS(uses("r-xr").multiplies(1, Amount.A_NN_M, Bound.BLOCK)),
    /** LU with partial pivoting of a tridiagonal matrix, as LAPACK's gttrf: diagonals a (below), b (the main one) and c (above) of n - 1, n and n - 1 elements, f := the second one above; d, e as in GETF2. */
    GTTRF(uses("xxxwxw").moves(8, Amount.N)),
    /** Solves opA(A)·X = c from what {@link #GTTRF} left: a, b, f (its c), g (its f), d; X overwrites c (n×m). */
    GTTRS(uses("rrxr-rr").moves(8, Amount.MN)),
    /**
     * Solves A·X = c with the tridiagonal matrix of the diagonals a (below), b and f (above), vectors of any increment; X overwrites c (n×m), or a vector of any increment.
     * a, b and f become what LAPACK's gtsv leaves there; e as in GETF2.
     */
    GTSV(uses("xxx-xx").moves(8, Amount.MN)),

    // LAPACK: refinement
    /**
     * Scales that make the largest elements (by |re| + |im|) of the rows and columns of a (m×n) 1: b (real, m) of rows, d (real, n) of columns; f and g (real) := the smallest over the
     * largest of each, c (real) := the largest element. e := 0, i where row i is the first that is zero, or m + j where column j is; what comes after is then not set.
     */
    GEEQU(uses("rwwwwww").moves(2, Amount.MN)),
    /** b (real, n) := 1/√ of the diagonal of a; f (real) := the root of the smallest over the largest, c (real) := the largest. e := 0, or i where element i is the first that is not positive. */
    POEQU(uses("rww-ww").moves(8, Amount.N)),
    /**
     * c (m×n) := diag(a)·c·diag(b) as far as that pays: rows by the real vector a where d, the number of {@link #GEEQU} about rows, is below 0.1 or the largest element g near the ends of the range;
     * columns by b where f is below 0.1. e (I64) := 1 for rows, + 2 for columns. {@code structure} other than TRIANGULAR: only the triangle {@code uplo} of c, by a on both sides or not at all.
     */
    LAQGE(uses("rrxrwrr").moves(2, Amount.MN)),
    /** d (real, m×n) := |op(a)|·|b| + |c| by |re| + |im|, a of order m: as it is, or the symmetric or Hermitian matrix of its triangle {@code uplo} by {@code structure}. */
    GEMV_ABS(uses("rrrw").multiplies(1, Amount.MN_ORDER, Bound.MEMORY)),
    /**
     * A step of iterative refinement with n unknowns and k right-hand sides: {@code p} is {@link #BACKWARD}, {@link #CORRECT}, {@link #BOUND}, {@link #WEIGH} or {@link #FORWARD}. Matrices n×k: a holds residuals or
     * corrections, b (real) what {@link #GEMV_ABS} made, c the solutions. f (real, k): what the backward error was, negative where a column is done; e: 1 where all are.
     * BACKWARD: d (real, k) := the backward errors. CORRECT: c += a where a column is not done. BOUND: b := what residuals may be at most. WEIGH: c := b·c, element by element. FORWARD: d :=
     * d over the largest of c. q counts from 1.
     */
    GERFS(uses("rxxxxx").moves(4, Amount.N)),
    /** c (m×n) := diag(a)·c, a real, where f (I64) has the bit p: the scales of a right-hand side or a solution. */
    SCALE_ROWS(uses("r-x--r").moves(2, Amount.MN)),
    /**
     * What an expert driver decides beside its matrices, of order n with k right-hand sides; {@code p} names the step.
     *
     * <p>{@link #GIVEN}: scales of rows a and of columns b (real, n each) that f (I64) says are used, + 1 for rows and + 2 for columns; without b for both by a. c (real, 2) := the smallest over the
     * largest of each, 1 where it is not used. e := 0; -q where f is no such number, -q - 1 where a scale of a is not positive, else -q - 2 where one of b is not.
     * {@link #UNSCALED}: c (real, 3) := 1 where e is not 0. {@link #GROWTH}: d (real) := the largest of a over the largest of b (F64, n each), or 1 if that is 0; only their first e where e is
     * positive. g (I32) := e. Without a there is no d. {@link #REPORT}: where e is not 0, d := 0. Else b (real, k) := b over element q - 1 of a where f has the bit
     * q, and e := n + 1 where d is below half a unit of 1, or NaN.
     */
    GESVX(uses("rxxxxrw").moves(4, Amount.N)),
    /**
     * Matrix m×n: c := diag(b)·a·diag(d), whose elements have the other of two precisions; b and d are of F64, and 1 where they are absent. e := p where an element is too
     * large for c, or infinite, if e was 0; c is then anything there.
     */
    CONVERT(uses("rrwrx").cut(Axis.MATRIX, Part.MATRIX, Part.ROWS, Part.MATRIX, Part.COLUMNS).moves(3, Amount.MN)),
    /** The triangle {@code uplo} of c (n×n) := that of a, as {@link #CONVERT}. */
    CONVERT_TRIANGLE(uses("r-w-x").moves(1.5, Amount.NN)),
    /**
     * The triangle {@code uplo} of c (F64, n×n) := that of a (n×n) if it is real. Of a complex a each element becomes the block [re −im; im re] of c, which has twice the order, and
     * the diagonal of a counts as real. That keeps products, so the Cholesky factor of a real form is the real form of the factor.
     */
    TO_REAL(uses("r-w").moves(3, Amount.NN)),
    /** The triangle {@code uplo} of c (n×n) := that of which a (F64) is the real form, see {@link #TO_REAL}. e: a number of a row of a becomes that of the row of c it is in, both counted from {@code p}; problems where e is not 0 and at most p are left alone. */
    FROM_REAL(uses("r-w-x").moves(3, Amount.NN)),
    /** c (real, m elements one after the other) := the sums of the absolute values of each row of a (m×n), or with b (real) of the |re| + |im| of a·diag(b). */
    ROW_SUMS(uses("rrw").cut(Axis.RESULT, Part.MATRIX, Part.WHOLE, Part.ELEMENTS).moves(1, Amount.MN)),
    /** The same of the symmetric or Hermitian matrix whose triangle {@code uplo} is that of a (n×n). */
    SYMMETRIC_SUMS(uses("r-w").moves(1, Amount.NN)),
    /**
     * Whether a refinement has come to its end: b (n×k) is the residual of the solution c of a matrix whose sums of rows are a. Where every column of b is at
     * most √n·ε·‖a‖·‖that of c‖, by the largest |re| + |im|, n at least {@link #LEAST_TERMS}, e := {@link #REFINED} and f (I64) := p. Where a column has NaN e := {@link #OVERFLOWN};
     * else e := q. Always skips problems whose e is not 0.
     */
    CONVERGED(uses("rrr-xw").moves(2, Amount.NK)),
    /**
     * Between a first way and what is done where it failed. p = 0: where e is not {@link #REFINED}, f (I64) := e, or {@link #NOT_FACTORED} where e is positive,
     * and e := 0. p = 1: where e is REFINED, e := 0. p = 2: f (I32) := REFINED where e is 0, else f := 0 and e := 0. p = 3: e := f (I32) where that is not REFINED.
     */
    FALL_BACK(uses("----xx").moves(1, Amount.NONE)),
    /**
     * A step of FGMRES (Saad, "A flexible inner-outer preconditioned GMRES algorithm", 1993) for k right-hand sides of D₁·A·D₂·y = D₁·b of order n, x = D₂·y, by at most m directions a cycle.
     * Doubles and complex doubles. Steps of k columns of n elements: of a the basis V, m + 1 of them; of b the directions W = D₂·M⁻¹·V, m of them. c: the solutions X. g (F64, 2n): D₁ and D₂.
     * d (F64): what is known of each column, {@link Gmres#words}. {@code p} names the step:
     *
     * <p>{@link Gmres#BINARY}: the first n elements of g := powers of two near 2^q over them, 1 for 0, infinities and NaN. {@link Gmres#FIRST}: X := 0, and then as {@link Gmres#CYCLE}: the first step
     * of V holds the residuals r of X and becomes the basis of a cycle. e := {@link #REFINED} where ‖D₁·r‖ ≤ √n·ε·alpha·‖y‖ by the largest elements in all columns, alpha about ‖D₁·A·D₂‖; f (I64)
     * := the number of directions if that is more. e := {@link #OVERFLOWN} where r is NaN, else q. {@link Gmres#LEAST}: as CYCLE for least squares: V holds Fᴴ·f₁ - f₂, its second step f₂; b (q×2k)
     * f₁ and then the solutions s of [I F; Fᴴ 0]·[s; x] = [f₁; f₂]. e := REFINED where ‖f₁‖ is small beside ‖s‖ + alpha·‖y‖, and f₂ beside alpha·‖s‖, or s beside alpha·‖y‖ unless
     * {@code hermitian}; else beta. f₁ := 0 in a column that is good, so that it stays so. {@link Gmres#ARNOLDI}: step q + 1 of V holds A·W; it is made orthogonal to those before; e := {@link Gmres#PAUSED} once no column wants another direction.
     * {@link Gmres#SOLUTION}: X += W times what makes the residuals least; e := 0 where it was PAUSED. That one step alone is taken whatever e is, unless that is a verdict.
     */
    FGMRES(uses("xxxxxxx").moves(8, Amount.NK)),

    // LAPACK: orthogonal factorisations
    /** The diagonal of c (n×n) += alpha·a, alpha and a real. */
    SHIFT(uses("r-x").moves(2, Amount.N)),
    /** c (m×n) := conj(c), complex types. */
    CONJUGATE(uses("--x").cut(Axis.MATRIX, Part.WHOLE, Part.WHOLE, Part.MATRIX).moves(2, Amount.MN)),
    /** The reflector of n elements, the first in b, the others in the vector c: b := beta, c := v without its first element 1, d := the factor tau. */
    LARFG(uses("-xxw").moves(3, Amount.N)),
    /**
     * QR of the triangle c (n×n) on top of b (m×n): c := R, b := the reflectors without their ones, d := the n factors. The last p rows of b are an upper trapezoid. With
     * {@code opB} not NONE c and b are read as their transposes; {@code conjugated}: their reflectors end as conjugates. {@code backward}: from the last column on, c is a
     * lower triangle as it is read. Without b its place is behind the n rows of c, of which m are read. With f (I64) n is no more than f says. Where b has no rows the factors are 0.
     */
    TPQRT2(uses("-xxw-r").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /**
     * c (m×n) := op(Z)·c (LEFT) or c·op(Z), Z = H₁…Hₖ; {@code opA} is NONE or CONJ_TRANS. Reflector i is a one in place i and the last p elements of row i of a; d: its factors.
     * With f (I64) k is no more than f says, p is the order less that, and rows of c from the k-th on are cleared before; all q rows where f is 0.
     */
    TPMQR2(uses("r-xr-r").multiplies(2, Amount.MNK, Bound.BLOCK)),
    /**
     * Prepares c (m×n) for QR with column pivoting. The columns whose f (I64) is not zero come first; f := the columns' numbers from 1. a (real, 2n + 1 elements) := the norms of
     * the columns twice, and how many come first.
     */
    GEQP3_START(uses("w-x--x").moves(1, Amount.MN)),
    /**
     * Begins column q of QR with column pivoting of c (m×n): exchanges it with that of the largest norm in a, unless it must come first; brings it up to date with the columns from
     * p on; makes its reflector, whose first element ends as 1. b: what is left of the products of the panel, row i for column p + i; d: factors; f: numbers of columns.
     */
    LAQPS_COLUMN(uses("xxxx-x").multiplies(1, Amount.M_SPAN, Bound.BLOCK)),
    /**
     * Ends that column, of which b has the products with columns behind it: takes off the panel's part, brings row q of c and the norms in a up to date. A norm that has lost its
     * digits is computed again.
     */
    LAQPS_ROW(uses("xxxr").multiplies(2, Amount.MN_SPAN, Bound.BLOCK)),
    /**
     * QR with column pivoting of a small c (m×n), whole: what {@link #GEQP3_START} does, and then column after column. d: factors; f: numbers of columns, those that must come first not zero before. a
     * (real, 2n + 1 elements) and b (n elements): scratch.
     */
    GEQP3(uses("wwxw-x").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /**
     * Matrix m×n: c := numbers that are like Gaussian ones of deviation 1/8, by place: the heads of 64 coins less 32, over 32. The coins of a place are the same on every device and in
     * every problem.
     */
    GAUSSIAN(uses("--w").moves(4, Amount.MN)),
    /**
     * Chooses columns p to q - 1 of QR with column pivoting of c (m×n) by the columns of b (k×(n - p)), which stand for those from p on: each is the one of which most is left behind those
     * chosen before, unless it must come first. Columns of c and b and the numbers f (I64) are exchanged. g (real): how many come first. a (real, n×3): what is left of each column, what was
     * left when that was computed last, and what there was when b was new. d: (q - p + 1)·(k + 1) + n elements of scratch. With e b is new where e is 0; e := 0 where a column has lost half of
     * its digits since then, else 1.
     */
    CHOOSE_COLUMNS(uses("xxxwxxr").multiplies(2, Amount.N_SPAN_K, Bound.BLOCK)),
    /**
     * d (I64) := the rank of the upper triangle c (n×n): the largest leading block whose condition stays below 1 / alpha, alpha real. a: 2n elements of scratch. Incremental
     * estimation (Bischof, "Incremental condition estimation", 1990).
     */
    RANK(uses("w-rw").moves(1, Amount.NN)),
    /** Row d[i] (I64, from 1) of c (m×n) := row i of a. A number that names no row is left out. */
    PERMUTE_ROWS(uses("r-wr").moves(2, Amount.MN)),

    // LAPACK: singular values
    /**
     * c (m×n) := its bidiagonal matrix and the reflectors that make it, as LAPACK's gebd2. With {@code opB} not NONE
     * that is lower bidiagonal and rows have the first reflectors; then m ≤ n, else m ≥ n. a (real) := the diagonal, b (real) := the elements beside
     * it; d and f := the factors of the reflectors of columns and of rows. g: three times max(m, n) elements of scratch. {@link LabrdWork} says how much workspace
     * blocks that share a problem want; without it each has one.
     */
    GEBD2(uses("wwxw-wx").multiplies(4, Amount.MNN, Bound.BLOCK).works()),
    /**
     * One reflector of a bidiagonal reduction. b holds n elements, one after the other, and becomes the vector v, whose first element is 1. c (a vector of n elements) := beta
     * and what follows v's first element, or its conjugate with {@code conjugated}. a (real) := beta, d := the factor tau, g (n elements) := tau·v.
     */
    LABRD(uses("wxww--w").moves(5, Amount.N)),
    /**
     * The first k columns and rows of a bidiagonal reduction of c (m×n, m ≥ n), one after the other; what is behind them stays as it was and is to become c - L·Rᴴ. a, b, d and f as for {@link #GEBD2}. g (2k·(m + n) elements) := L (m×2k) and behind it
     * R (n×2k), in pairs of columns v, x and y, u, of which rows above the panel's are not touched. {@link LabrdWork} says how much workspace blocks that share a panel want.
     */
    LABRD_PANEL(uses("wwxw-ww").moves(1, Amount.MNK).works()),
    /**
     * Singular values of a real bidiagonal matrix of order n by implicit QR without shift where that costs digits (Demmel and Kahan, "Accurate singular values of bidiagonal matrices",
     * 1990). f (real, 2n): the diagonal, then the elements beside it, above with {@code uplo} UPPER. Rotations go to the rows of a (n×m), the columns of b (p×n) and
     * the rows of c (n×k), where there are such; with {@code opA} not NONE a is read as m×n and its columns are rotated. g (real, 6n elements for each that share lines) := singular values, largest first, then what is left beside the diagonal.
     * e := 0, or how many of those are not zero when q·n² rotations were not enough; n if d or e are not finite, and the values are then NaN. Without vectors a device may find all values by other means, to as many digits.
     */
    BDSQR(uses("xxx-wrx").multiplies(4, Amount.NN_LINES, Bound.BLOCK)),
    /**
     * Real types. A step of divide and conquer for the upper bidiagonal matrix of order n - 1 with a row and a column of zeros behind it: a (n) is its diagonal, b (n - 1) what is beside it, both with a zero at the end. Leaves, levels and
     * steps are those of {@link #STEDC}, and so are f and g (8n + 16). c (n×2n) := left and right vectors, d: room for products of each, one behind the other. At the end a := the singular values, largest first, and the two
     * places in d the vectors in that order, (n - 1)×(n - 1). e := e plus how many elements have not converged; n - 1 more where a or b are not finite, and a is then NaN.
     */
    BDSDC(uses("xxxxxxx").multiplies(25, Amount.NN, Bound.BLOCK)),
    /**
     * One-sided Jacobi (Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958): rotates the columns of c (m×n, m ≥ n) until they are orthogonal, all cosines of
     * their angles at most alpha, or √m units of rounding if that is more, in at most q sweeps. Pairs come by rounds in which no column meets two others. c := the columns with length 1, those of zeros replaced; a
     * (real, n) := their lengths, largest first; b (n×n) := the product of the rotations. f (real) := the largest cosine of the last sweep, g (I64) := sweeps,
     * e := 0, or 1 where they were too few or c is not finite; a is then NaN. With workspace, see {@link JacobiWork}, many blocks share c, or products take the place of rotations by small angles. Then there may be a d (m×n), c·b with a b that is
     * unitary, which does the first sweep where e is 0. With {@code p} {@link #LENGTHS} nothing is rotated: e := 0, or 1 where columns of c are too different in length for this.
     */
    GESVJ(uses("wxxrxww").multiplies(8, Amount.MNN, Bound.BLOCK).works()),
    // LAPACK: nonsymmetric eigenvalues
    /**
     * Balances c (n×n) as {@code balance} says, as LAPACK's gebal: a and b (I64, one element) := the first and the last row, from 1, of what is not triangular; d (real, n) := scales between them, elsewhere the row, from 1, that this one
     * changed places with.
     */
    GEBAL(uses("wwxw").moves(16, Amount.NN)),
    /**
     * Undoes that for eigenvectors, the columns of c (n×m), right ones or with {@code side} LEFT left ones: a and b (I64) and d as there. Without a and b p and q stand for
     * them. What names no row is left out.
     */
    GEBAK(uses("rrxr").moves(4, Amount.MN)),
    /**
     * Balances c and d (n×n) together as {@code balance} says: a and b (I64, one element) as of {@link #GEBAL}; f and g (real, n) := scales of rows and of columns between them, elsewhere the row or column, from 1, that this one changed
     * places with. The permutation is that of LAPACK's ggbal; scales are powers of two.
     */
    GGBAL(uses("wwxx-ww").moves(32, Amount.NN)),
    /** c (n×n) to Hessenberg form, columns p to q - 2, rows p + 1 to q - 1: as LAPACK's gehd2. d (n - 1) := factors of the reflectors of those columns. g: n elements of scratch. */
    GEHD2(uses("--xw--x").multiplies(10.0 / 3, Amount.N_PQ_PQ, Bound.BLOCK)),
    /**
     * Begins column p of k columns of such a reduction. c (m rows) begins one row below the first column's diagonal: the column is brought up to date by reflectors before it, which are in f (m×k, written out), by what multiplies them
     * in b (m×k) and their triangle in g (k×(k + 1)); then its reflector is made, and written to f too. d: its factor. The last column of g is scratch.
     */
    LAHR2_COLUMN(uses("-rxw-xx").moves(4, Amount.NK)),
    /** Ends that column, of which b holds the product of the rest of c with its reflector: its columns of b and g. */
    LAHR2_ROW(uses("-x-r-rx").moves(4, Amount.NK)),
    /**
     * The eigenvalues of c (n×n), upper Hessenberg, by QR iteration in rows p to q - 1, outside of which it is triangular. a and b (real types: real and imaginary parts) or a := the eigenvalues. With {@code job} SCHUR c := its Schur form,
     * LAPACK's. d (n×n), where there is one, := d times the Schur vectors. e := 0, or the number of the last row that has not converged when 30 steps for each were not enough; n if c is not finite. g: scratch, see
     * {@link BulgeWindows}.
     */
    HSEQR(uses("wwxxw-x").multiplies(3, Amount.NNN, Bound.BLOCK).works()),
    /**
     * The eigenvectors of c (n×n), in Schur form: with {@code leftEvect} the left ones to d, with {@code rightEvect} the right ones to f (n×n each), or with ORIGINAL d and f times them. g: scratch of n·(2k + 3) elements, where k vectors
     * are worked on at once.
     */
    TREVC(uses("--rx-xx").multiplies(2, Amount.NNN, Bound.BLOCK).works()),
    /** Moves the block of c (n×n, in Schur form) that has row p, from 0, to the place of that with row q; d (n×n), where there is one, is multiplied by what c is transformed with. e := 0, or 1 where two blocks could not be exchanged. */
    TREXC(uses("--xxw").moves(12, Amount.NN)),
    /**
     * Moves the eigenvalues that {@code select} chooses to the front of c (n×n, in Schur form); d as there. It chooses by a and b, the eigenvalues as in {@link #HSEQR} before the matrix was scaled. f (I64) := how many are chosen. e := n + 1
     * where two blocks could not be exchanged. Without f nothing moves, and a and b := the eigenvalues of c, unless e is from 1 to n.
     */
    TRSEN(uses("xxxxxw").multiplies(6, Amount.NNN, Bound.BLOCK)),
    /**
     * c (m×n) := X of op(a)·X ± X·op(b) = d·c with {@code isgn}, a (m×m) and b (n×n) in Schur form, {@code opA} and {@code opB} for them. d (real, one element) := a factor of at most 1 that keeps X in the range. e := 0, or 1 where
     * eigenvalues were so close to each other that they were moved apart.
     */
    TRSYL(uses("rrxww").multiplies(1, Amount.MNN, Bound.BLOCK).works()),
    /**
     * How sensitive the eigenvalues of c (n×n, in Schur form) and their right vectors are, as LAPACK's trsna: a (real, n), where there is one, := cosines of the angles between left and right vectors; b (real, n), where there is one, := estimates of
     * the distance of each eigenvalue from the form without it. g: scratch of n·(n + 1) complex elements.
     */
    TRSNA(uses("wwr---x").multiplies(12, Amount.NNN, Bound.BLOCK)),
    /**
     * The same for the first f (I64) eigenvalues of c (n×n, in Schur form) together, as LAPACK's trsen: a (real, one element), where there is one, := the reciprocal condition number of their mean; b, where there is one, := an estimate of the distance of
     * both parts. g: scratch of n·n/4 elements.
     */
    TRSEN_SENSE(uses("wwr--rx").multiplies(6, Amount.NNN, Bound.BLOCK).works()),
    /**
     * c and d (n×n) := their Schur forms by the QZ algorithm. d has a real diagonal without negative elements; a real pair has LAPACK's blocks of two rows for complex eigenvalues. f and g (n×n), where there are such, := left and right Schur vectors.
     * a (n) and b (1): scratch. e := 0, or the number of the last row that has not converged when 30 steps for each were not enough; n if c or d are not finite.
     */
    QZ(uses("wwxxwww").multiplies(16, Amount.NNN, Bound.BLOCK)),
    /**
     * a and f (n) := the eigenvalues a/f of c and d (n×n, in Schur form), as the diagonals of complex triangles would have them; b, for real types, := their imaginary parts. f is real and not negative. The first e, where that is from 1 to n, :=
     * NaN.
     */
    PAIR_VALUES(uses("wwrrrw-").moves(3, Amount.N)),
    /**
     * f and g (n×n), the Schur vectors of c and d (n×n, in Schur form), := eigenvectors, left ones with {@code leftEvect}, right ones with {@code rightEvect}; for real types as by {@link #TREVC}. a: 2n complex elements of scratch.
     */
    TGEVC(uses("x-rr-xx").multiplies(3, Amount.NNN, Bound.BLOCK)),
    /**
     * Moves the eigenvalues of c and d (n×n, in Schur form) that {@code select} chooses to the front; f and g (n×n), where there are such, are multiplied by what that takes. a (I64) := how many are chosen. e := n + 1 where two blocks could
     * not be exchanged. b (real, two elements): the norms by which {@link #RESCALE} has scaled what c and d are from; the eigenvalues before that are chosen.
     */
    TGSEN(uses("wrxxxxx").multiplies(12, Amount.NNN, Bound.BLOCK)),
    /** The columns of c (m×n) := with length 1. Real types: where b, n elements, is positive, this column and the next are real and imaginary parts; of such the largest element becomes real. */
    UNIT_COLUMNS(uses("-rx").moves(4, Amount.MN)),
    /**
     * Row i of c (m×n) := itself by element i of a (real, m, falling) where that is larger than alpha times the first, else zeros; d (I64) := how many are. A negative alpha stands for rounding, and what is not a
     * normal number counts as 0.
     */
    PSEUDO(uses("r-xw").moves(2, Amount.MN)),
    // LAPACK: symmetric eigenvalues
    /**
     * The triangle {@code uplo} of c (n×n, {@code hermitian}) to tridiagonal form, without blocks: a and b (real, n and n - 1) := its diagonals, which overwrite those of c; d (n - 1) := factors of the reflectors
     * that overwrite the rest of the triangle, LAPACK's. An upper triangle is worked on from its last column. {@link LatrdWork} says how much workspace blocks that share a problem want; without it each has one.
     */
    SYTD2(uses("wwxw").multiplies(4.0 / 3, Amount.NNN, Bound.BLOCK).works()),
    /**
     * Begins column p of the first k of such a reduction, counted from where it begins: brings it up to date by the p columns before and those of f (n×k), makes its reflector, whose first element ends as 1. b (real):
     * the element beside the diagonal; d: the factor. Column p of f, in places that no one reads, is scratch.
     */
    LATRD_COLUMN(uses("-wxw-x").moves(4, Amount.NK)),
    /** Ends that column, of which f holds the product of what is left of c with its reflector: takes off what columns before it have changed, so that c - v·fᴴ - f·vᴴ is up to date. */
    LATRD_ROW(uses("--rr-x").moves(4, Amount.NK)),
    /**
     * The first k columns of such a reduction, one after the other: all launches of {@link #LATRD_COLUMN} and {@link #LATRD_ROW} and the products between them. What f (n×k) has in the places that no one reads := 0.
     * {@link LatrdWork} says how much workspace blocks that share a panel want.
     */
    LATRD(uses("-wxw-w").moves(0.5, Amount.NNK).works()),
    /** The first p columns of a reduction of c (n×n, triangle {@code uplo}), counted from where it begins: a (real) := their diagonal elements, elements beside the diagonal := b (real). */
    LATRD_DIAGONALS(uses("wrx").moves(8, Amount.N)),
    /**
     * The triangle {@code uplo} of c (n×n, dense or a band), of which k diagonals beside the main one are looked at, to tridiagonal form by chasing bulges (Lang, "A parallel algorithm for reducing symmetric banded matrices
     * to tridiagonal form", 1993): a and b (real, n and n - 1) := its diagonals. Where there is a d (n×n), row s of its strict upper triangle := the reflectors of sweep s, one after the other, with the factor of each in place of
     * its first element, which is 1. f: scratch, see {@link BandWork}.
     */
    SB2ST(uses("wwrw-x").multiplies(6, Amount.NNK, Bound.BLOCK)),
    /**
     * c (n×m) := H₁·H₂⋯·c with the reflectors that a chase of k diagonals kept in a (n×n), those of its first sweep last. f: scratch, a vector, see {@link BandWork#passes}. Kernels of GPUs have {@link BandWork#NARROW} diagonals.
     */
    CHASED(uses("r-x--x").multiplies(2, Amount.MNN, Bound.BLOCK)),
    /**
     * Real types. Eigenvalues of the symmetric tridiagonal matrix with the diagonals a and b (n and n - 1 elements): a := in rising order, b is overwritten. c (m×n), where there is one, := c times the eigenvectors; f is then
     * 2n elements of scratch. e := e plus how many elements of b have not converged to zero.
     */
    STEQR(uses("xxx-xx").multiplies(3, Amount.NN_LINES, Bound.BLOCK)),
    /**
     * Real types. A step of divide and conquer for the symmetric tridiagonal matrix with the diagonals a and b (n and n - 1 elements), c (n×n) := its eigenvectors. There are 2ᵏ leaves of equal size; {@code p} names the step, {@code q}
     * the level, whose merges join 2^(q + 1) leaves each: {@link #SPLIT}, {@link #LEAVES}, then for each level {@link #DEFLATE}, {@link #GATHER}, {@link #SECULAR}, {@link #WEIGHTS}, {@link #VECTORS}, {@link #PRODUCTS}, {@link #JOIN}; at the end
     * {@link #SORT}. d: n×n and behind it room for halves of columns; f (I64, 6n + 16) and g (7n + 16): what the steps tell each other. e := e plus how many elements have not converged.
     */
    STEDC(uses("xxxxxxx").multiplies(25, Amount.NN, Bound.BLOCK)),
    /**
     * Two-sided Jacobi (Jacobi, "Über ein leichtes Verfahren, die in der Theorie der Säcularstörungen vorkommenden Gleichungen numerisch aufzulösen", 1846) of the triangle {@code uplo} of c (n×n, {@code hermitian}), in at
     * most q sweeps. It ends where the Frobenius norm of what is beside the diagonal is at most alpha, or every element is a rounding error beside the diagonal elements of its row and
     * column (Demmel and Veselić, "Jacobi's method is more accurate than QR", 1992). a (real, n) := eigenvalues in rising order, c := eigenvectors with {@code evect} other than NONE; b (n×n) is scratch. f (real) := that norm, g (I64) := sweeps, e := 0,
     * or 1 where they were too few or c is not finite; a is then NaN. With workspace, see {@link JacobiWork}, many blocks share c, or products with tiles of rotations take the place of rotations, and QR iteration that of the first sweep
     * where no digits are lost by it.
     */
    SYEVJ(uses("wwx-www").multiplies(8, Amount.NNN, Bound.BLOCK).works()),
    /**
     * Real types. Eigenvalues of the symmetric tridiagonal matrix with the diagonals a and b (n and n - 1 elements) by bisection: c (n) := those that m, the ordinal of an {@link dev.basalt.type.Erange}, names with alpha and beta, or p and q,
     * in the order of the {@link dev.basalt.type.Eorder} with the ordinal k. f (3n + 1) begins with how exact they are to be; behind that are 2n elements of scratch, and the eigenvalues as they were before they were scaled back. g (I64, 3n + 2) := how many, how many blocks the matrix falls into, n numbers: whose block each is of, and n numbers: where blocks end.
     * e := 0, or n if the matrix is not finite.
     */
    STEBZ(uses("rrw-wxw").multiplies(200, Amount.NN, Bound.BLOCK)),
    /**
     * Real types. Eigenvectors of that matrix by inverse iteration, for the eigenvalues d (with p as they were before they were scaled back), of which g tells as {@link #STEBZ} leaves it: at most k columns of c, of which every m-th number is written. f (8n) is scratch. The last n numbers of g := columns that did
     * not converge, counted from 1. e := e plus how many these are.
     */
    STEIN(uses("rrwrxwx").multiplies(100, Amount.NN, Bound.BLOCK)),
    /**
     * Of n eigenvalues a (real, in rising order) those that m names as in {@link #STEBZ}. With k 0 g (I64) := how many, c := their columns of b (n×n), where there is a c; with k 1 they go to the beginning of a.
     * With {@code backward} a falls, and vectors, those of singular values, have as many elements as c has rows; with {@code opB} not NONE they are rows.
     */
    EIGEN_RANGE(uses("xrw---w").moves(8, Amount.NN)),

    /** Vectors of one element: a plane rotation from a and b. a := r, b := z (real types), c (real) := the cosine, d := the sine. */
    ROTG(uses("xxww").moves(4, Amount.N)),
    /** Real types. Vectors a and c of n elements := H·(a, c), H from d: its flag, h11, h21, h12, h22. */
    ROTM(uses("x-xr").cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS, Part.WHOLE).moves(3, Amount.N)),
    /** Real types. Vectors of one element: a, b (squares of scales) and c, d (x and y): f (five elements) := the flag and H of {@link #ROTM}; a, b and c are brought up to date. */
    ROTMG(uses("xxxr-w").moves(4, Amount.N));

    /** Step of {@link #STEDC}: scales the matrix to a norm of about 1 and tears it apart. */
    public static final int SPLIT = 0;

    /** Step of {@link #STEDC}: the leaves, by QL and QR steps. */
    public static final int LEAVES = 1;

    /** Step of {@link #STEDC}: the rank-one update of each merge; what it leaves alone is set aside. */
    public static final int DEFLATE = 2;

    /** Step of {@link #STEDC}: columns move to where the products read them. */
    public static final int GATHER = 3;

    /** Step of {@link #STEDC}: the roots of the secular equation. */
    public static final int SECULAR = 4;

    /** Step of {@link #STEDC}: the update whose eigenvalues those roots are exactly. */
    public static final int WEIGHTS = 5;

    /** Step of {@link #STEDC}: its eigenvectors. */
    public static final int VECTORS = 6;

    /** Step of {@link #STEDC}: the products of all merges of a level, which are launches of their own where merges are large. */
    public static final int PRODUCTS = 7;

    /** Step of {@link #STEDC}: what was set aside comes back. */
    public static final int JOIN = 8;

    /** Step of {@link #STEDC}: a in rising order and its true size, d := the columns of c in that order. */
    public static final int SORT = 9;

    /** Step of {@link #GESVJ}: looks at the lengths of columns. */
    public static final int LENGTHS = 1;

    /** Step of {@link #GERFS}. */
    public static final int BACKWARD = 0;

    /** Step of {@link #GERFS}. */
    public static final int CORRECT = 1;

    /** Step of {@link #GERFS}. */
    public static final int BOUND = 2;

    /** Step of {@link #GERFS}. */
    public static final int WEIGH = 3;

    /** Step of {@link #GERFS}. */
    public static final int FORWARD = 4;

    /** Step of {@link #GESVX}: looks at scales that the caller gives. */
    public static final int GIVEN = 0;

    /** Step of {@link #GESVX}: nothing is scaled where there are no scales. */
    public static final int UNSCALED = 1;

    /** Step of {@link #GESVX}: how much smaller elements have become. */
    public static final int GROWTH = 2;

    /** Step of {@link #GESVX}: error bounds of the solutions that are asked for, and info. */
    public static final int REPORT = 3;

    /** Step of {@link #LACN2}: c := 1/n everywhere. */
    public static final int START = 0;

    /** Step of {@link #LACN2}: takes the norm of c and makes its signs of it. */
    public static final int FIRST = 1;

    /** Step of {@link #LACN2}: c := the unit vector where c is largest. */
    public static final int COLUMN = 2;

    /** Step of {@link #LACN2}: as {@link #FIRST}, unless the estimate does not grow. */
    public static final int SIGNS = 3;

    /** Step of {@link #LACN2}: c := ±(1 + i/(n-1)) with signs that change. */
    public static final int ALTERNATING = 4;

    /** Step of {@link #LACN2}: takes 2/(3n) of the norm of c if that is more. */
    public static final int LAST = 5;

    /** What {@link #EXPONENTS} says of zeros: below all exponents, and sums of it with such are integers of 32 bits. */
    public static final int NO_EXPONENT = -1 << 20;

    /** What {@link #LASWP} reports of a problem with a pivot that is no row: ipiv is the sixth argument of LAPACK's getrs. */
    public static final int WRONG_PIVOTS = -6;

    /** What {@link #CONVERGED} reports of a problem whose solution is good: no info has this number. */
    public static final int REFINED = Integer.MIN_VALUE;

    /** Rounding the residual of fewer unknowns may cost more than √n·ε. */
    public static final int LEAST_TERMS = 8;

    /** A number was too large for the lower precision: iter of LAPACK's dsgesv. */
    public static final int OVERFLOWN = -2;

    /** The factorisation in the lower precision failed: iter of LAPACK's dsgesv. */
    public static final int NOT_FACTORED = -3;

    /** What {@link #SYTRI} reports of a problem with wrong pivots: ipiv is the fifth argument of LAPACK's sytri. */
    public static final int WRONG_FACTORS = -5;

    /** The same of a packed one: ipiv is the fourth argument of sptri. */
    public static final int WRONG_PACKED = -4;

    /** Nobody changes it once it is here. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    private final int operands;

    Kernel(Row row) {
        this.row = row;
        int used = 0;
        for (int i = 0; i < row.access.length(); i++) {
            used |= row.access.charAt(i) != '-' ? 1 << i : 0;
        }
        operands = used;
    }

    /**
     * The operands that the kernel uses.
     *
     * @return bit i is set if it reads or writes operand i, 0 to 6 for a to g
     */
    public int operands() {
        return operands;
    }

    /**
     * Whether the kernel reads an operand.
     *
     * @param operand 0 to 6 for a to g
     * @return true if it may read it
     */
    public boolean reads(int operand) {
        return access(operand) == 'r' || access(operand) == 'x';
    }

    /**
     * Whether the kernel writes an operand.
     *
     * @param operand 0 to 6 for a to g
     * @return true if it may write it
     */
    public boolean writes(int operand) {
        return access(operand) == 'w' || access(operand) == 'x';
    }

    private char access(int operand) {
        return operand < row.access.length() ? row.access.charAt(operand) : '-';
    }

    /**
     * Whether an operand is left alone because a scalar is known on the host to be zero.
     *
     * @param operand 0 to 6 for a to g
     * @param l the launch
     * @return true if it is not read
     */
    public boolean skips(int operand, Launch l) {
        return row.alpha.skips(operand, l.alpha.is(0), l.beta.is(0));
    }

    /**
     * The rule of the scalars that are zero.
     *
     * @return the rule
     */
    public AlphaRule alphaRule() {
        return row.alpha;
    }

    /**
     * What of one problem is independent.
     *
     * @return axis of a cut
     */
    public Axis axis() {
        return row.axis;
    }

    /**
     * What of an operand belongs to a part of the result.
     *
     * @param operand 0 to 6 for a to g
     * @return the part
     */
    public Part part(int operand) {
        return operand < row.parts.length ? row.parts[operand] : Part.WHOLE;
    }

    /**
     * The bytes that one problem moves.
     *
     * @param l the launch
     * @return bytes; 0 if its time goes by its arithmetic
     */
    public double bytes(Launch l) {
        return row.elements * row.moved.of(l) * l.type.bytes();
    }

    /**
     * The multiplications of one problem, each of which comes with an addition or a like operation; a complex one is four.
     *
     * @param l the launch
     * @return operations; 0 if its time goes by its bytes
     */
    public double flops(Launch l) {
        return row.multiplications * row.multiplied.of(l) * (l.type.isComplex() ? 4 : 1);
    }

    /**
     * What the kernel's time goes by.
     *
     * @return the bound
     */
    public Bound bound() {
        return row.bound;
    }

    /**
     * Whether the kernel has a use for workspace.
     *
     * @return false if it runs as fast without
     */
    public boolean takesWork() {
        return row.work;
    }

    /**
     * Whether every device heeds {@link Launch#extent}; of other kernels devices may refuse launches that have one.
     *
     * @return true for vectors, matrices with vectors, products, panels of LU with their interchanges, and Cholesky
     */
    public boolean capped() {
        return row.capped;
    }

    /**
     * Whether operands may have other types than the computation, which are then converted: exactly where they are read, with one rounding where they are
     * written. The computation is F32, F64 (from F32), or I32 (products of I8); F16 and BF16 stand for F32. {@code work}: see
     * {@link dev.basalt.portable.Mixed#WORK} for devices that run the portable kernels.
     *
     * @return true for DOT, NRM2, AXPY, SCAL, ROT, GEMV, GEMM and GEAM_EX
     */
    public boolean mixes() {
        return row.mixes;
    }
}
