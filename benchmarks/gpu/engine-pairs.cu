// The engine's products beside cuBLAS: cuBLASLt with the algorithm and the workspace that Basalt gives it, in turns with cublasGemmEx on one stream, a line a case.
//     engine-pairs libcublas.so libcublasLt.so
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

const size_t WORKSPACE = (32 << 20) - 256;
const size_t OFFERED = 64 << 20;
const int RESULTS = 8;

void require(bool good, const char* what) {
    if (!good) {
        fprintf(stderr, "engine-pairs: %s failed\n", what);
        exit(1);
    }
}

template <typename F>
F symbol(void* library, const char* name) {
    F f = (F)dlsym(library, name);
    require(f != nullptr, name);
    return f;
}

struct Heuristic {
    unsigned char algorithm[64];
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
};

struct Types {
    const char* name;
    int in, out, compute, scale, bytesIn, bytesOut;
};

// cudaDataType_t and cublasComputeType_t
const Types TYPES[] = {
        {"f16-f16", 2, 2, 68, 0, 2, 2},     {"f16-f32", 2, 0, 68, 0, 2, 4},   {"bf16-bf16", 14, 14, 68, 0, 2, 2},
        {"bf16-f32", 14, 0, 68, 0, 2, 4},   {"i8-i32", 3, 10, 72, 10, 1, 4},  {"tf32", 0, 0, 77, 0, 4, 4},
        {"f32", 0, 0, 68, 0, 4, 4},         {"f64", 1, 1, 70, 1, 8, 8},
};

__global__ void fill(void* to, int type, size_t count) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = (unsigned)(i * 2654435761u);
        h ^= h >> 15;
        h *= 2246822519u;
        h ^= h >> 13;
        int v = (int)(h % 9) - 4;  // quarters: exact in every type
        if (type == 3) {
            ((signed char*)to)[i] = (signed char)v;
        } else if (type == 1) {
            ((double*)to)[i] = v * 0.25;
        } else {
            unsigned bits = __float_as_uint(v * 0.25f);
            if (type == 0) {
                ((unsigned*)to)[i] = bits;
            } else if (type == 14) {
                ((unsigned short*)to)[i] = (unsigned short)(bits >> 16);
            } else {
                ((unsigned short*)to)[i] = v == 0 ? 0 : (unsigned short)((bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff));
            }
        }
    }
}

__global__ void differences(const unsigned char* x, const unsigned char* y, size_t count, unsigned long long* differ) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        if (x[i] != y[i]) {
            atomicAdd(differ, 1ull);
        }
    }
}

template <typename F>
float seconds(cudaStream_t stream, int times, F&& call) {
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventRecord(start, stream);
    for (int i = 0; i < times; i++) {
        call();
    }
    cudaEventRecord(end, stream);
    require(cudaEventSynchronize(end) == cudaSuccess, "a product");
    float ms;
    cudaEventElapsedTime(&ms, start, end);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return ms / times;
}

float median(std::vector<float> x) {
    std::sort(x.begin(), x.end());
    return x[x.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
    require(count == 3, "two libraries are to be named; that");
    void* blas = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL);
    void* lt = dlopen(arguments[2], RTLD_NOW | RTLD_GLOBAL);
    require(blas && lt, "opening a library");
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    void *handle, *ltHandle;
    require(symbol<int (*)(void**)>(blas, "cublasCreate_v2")(&handle) == 0, "cublasCreate");
    symbol<int (*)(void*, cudaStream_t)>(blas, "cublasSetStream_v2")(handle, stream);
    require(symbol<int (*)(void**)>(lt, "cublasLtCreate")(&ltHandle) == 0, "cublasLtCreate");
    auto gemmEx = symbol<int (*)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*, void*, int, int, int, int)>(blas, "cublasGemmEx");
    auto makeDesc = symbol<int (*)(void**, int, int)>(lt, "cublasLtMatmulDescCreate");
    auto setDesc = symbol<int (*)(void*, int, const void*, size_t)>(lt, "cublasLtMatmulDescSetAttribute");
    auto makeLayout = symbol<int (*)(void**, int, unsigned long long, unsigned long long, long long)>(lt, "cublasLtMatrixLayoutCreate");
    auto makePreference = symbol<int (*)(void**)>(lt, "cublasLtMatmulPreferenceCreate");
    auto setPreference = symbol<int (*)(void*, int, const void*, size_t)>(lt, "cublasLtMatmulPreferenceSetAttribute");
    auto heuristic = symbol<int (*)(void*, void*, void*, void*, void*, void*, void*, int, Heuristic*, int*)>(lt, "cublasLtMatmulAlgoGetHeuristic");
    auto matmul = symbol<int (*)(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*, void*, void*, const void*, void*, size_t, cudaStream_t)>(lt, "cublasLtMatmul");
    const long MOST = 8192;
    void *a, *b, *c, *d, *work;
    unsigned long long* differ;
    cudaMalloc(&a, MOST * MOST * 8);
    cudaMalloc(&b, MOST * MOST * 8);
    cudaMalloc(&c, MOST * MOST * 8);
    cudaMalloc(&d, MOST * MOST * 8);
    cudaMalloc(&work, OFFERED);
    cudaMalloc(&differ, 8);
    printf("types,form,n,engine_us,cublas_us,ratio,bytes_that_differ\n");
    for (const Types& t : TYPES) {
        for (int form = 0; form < 4; form++) {
            for (long n : {4096L, 8192L}) {
                int opA = form / 2, opB = form % 2;
                fill<<<1024, 256, 0, stream>>>(a, t.in, (size_t)n * n);
                fill<<<1024, 256, 0, stream>>>(b, t.in, (size_t)n * n);
                float one = 1, zero = 0;
                double oneD = 1, zeroD = 0;
                int oneI = 1, zeroI = 0;
                const void* alpha = t.scale == 1 ? (void*)&oneD : t.scale == 10 ? (void*)&oneI : (void*)&one;
                const void* beta = t.scale == 1 ? (void*)&zeroD : t.scale == 10 ? (void*)&zeroI : (void*)&zero;
                void *desc, *in, *out, *preference;
                makeDesc(&desc, t.compute, t.scale);
                setDesc(desc, 3, &opA, 4);
                setDesc(desc, 4, &opB, 4);
                makeLayout(&in, t.in, n, n, n);
                makeLayout(&out, t.out, n, n, n);
                Heuristic found[RESULTS];
                const Heuristic* best = nullptr;
                for (size_t offered : {OFFERED, WORKSPACE}) {
                    if (best) {
                        continue;
                    }
                    makePreference(&preference);
                    setPreference(preference, 1, &offered, 8);
                    int how = 0;
                    if (heuristic(ltHandle, desc, in, in, out, out, preference, RESULTS, found, &how) != 0) {
                        how = 0;
                    }
                    for (int i = 0; i < how && !best; i++) {
                        best = found[i].status == 0 && found[i].workspace <= WORKSPACE ? &found[i] : nullptr;
                    }
                }
                if (!best) {
                    printf("%s,%c%c,%ld,,,,no algorithm\n", t.name, "NT"[opA], "NT"[opB], n);
                    continue;
                }
                int bad = 0;
                auto engine = [&] { bad |= matmul(ltHandle, desc, alpha, a, in, b, in, beta, c, out, c, out, best->algorithm, work, WORKSPACE, stream); };
                auto cublas = [&] { bad |= gemmEx(handle, opA, opB, (int)n, (int)n, (int)n, alpha, a, t.in, (int)n, b, t.in, (int)n, beta, d, t.out, (int)n, t.compute, -1); };
                float once = std::max(seconds(stream, 2, engine), seconds(stream, 2, cublas));
                int times = std::max(1, (int)(4 / once));
                std::vector<float> x, y, z;
                for (int r = 0; r < 9; r++) {
                    float before = seconds(stream, times, cublas);
                    float mine = seconds(stream, times, engine);
                    float after = seconds(stream, times, cublas);
                    x.push_back(mine);
                    y.push_back((before + after) / 2);
                    z.push_back((before + after) / 2 / mine);
                }
                cudaMemsetAsync(differ, 0, 8, stream);
                differences<<<1024, 256, 0, stream>>>((unsigned char*)c, (unsigned char*)d, (size_t)n * n * t.bytesOut, differ);
                unsigned long long bytes = 0;
                cudaMemcpyAsync(&bytes, differ, 8, cudaMemcpyDeviceToHost, stream);
                cudaStreamSynchronize(stream);
                printf("%s,%c%c,%ld,%.1f,%.1f,%.3f,%s%llu\n", t.name, "NT"[opA], "NT"[opB], n, median(x) * 1e3, median(y) * 1e3, median(z), bad ? "error " : "", bytes);
                fflush(stdout);
            }
        }
    }
    return 0;
}
