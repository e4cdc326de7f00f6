package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Device;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The table of what NVIDIA's libraries have, beside their prototypes and on operands in the host's memory. */
class PeerTableTest {
    private static final Map<String, String> PROTOTYPES = prototypes();

    private Device device;
    private Handle handle;
    private Arena arena;

    @BeforeEach
    void open() {
        device = Device.open("host");
        handle = device.createHandle();
        arena = Arena.ofShared();
    }

    @AfterEach
    void close() {
        arena.close();
        handle.close();
        device.close();
    }

    private static Map<String, String> prototypes() {
        try (InputStream in = PeerTableTest.class.getResourceAsStream("nvidia-functions.txt")) {
            Map<String, String> all = new TreeMap<>();
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> all.put(line.split(" ")[0], line.split(" ")[1]));
            return all;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The host, where copies are made at once. */
    private final class CopyingSite implements Site {
        private final Site host = new HostSite(handle);

        @Override
        public double nanos(Runnable calls) {
            return host.nanos(calls);
        }

        @Override
        public double sampleNanos() {
            return host.sampleNanos();
        }

        @Override
        public boolean isAsynchronous() {
            return true;
        }

        @Override
        public void copy(DevicePointer from, DevicePointer to, long bytes) {
            copyCall(from.address(), to.address(), bytes).run();
        }

        @Override
        public Call copyCall(long from, long to, long bytes) {
            return () -> {
                Memory.ALL.asSlice(to, bytes).copyFrom(Memory.ALL.asSlice(from, bytes));
                return 0;
            };
        }

        @Override
        public Limit limit(Workload w) {
            return host.limit(w);
        }

        @Override
        public void close() {}
    }

    private static List<TableCase> cases(String families, long m, long n, long k, long batch) {
        return new TableSweep(List.of(families.split(",")), "sdcz", List.of(m), List.of(n), List.of(k), List.of(1L),
                List.of(2L), List.of("L"), List.of("U"), List.of("N"), List.of("N"), List.of("N"), List.of("V"),
                List.of(batch)).cases();
    }

    private CudaLibraries libraries(RecordedFunctions functions) {
        return new CudaLibraries(functions, functions, functions, 7);
    }

    // ---- the table itself

    @Test
    void everyArgumentHasTheWidthOfThePrototype() {
        TreeSet<String> wrong = new TreeSet<>();
        int compared = 0;
        for (PeerRow row : PeerTable.NVIDIA.rows()) {
            for (String name : row.names()) {
                for (char letter : letters(name)) {
                    for (PeerStep step : row.steps()) {
                        compared += step.copies() ? 0 : compare(step, name.substring(1), letter, wrong);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan(400);
    }

    private static int compare(PeerStep step, String family, char letter, TreeSet<String> wrong) {
        String symbol = step.symbol(family, letter);
        StringBuilder layout = new StringBuilder("l");
        step.arguments().forEach(argument -> layout.append(step.layout(argument)));
        if (!layout.toString().equals(PROTOTYPES.get(symbol))) {
            wrong.add(symbol + " " + layout + ", not " + PROTOTYPES.get(symbol));
        }
        if (step.workspace() == null) {
            return 1;
        }
        StringBuilder query = new StringBuilder("l");
        step.queryArguments().forEach(argument -> query.append(step.layout(argument)));
        query.append("spaces".equals(step.workspace()) ? "ll" : "l");
        step.queryEnd().forEach(argument -> query.append(step.layout(argument)));
        if (!query.toString().equals(PROTOTYPES.get(step.querySymbol(symbol)))) {
            wrong.add(step.querySymbol(symbol) + " " + query + ", not " + PROTOTYPES.get(step.querySymbol(symbol)));
        }
        return 2;
    }

    /** The types that a name may have: or and sy are for real elements where un and he are for complex ones. */
    private static char[] letters(String name) {
        if (!name.startsWith("?")) {
            return new char[] {name.charAt(0)};
        }
        String text = name.matches("\\?(un|he).*") ? "cz" : name.matches("\\?(or|sy(ev|gv|trd)).*") ? "sd" : "sdcz";
        return text.toCharArray();
    }

    @Test
    void namesAreThoseOfRoutinesThatAreThereOrWillBe() {
        String coming = "(sy|he)(ev|gv)[dj]*|(sy|he)trd|(or|un)[gm]tr|(or|un)gbr|gebrd|ge(svd|sdd|svdj|svdp)";
        TreeSet<String> unknown = new TreeSet<>();
        for (PeerRow row : PeerTable.NVIDIA.rows()) {
            for (String name : row.names()) {
                boolean known = Signatures.all()
                        .stream()
                        .anyMatch(r -> name.equals("?" + r.family()) || name.substring(2).equals(r.family()));
                if (!known && !name.substring(1).matches(coming)) {
                    unknown.add(name);
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    // ---- on operands

    @Test
    void everyRowOfARoutineThatIsThereCanBeBound() {
        RecordedFunctions functions = new RecordedFunctions(PROTOTYPES);
        List<String> refused = new ArrayList<>();
        TreeSet<String> families = new TreeSet<>();
        try (CudaLibraries libraries = libraries(functions)) {
            for (long batch : List.of(0L, 3L)) {
                for (TableCase c : cases("lapack,trtri", 9, 9, 1, batch)) {
                    if (PeerTable.NVIDIA.of(c).isEmpty()) {
                        continue;
                    }
                    families.add(c.routine().family());
                    try (TableOperands o = new TableOperands(device, c, new HostSite(handle))) {
                        for (PeerCall call : CudaCalls.bind(libraries, arena, c, o, new CopyingSite())) {
                            if (call.refusal() != null) {
                                refused.add(c.name() + ": " + call.name() + ": " + call.refusal());
                            }
                        }
                    }
                }
            }
        }
        assertThat(refused).isEmpty();
        assertThat(families).contains("getrf", "geqrf", "gesvMixed", "potri", "sytrf", "gtsv", "gtsvInterleaved",
                "matinv", "gels");
        assertThat(functions.bound()).hasSizeGreaterThan(400);
        assertThat(functions.bound()).extracting(RecordedFunctions.Recorded::symbol)
                .contains("cusolverDnDSgesv", "cusolverDnZCgesv", "cublasZgetriBatched", "cusparseCgtsv2");
        assertThat(functions.bound()
                .stream()
                .filter(call -> !call.layout().equals(PROTOTYPES.get(call.symbol())))
                .map(call -> call.symbol() + " " + call.layout() + ", not " + PROTOTYPES.get(call.symbol()))
                .distinct()).isEmpty();
    }

    @Test
    void whatIsMissingIsSaid() {
        RecordedFunctions functions = new RecordedFunctions(Map.of("cublasDgetrfBatched", "lililli"));
        TableCase plain = cases("getrf", 5, 5, 1, 0).get(1);
        TableCase wide = cases("getrf", 4, 5, 1, 3).get(1);
        TableCase unknown = cases("gelqf", 5, 5, 1, 0).get(1);
        try (CudaLibraries without = new CudaLibraries(functions, null, null, 7);
                CudaLibraries with = libraries(functions);
                TableOperands o = new TableOperands(device, plain, new HostSite(handle));
                TableOperands b = new TableOperands(device, wide, new HostSite(handle))) {
            assertThat(CudaCalls.bind(without, arena, plain, o, new CopyingSite()))
                    .allMatch(call -> call.refusal().equals("cuSOLVER is not there"));
            assertThat(CudaCalls.bind(with, arena, plain, o, new CopyingSite()).get(0).refusal())
                    .isEqualTo("cuSOLVER 12.13.14 has no cusolverDnDgetrf");
            assertThat(CudaCalls.bind(with, arena, wide, b, new CopyingSite()).get(0).refusal())
                    .isEqualTo("it wants m=n");
            assertThat(without.description())
                    .isEqualTo("cuBLAS 12.13.14, cuSOLVER is not there, cuSPARSE is not there");
            assertThatThrownBy(() -> CudaCalls.bind(with, arena, unknown, o, new CopyingSite()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("the peer has no dgelqf");
        }
    }

    // ---- calls that compute

    /** Runs a case beside functions that compute, and returns its line. */
    private String[] line(TableCase c, RecordedFunctions functions) {
        Peer peer = new Peer() {
            private final CudaLibraries libraries = libraries(functions);

            @Override
            public String name() {
                return "fake";
            }

            @Override
            public String description() {
                return libraries.description();
            }

            @Override
            public Call[] bind(Workload workload, Operands operands) {
                return null;
            }

            @Override
            public List<PeerCall> calls(TableCase one, TableOperands o) {
                return CudaCalls.bind(libraries, arena, one, o, new CopyingSite());
            }
        };
        TableLine line =
                new TableBench(device, handle, peer, new Settings(2, 2, 0, 0, 1, true, false), new CopyingSite())
                        .run(c);
        return line.csv().split(",", -1);
    }

    private static double[] read(long address, long count) {
        double[] all = new double[Math.toIntExact(count)];
        for (int i = 0; i < all.length; i++) {
            all[i] = Memory.f64(address + 8L * i);
        }
        return all;
    }

    /** A·X = B for factors without exchanges, column by column. */
    private static void solve(int n, double[] lu, int lda, long b, int ldb, int nrhs) {
        for (int j = 0; j < nrhs; j++) {
            double[] x = read(b + 8L * j * ldb, n);
            for (int i = 0; i < n; i++) {
                for (int l = 0; l < i; l++) {
                    x[i] -= lu[i + l * lda] * x[l];
                }
            }
            for (int i = n - 1; i >= 0; i--) {
                for (int l = i + 1; l < n; l++) {
                    x[i] -= lu[i + l * lda] * x[l];
                }
                x[i] /= lu[i + i * lda];
            }
            for (int i = 0; i < n; i++) {
                Memory.f64(b + 8L * (i + (long) j * ldb), x[i]);
            }
        }
    }

    private static void getrs(RecordedFunctions.Recorded call) {
        int n = call.number(2);
        int lda = call.number(5);
        for (int i = 0; i < n; i++) {
            assertThat(Memory.ALL.get(JAVA_INT, call.address(6) + 4L * i)).isEqualTo(i + 1);
        }
        solve(n, read(call.address(4), (long) lda * n), lda, call.address(7), call.number(8), call.number(3));
    }

    @Test
    void anInverseOfOnesOwnMemoryIsComparedThere() {
        TableCase plain = cases("getri", 7, 7, 1, 0).get(1);
        String[] line = line(plain, new RecordedFunctions(PROTOTYPES).with("cusolverDnDgetrs", PeerTableTest::getrs));
        assertThat(line).endsWith("cusolverDnDgetrs of cuSOLVER 12.13.14", "yes");
        TableCase batch = cases("getri", 7, 7, 1, 4).get(1);
        line = line(batch, new RecordedFunctions(PROTOTYPES).with("cublasDgetriBatched", call -> {
            int n = call.number(1);
            for (int p = 0; p < call.number(8); p++) {
                long a = Memory.ALL.get(JAVA_LONG, call.address(2) + 8L * p);
                long to = Memory.ALL.get(JAVA_LONG, call.address(5) + 8L * p);
                for (int i = 0; i < n * n; i++) {
                    Memory.f64(to + 8L * i, i % (n + 1) == 0 ? 1 : 0);
                }
                solve(n, read(a, (long) n * n), call.number(3), to, call.number(6), n);
            }
        }));
        assertThat(line).endsWith("cublasDgetriBatched of cuBLAS 12.13.14", "yes");
    }

    /** Elimination of a tridiagonal system whose diagonals are as long as the matrix, with a distance between elements. */
    private static void thomas(int n, long low, long main, long high, long b, int step) {
        double[] d = new double[n];
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            d[i] = Memory.f64(main + 8L * i * step);
            x[i] = Memory.f64(b + 8L * i * step);
            if (i > 0) {
                double factor = Memory.f64(low + 8L * i * step) / d[i - 1];
                d[i] -= factor * Memory.f64(high + 8L * (i - 1) * step);
                x[i] -= factor * x[i - 1];
            }
        }
        assertThat(Memory.f64(low)).isZero();
        assertThat(Memory.f64(high + 8L * (n - 1) * step)).isZero();
        for (int i = n - 1; i >= 0; i--) {
            x[i] = (x[i] - (i < n - 1 ? Memory.f64(high + 8L * i * step) * x[i + 1] : 0)) / d[i];
            Memory.f64(b + 8L * i * step, x[i]);
        }
    }

    @Test
    void diagonalsBesideTheMainOneAreAsLongAsThat() {
        TableCase strided = cases("gtsv", 9, 9, 1, 5).get(1);
        String[] line = line(strided, new RecordedFunctions(PROTOTYPES).with("cusparseDgtsv2StridedBatch", call -> {
            for (int p = 0; p < call.number(6); p++) {
                long shift = 8L * p * call.number(7);
                thomas(call.number(1), call.address(2) + shift, call.address(3) + shift, call.address(4) + shift,
                        call.address(5) + shift, 1);
            }
        }));
        assertThat(line).endsWith("cusparseDgtsv2StridedBatch of cuSPARSE 12.13.14", "yes");
        TableCase interleaved = cases("gtsvInterleaved", 9, 9, 1, 5).get(1);
        line = line(interleaved, new RecordedFunctions(PROTOTYPES).with("cusparseDgtsvInterleavedBatch", call -> {
            for (int p = 0; p < call.number(7); p++) {
                long low = call.address(3) + 8L * p;
                thomas(call.number(2), low, call.address(4) + 8L * p, call.address(5) + 8L * p,
                        call.address(6) + 8L * p, call.number(7));
                for (int i = 0; i < call.number(2); i++) {
                    // As cuSPARSE may: the next call must find it again.
                    Memory.f64(low + 8L * i * call.number(7), Double.NaN);
                }
            }
        }));
        assertThat(line[line.length - 1]).isEqualTo("yes");
    }

    /** Solutions with the factors that cases begin with stay small, at any order. */
    @Test
    void factorsAreNoRandomNumbers() {
        for (String family : List.of("getrs", "potrs", "sytrs", "getri", "potri", "sytri", "trtrs", "gbtrs", "pptrs")) {
            for (TableCase c : cases(family, 600, 600, 2, 0).stream()
                    .filter(one -> one.type() == ElementType.F64)
                    .toList()) {
                try (TableOperands o = new TableOperands(device, c, new HostSite(handle));
                        Arena to = Arena.ofConfined()) {
                    TableCalls.bind(handle, c, o).run();
                    o.written(to, Map.of())
                            .forEach((a,
                                    left) -> assertThat(Arrays.stream(left.toArray(JAVA_DOUBLE))
                                            .map(Math::abs)
                                            .filter(x -> !(x <= 100))
                                            .count()).as(family + " " + a.name()).isZero());
                }
            }
        }
    }

    @Test
    void aWrongCallIsNoPeerAndIsTold() {
        TableCase c = cases("getrs", 7, 7, 2, 0).get(1);
        RecordedFunctions right = new RecordedFunctions(PROTOTYPES).with("cusolverDnDgetrs", PeerTableTest::getrs);
        String[] line = line(c, right);
        assertThat(line[line.length - 2]).startsWith("cusolverDnDgetrs of cuSOLVER 12.13.14; ")
                .contains("cusolverDnXgetrs of cuSOLVER 12.13.14 WRONG: differs by");
        assertThat(line[line.length - 1]).isEqualTo("yes");
        line = line(c, new RecordedFunctions(PROTOTYPES));
        assertThat(line[line.length - 1]).startsWith("WRONG: differs by");
        assertThat(line[7]).isEmpty();
    }

    @Test
    void onlyTheTriangleOfAFactorCounts() {
        TableCase c = cases("potrf", 6, 6, 1, 0).get(1);
        RecordedFunctions functions = new RecordedFunctions(PROTOTYPES).with("cusolverDnDpotrf", call -> {
            assertThat(call.number(1)).as("CUBLAS_FILL_MODE_UPPER").isEqualTo(1);
            assertThat(call.number(6)).isEqualTo(RecordedFunctions.WORK);
            int n = call.number(2);
            long a = call.address(3);
            for (int j = 0; j < n; j++) {
                for (int i = 0; i <= j; i++) {
                    double sum = Memory.f64(a + 8L * (i + j * n));
                    for (int l = 0; l < i; l++) {
                        sum -= Memory.f64(a + 8L * (l + i * n)) * Memory.f64(a + 8L * (l + j * n));
                    }
                    Memory.f64(a + 8L * (i + j * n), i == j ? Math.sqrt(sum) : sum / Memory.f64(a + 8L * (i + i * n)));
                }
                for (int i = j + 1; i < n; i++) {
                    Memory.f64(a + 8L * (i + j * n), 1e9);
                }
            }
        });
        assertThat(line(c, functions)).endsWith("yes");
    }
}
