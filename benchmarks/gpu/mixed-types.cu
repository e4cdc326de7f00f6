// Kernels of mixed types on an H100: right by double, and timed beside cuBLAS, a line a case. The first argument is cuBLAS's library:
//     mixed libcublas.so
// Without it only results are checked; "mixed - ROUNDS" says how often, and "mixed libcublas.so ROUNDS tf32" takes the kernels of that name alone, "factors"
// those of floats that a launch before rounds.
#define BASALT_TYPE_S
#ifndef __CUDA_ARCH__
extern "C" __global__ void basalt_waits() {}
#endif
#include "warpgroup.cu"

#include "factors.cu"
#include "half.cu"
#include "mixed.cu"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace basalt;

namespace {

void check(cudaError_t result) {
    if (result != cudaSuccess) {
        fprintf(stderr, "mixed: %s\n", cudaGetErrorString(result));
        exit(1);
    }
}

std::mt19937 random32(7);
double number() { return std::uniform_real_distribution<double>(-1, 1)(random32); }

int bytesOf(int type) { return type == F16 || type == BF16 ? 2 : type == I8 ? 1 : 4; }
const char* nameOf(int type) { return type == F16 ? "f16" : type == BF16 ? "bf16" : type == I8 ? "i8" : type == I32 ? "i32" : "f32"; }
// cudaDataType_t
int numberOf(int type) { return type == F16 ? 2 : type == BF16 ? 14 : type == I8 ? 3 : type == I32 ? 10 : 0; }

float floatOfBits(unsigned bits) {
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
unsigned bitsOfFloat(float f) {
    unsigned bits;
    memcpy(&bits, &f, 4);
    return bits;
}
double load(int type, const char* p, long i) {
    unsigned short h = bytesOf(type) == 2 ? ((const unsigned short*)p)[i] : 0;
    switch (type) {
        case I8: return ((const signed char*)p)[i];
        case I32: return ((const int*)p)[i];
        case BF16: return floatOfBits((unsigned)h << 16);
        case F16: {
            bool special = (h & 0x7c00) == 0x7c00;
            double size = special ? floatOfBits(0x7f800000u | (h & 0x3ff) << 13) : floatOfBits((h & 0x7fff) << 13) * 0x1p112;
            return h & 0x8000 ? -size : size;
        }
        default: return ((const float*)p)[i];
    }
}
// Toward zero: any number of the type will do.
void store(int type, char* p, long i, double v) {
    unsigned bits = bitsOfFloat((float)v);
    switch (type) {
        case I8: ((signed char*)p)[i] = (signed char)v; break;
        case I32: ((int*)p)[i] = (int)v; break;
        case BF16: ((unsigned short*)p)[i] = (unsigned short)(v != v ? 0x7fff : bits >> 16); break;
        case F16: {
            unsigned small = bitsOfFloat((float)(fabs(v) * 0x1p-112)) >> 13;
            ((unsigned short*)p)[i] = (unsigned short)(v != v ? 0x7fff : (bits >> 16 & 0x8000) | small);
            break;
        }
        default: ((float*)p)[i] = (float)v;
    }
}

// Numbers on the host and on the GPU.
struct Numbers {
    int type;
    std::vector<char> host;
    char* device = nullptr;

    Numbers(int type, long n, bool poisoned) : type(type), host(n * bytesOf(type) + 64) {
        // What comes after a million numbers repeats them.
        long fresh = std::min(n, 1L << 20);
        for (long i = 0; i < fresh; i++) {
            store(type, host.data(), i, type == I8 ? (int)(random32() % 256) - 128 : poisoned ? NAN : type == I32 ? (int)random32() / 4 : number());
        }
        for (long i = fresh; i < n; i += fresh) {
            memcpy(&host[i * bytesOf(type)], host.data(), std::min(fresh, n - i) * bytesOf(type));
        }
        check(cudaMalloc(&device, host.size()));
        check(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyDefault));
    }
    ~Numbers() { cudaFree(device); }
    std::vector<char> now() const {
        std::vector<char> out(host.size());
        check(cudaMemcpy(out.data(), device, out.size(), cudaMemcpyDefault));
        return out;
    }
    double operator[](long i) const { return load(type, host.data(), i); }
};

struct Kernel {
    void (*function)(const Args);
    const char* name;
    int rows, columns, threads, shared;
};
#define KERNEL(name, rows, columns) {basalt_##name##_s, #name, rows, columns, row::name##_s::threads, row::name##_s::shared}
#define FOUR(stem, rows, columns)                                                                          \
    {KERNEL(stem##_nn_##rows, rows, columns), KERNEL(stem##_nt_##rows, rows, columns),                     \
     KERNEL(stem##_tn_##rows, rows, columns), KERNEL(stem##_tt_##rows, rows, columns)}
enum { HALF_32, HALF_48, HALF_64, HALF_96, HALF_128, GROUP_128, GROUP_256, INTEGERS, ROUNDED, ROUNDED_128, ROUNDED_64, SHORT_128, SHORT_64, KINDS };
const Kernel KERNELS[KINDS][4] = {FOUR(half, 32, 32), FOUR(half, 48, 48), FOUR(half, 64, 64), FOUR(half, 96, 96), FOUR(half, 128, 128),
                                  FOUR(warpgroup, 128, 128), FOUR(warpgroup, 256, 128), FOUR(integers, 256, 128), FOUR(rounded, 256, 128), FOUR(tf32, 128, 128), FOUR(tf32, 64, 64),
                                  FOUR(short, 128, 128), FOUR(short, 64, 64)};

void operand(Operand& o, char* base, long ld, long strideBytes) {
    o.base = (u64)base;
    o.ld = ld;
    o.stride = strideBytes;
}
Args product(int type, int typeC, int form, long m, long n, long k, long count) {
    Args a;
    memset(&a, 0, sizeof a);
    a.opA = form / 2;
    a.opB = form % 2;
    a.m = m;
    a.n = n;
    a.k = k;
    a.count = count;
    a.alpha.re = 1;
    a.y = type | type << 8;
    a.z = typeC;
    return a;
}
long up(long x, long y) { return (x + y - 1) / y; }

// Blocks that run at once, of kernels whose blocks stay.
long resident(const Kernel& k) {
    static std::map<const void*, long> known;
    long& count = known[(const void*)k.function];
    if (count == 0) {
        int each, multiprocessors;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, k.function, k.threads, k.shared));
        check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
        count = (long)each * multiprocessors;
    }
    return count;
}
void launch(int kind, const Args& a, cudaStream_t stream) {
    const Kernel& k = KERNELS[kind][a.opA * 2 + a.opB];
    long tiles = (a.m + k.rows - 1) / k.rows * ((a.n + k.columns - 1) / k.columns);
    // As HalfRules has it: blocks that stay take one tile after another, others have the shared memory that one tile needs.
    bool listed = kind <= HALF_128 || kind >= ROUNDED_128;
    bool stay = listed && (k.rows <= 48 || k.rows == 96);
    long shared = k.shared;
    if (listed && !stay) {
        long depth = kind <= HALF_128 ? 64 : 32;
        long atoms = up(k.rows, depth) * depth;
        long stage = ((a.opA ? k.rows : atoms) + (a.opB ? atoms : k.rows)) * 128;
        shared = std::min(shared, std::max(1L, up(a.k, depth)) * stage);
    }
    long blocks = stay ? std::min<long>(tiles * a.count, resident(k)) : listed ? tiles * a.count : tiles;
    k.function<<<dim3(blocks, 1, listed ? 1 : std::min(a.count, 65535LL)), k.threads, shared, stream>>>(a);
}

// As FactorRules has it: a launch rounds floats to a type into the workspace, by so many inner indices at a time, and another multiplies them.
const Kernel ROUNDED_FACTORS[2] = {KERNEL(rounded_factors_128, 128, 128), KERNEL(rounded_factors_256, 256, 128)};
long laid(int type, long k) { return up(k, 128 / bytesOf(type)) * (128 / bytesOf(type)); }
void roundFactors(int type, const Args& a, cudaStream_t stream) {
    const int SIDE = row::round_factors_s::tile;
    Args args = a;
    args.z = type;
    basalt_round_factors_s<<<(up(a.m, SIDE) + up(a.n, SIDE)) * up(a.y, SIDE), row::round_factors_s::threads, 0, stream>>>(args);
}
void launchInBlocks(int type, Args a, long most, cudaStream_t stream) {
    Args product = a;
    product.x = product.z = 0;
    product.y = type == F32 ? 0 : type | type << 8;
    memset(&product.a, 0, sizeof product.a);
    memset(&product.b, 0, sizeof product.b);
    bool high = 16 * up(up(a.m, 256) * up(a.n, 128), 132) <= 12 * up(up(a.m, 128) * up(a.n, 128), 132);
    const Kernel& k = type == F32 ? ROUNDED_FACTORS[high] : KERNELS[high ? GROUP_256 : GROUP_128][2];
    for (long p = 0; p < a.k; p += most) {
        product.k = product.a.ld = product.b.ld = std::min(most, laid(type, a.k) - p);
        a.x = (int)p;
        a.y = (int)product.k;
        roundFactors(type, a, stream);
        product.a.base = a.work;
        product.b.base = a.work + a.m * product.k * bytesOf(type);
        k.function<<<up(a.m, k.rows) * up(a.n, k.columns), k.threads, k.shared, stream>>>(product);
        product.beta.re = 1;
    }
}

int wrong = 0;

// As a product takes it, rounded to a type: floats ("TF32") have ten bits of fraction then, ties away from zero, others go to even.
double factor(const Numbers& x, long i, int type) {
    if (x.type != F32) {
        return x[i];
    }
    unsigned bits = bitsOfFloat((float)x[i]);
    int lost = type == BF16 ? 16 : 13;
    double small = 0x1p-24;  // halves below 2^-14
    if (type == F16 && fabs(x[i]) < 0x1p-14) {
        return nearbyint(x[i] / small) * small;
    }
    return floatOfBits((bits + (type == F32 ? 0x1000 : (1u << (lost - 1)) - 1 + (bits >> lost & 1))) & ~((1u << lost) - 1));
}

// In blocks of so many inner indices, rounded to a type: 0 for a kernel that wants no workspace.
void tryProduct(int kind, int form, int round, long most = 0, int rounded = F32) {
    const Kernel& kernel = KERNELS[kind][form];
    bool integers = kind == INTEGERS;
    int type = integers ? I8 : kind >= ROUNDED ? F32 : round % 2 ? BF16 : F16;
    int typeC = integers ? I32 : round % 5 == 0 ? F32 : type;
    long m = round % 3 == 0 ? kernel.rows : 1 + random32() % 330;
    long n = round % 3 == 0 ? kernel.columns : 1 + random32() % 330;
    long k = round % 7 == 6 ? 0 : round % 3 == 0 ? 128 : 1 + random32() % 300;
    long whole = round % 2 ? 1 : integers ? 16 : 8;  // leading dimensions that allow 16 bytes at a time, or any
    long rowsA = form / 2 ? k : m;
    long rowsB = form % 2 ? n : k;
    long lda = (std::max(1L, rowsA) + random32() % 9 + whole - 1) / whole * whole;
    long ldb = (std::max(1L, rowsB) + random32() % 9 + whole - 1) / whole * whole;
    long ldc = m + random32() % 9;
    double alpha = round % 11 == 10 ? 0 : integers ? 2 : -0.5;
    double beta = (int)(random32() % 3) - 1;
    bool several = kind <= HALF_128 || kind >= ROUNDED_128;
    long count = several ? 1 + round % 4 * (round % 3 == 0 ? 300 : 1) : 1;
    long strideA = lda * (form / 2 ? m : k), strideB = ldb * (form % 2 ? k : n), strideC = ldc * n;
    Numbers a(type, strideA * count + 1, alpha == 0 && !integers);
    Numbers b(type, strideB * count + 1, alpha == 0 && !integers);
    Numbers c(typeC, strideC * count, beta == 0 && !integers);
    Args args = product(type, typeC, form, m, n, k, count);
    args.alpha.re = alpha;
    args.beta.re = beta;
    operand(args.a, a.device, lda, strideA * bytesOf(type));
    operand(args.b, b.device, ldb, strideB * bytesOf(type));
    operand(args.c, c.device, ldc, strideC * bytesOf(typeC));
    // What lies in the workspace before is no number.
    Numbers work(F32, most == 0 ? 0 : (m + n) * most, true);
    if (kind >= SHORT_128) {
        rounded = round % 2 ? BF16 : F16;
        args.x = round % 2 ? 3 : 2;
        args.y = 0;
    }
    if (most == 0) {
        launch(kind, args, 0);
    } else {
        args.work = (u64)work.device;
        launchInBlocks(rounded, args, most, 0);
    }
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    std::vector<char> out = c.now();
    double eps = typeC == F16 ? 0x1p-11 : typeC == BF16 ? 0x1p-8 : 0x1p-24;
    long bad = 0;
    // Of many problems the first, the last and some between.
    for (long column = 0; column < n * count; column++) {
        long p = column / n, j = column % n;
        if (p > 1 && p < count - 2 && p % 97 != 0) {
            continue;
        }
        for (long i = 0; i < ldc; i++) {
            long at = p * strideC + i + j * ldc;
            double got = load(typeC, out.data(), at);
            if (i >= m) {
                bad += memcmp(&out[at * bytesOf(typeC)], &c.host[at * bytesOf(typeC)], bytesOf(typeC)) != 0;
                continue;
            }
            double sum = 0, size = 0;
            for (long l = 0; alpha != 0 && l < k; l++) {
                double term =
                    factor(a, p * strideA + (form / 2 ? l + i * lda : i + l * lda), rounded) * factor(b, p * strideB + (form % 2 ? j + l * ldb : l + j * ldb), rounded);
                sum += term;
                size += fabs(term);
            }
            double old = beta == 0 ? 0 : beta * c[at];
            double bound = integers ? 0 : 1.01 * eps * fabs(alpha * sum + old) + (k + 4) * 0x1p-23 * (size + fabs(old)) + 1e-7;
            bad += !(fabs(got - (alpha * sum + old)) <= bound);
        }
    }
    if (bad > 0) {
        wrong++;
        printf("wrong: %s round %d in blocks of %ld, %ld elements\n", kernel.name, round, most, bad);
    }
}

// ---- time

cudaStream_t stream;
void *library, *handle;

template <typename F>
F symbol(const char* name) {
    F f = (F)dlsym(library, name);
    if (!f) {
        fprintf(stderr, "mixed: no %s\n", name);
        exit(1);
    }
    return f;
}

// Microseconds a call, the median of seven series.
double time(const std::function<void()>& call, int calls) {
    cudaEvent_t from, to;
    check(cudaEventCreate(&from));
    check(cudaEventCreate(&to));
    std::vector<float> times;
    for (int series = -1; series < 7; series++) {
        check(cudaEventRecord(from, stream));
        for (int i = 0; i < calls; i++) {
            call();
        }
        check(cudaEventRecord(to, stream));
        check(cudaEventSynchronize(to));
        float ms;
        check(cudaEventElapsedTime(&ms, from, to));
        if (series >= 0) {
            times.push_back(ms * 1000 / calls);
        }
    }
    check(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}
void row(const std::string& family, const std::string& shape, const std::function<void()>& peer, const std::function<void()>& own, int calls) {
    double before = time(peer, calls), ours = time(own, calls), after = time(peer, calls);
    printf("%s,%s,%.4g,%.4g,%.3f\n", family.c_str(), shape.c_str(), ours, (before + after) / 2, (before + after) / 2 / ours);
}

void products(int kind, int type, int typeC, long n, long count) {
    auto gemm = symbol<int (*)(void*, int, int, int, int, int, const void*, const void*, int, int, long long, const void*, int, int,
                               long long, const void*, void*, int, int, long long, int, int, int)>("cublasGemmStridedBatchedEx");
    Numbers a(type, n * n * count, false), b(type, n * n * count, false), c(typeC, n * n * count, false);
    float one = 1, none = 0;
    int integer = 1;
    for (int form = 0; form < 4; form++) {
        Args args = product(type, typeC, form, n, n, n, count);
        operand(args.a, a.device, n, n * n * bytesOf(type));
        operand(args.b, b.device, n, n * n * bytesOf(type));
        operand(args.c, c.device, n, n * n * bytesOf(typeC));
        const void* alpha = type == I8 ? (void*)&integer : (void*)&one;
        auto peer = [&] {
            gemm(handle, form / 2, form % 2, n, n, n, alpha, a.device, numberOf(type), n, n * n, b.device, numberOf(type), n, n * n,
                 &none, c.device, numberOf(typeC), n, n * n, count, type == I8 ? 72 : type == F32 ? 77 : 68, 99);
        };
        std::string shape = std::string("m=n=k=") + std::to_string(n) + " batch=" + std::to_string(count) + " " + "NT"[form / 2] + "NT"[form % 2];
        row("gemm_ex " + std::string(type == F32 ? "tf32" : nameOf(type)) + " " + nameOf(typeC), shape, peer, [&] { launch(kind, args, stream); }, n >= 4096 ? 3 : 10);
    }
}

// Products of floats whose factors are rounded to a type before, in blocks of so many inner indices; the rounding alone; and rounded in registers.
void factors(int type, long m, long n, long k, long most) {
    auto gemm = symbol<int (*)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*, void*, int,
                               int, int, int)>("cublasGemmEx");
    Numbers a(F32, m * k, false), b(F32, k * n, false), c(F32, m * n, false);
    char* work;
    most = std::min(most, laid(type, k));
    check(cudaMalloc(&work, (m + n) * most * bytesOf(type)));
    float one = 1, none = 0;
    std::string name = type == F32 ? "tf32" : nameOf(type);
    for (int form = 0; form < 4; form++) {
        long lda = form / 2 ? k : m, ldb = form % 2 ? n : k;
        Args args = product(F32, F32, form, m, n, k, 1);
        operand(args.a, a.device, lda, 0);
        operand(args.b, b.device, ldb, 0);
        operand(args.c, c.device, m, 0);
        args.work = (u64)work;
        int computed = type == F32 ? 77 : type == F16 ? 74 : 75;
        auto peer = [&] {
            gemm(handle, form / 2, form % 2, m, n, k, &one, a.device, 0, lda, b.device, 0, ldb, &none, c.device, 0, m, computed, 99);
        };
        std::string shape = "m=" + std::to_string(m) + " n=" + std::to_string(n) + " k=" + std::to_string(k) + " depth=" + std::to_string(most) +
                            " " + "NT"[form / 2] + "NT"[form % 2];
        int calls = (double)m * n * k > 3e10 ? 3 : 10;
        row("rounded before " + name, shape, peer, [&] { launchInBlocks(type, args, most, stream); }, calls);
        if (most >= k) {
            args.y = (int)most;
            row("rounding alone " + name, shape, peer, [&] { roundFactors(type, args, stream); }, calls);
        }
        args.x = type == F16 ? 2 : 3;  // MathMode
        args.y = 0;
        bool large = up(m, 128) * up(n, 128) >= 2 * 132;
        bool group = type == F32 && 6 * up(m, 256) * up(n, 128) >= 132;
        int kind = group ? ROUNDED : type == F32 ? (large ? ROUNDED_128 : ROUNDED_64) : large ? SHORT_128 : SHORT_64;
        row("rounded in registers " + name, shape, peer, [&] { launch(kind, args, stream); }, calls);
    }
    cudaFree(work);
}

void vectors(int type, long n) {
    Numbers x(type, n, false), y(type, n, false);
    char *sums, *sync, *result;
    check(cudaMalloc(&sums, 1 << 20));
    check(cudaMalloc(&sync, 192 << 10));
    check(cudaMemset(sync, 0, 192 << 10));
    check(cudaMalloc(&result, 16));
    Args args = product(type, type, 0, 0, n, 0, 1);
    operand(args.a, x.device, 1, 0);
    operand(args.b, y.device, 1, 0);
    operand(args.c, y.device, 1, 0);
    operand(args.d, result, 1, 0);
    args.z = type | type << 8;
    args.alpha.re = 0.001;
    args.x = (int)std::min((n + 4095) / 4096, 264L);
    args.work = (u64)sums;
    args.workBytes = 1 << 20;
    args.sync = (u64)sync;
    int t = numberOf(type);
    float alpha = 0.001f;
    std::string shape = std::string(nameOf(type)) + " n=" + std::to_string(n);
    auto axpy = symbol<int (*)(void*, int, const void*, int, const void*, int, int, void*, int, int, int)>("cublasAxpyEx");
    auto dot = symbol<int (*)(void*, int, const void*, int, int, const void*, int, int, void*, int, int)>("cublasDotEx");
    auto nrm2 = symbol<int (*)(void*, int, const void*, int, int, void*, int, int)>("cublasNrm2Ex");
    auto mode = symbol<int (*)(void*, int)>("cublasSetPointerMode_v2");
    long blocks = std::min((n + 2047) / 2048, 16L * 132);
    row("axpy_ex", shape, [&] { axpy(handle, n, &alpha, 0, x.device, t, 1, y.device, t, 1, 0); },
        [&] { basalt_mixed_axpy_s<<<blocks, 256, 0, stream>>>(args); }, 10);
    mode(handle, 1);
    row("dot_ex", shape, [&] { dot(handle, n, x.device, t, 1, y.device, t, 1, result, t, 0); },
        [&] { basalt_mixed_dot_s<<<args.x, 512, 0, stream>>>(args); }, 10);
    row("nrm2_ex", shape, [&] { nrm2(handle, n, x.device, t, 1, result, t, 0); },
        [&] { basalt_mixed_nrm2_s<<<args.x, 512, 0, stream>>>(args); }, 10);
    mode(handle, 0);
    cudaFree(sums);
    cudaFree(sync);
    cudaFree(result);
}

}  // namespace

int main(int count, char** arguments) {
    for (const auto& four : KERNELS) {
        for (const Kernel& k : four) {
            check(cudaFuncSetAttribute(k.function, cudaFuncAttributeMaxDynamicSharedMemorySize, k.shared));
        }
    }
    for (const Kernel& k : ROUNDED_FACTORS) {
        check(cudaFuncSetAttribute(k.function, cudaFuncAttributeMaxDynamicSharedMemorySize, k.shared));
    }
    setvbuf(stdout, nullptr, _IOLBF, 0);
    int rounds = count > 2 ? atoi(arguments[2]) : 20;
    std::string only = count > 3 ? arguments[3] : "";
    auto wanted = [&](int kind) { return std::string(KERNELS[kind][0].name).find(only) == 0; };
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; wanted(kind) && i < 4 * rounds; i++) {
            tryProduct(kind, i % 4, i / 4);
        }
    }
    bool inBlocks = std::string("factors").find(only) == 0;
    for (int i = 0; inBlocks && i < 12 * rounds; i++) {
        tryProduct(ROUNDED, i % 4, i / 12, i / 12 % 2 == 0 ? 320 : 64, i / 4 % 3 == 0 ? F32 : i / 4 % 3 == 1 ? F16 : BF16);
    }
    printf("# %d products wrong, of %d of each kind\n", wrong, 4 * rounds);
    if (count < 2 || !strcmp(arguments[1], "-") || wrong > 0) {
        return wrong > 0;
    }
    library = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "mixed: %s\n", dlerror());
        return 1;
    }
    check(cudaStreamCreate(&stream));
    symbol<int (*)(void**)>("cublasCreate_v2")(&handle);
    symbol<int (*)(void*, cudaStream_t)>("cublasSetStream_v2")(handle, stream);
    printf("family,shape,ours_us,peer_us,ratio\n");
    for (long n : {256, 384, 512, 1024, 2048, 3000, 4096, 8192}) {
        for (int type : {F32, F16, BF16}) {
            if (inBlocks && (type == F32 || (n <= 4096 && (type == F16 || n == 4096)))) {
                factors(type, n, n, n, n + 128);
            }
        }
    }
    if (inBlocks) {
        // As the tiers of 256 and of 64 MiB have it.
        factors(F32, 8192, 8192, 8192, 4096);
        factors(F32, 8192, 8192, 8192, 1024);
        factors(F32, 4096, 4096, 4096, 2048);
        // Flat ones.
        for (long k : {64, 128, 256}) {
            factors(F32, 4096, 4096, k, k);
            factors(F32, 512, 512, k, k);
        }
        for (long least : {256, 512, 1024}) {
            factors(F32, least, 8192, 8192, 8192);
            factors(F32, 8192, least, 8192, 8192);
        }
    }
    auto timed = [&](int kind, int type, int typeC, std::initializer_list<long> orders, long count) {
        for (long n : orders) {
            if (wanted(kind)) {
                products(kind, type, typeC, n, count);
            }
        }
    };
    timed(GROUP_256, F16, F16, {4096, 8192}, 1);
    timed(GROUP_256, BF16, BF16, {4096, 8192}, 1);
    timed(INTEGERS, I8, I32, {4096, 8192}, 1);
    timed(ROUNDED, F32, F32, {500, 512, 1024, 2048, 3000, 4096, 8192}, 1);
    timed(ROUNDED_128, F32, F32, {512, 1024, 2048}, 1);
    timed(ROUNDED_64, F32, F32, {512, 1024}, 1);
    for (int type : {F16, BF16}) {
        timed(HALF_32, type, type, {16, 32}, 10000);
        timed(HALF_48, type, type, {40, 48}, 10000);
        timed(HALF_64, type, type, {56, 64}, 4000);
        timed(HALF_96, type, type, {80, 96}, 4000);
        timed(HALF_128, type, type, {112, 128}, 2000);
        timed(HALF_32, type, type, {32}, 1000);
        timed(HALF_128, type, type, {128}, 1000);
        timed(HALF_64, type, type, {128}, 2000);
        timed(HALF_48, type, type, {96}, 4000);
    }
    for (int type : {F16, BF16}) {
        if (only.empty()) {
            vectors(type, 10000000);
        }
    }
    return 0;
}
