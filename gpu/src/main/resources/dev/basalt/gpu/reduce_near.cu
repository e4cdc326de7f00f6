// Reductions of middle lengths by the blocks of a cluster, which hear of each other sooner than by way of device memory: see reduce.h.
#include "reduce.h"

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define NEAR(t, T) \
    BASALT_KERNEL(basalt_dot_near_##t) { basalt::reduce<T, basalt::DOT, true>(args); } \
    BASALT_KERNEL(basalt_asum_near_##t) { basalt::reduce<T, basalt::ASUM, true>(args); } \
    BASALT_KERNEL(basalt_nrm2_near_##t) { basalt::reduce<T, basalt::NRM2, true>(args); } \
    BASALT_KERNEL(basalt_iamax_near_##t) { basalt::find<T, true, true>(args); } \
    BASALT_KERNEL(basalt_iamin_near_##t) { basalt::find<T, false, true>(args); }
BASALT_EACH_TYPE(NEAR)
#endif
