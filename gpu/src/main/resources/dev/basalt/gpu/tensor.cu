// Products of double and complex double, of a symmetric one a triangle, and with a triangular factor.
#include "tensor.h"
BASALT_CAPPED_TOO

#define TENSOR(t, T, rows, warpRows, warpColumns) \
    TENSOR_KERNEL(nn_##rows, t, T, warpRows, warpColumns, true, false, WHOLE) \
    TENSOR_KERNEL(nt_##rows, t, T, warpRows, warpColumns, true, true, WHOLE) \
    TENSOR_KERNEL(tn_##rows, t, T, warpRows, warpColumns, false, false, WHOLE) \
    TENSOR_KERNEL(tt_##rows, t, T, warpRows, warpColumns, false, true, WHOLE) \
    TENSOR_KERNEL(syrk_n_##rows, t, T, warpRows, warpColumns, true, true, PART) \
    TENSOR_KERNEL(syrk_t_##rows, t, T, warpRows, warpColumns, false, false, PART) \
    TENSOR_KERNEL(trmm_ln_##rows, t, T, warpRows, warpColumns, true, false, LEFT_TRIANGLE) \
    TENSOR_KERNEL(trmm_lt_##rows, t, T, warpRows, warpColumns, false, false, LEFT_TRIANGLE) \
    TENSOR_KERNEL(trmm_rn_##rows, t, T, warpRows, warpColumns, true, false, RIGHT_TRIANGLE) \
    TENSOR_KERNEL(trmm_rt_##rows, t, T, warpRows, warpColumns, true, true, RIGHT_TRIANGLE)
TENSOR_EACH(TENSOR)

// A triangle by smaller tiles: more of them share a multiprocessor, which hides more of what each waits for.
#define SMALLER(t, T, name, size, warpRows, warpColumns, aRows, bColumns)                                                    \
    BASALT_KERNEL(basalt_tensor_##name##_##size##_##t) {                                                                    \
        typedef basalt::row::tensor_##name##_##size##_##t Row;                                                              \
        basalt::tensorGemm<T, Row, Row::columns, warpRows, warpColumns, aRows, bColumns, basalt::PART>(args);               \
    }
#define SMALLER_D(t, T) SMALLER(t, T, syrk_n, half, 32, 16, true, true) SMALLER(t, T, syrk_t, half, 32, 16, false, false)
#define SMALLER_Z(t, T) SMALLER(t, T, syrk_n, 32, 16, 16, true, true) SMALLER(t, T, syrk_t, 32, 16, 16, false, false)
BASALT_D(SMALLER_D) BASALT_Z(SMALLER_Z)
