// What the test of the layouts asks the sources' headers: offsets of the argument structure.
#include <cstddef>

#include "basalt.h"

namespace {

struct Field {
    const char* name;
    long long offset;
};

#define FIELD(structure, member) {#structure "." #member, (long long)offsetof(basalt::structure, member)}
#define BYTES(structure) {#structure, (long long)sizeof(basalt::structure)}

const Field FIELDS[] = {
    BYTES(Operand), BYTES(Scalar), BYTES(Args),
    FIELD(Operand, base), FIELD(Operand, offset), FIELD(Operand, stride), FIELD(Operand, ld), FIELD(Operand, pointers),
    FIELD(Operand, storage),
    FIELD(Scalar, re), FIELD(Scalar, im), FIELD(Scalar, address), FIELD(Scalar, gateValue), FIELD(Scalar, type),
    FIELD(Scalar, gated),
    FIELD(Args, a), FIELD(Args, b), FIELD(Args, c), FIELD(Args, d), FIELD(Args, e), FIELD(Args, alpha), FIELD(Args, beta),
    FIELD(Args, m), FIELD(Args, n), FIELD(Args, k), FIELD(Args, p), FIELD(Args, q), FIELD(Args, count), FIELD(Args, work),
    FIELD(Args, workBytes), FIELD(Args, sync), FIELD(Args, opA), FIELD(Args, opB), FIELD(Args, side), FIELD(Args, uplo),
    FIELD(Args, diag), FIELD(Args, flag), FIELD(Args, guarded), FIELD(Args, x), FIELD(Args, y), FIELD(Args, z),
    FIELD(Args, extentOf), FIELD(Args, semiring), FIELD(Args, f), FIELD(Args, g), FIELD(Args, bandA.kl), FIELD(Args, bandA.ku),
    FIELD(Args, bandC.kl), FIELD(Args, bandC.ku), FIELD(Args, extent), FIELD(Args, extentStride)};

}  // namespace

extern "C" const char* basalt_layout_field(int i) { return i < (int)(sizeof FIELDS / sizeof *FIELDS) ? FIELDS[i].name : nullptr; }
extern "C" long long basalt_layout_offset(int i) { return FIELDS[i].offset; }

// Where element (i, j) of operand a lies in a matrix of doubles, and which rows of its column j are stored.
extern "C" long long basalt_layout_element(const basalt::Args* args, long long problem, long long i, long long j) {
    return (long long)&basalt::stored<double>(args->a, args->bandA, args->uplo, args->m, args->n, problem)(i, j);
}
extern "C" long long basalt_layout_first(const basalt::Args* args, long long j) {
    return basalt::stored<double>(args->a, args->bandA, args->uplo, args->m, args->n, 0).first(j);
}
extern "C" long long basalt_layout_last(const basalt::Args* args, long long j) {
    return basalt::stored<double>(args->a, args->bandA, args->uplo, args->m, args->n, 0).last(j, args->m);
}
