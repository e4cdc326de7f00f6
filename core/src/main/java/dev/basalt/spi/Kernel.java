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
    COPY(uses("r-w").cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS).moves(2, Amount.N)),
    /** Vectors: a and c exchange their elements. */
    SWAP(uses("x-x").cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS).moves(3, Amount.N)),
    /** Vectors: a := alpha·a + beta·c and c := alpha·c - conj(beta)·a, both from the old values; alpha is real, with {@code real} beta too. */
    ROT(uses("x-x").cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS).moves(3, Amount.N).mixes()),
    /** Vectors: c := alpha·a + c; alpha = 0 reads nothing. */
    AXPY(uses("r-x").cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS)
            .moves(3, Amount.N)
            .zero(AlphaRule.ALPHA_READS_AB)
            .mixes()),
    /** Vector: c := alpha·c; {@code real}: alpha is real although c is complex. NaN in c stays NaN even for alpha = 0. */
    SCAL(uses("--x").cut(Axis.ELEMENTS, Part.WHOLE, Part.WHOLE, Part.ELEMENTS).moves(2, Amount.N).mixes()),
    /** Vector of any type, integers too: c := alpha. */
    FILL(uses("--w").cut(Axis.ELEMENTS, Part.WHOLE, Part.WHOLE, Part.ELEMENTS).moves(1, Amount.N)),
    /** Matrix m×n: c := a. */
    COPY_MATRIX(uses("r-w").cut(Axis.MATRIX, Part.MATRIX, Part.WHOLE, Part.MATRIX).moves(2, Amount.MN)),
    /** Matrix m×n: c := beta·c; beta = 0 overwrites without reading. */
    SCAL_MATRIX(uses("--x").cut(Axis.MATRIX, Part.WHOLE, Part.WHOLE, Part.MATRIX).moves(2, Amount.MN)),
    /** The triangle {@code uplo} of c (n×n) := beta·c; beta = 0 overwrites; {@code hermitian}: the diagonal ends real. */
    SCAL_TRIANGLE(uses("--x").moves(1, Amount.NN)),
    /** d := Σ aᵢ·bᵢ, or conj(aᵢ)·bᵢ with {@code conjugated}. {@code work}: one double (two for complex types) a block of the traits' reduction block and problem, or none. */
    DOT(uses("rr-w").cut(Axis.BLOCKS).moves(2, Amount.N).works().mixes()),
    /** d (real) := Σ |re aᵢ| + |im aᵢ|. {@code work}: one double a block and problem, or none. */
    ASUM(uses("r--w").cut(Axis.BLOCKS).moves(1, Amount.N).works()),
    /** d (real) := ‖a‖₂ without avoidable overflow or underflow. {@code work}: one double a block and problem, or none. */
    NRM2(uses("r--w").cut(Axis.BLOCKS).moves(1, Amount.N).works().mixes()),
    /** d (I64) := 1-based index of the first element with the largest |re| + |im|, 0 if n = 0; NaN counts as largest. */
    IAMAX(uses("r--w").moves(1, Amount.N)),
    /** d (I64) := 1-based index of the first element with the smallest |re| + |im|, 0 if n = 0. */
    IAMIN(uses("r--w").moves(1, Amount.N)),
    /** c := alpha·opA(a)·b + beta·c, a is m×n, dense or a band. {@code work}: see the routine; may be 0. */
    GEMV(uses("rrx").cut(Axis.RESULT, Part.MATRIX, Part.WHOLE, Part.ELEMENTS)
            .moves(1, Amount.A_MN)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()
            .mixes()),
    /** c (m×n) := alpha·a·bᵀ + c, or a·bᴴ with {@code conjugated}. */
    GER(uses("rrx").cut(Axis.MATRIX, Part.ROWS, Part.COLUMNS, Part.MATRIX)
            .moves(2, Amount.MN)
            .zero(AlphaRule.ALPHA_READS_AB)),
    /** c := alpha·a·b + beta·c, a symmetric n×n in triangle {@code uplo}, Hermitian with {@code hermitian}; dense, a band or packed. */
    SYMV(uses("rrx").moves(1, Amount.A_NN).zero(AlphaRule.ALPHA_READS_AB).works()),
    /** c := opA(a)·c, a triangular n×n; dense, a band or packed. {@code work}: n elements a problem, or 0. */
    TRMV(uses("r-x").moves(1, Amount.A_NN).works()),
    /** Solves opA(a)·x = c, x overwrites c; a triangular n×n; dense, a band or packed. */
    TRSV(uses("r-x").moves(1, Amount.A_NN)),
    /** c (m×n) := alpha·opA(a)·opB(b) + beta·c with inner dimension k; alpha = 0 or k = 0 reads neither a nor b, beta = 0 overwrites c. {@code work}: packing, any size from 0. */
    GEMM(uses("rrx").cut(Axis.PRODUCT, Part.OP_ROWS, Part.OP_COLUMNS, Part.MATRIX)
            .multiplies(2, Amount.MNK, Bound.PRODUCT)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()
            .mixes()),
    /** c (m×n) := alpha·a·b + beta·c (LEFT) or alpha·b·a + beta·c, a symmetric (Hermitian with {@code hermitian}) in {@code uplo}. {@code work}: packing, any size from 0. */
    SYMM(uses("rrx").cut(Axis.SIDE, Part.WHOLE, Part.MATRIX, Part.MATRIX)
            .multiplies(2, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** Triangle {@code uplo} of c (n×n) := alpha·opA(a)·opA(a)ᵀ + beta·c ({@code ᴴ} and a real diagonal with {@code hermitian}). {@code work}: packing, any size from 0. */
    SYRK(uses("r-x").cut(Axis.TRIANGLE, Part.OP_ROWS, Part.WHOLE, Part.MATRIX)
            .multiplies(1, Amount.NNK, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** c (m×n) := alpha·opA(a)·c (LEFT) or alpha·c·opA(a), a triangular. {@code work}: packing, any size from 0. */
    TRMM(uses("r-x").cut(Axis.SIDE, Part.WHOLE, Part.WHOLE, Part.MATRIX)
            .multiplies(1, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** c (m×n) := alpha·opA(a)·b (LEFT) or alpha·b·opA(a), a triangular; c apart from b, or a problem's c is its b; alpha = 0 reads neither a nor b. How far one launch goes at the speed of GEMM is its {@link Reach}. */
    TRMM_APART(uses("rrw").cut(Axis.SIDE, Part.WHOLE, Part.MATRIX, Part.MATRIX)
            .multiplies(1, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** Solves opA(a)·X = alpha·c (LEFT) or X·opA(a) = alpha·c, a triangular, X overwrites c (m×n); alpha = 0 does not read a. {@code work}: packing, any size from 0. */
    TRSM(uses("r-x").cut(Axis.SIDE, Part.WHOLE, Part.WHOLE, Part.MATRIX)
            .multiplies(1, Amount.MN_ORDER, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** Triangle {@code uplo} of c (n×n) := inverse of the triangle of c; {@code diag}. Needs no work, for small blocks. */
    TRTRI(uses("--x").multiplies(1.0 / 3, Amount.NNN, Bound.BLOCK)),
    /** Full n×n c := the matrix stored in triangle {@code uplo} of a: what it stands for is {@code structure}; a triangular one has {@code diag}. */
    EXPAND(uses("r-w").moves(2, Amount.NN)),
    /** Triangle {@code uplo} of c (n×n) := a + beta·c; {@code hermitian}: the diagonal ends real. */
    ADD_TRIANGLE(uses("r-x").moves(2, Amount.NN)),
    /** Triangle {@code uplo} of c (n×n) := that of a; with {@code diag} UNIT the diagonal := 1 and a's is not read. A problem whose c is its a is left alone. */
    COPY_TRIANGLE(uses("r-x").moves(2, Amount.NN)),
    /** LU with partial pivoting of the m×n panel c. d (I64) := p + 1-based pivot rows, e := p + 1-based column of the first zero pivot if e was 0 and there is one. */
    GETF2(uses("--xwx").multiplies(1, Amount.MNN, Bound.BLOCK)),
    /**
     * Row interchanges on c (m×n): rows p…q-1 with d[i] - k - 1 (d: 1-based pivots, k: the row of the whole matrix that row 0 of c is); {@code backward}: from the last to the first.
     * Where a pivot names no row of c, all of c becomes NaN and nothing else is touched. e, where there is one and the launch is not guarded by it, :=
     * 0, or {@link #WRONG_PIVOTS} there.
     */
    LASWP(uses("--xrw").cut(Axis.COLUMNS, Part.WHOLE, Part.WHOLE, Part.MATRIX).moves(4, Amount.ROWS_PQ).scattered()),
    /** Cholesky of triangle {@code uplo} of c (n×n); e := p + 1-based order of the first minor that is not positive definite, the problem is then left there. Always skips problems whose e is not 0. */
    POTF2(uses("--x-x").multiplies(1.0 / 3, Amount.NNN, Bound.BLOCK)),
    /** The triangle {@code uplo} of c (n×n, dense or packed) := alpha·a·aᵀ + c; {@code hermitian}: a·aᴴ, alpha is real, the diagonal ends real. alpha = 0 reads and writes nothing. Columns p to q - 1 alone if q > 0. */
    SYR(uses("r-x").cut(Axis.SPAN).moves(2, Amount.C_NN).zero(AlphaRule.ALPHA_READS_AB)),
    /** The triangle {@code uplo} of c (n×n, dense or packed) := alpha·a·bᵀ + alpha·b·aᵀ + c; {@code hermitian}: alpha·a·bᴴ + conj(alpha)·b·aᴴ + c, the diagonal ends real. alpha = 0 reads and writes nothing. Columns p to q - 1 alone if q > 0. */
    SYR2(uses("rrx").cut(Axis.SPAN).moves(2, Amount.C_NN).zero(AlphaRule.ALPHA_READS_AB)),
    /**
     * The triangle {@code uplo} of c (n×n) := alpha·opA(a)·opA(b)ᵀ + alpha·opA(b)·opA(a)ᵀ + beta·c; {@code hermitian}: ᴴ, the second product times
     * conj(alpha), beta real, the diagonal ends real. opA is NONE, or TRANS (CONJ_TRANS where Hermitian). {@code work}: packing, any size from 0.
     */
    SYR2K(uses("rrx").cut(Axis.TRIANGLE, Part.OP_ROWS, Part.OP_ROWS, Part.MATRIX)
            .multiplies(2, Amount.NNK, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** The triangle {@code uplo} of c (n×n) := alpha·opA(a)·opB(b) + beta·c with inner dimension k; {@code hermitian}: the diagonal ends real. {@code work}: packing, any size from 0. */
    GEMMT(uses("rrx").cut(Axis.TRIANGLE, Part.OP_ROWS, Part.OP_COLUMNS, Part.MATRIX)
            .multiplies(1, Amount.NNK, Bound.SPECIAL)
            .zero(AlphaRule.ALPHA_READS_AB)
            .works()),
    /** c (m×n) := diag(b)·a (LEFT) or a·diag(b), b a vector of any increment; c may be a. */
    DGMM(uses("rrw").cut(Axis.MATRIX, Part.MATRIX, Part.DIAGONAL, Part.MATRIX).moves(2, Amount.MN)),
    /** c (m×n) := alpha·opA(a) + beta·opB(b); alpha = 0 does not read a, beta = 0 not b; c may be a where opA is NONE, b where opB is. */
    GEAM(uses("rrw").cut(Axis.MATRIX, Part.OP_MATRIX, Part.OP_MATRIX, Part.MATRIX)
            .moves(3, Amount.MN)
            .zero(AlphaRule.ALPHA_READS_A_BETA_READS_B)),
    /**
     * Real types. d (m×n), by {@code semiring}: MIN_PLUS, the smallest of beta·c and all alpha·(opA(a)ᵢₗ + opB(b)ₗⱼ); PLUS_MIN, beta·c + Σ min(alpha·opA(a)ᵢₗ,
     * alpha·opB(b)ₗⱼ); l runs to k. alpha = 0 reads neither a nor b, beta = 0 not c: what they multiply counts as 0. NaN wins; d may be c.
     */
    GEAM_EX(uses("rrrw").cut(Axis.MATRIX, Part.OP_ROWS, Part.OP_COLUMNS, Part.MATRIX, Part.MATRIX)
            .multiplies(2, Amount.MNK, Bound.BLOCK)
            .zero(AlphaRule.ALPHA_READS_AB_BETA_READS_C)),
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
     * The upper triangle of c (n×n) := T of the block reflector of a (m×n) and its factors d; {@code opB} and {@code backward} as in {@link #GEQR2}. Without a
     * the triangle of c holds VᴴV.
     */
    LARFT(uses("r-xr").multiplies(1, Amount.MNN, Bound.BLOCK)),
    /** e := p + 1-based place of the first element of the diagonal of c (n×n) that is exactly zero, if e was 0 and there is one. */
    ZERO_DIAGONAL(uses("--r-x").moves(8, Amount.N)),
    /** Vectors of one element: a plane rotation from a and b. a := r, b := z (real types), c (real) := the cosine, d := the sine. */
    ROTG(uses("xxww").moves(4, Amount.N)),
    /** Real types. Vectors a and c of n elements := H·(a, c), H from d: its flag, h11, h21, h12, h22. */
    ROTM(uses("x-xr").cut(Axis.ELEMENTS, Part.ELEMENTS, Part.WHOLE, Part.ELEMENTS, Part.WHOLE).moves(3, Amount.N)),
    /** Real types. Vectors of one element: a, b (squares of scales) and c, d (x and y): f (five elements) := the flag and H of {@link #ROTM}; a, b and c are brought up to date. */
    ROTMG(uses("xxxr-w").moves(4, Amount.N));

    /** What {@link #LASWP} reports of a problem with a pivot that is no row: ipiv is the sixth argument of LAPACK's getrs. */
    public static final int WRONG_PIVOTS = -6;

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
     * Whether operands may have other types than the computation, which are then converted: exactly where they are read, with one rounding where they are
     * written. The computation is F32, F64 (from F32), or I32 (products of I8); F16 and BF16 stand for F32. {@code work}: see
     * {@link dev.basalt.portable.Mixed#WORK} for devices that run the portable kernels.
     *
     * @return true for DOT, NRM2, AXPY, SCAL, ROT, GEMV and GEMM
     */
    public boolean mixes() {
        return row.mixes;
    }
}
