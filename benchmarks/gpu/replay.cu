// Replays the launches that Trace.java wrote down, beside cuBLAS and cuSOLVER in one process: alternating, timed by events, medians of 9, results compared.
// It stands in for "basalt bench --device cuda:0 --peer cublas" until that exists.
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>
typedef unsigned long long u64; typedef long long i64;
#define CK(x) do { auto e_ = (x); if ((int)e_ != 0) { printf("FAIL %s = %d line %d\n", #x, (int)e_, __LINE__); fflush(stdout); exit(1);} } while (0)
static const u64 BASE = 0x400000000000ULL;
struct Op { char id, type; u64 off; i64 m, n, count; char kind; };
struct La { CUfunction f; int gx, gy, gz, threads, shared; unsigned char args[400]; std::string name; };
struct Case { std::string name; char type; double flops, bytes; int inPlace; std::vector<std::string> peer; std::vector<Op> ops; std::vector<La> ls; u64 size; };
static int width(char t) { return t == 's' ? 4 : t == 'd' ? 8 : t == 'c' ? 8 : t == 'z' ? 16 : t == 'i' ? 4 : 8; }
__device__ double hashed(u64 x) { x ^= x >> 33; x *= 0xff51afd7ed558ccdULL; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ULL; x ^= x >> 33; return (double)(x >> 11) * 0x1p-52 - 1; }
template <typename R> __global__ void init(R* a, i64 m, i64 n, i64 count, char kind, int parts, u64 seed) {
  i64 total = m * n * count * parts;
  for (i64 e = blockIdx.x * (i64)blockDim.x + threadIdx.x; e < total; e += (i64)gridDim.x * blockDim.x) {
    i64 i = e / parts % m, j = e / parts / m % n; double v = hashed(e + seed);
    if (kind == 't' || kind == 'd') v = i == j ? 2 + fabs(v) : v / m;
    if (kind == 's') { i64 lo = i < j ? i : j, hi = i < j ? j : i; v = i == j ? m : hashed(lo * m + hi + seed); }
    if (kind == 'z') v = nan("");
    a[e] = (R)v; } }
__global__ void initI(i64* a, i64 n, i64 count, char kind) { for (i64 e = blockIdx.x * (i64)blockDim.x + threadIdx.x; e < n * count; e += (i64)gridDim.x * blockDim.x) a[e] = kind == 'I' ? (e % 3 == 0 && e + 1 < n ? e + 2 : e + 1) : 0; }
__global__ void initP(int* a, i64 n) { for (i64 e = blockIdx.x * (i64)blockDim.x + threadIdx.x; e < n; e += (i64)gridDim.x * blockDim.x) a[e] = (e % 3 == 0 && e + 1 < n ? e + 2 : e + 1); }
template <typename R> __global__ void diff(const R* x, const R* y, i64 n, double* out) { // out[0] max|x-y|, out[1] max |y|, out[2] bad count
  double d = 0, s = 0, bad = 0;
  for (i64 e = blockIdx.x * (i64)blockDim.x + threadIdx.x; e < n; e += (i64)gridDim.x * blockDim.x) { double a = x[e], b = y[e]; if (a != a && b != b) continue; if (!(fabs(a - b) < 1e300)) { bad += 1; continue; } d = fmax(d, fabs(a - b)); s = fmax(s, fabs(b)); }
  atomicMax((u64*)out, (u64)__double_as_longlong(d)); atomicMax((u64*)out + 1, (u64)__double_as_longlong(s)); atomicAdd(out + 2, bad); }
__global__ void delay(u64 ns) { u64 t0, t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0)); do { asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); } while (t - t0 < ns); }
static std::map<std::string, CUmodule> modules; static std::map<std::string, CUfunction> funcs; static std::string dir;
static CUfunction func(const std::string& name, const std::string& source) {
  auto it = funcs.find(name); if (it != funcs.end()) return it->second;
  std::string prog = source + "_" + name.back();
  if (!modules.count(prog)) { CUmodule m; CK(cuModuleLoad(&m, (dir + "/" + prog + ".sm_90.cubin").c_str())); modules[prog] = m; }
  CUfunction f; CUresult r = cuModuleGetFunction(&f, modules[prog], name.c_str()); if (r) { printf("no %s in %s\n", name.c_str(), prog.c_str()); exit(1); }
  cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 224 << 10);
  return funcs[name] = f; }
static cublasHandle_t H; static cusolverDnHandle_t S;
int main(int argc, char** argv) {
  dir = argv[1]; std::string filter = argc > 3 ? argv[3] : ""; bool prof = argc > 4;
  CK(cudaSetDevice(0)); CK(cudaFree(0)); CK(cublasCreate(&H)); CK(cusolverDnCreate(&S));
  CK(cublasSetPointerMode(H, CUBLAS_POINTER_MODE_DEVICE));
  void* ws; CK(cudaMalloc(&ws, 64 << 20)); CK(cublasSetWorkspace(H, ws, 64 << 20));
  double hs[8] = {1, 0, 0, 0, -1, 0, 0, 0}; double* sc; CK(cudaMalloc(&sc, 128)); CK(cudaMemcpy(sc, hs, 64, cudaMemcpyHostToDevice)); float hf[4] = {1, 0, 0, 0}; CK(cudaMemcpy(sc + 8, hf, 16, cudaMemcpyHostToDevice));
  double *one = sc, *zero = sc + 2; float *oneF = (float*)(sc + 8), *zeroF = oneF + 2; double* dd; CK(cudaMalloc(&dd, 64));
  cudaEvent_t e0, e1; CK(cudaEventCreate(&e0)); CK(cudaEventCreate(&e1));
  cudaStream_t st = 0; std::ifstream in(argv[2]); std::string line; Case c;
  printf("%-20s %9s %9s %6s %8s %8s %7s  %s\n", "case", "ours us", "vendor us", "ratio", "GB/s", "TFLOP/s", "launches", "difference");
  while (std::getline(in, line)) { std::istringstream s(line); char tag; s >> tag;
    if (tag == 'C') { c = Case(); s >> c.name >> c.type >> c.flops >> c.bytes >> c.inPlace; std::string w; while (s >> w) c.peer.push_back(w); }
    if (tag == 'O') { Op o; s >> o.id >> o.type >> o.off >> o.m >> o.n >> o.count >> o.kind; c.ops.push_back(o); }
    if (tag == 'L') { if (!filter.empty() && c.name.find(filter) == std::string::npos) continue; La l; std::string src, hex; s >> l.name >> src >> l.gx >> l.gy >> l.gz >> l.threads >> l.shared >> hex; l.f = func(l.name, src); for (int i = 0; i < 400; i++) l.args[i] = (unsigned char)strtol(hex.substr(2 * i, 2).c_str(), 0, 16); c.ls.push_back(l); }
    if (tag != 'E' || c.ls.empty()) continue; s >> c.size;
    char *mine, *theirs; Op R{}; u64 lo = ~0ULL, hi = 0;
    CK(cudaMalloc(&mine, c.size + 1024)); CK(cudaMemset(mine, 0, c.size)); for (auto& o : c.ops) { lo = std::min(lo, o.off); hi = std::max(hi, o.off + (u64)o.m * o.n * o.count * width(o.type)); if (o.id == 'R') R = o; }
    CK(cudaMalloc(&theirs, hi - lo + 1024)); u64 rb = (u64)R.m * R.n * R.count * width(R.type); char* pristine; CK(cudaMalloc(&pristine, rb + 16));
    std::map<char, char*> M, T; std::map<char, Op> O;
    for (auto& o : c.ops) { char* p = mine + o.off; M[o.id] = p; T[o.id] = theirs + (o.off - lo); O[o.id] = o; i64 m = o.m, n = o.n; u64 seed = o.id * 1000003ULL;
      if (o.type == 's') init<<<1024, 256>>>((float*)p, m, n, o.count, o.kind, 1, seed); if (o.type == 'd') init<<<1024, 256>>>((double*)p, m, n, o.count, o.kind, 1, seed); if (o.type == 'z') init<<<1024, 256>>>((double*)p, m, n, o.count, o.kind, 2, seed); if (o.type == 'l') initI<<<64, 256>>>((i64*)p, m, o.count, o.kind); }
    CK(cudaDeviceSynchronize()); CK(cudaMemcpy(theirs, mine + lo, hi - lo, cudaMemcpyDeviceToDevice)); CK(cudaMemcpy(pristine, M['R'], rb, cudaMemcpyDeviceToDevice));
    for (auto& l : c.ls) { static const int at[] = {0, 40, 80, 120, 160, 216, 256, 328, 344}; for (int a : at) { u64 v; memcpy(&v, l.args + a, 8); if (v >= BASE && v < BASE + (1ULL << 40)) { v = v - BASE + (u64)mine; memcpy(l.args + a, &v, 8); } } }
    auto ours = [&] { for (auto& l : c.ls) { void* ps[] = {l.args}; CUresult r = l.name.find("slices") != std::string::npos ? cuLaunchCooperativeKernel(l.f, l.gx, l.gy, l.gz, l.threads, 1, 1, l.shared, st, ps) : cuLaunchKernel(l.f, l.gx, l.gy, l.gz, l.threads, 1, 1, l.shared, st, ps, 0); if (r) { printf("launch %s: %d\n", l.name.c_str(), r); exit(1); } } };
    auto P = c.peer; auto I = [&](int i) { return (int)atoll(P[i].c_str()); }; std::string k = P[0]; char *a = T['a'], *b = T['b'], *r = T['R']; std::function<void()> peer; double *da = (double*)a, *db = (double*)b, *dr = (double*)r;
    void** ptrs = 0; int* piv = 0; int* info; CK(cudaMalloc(&info, 4 * 32768)); void* swork = 0; cublasFillMode_t U[2] = {CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_LOWER}; cublasOperation_t TR[3] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}; auto NU = CUBLAS_DIAG_NON_UNIT;
    auto pointers = [&](char* p, i64 stride, int n) { std::vector<void*> h(n); for (int i = 0; i < n; i++) h[i] = p + i * stride; void** d; CK(cudaMalloc(&d, 8 * n)); CK(cudaMemcpy(d, h.data(), 8 * n, cudaMemcpyHostToDevice)); return d; };
    if (k == "dot") peer = [=] { CK(cublasDdot(H, I(1), da, 1, db, 1, dr)); };
    if (k == "nrm2" && c.type == 'd') peer = [=] { CK(cublasDnrm2(H, I(1), da, 1, dr)); };
    if (k == "nrm2" && c.type == 's') peer = [=] { CK(cublasSnrm2(H, I(1), (float*)a, 1, (float*)r)); };
    if (k == "asum") peer = [=] { CK(cublasDasum(H, I(1), da, 1, dr)); };
    if (k == "iamax") peer = [=] { CK(cublasIdamax(H, I(1), da, 1, (int*)r)); };
    if (k == "dotb") peer = [=] { CK(cublasDgemmStridedBatched(H, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, I(1), one, da, I(1), I(1), db, I(1), I(1), zero, dr, 1, 1, I(2))); };
    if (k == "gemv") peer = [=] { CK(cublasDgemv(H, TR[I(1)], I(2), I(3), one, da, I(2), db, 1, zero, dr, 1)); };
    if (k == "symv") peer = [=] { CK(cublasDsymv(H, U[I(1)], I(2), one, da, I(2), db, 1, zero, dr, 1)); };
    if (k == "hemv") peer = [=] { CK(cublasZhemv(H, U[I(1)], I(2), (cuDoubleComplex*)one, (cuDoubleComplex*)a, I(2), (cuDoubleComplex*)b, 1, (cuDoubleComplex*)zero, (cuDoubleComplex*)r, 1)); };
    if (k == "trmv") peer = [=] { CK(cublasDtrmv(H, U[I(1)], TR[I(2)], NU, I(3), da, I(3), dr, 1)); };
    if (k == "trsv") peer = [=] { CK(cublasDtrsv(H, U[I(1)], TR[I(2)], NU, I(3), da, I(3), dr, 1)); };
    if (k == "gemm" && c.type == 'd') peer = [=] { int lda = I(1) ? I(5) : I(3), ldb = I(2) ? I(4) : I(5); CK(cublasDgemm(H, TR[I(1)], TR[I(2)], I(3), I(4), I(5), one, da, lda, db, ldb, zero, dr, I(3))); };
    if (k == "gemm" && c.type == 's') peer = [=] { CK(cublasSgemm(H, TR[I(1)], TR[I(2)], I(3), I(4), I(5), oneF, (float*)a, I(3), (float*)b, I(5), zeroF, (float*)r, I(3))); };
    if (k == "gemm" && c.type == 'z') peer = [=] { CK(cublasZgemm(H, TR[I(1)], TR[I(2)], I(3), I(4), I(5), (cuDoubleComplex*)one, (cuDoubleComplex*)a, I(3), (cuDoubleComplex*)b, I(5), (cuDoubleComplex*)zero, (cuDoubleComplex*)r, I(3))); };
    if (k == "gemmb") peer = [=] { int n = I(1); CK(cublasDgemmStridedBatched(H, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, da, n, n * n, db, n, n * n, zero, dr, n, n * n, I(2))); };
    if (k == "trsm") peer = [=] { CK(cublasDtrsm(H, CUBLAS_SIDE_LEFT, U[I(1)], CUBLAS_OP_N, NU, I(2), I(3), one, da, I(2), dr, I(2))); };
    if (k == "trmm") peer = [=] { CK(cublasDtrmm(H, CUBLAS_SIDE_LEFT, U[I(1)], CUBLAS_OP_N, NU, I(2), I(2), one, da, I(2), db, I(2), dr, I(2))); };
    if (k == "symm") peer = [=] { CK(cublasDsymm(H, CUBLAS_SIDE_LEFT, U[I(1)], I(2), I(2), one, da, I(2), db, I(2), zero, dr, I(2))); };
    if (k == "syrk") peer = [=] { CK(cublasDsyrk(H, U[I(1)], CUBLAS_OP_N, I(2), I(2), one, da, I(2), zero, dr, I(2))); };
    if (k == "trsmb") { int n = I(1), cnt = I(2); void **pa = pointers(a, 8LL * n * n, cnt), **pb = pointers(r, 8LL * n * n, cnt); peer = [=] { CK(cublasDtrsmBatched(H, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, NU, n, n, one, (double**)pa, n, (double**)pb, n, cnt)); }; }
    if (k == "getrfb") { int n = I(1), cnt = I(2); ptrs = pointers(r, 8LL * n * n, cnt); CK(cudaMalloc(&piv, 4LL * n * cnt)); peer = [=] { CK(cublasDgetrfBatched(H, n, (double**)ptrs, n, piv, info, cnt)); }; }
    if (k == "getrf") { int n = I(1), lw; CK(cusolverDnDgetrf_bufferSize(S, n, n, dr, n, &lw)); CK(cudaMalloc(&swork, 8LL * lw + 8)); CK(cudaMalloc(&piv, 4LL * n)); peer = [=] { CK(cusolverDnDgetrf(S, n, n, dr, n, (double*)swork, piv, info)); }; }
    if (k == "potrf") { int n = I(1), lw; CK(cusolverDnDpotrf_bufferSize(S, CUBLAS_FILL_MODE_LOWER, n, dr, n, &lw)); CK(cudaMalloc(&swork, 8LL * lw + 8)); peer = [=] { CK(cusolverDnDpotrf(S, CUBLAS_FILL_MODE_LOWER, n, dr, n, (double*)swork, lw, info)); }; }
    if (k == "getrs") { int n = I(1); CK(cudaMalloc(&piv, 4LL * n)); initP<<<64, 256>>>(piv, n); peer = [=] { CK(cusolverDnDgetrs(S, CUBLAS_OP_N, n, 1, da, n, piv, dr, n, info)); }; }
    if (!peer) { printf("no peer for %s\n", k.c_str()); exit(1); }
    if (prof) { for (int q = 0; q < 3; q++) { CK(cudaMemcpy(M['R'], pristine, rb, cudaMemcpyDeviceToDevice)); std::map<std::string, std::pair<double, int>> sum; for (auto& l : c.ls) { void* ps[] = {l.args}; CK(cudaDeviceSynchronize()); delay<<<1, 1>>>(5000); cudaEventRecord(e0); if (l.name.find("slices") != std::string::npos) cuLaunchCooperativeKernel(l.f, l.gx, l.gy, l.gz, l.threads, 1, 1, l.shared, st, ps); else cuLaunchKernel(l.f, l.gx, l.gy, l.gz, l.threads, 1, 1, l.shared, st, ps, 0); cudaEventRecord(e1); cudaEventSynchronize(e1); float ms; cudaEventElapsedTime(&ms, e0, e1); sum[l.name].first += ms * 1000; sum[l.name].second++; } if (q == 2) for (auto& x : sum) printf("   %-26s %5d launches %10.1f us, %8.2f each\n", x.first.c_str(), x.second.second, x.second.first, x.second.first / x.second.second); } CK(cudaMemcpy(M['R'], pristine, rb, cudaMemcpyDeviceToDevice)); }
    CK(cudaDeviceSynchronize()); ours(); CK(cudaGetLastError()); cudaError_t err = cudaDeviceSynchronize(); if (err) { printf("%s: %s\n", c.name.c_str(), cudaGetErrorString(err)); exit(1); } peer(); CK(cudaDeviceSynchronize());
    CK(cudaMemset(dd, 0, 24)); double h[3]; char note[64];
    if (k == "iamax") { i64 x; int y; CK(cudaMemcpy(&x, M['R'], 8, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(&y, r, 4, cudaMemcpyDeviceToHost)); snprintf(note, 64, "%s %lld %d", x == y ? "ok" : "WRONG", x, y); }
    else { if (R.type == 's') diff<<<512, 256>>>((float*)M['R'], (float*)r, rb / 4, dd); else diff<<<512, 256>>>((double*)M['R'], dr, rb / 8, dd); CK(cudaMemcpy(h, dd, 24, cudaMemcpyDeviceToHost)); double rel = h[0] / (h[1] > 0 ? h[1] : 1); snprintf(note, 64, "%s %.1e bad %g", rel < (R.type == 's' ? 1e-4 : 1e-10) && h[2] == 0 ? "ok" : "WRONG", rel, h[2]); }
    std::vector<double> to, tp; int reps[2] = {1, 1};
    for (int q = -1; q < 9; q++) for (int w = 0; w < 2; w++) { char* target = w ? r : M['R'];
      if (c.inPlace) CK(cudaMemcpyAsync(target, pristine, rb, cudaMemcpyDeviceToDevice, st));
      if (c.inPlace && M.count('f')) CK(cudaMemsetAsync(M['f'], 0, 4 * O['f'].count, st));
      delay<<<1, 1>>>(std::min<u64>(20000 + (w ? 200000 : 3000 * c.ls.size()) + (c.inPlace ? 0 : 3000 * reps[w]), 8000000)); CK(cudaEventRecord(e0, st)); for (int z = 0; z < reps[w]; z++) { if (w) peer(); else ours(); } CK(cudaEventRecord(e1, st)); CK(cudaEventSynchronize(e1)); float ms; CK(cudaEventElapsedTime(&ms, e0, e1)); double us = ms * 1000 / reps[w];
      if (q < 0) { if (!c.inPlace) reps[w] = std::max(1, std::min(30, (int)(2000 / us))); } else (w ? tp : to).push_back(us);
      if (q >= 2 && us > 60000) q = 9; }
    std::sort(to.begin(), to.end()); std::sort(tp.begin(), tp.end()); double x = to[to.size() / 2], y = tp[tp.size() / 2];
    printf("%-20s %9.2f %9.2f %6.2f %8.0f %8.2f %7zu  %s\n", c.name.c_str(), x, y, y / x, c.bytes / x * 1e-3, c.flops / x * 1e-6, c.ls.size(), note); fflush(stdout);
    cudaFree(mine); cudaFree(theirs); cudaFree(pristine); cudaFree(info); if (ptrs) cudaFree(ptrs); if (piv) cudaFree(piv); if (swork) cudaFree(swork);
  } }
