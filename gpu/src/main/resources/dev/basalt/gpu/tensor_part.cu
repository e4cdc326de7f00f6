// A triangle of C := alpha·op(A)·op(B) + beta·C, and of both products of two matrices, in double and complex double.
#include "tensor.h"
BASALT_CAPPED_TOO

#define TENSOR_PART(t, T, rows, warpRows) \
    TENSOR_KERNEL(part_nn_##rows, t, T, warpRows, true, false, PART_OF_TWO) \
    TENSOR_KERNEL(part_nt_##rows, t, T, warpRows, true, true, PART_OF_TWO) \
    TENSOR_KERNEL(part_tn_##rows, t, T, warpRows, false, false, PART_OF_TWO) \
    TENSOR_KERNEL(part_tt_##rows, t, T, warpRows, false, true, PART_OF_TWO) \
    TENSOR_KERNEL(both_n_##rows, t, T, warpRows, true, true, PART_OF_BOTH) \
    TENSOR_KERNEL(both_t_##rows, t, T, warpRows, false, false, PART_OF_BOTH)
TENSOR_EACH(TENSOR_PART)
