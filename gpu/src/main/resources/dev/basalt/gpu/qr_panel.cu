// Panels of QR that stay in memory: what is large, or one of many.
#include "qr_panel.h"

#if defined(BASALT_SHIM)
// rows of a block that are kept, columns, and who tells through shared memory
#define QR_LAYOUT(t, T) \
    BASALT_LAYOUT(qr_panel_##t, rows, n, tellers) { \
        return basalt::PanelMemory<T>(nullptr, (int)n, (int)tellers).bytes(nullptr, (int)rows); \
    }
BASALT_EACH_TYPE(QR_LAYOUT)
// columns
#define TALL_LAYOUT(t, T) \
    BASALT_LAYOUT(qr_tall_##t, n, y, z) { \
        (void)y; \
        (void)z; \
        basalt::Args args = {}; \
        basalt::Read<T> matrix = {}; \
        return n <= 32 ? basalt::TallPanel<T, 32>(args, matrix, 0, 0, nullptr).bytes(nullptr) \
                       : basalt::TallPanel<T, 64>(args, matrix, 0, 0, nullptr).bytes(nullptr); \
    }
BASALT_EACH_TYPE(TALL_LAYOUT)
#endif

// A lane has 32 bytes of each of eight columns, or 64.
#define QR_PANEL(t, T)                                                                                  \
    BASALT_KERNEL(basalt_qr_alone_##t) { basalt::qrPanel<T, basalt::ALONE, 64 / sizeof(T), false>(args); } \
    BASALT_KERNEL(basalt_qr_slices_##t) { basalt::qrPanel<T, basalt::GRID, 64 / sizeof(T), false>(args); }
BASALT_EACH_TYPE(QR_PANEL)

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define QR_CLUSTER(t, T)                                                                                         \
    BASALT_KERNEL(basalt_qr_cluster_8_##t) { basalt::qrPanel<T, basalt::CLUSTER, 32 / sizeof(T), false>(args); }     \
    BASALT_KERNEL(basalt_qr_cluster_16_##t) { basalt::qrPanel<T, basalt::CLUSTER, 32 / sizeof(T), false>(args); }    \
    BASALT_KERNEL(basalt_qr_cluster_tall_##t) { basalt::qrPanel<T, basalt::CLUSTER, 64 / sizeof(T), false>(args); }
BASALT_EACH_TYPE(QR_CLUSTER)
#endif
