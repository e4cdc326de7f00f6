// Panels of QR that stay in shared memory until they are done: those that have a device to themselves.
#include "qr_panel.h"

// A lane has 64 bytes of each of eight columns; where a cluster shares a panel 32.
#define QR_HELD(t, T) \
    BASALT_KERNEL(basalt_qr_held_##t) { basalt::qrPanel<T, basalt::ALONE, 64 / sizeof(T), true>(args); }
BASALT_EACH_TYPE(QR_HELD)

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define QR_HELD_CLUSTER(t, T)                                                                                       \
    BASALT_KERNEL(basalt_qr_held_8_##t) { basalt::qrPanel<T, basalt::CLUSTER, 32 / sizeof(T), true>(args); }  \
    BASALT_KERNEL(basalt_qr_held_16_##t) { basalt::qrPanel<T, basalt::CLUSTER, 32 / sizeof(T), true>(args); }
BASALT_EACH_TYPE(QR_HELD_CLUSTER)
#endif
