import dev.basalt.*;
import dev.basalt.kernels.*;
import dev.basalt.spi.*;
import java.io.*;
import java.util.*;
import java.lang.foreign.*;

/** Writes down every kernel launch that Basalt's rules make of the cases of the GPU table, with its arguments, for replay.cu. */
public class Trace {
    static final long BASE = 0x400000000000L;
    static PrintStream out;
    static long bump;
    static class D implements DeviceDriver, Functions<Object> {
        final DeviceTraits traits = Launcher.traits("cuda", 32 << 20, false, false, false);
        final Launcher<Object> launcher = new Launcher<>(this, 132, true);
        final MemorySegment args = Arena.global().allocate(512, 64);
        boolean muted;
        public void launch(KernelFunction f, int gx, int gy, int gz, int threads, int shared, long at, Object c) {
            if (muted) return;
            StringBuilder s = new StringBuilder("L " + f.name() + " " + f.source() + " " + gx + " " + gy + " " + gz + " " + threads + " " + shared + " ");
            for (int i = 0; i < 400; i++) s.append(String.format("%02x", args.get(ValueLayout.JAVA_BYTE, i)));
            out.println(s);
        }
        public void launch(Launch l, long stream) { launcher.run(l, args.address(), BASE, null); }
        public String name() { return "trace"; }
        public String description() { return "x"; }
        public DeviceTraits traits() { return traits; }
        public long freeMemory() { return 70L << 30; }
        public long totalMemory() { return 80L << 30; }
        public long allocate(long bytes) { long a = bump; bump += (bytes + 511) / 256 * 256; return a; }
        public void free(long address) {}
        public void upload(long h, long hp, long d, long dp, long w, long c, long s) {}
        public void download(long d, long dp, long h, long hp, long w, long c, long s) {}
        public long createEvent() { return 1; }
        public boolean queryEvent(long e) { return true; }
        public void destroyEvent(long e) {}
        public void recordEvent(long e, long s) {}
        public void waitEvent(long e, long s) {}
        public void synchronizeEvent(long e) {}
        public void synchronizeStream(long s) {}
        public void synchronize() {}
        public boolean isCapturing(long s) { return false; }
        public void close() {}
        public void fill(long a, long b, byte v, long s) {}
        public long createPool() { throw new IllegalStateException(); }
        public void destroyPool(long p) {}
        public void trimPool(long p, long k) {}
        public long allocateAsync(long p, long b, long s) { throw new IllegalStateException(); }
        public void freeAsync(long a, long s) {}
        public long reserve(long b) { throw new IllegalStateException(); }
        public long commit(long a, long f, long t) { throw new IllegalStateException(); }
        public void release(long a) {}
        public long createStream() { throw new IllegalStateException(); }
        public void destroyStream(long s) {}
        public void beginCapture(long s) {}
        public long endCapture(long s) { return 0; }
        public void launchGraph(long g, long s) {}
        public void destroyGraph(long g) {}
    }

    interface Body { void run(Ctx c); }
    static final class Ctx { Handle h; DeviceArena a; D3 d; ElementType t;
        MatrixView mat(char id, long m, long n, String kind) { return mat(id, m, n, 1, kind); }
        MatrixView mat(char id, long m, long n, long count, String kind) {
            MatrixView v = a.matrix(t, m, n, count);
            
            out.println("O " + id + " " + letter(t) + " " + lastAddress(m * n * count * t.bytes()) + " " + m + " " + n + " " + count + " " + kind);
            return v;
        }
        VectorView vec(char id, long n, String kind) { return vec(id, t, n, 1, kind); }
        VectorView vec(char id, ElementType ty, long n, long count, String kind) {
            VectorView v = count == 1 ? a.vector(ty, n) : a.vector(ty, n, count);
            out.println("O " + id + " " + letter(ty) + " " + lastAddress(n * count * ty.bytes()) + " " + n + " 1 " + count + " " + kind);
            return v;
        }
        String lastAddress(long bytes) { return Long.toString(last - BASE); }
    }
    static long last;
    static char letter(ElementType t) { return switch (t) { case F32 -> 's'; case F64 -> 'd'; case C32 -> 'c'; case C64 -> 'z'; case I32 -> 'i'; case I64 -> 'l'; }; }

    static void trace(String name, String peer, ElementType t, double flops, double bytes, int inPlace, Body body) throws Exception {
        bump = BASE + (1 << 20);
        out.println("C " + name + " " + letter(t) + " " + flops + " " + bytes + " " + inPlace + " " + peer);
        D3 dd = new D3();
        Device dev = Device.of(dd);
        Handle h = dev.createHandle();
        DeviceArena a = dev.arena();
        Ctx c = new Ctx(); c.h = h; c.a = a; c.d = dd; c.t = t;
        body.run(c);
        out.println("E " + (bump - BASE));
    }
    static class D3 extends Object implements DeviceDriver { 
        final D d = new D();
        public void launch(Launch l, long s) { d.launch(l, s); }
        public String name() { return d.name(); } public String description() { return ""; } public DeviceTraits traits() { return d.traits; }
        public long freeMemory() { return d.freeMemory(); } public long totalMemory() { return d.totalMemory(); }
        public long allocate(long b) { return last = d.allocate(b); } public void free(long a) {}
        public void upload(long h, long hp, long dv, long dp, long w, long c, long s) {} public void download(long dv, long dp, long h, long hp, long w, long c, long s) {}
        public long createEvent() { return 1; } public boolean queryEvent(long e) { return true; } public void destroyEvent(long e) {} public void recordEvent(long e, long s) {} public void waitEvent(long e, long s) {} public void synchronizeEvent(long e) {} public void synchronizeStream(long s) {} public void synchronize() {} public boolean isCapturing(long s) { return false; } public void close() {} public void fill(long a, long b, byte v, long s) {}
        public long createPool() { return 0; } public void destroyPool(long p) {} public void trimPool(long p, long k) {} public long allocateAsync(long p, long b, long s) { return 0; } public void freeAsync(long a, long s) {} public long reserve(long b) { return 0; } public long commit(long a, long f, long t) { return 0; } public void release(long a) {} public long createStream() { return 1; } public void destroyStream(long s) {} public void beginCapture(long s) {} public long endCapture(long s) { return 0; } public void launchGraph(long g, long s) {} public void destroyGraph(long g) {}
    }

    static final ElementType F32 = ElementType.F32, F64 = ElementType.F64, C64 = ElementType.C64;
    public static void main(String[] x) throws Exception {
        out = new PrintStream(new BufferedOutputStream(new FileOutputStream(x[0])));
        for (long n : new long[] {1000, 1000000, 100000000}) {
            trace("dot" + n, "dot " + n, F64, 0, 16.0 * n, 0, c -> { VectorView a = c.vec('a', n, "r"), b = c.vec('b', n, "r"), r = c.vec('R', 1, "r"); Blas.dot(c.h, a, b, r); });
            trace("nrm2_" + n, "nrm2 " + n, F64, 0, 8.0 * n, 0, c -> { VectorView a = c.vec('a', n, "r"), r = c.vec('R', 1, "r"); Blas.nrm2(c.h, a, r); });
            trace("asum" + n, "asum " + n, F64, 0, 8.0 * n, 0, c -> { VectorView a = c.vec('a', n, "r"), r = c.vec('R', 1, "r"); Blas.asum(c.h, a, r); });
            trace("iamax" + n, "iamax " + n, F64, 0, 8.0 * n, 0, c -> { VectorView a = c.vec('a', n, "r"), r = c.vec('R', ElementType.I64, 1, 1, "i"); Blas.iamax(c.h, a, r); });
        }
        trace("snrm2_1e8", "nrm2 100000000", F32, 0, 4e8, 0, c -> { VectorView a = c.vec('a', 100000000, "r"), r = c.vec('R', 1, "r"); Blas.nrm2(c.h, a, r); });
        trace("dotbatch1024x4096", "dotb 1024 4096", F64, 0, 16.0 * 1024 * 4096, 0, c -> { VectorView a = c.vec('a', F64, 1024, 4096, "r"), b = c.vec('b', F64, 1024, 4096, "r"), r = c.vec('R', F64, 1, 4096, "r"); Blas.dot(c.h, a, b, r); });
        for (long n : new long[] {1, 8, 32}) trace("gemvT1e6x" + n, "gemv 1 1000000 " + n, F64, 0, 8e6 * (n + 1), 0, c -> { MatrixView a = c.mat('a', 1000000, n, "r"); VectorView xx = c.vec('b', 1000000, "r"), y = c.vec('R', n, "z"); Blas.gemv(c.h, Op.TRANS, 1, a, xx, 0, y); });
        for (long n : new long[] {1024, 4096, 16384}) {
            trace("gemvN" + n, "gemv 0 " + n + " " + n, F64, 0, 8.0 * n * n, 0, c -> { MatrixView a = c.mat('a', n, n, "r"); VectorView xx = c.vec('b', n, "r"), y = c.vec('R', n, "z"); Blas.gemv(c.h, Op.NONE, 1, a, xx, 0, y); });
            trace("gemvT" + n, "gemv 1 " + n + " " + n, F64, 0, 8.0 * n * n, 0, c -> { MatrixView a = c.mat('a', n, n, "r"); VectorView xx = c.vec('b', n, "r"), y = c.vec('R', n, "z"); Blas.gemv(c.h, Op.TRANS, 1, a, xx, 0, y); });
            for (Uplo u : Uplo.values()) if (n > 1024) trace("symv" + u + n, "symv " + u.ordinal() + " " + n, F64, 0, 4.0 * n * n, 0, c -> { MatrixView a = c.mat('a', n, n, "r"); VectorView xx = c.vec('b', n, "r"), y = c.vec('R', n, "z"); Blas.symv(c.h, u, 1, a, xx, 0, y); });
            for (int tr = 0; tr < 2; tr++) { int trr = tr;
            trace("trmvL" + "NT".charAt(tr) + n, "trmv 1 " + tr + " " + n, F64, 0, 4.0 * n * n, 1, c -> { MatrixView a = c.mat('a', n, n, "t"); VectorView xx = c.vec('R', n, "r"); Blas.trmv(c.h, Uplo.LOWER, Op.values()[trr], Diag.NON_UNIT, a, xx); });
            trace("trsvL" + "NT".charAt(tr) + n, "trsv 1 " + tr + " " + n, F64, 0, 4.0 * n * n, 1, c -> { MatrixView a = c.mat('a', n, n, "t"); VectorView xx = c.vec('R', n, "r"); Blas.trsv(c.h, Uplo.LOWER, Op.values()[trr], Diag.NON_UNIT, a, xx); });
            }
        }
        trace("trsvUN4096", "trsv 0 0 4096", F64, 0, 4.0 * 4096 * 4096, 1, c -> { MatrixView a = c.mat('a', 4096, 4096, "t"); VectorView xx = c.vec('R', 4096, "r"); Blas.trsv(c.h, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, a, xx); });
        trace("hemv8192", "hemv 1 8192", C64, 0, 8.0 * 8192 * 8192, 0, c -> { MatrixView a = c.mat('a', 8192, 8192, "r"); VectorView xx = c.vec('b', 8192, "r"), y = c.vec('R', 8192, "z"); Blas.hemv(c.h, Uplo.LOWER, 1, a, xx, 0, y); });
        for (long n : new long[] {1000, 1024, 2048, 4096, 8192}) for (int ta = 0; ta < 2; ta++) for (int tb = 0; tb < 2; tb++) { int taa = ta, tbb = tb; if (n <= 1024 || tb == 0 || n == 4096)
            trace("dgemm" + "NT".charAt(ta) + "NT".charAt(tb) + n, "gemm " + ta + " " + tb + " " + n + " " + n + " " + n, F64, 2.0 * n * n * n, 0, 0, c -> { MatrixView a = c.mat('a', n, n, "r"), b = c.mat('b', n, n, "r"), r = c.mat('R', n, n, "z"); Blas.gemm(c.h, Op.values()[taa], Op.values()[tbb], 1, a, b, 0, r); }); }
        trace("dgemm4096x4096x64", "gemm 0 0 4096 4096 64", F64, 2.0 * 4096 * 4096 * 64, 0, 0, c -> { MatrixView a = c.mat('a', 4096, 64, "r"), b = c.mat('b', 64, 4096, "r"), r = c.mat('R', 4096, 4096, "z"); Blas.gemm(c.h, Op.NONE, Op.NONE, 1, a, b, 0, r); });
        trace("sgemm4096", "gemm 0 0 4096 4096 4096", F32, 2.0 * 4096 * 4096 * 4096, 0, 0, c -> { MatrixView a = c.mat('a', 4096, 4096, "r"), b = c.mat('b', 4096, 4096, "r"), r = c.mat('R', 4096, 4096, "z"); Blas.gemm(c.h, Op.NONE, Op.NONE, 1, a, b, 0, r); });
        for (int tb = 0; tb < 3; tb++) { int tbb = tb; trace("zgemmN" + tb + "_2048", "gemm 0 " + tb + " 2048 2048 2048", C64, 8.0 * 2048 * 2048 * 2048, 0, 0, c -> { MatrixView a = c.mat('a', 2048, 2048, "r"), b = c.mat('b', 2048, 2048, "r"), r = c.mat('R', 2048, 2048, "z"); Blas.gemm(c.h, Op.NONE, Op.values()[tbb], 1, a, b, 0, r); }); }
        for (long[] p : new long[][] {{8, 20000}, {16, 20000}, {32, 20000}, {64, 2000}, {128, 2000}}) { long n = p[0], cnt = p[1];
            trace("gemmbatch" + n + "x" + cnt, "gemmb " + n + " " + cnt, F64, 2.0 * n * n * n * cnt, 24.0 * n * n * cnt, 0, c -> { MatrixView a = c.mat('a', n, n, cnt, "r"), b = c.mat('b', n, n, cnt, "r"), r = c.mat('R', n, n, cnt, "z"); Blas.gemm(c.h, Op.NONE, Op.NONE, 1, a, b, 0, r); });
            if (n >= 16 && n != 32) trace("getrfbatch" + n + "x" + cnt, "getrfb " + n + " " + cnt, F64, 2.0 / 3 * n * n * n * cnt, 16.0 * n * n * cnt, 1, c -> { MatrixView a = c.mat('R', n, n, cnt, "r"); VectorView pv = c.vec('p', ElementType.I64, n, cnt, "i"), inf = c.vec('f', ElementType.I32, 1, cnt, "i"); Lapack.getrf(c.h, a, pv, inf); });
            if (n >= 32) trace("trsmbatch" + n + "x" + cnt, "trsmb " + n + " " + cnt, F64, 1.0 * n * n * n * cnt, 20.0 * n * n * cnt, 1, c -> { MatrixView a = c.mat('a', n, n, cnt, "t"), b = c.mat('R', n, n, cnt, "r"); Blas.trsm(c.h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 1, a, b); });
        }
        for (long[] p : new long[][] {{256, 256}, {1024, 1024}, {4096, 4096}, {8192, 8192}, {4096, 64}, {8192, 64}}) { long n = p[0], r = p[1];
            trace("trsm" + n + "x" + r, "trsm 1 " + n + " " + r, F64, 1.0 * n * n * r, 0, 1, c -> { MatrixView a = c.mat('a', n, n, "t"), b = c.mat('R', n, r, "r"); Blas.trsm(c.h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 1, a, b); }); }
        trace("trmm4096", "trmm 1 4096", F64, 1.0 * 4096 * 4096 * 4096, 0, 0, c -> { MatrixView a = c.mat('a', 4096, 4096, "t"), b = c.mat('b', 4096, 4096, "r"), r = c.mat('R', 4096, 4096, "z"); Blas.trmm(c.h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 1, a, b, r); });
        trace("symm4096", "symm 1 4096", F64, 2.0 * 4096 * 4096 * 4096, 0, 0, c -> { MatrixView a = c.mat('a', 4096, 4096, "r"), b = c.mat('b', 4096, 4096, "r"), r = c.mat('R', 4096, 4096, "z"); Blas.symm(c.h, Side.LEFT, Uplo.LOWER, 1, a, b, 0, r); });
        trace("syrk4096", "syrk 1 4096", F64, 1.0 * 4096 * 4096 * 4096, 0, 0, c -> { MatrixView a = c.mat('a', 4096, 4096, "r"), r = c.mat('R', 4096, 4096, "z"); Blas.syrk(c.h, Uplo.LOWER, Op.NONE, 1, a, 0, r); });
        for (long n : new long[] {256, 1024, 4096, 16384}) {
            trace("getrf" + n, "getrf " + n, F64, 2.0 / 3 * n * n * n, 0, 1, c -> { MatrixView a = c.mat('R', n, n, "r"); VectorView pv = c.vec('p', ElementType.I64, n, 1, "i"), inf = c.vec('f', ElementType.I32, 1, 1, "i"); Lapack.getrf(c.h, a, pv, inf); });
            trace("potrf" + n, "potrf " + n, F64, 1.0 / 3 * n * n * n, 0, 1, c -> { MatrixView a = c.mat('R', n, n, "s"); VectorView inf = c.vec('f', ElementType.I32, 1, 1, "i"); Lapack.potrf(c.h, Uplo.LOWER, a, inf); });
        }
        for (long n : new long[] {1024, 8192}) trace("getrs" + n, "getrs " + n, F64, 2.0 * n * n, 8.0 * n * n, 1, c -> { MatrixView a = c.mat('a', n, n, "d"); VectorView pv = c.vec('p', ElementType.I64, n, 1, "I"); MatrixView b = c.mat('R', n, 1, "r"); Lapack.getrs(c.h, Op.NONE, a, pv, b); });
        out.println("X");
        out.close();
    }
}
