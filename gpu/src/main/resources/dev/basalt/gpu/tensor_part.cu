// A triangle of C := alpha·op(A)·op(B) + beta·C, and of both products of two matrices, in double and complex double.
#include "tensor.h"
BASALT_CAPPED_TOO

#define TENSOR_PART(t, T, rows, warpRows, warpColumns) \
    TENSOR_KERNEL(part_nn_##rows, t, T, warpRows, warpColumns, true, false, PART_OF_TWO) \
    TENSOR_KERNEL(part_nt_##rows, t, T, warpRows, warpColumns, true, true, PART_OF_TWO) \
    TENSOR_KERNEL(part_tn_##rows, t, T, warpRows, warpColumns, false, false, PART_OF_TWO) \
    TENSOR_KERNEL(part_tt_##rows, t, T, warpRows, warpColumns, false, true, PART_OF_TWO) \
    TENSOR_KERNEL(both_n_##rows, t, T, warpRows, warpColumns, true, true, PART_OF_BOTH) \
    TENSOR_KERNEL(both_t_##rows, t, T, warpRows, warpColumns, false, false, PART_OF_BOTH)
TENSOR_EACH(TENSOR_PART)

#if defined(BASALT_TYPE_D)
// A square tile by two blocks of half its columns: for few tiles, which would leave multiprocessors idle.
#define HALF(name, aRows, bColumns, form)                                                                                \
    BASALT_KERNEL(basalt_tensor_##name##_half_d) {                                                                       \
        typedef basalt::row::tensor_##name##_half_d Row;                                                                 \
        basalt::tensorGemm<double, Row, Row::columns, 32, 16, aRows, bColumns, basalt::form>(args);                      \
    }
HALF(part_nn, true, false, PART_OF_TWO)
HALF(part_nt, true, true, PART_OF_TWO)
HALF(part_tn, false, false, PART_OF_TWO)
HALF(part_tt, false, true, PART_OF_TWO)
HALF(both_n, true, true, PART_OF_BOTH)
HALF(both_t, false, false, PART_OF_BOTH)
#endif
