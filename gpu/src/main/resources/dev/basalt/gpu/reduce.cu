// Reductions by blocks of a grid: see reduce.h.
#include "reduce.h"
BASALT_CAPPED_TOO

#define REDUCTIONS(t, T) \
    BASALT_KERNEL(basalt_dot_##t) { basalt::reduce<T, basalt::DOT, false>(args); } \
    BASALT_KERNEL(basalt_asum_##t) { basalt::reduce<T, basalt::ASUM, false>(args); } \
    BASALT_KERNEL(basalt_nrm2_##t) { basalt::reduce<T, basalt::NRM2, false>(args); } \
    BASALT_KERNEL(basalt_iamax_##t) { basalt::find<T, true, false>(args); } \
    BASALT_KERNEL(basalt_iamin_##t) { basalt::find<T, false, false>(args); }
BASALT_EACH_TYPE(REDUCTIONS)
