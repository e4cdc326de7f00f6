// Triangular systems as lower ones, whichever triangle, side and transpose they have.
#ifndef BASALT_SYSTEM_H
#define BASALT_SYSTEM_H
#include "basalt.h"

namespace basalt {

// The system as a lower triangular one: an upper triangle is seen from its last row and column. Unknown i of right-hand side r.
template <typename T>
struct System {
    Triangle<T> t;
    T* b;
    i64 si, sr;

    BASALT_DEVICE T& operator()(i64 i, i64 r) const { return b[i * si + r * sr]; }
};

template <typename T>
BASALT_DEVICE System<T> system(const Args& args, i64 problem, i64 order) {
    System<T> s;
    s.t = triangle<T>(args, problem);
    s.b = at<T>(args.c, problem);
    s.si = args.side == LEFT ? 1 : args.c.ld;
    s.sr = args.side == LEFT ? args.c.ld : 1;
    if (!s.t.lower) {
        s.t.a += (order - 1) * (s.t.si + s.t.sj);
        s.b += (order - 1) * s.si;
        s.t.si = -s.t.si;
        s.t.sj = -s.t.sj;
        s.si = -s.si;
    }
    return s;
}

}  // namespace basalt
#endif
