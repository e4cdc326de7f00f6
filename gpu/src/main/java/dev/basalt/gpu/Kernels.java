package dev.basalt.gpu;

import java.util.List;

/** The entry points of the sources, for s d c z. */
final class Kernels {
    /** Most dynamic shared memory that panels ask for. */
    static final int PANEL_SHARED = 200 << 10;

    static final KernelFunction[] COPY = vector("copy");
    static final KernelFunction[] SWAP = vector("swap");
    static final KernelFunction[] ROT = vector("rot");
    static final KernelFunction[] AXPY = vector("axpy");
    static final KernelFunction[] SCAL = vector("scal");
    static final KernelFunction[] FILL = vector("fill");
    static final KernelFunction COPY_I32 = KernelFunction.one("vector", 'd', "icopy32", 0);
    static final KernelFunction COPY_I64 = KernelFunction.one("vector", 'd', "icopy64", 0);
    static final KernelFunction FILL_I32 = KernelFunction.one("vector", 'd', "ifill32", 0);
    static final KernelFunction FILL_I64 = KernelFunction.one("vector", 'd', "ifill64", 0);

    static final KernelFunction[] DOT = KernelFunction.floating("reduce", "dot");
    static final KernelFunction[] ASUM = KernelFunction.floating("reduce", "asum");
    static final KernelFunction[] NRM2 = KernelFunction.floating("reduce", "nrm2");
    static final KernelFunction[] IAMAX = KernelFunction.floating("reduce", "iamax");
    static final KernelFunction[] IAMIN = KernelFunction.floating("reduce", "iamin");

    static final KernelFunction[] COPY_MATRIX = KernelFunction.floating("matrix", "copy_matrix");
    static final KernelFunction[] SCAL_MATRIX = KernelFunction.floating("matrix", "scal_matrix");
    static final KernelFunction[] SCAL_TRIANGLE = KernelFunction.floating("matrix", "scal_triangle");
    static final KernelFunction[] ADD_TRIANGLE = KernelFunction.floating("matrix", "add_triangle");
    static final KernelFunction[] COPY_TRIANGLE = KernelFunction.floating("matrix", "copy_triangle");
    static final KernelFunction[] EXPAND = KernelFunction.floating("matrix", "expand");
    static final KernelFunction[] GER = KernelFunction.floating("matrix", "ger");
    static final KernelFunction COPY_MATRIX_I32 = KernelFunction.one("matrix", 'd', "icopy_matrix32", 0);
    static final KernelFunction COPY_MATRIX_I64 = KernelFunction.one("matrix", 'd', "icopy_matrix64", 0);

    static final KernelFunction[] GEMV_N = KernelFunction.floating("gemv", "gemv_n");
    static final KernelFunction[] GEMV_T = KernelFunction.floating("gemv", "gemv_t");
    static final KernelFunction[] SYMV_ROWS = KernelFunction.floating("symv", "symv_rows");
    static final KernelFunction[] SYMV_STRIPS = KernelFunction.floating("symv", "symv_strips");
    static final KernelFunction[] SYMV_SUM = KernelFunction.floating("symv", "symv_sum");
    static final KernelFunction[] TRMV_N = KernelFunction.floating("triangular_vector", "trmv_n");
    static final KernelFunction[] TRMV_T = KernelFunction.floating("triangular_vector", "trmv_t");
    static final KernelFunction[] TRMV_IN_PLACE = KernelFunction.floating("triangular_vector", "trmv_in_place");
    static final KernelFunction[] TRSV_N = KernelFunction.floating("triangular_vector", "trsv_n");
    static final KernelFunction[] TRSV_T = KernelFunction.floating("triangular_vector", "trsv_t");

    static final KernelFunction[] GEMM = KernelFunction.floating("product", "gemm");
    static final KernelFunction[] SYMM = KernelFunction.floating("product", "symm");
    static final KernelFunction[] SYRK = KernelFunction.floating("product", "syrk");
    static final KernelFunction[] TRSM_8 = KernelFunction.floating("solve", "trsm_8", PANEL_SHARED);
    static final KernelFunction[] TRSM_16 = KernelFunction.floating("solve", "trsm_16", PANEL_SHARED);

    /** Not for z. */
    static final KernelFunction[] TRSM_32 = {
        KernelFunction.one("solve", 's', "trsm_32", PANEL_SHARED),
        KernelFunction.one("solve", 'd', "trsm_32", PANEL_SHARED),
        KernelFunction.one("solve", 'c', "trsm_32", PANEL_SHARED)
    };

    /** Double by products of a warp: of 8, 16, 32 right-hand sides. */
    static final KernelFunction[] TRSM_PRODUCTS_D = {
        KernelFunction.one("solve", 'd', "trsm_products_8", PANEL_SHARED),
        KernelFunction.one("solve", 'd', "trsm_products_16", PANEL_SHARED),
        KernelFunction.one("solve", 'd', "trsm_products_32", PANEL_SHARED)
    };

    /** Triangles of any order with few right-hand sides: rows of op(A) across the storage, and along it. */
    static final KernelFunction[] THIN_N = KernelFunction.floating("thin", "thin_n", PANEL_SHARED);

    static final KernelFunction[] THIN_T = KernelFunction.floating("thin", "thin_t", PANEL_SHARED);
    static final KernelFunction[] TRMM = KernelFunction.floating("triangle", "trmm");
    static final KernelFunction[] TRTRI = KernelFunction.floating("triangle", "trtri");
    static final KernelFunction[] GETF2 = KernelFunction.floating("panel", "getf2");

    /** LU of problems of order 8, 16 and 32, several a warp. */
    static final KernelFunction[] LU_8 = KernelFunction.floating("lu", "lu_8");

    static final KernelFunction[] LU_16 = KernelFunction.floating("lu", "lu_16");
    static final KernelFunction[] LU_32 = KernelFunction.floating("lu", "lu_32");

    /** LU of panels by a warp. */
    static final KernelFunction[] LU_WARP = KernelFunction.floating("lu_warp", "lu_warp", PANEL_SHARED);

    /** LU of panels by one block, by a cluster, and by a grid whose blocks wait for each other. */
    static final KernelFunction[] LU_ALONE = KernelFunction.floating("lu", "lu_alone", PANEL_SHARED);

    static final KernelFunction[] LU_CLUSTER_8 = KernelFunction.floating("lu", "lu_cluster_8", PANEL_SHARED);
    static final KernelFunction[] LU_CLUSTER_16 = KernelFunction.floating("lu", "lu_cluster_16", PANEL_SHARED);
    static final KernelFunction[] LU_SLICES = KernelFunction.floating("lu", "lu_slices", PANEL_SHARED);
    static final KernelFunction[] LASWP = KernelFunction.floating("panel", "laswp");
    static final KernelFunction[] POTF2 = KernelFunction.floating("panel", "potf2", PANEL_SHARED);

    /** Cholesky of any order in one launch: [upper, lower], the blocks' shared memory as cholesky.cu lays it out. */
    static final KernelFunction[] CHOLESKY_D = {
        KernelFunction.one("cholesky", 'd', "cholesky_upper", 191_040),
        KernelFunction.one("cholesky", 'd', "cholesky_lower", 221_760)
    };

    /** Small products, a warp each: of order 8, 16, and 32 but for z. */
    static final KernelFunction[] SMALL_8 = KernelFunction.floating("small", "small_8");

    static final KernelFunction[] SMALL_16 = KernelFunction.floating("small", "small_16");
    static final KernelFunction[] SMALL_32 = {
        KernelFunction.one("small", 's', "small_32", 0),
        KernelFunction.one("small", 'd', "small_32", 0),
        KernelFunction.one("small", 'c', "small_32", 0)
    };

    /** Products of float: [op(A) transposed][op(B) transposed]. */
    static final KernelFunction[][] SIMT = four("simt", 's', "simt", "", 0);

    /** Products by tensor cores: [op(A) transposed][op(B) transposed]. */
    static final KernelFunction[][] TENSOR_128_D = tensor('d', 128, 164 << 10);

    static final KernelFunction[][] TENSOR_64_D = tensor('d', 64, 61440);
    static final KernelFunction[][] TENSOR_64_Z = tensor('z', 64, 98304);

    /** Products with a triangular matrix apart from the result. */
    static final KernelFunction[] TRMM_APART = KernelFunction.floating("product", "trmm_apart");

    /** The same by tiles of gemm: [side][op(A) transposed]. */
    static final KernelFunction[][] SIMT_TRMM = trmm("simt", 's', "simt_trmm", "", 0);

    static final KernelFunction[][] TENSOR_TRMM_128_D = trmm("tensor", 'd', "tensor_trmm", "_128", 164 << 10);
    static final KernelFunction[][] TENSOR_TRMM_64_D = trmm("tensor", 'd', "tensor_trmm", "_64", 61440);
    static final KernelFunction[][] TENSOR_TRMM_64_Z = trmm("tensor", 'z', "tensor_trmm", "_64", 98304);

    /** A triangle of op(A)·op(A)ᵀ by tensor cores: [op(A) transposed]. */
    static final KernelFunction[] TENSOR_SYRK_128_D = tensorSyrk('d', 128, 164 << 10);

    static final KernelFunction[] TENSOR_SYRK_64_D = tensorSyrk('d', 64, 61440);
    static final KernelFunction[] TENSOR_SYRK_64_Z = tensorSyrk('z', 64, 98304);

    private Kernels() {}

    private static KernelFunction[] tensorSyrk(char letter, int order, int shared) {
        return new KernelFunction[] {
            KernelFunction.one("tensor", letter, "tensor_syrk_n_" + order, shared),
            KernelFunction.one("tensor", letter, "tensor_syrk_t_" + order, shared)
        };
    }

    private static KernelFunction[][] tensor(char letter, int order, int shared) {
        return four("tensor", letter, "tensor", "_" + order, shared);
    }

    private static KernelFunction[][] trmm(String source, char letter, String stem, String ending, int shared) {
        KernelFunction[][] functions = new KernelFunction[2][2];
        for (int side = 0; side < 2; side++) {
            for (int op = 0; op < 2; op++) {
                String which = "_" + "lr".charAt(side) + "nt".charAt(op);
                functions[side][op] = KernelFunction.one(source, letter, stem + which + ending, shared);
            }
        }
        return functions;
    }

    private static KernelFunction[][] four(String source, char letter, String stem, String ending, int shared) {
        KernelFunction[][] functions = new KernelFunction[2][2];
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 2; b++) {
                String orders = "_" + "nt".charAt(a) + "nt".charAt(b);
                functions[a][b] = KernelFunction.one(source, letter, stem + orders + ending, shared);
            }
        }
        return functions;
    }

    private static KernelFunction[] vector(String stem) {
        return KernelFunction.floating("vector", stem);
    }

    /** The list, once this class has filled it. */
    static List<KernelFunction> loaded(List<KernelFunction> all) {
        return all;
    }
}
