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
