package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.host.engine.Engines;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.ElementType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class HostDriverTest {
    private static final long MIB = 1L << 20;

    private final HostDriver driver = new HostDriver("host", "test", Engines.choose("scalar").engine(), new Workers(2));

    @AfterEach
    void close() {
        driver.close();
    }

    private static void refused(Code code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(DriverException.class,
                e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    @Test
    void allocationsAreAlignedAndUsable() {
        long[] addresses = new long[50];
        for (int i = 0; i < addresses.length; i++) {
            long bytes = 1 + i * 7919L;
            addresses[i] = driver.allocate(bytes);
            assertThat(addresses[i] % driver.traits().alignment()).isZero();
            driver.fill(addresses[i], bytes, (byte) i, 0);
        }
        for (int i = 0; i < addresses.length; i++) {
            assertThat(Memory.i8(addresses[i] + i * 7919L)).isEqualTo((byte) i);
            driver.free(addresses[i]);
        }
    }

    /** HotSpot inlines methods of up to 325 bytes of code where they are hot: a longer one is a call in each small call of the library. */
    @Test
    void whatEverySmallCallAsksIsShort() throws IOException {
        try (InputStream file = HostDriver.class.getResourceAsStream("HostDriver.class")) {
            ClassModel driver = ClassFile.of().parse(file.readAllBytes());
            MethodModel small = driver.methods()
                    .stream()
                    .filter(m -> m.methodName().equalsString("small"))
                    .findFirst()
                    .orElseThrow();
            assertThat(small.findAttribute(Attributes.code()).orElseThrow().codeLength()).isLessThanOrEqualTo(325);
        }
    }

    @Test
    void moreThanTheMachineHasIsRefusedWithNumbers() {
        assertThat(driver.totalMemory()).isPositive();
        assertThat(driver.freeMemory()).isBetween(0L, driver.totalMemory());
        long tooMuch = driver.totalMemory() + 1;
        Assumptions.assumeTrue(tooMuch > 0);
        refused(Code.OUT_OF_MEMORY, () -> driver.allocate(tooMuch));
        refused(Code.OUT_OF_MEMORY, () -> driver.allocate(Long.MAX_VALUE));
        refused(Code.OUT_OF_MEMORY, () -> driver.allocateAsync(driver.createPool(), Long.MAX_VALUE, 0));
        assertThatThrownBy(() -> driver.allocate(tooMuch)).hasMessageContaining("" + tooMuch);
        refused(Code.INVALID_VALUE, () -> driver.allocate(0));
        refused(Code.INVALID_VALUE, () -> driver.allocate(-64));
    }

    @Test
    void anAddressThatIsNotOursIsRefused() {
        long address = driver.allocate(100);
        refused(Code.INVALID_HANDLE, () -> driver.free(address + 64));
        refused(Code.INVALID_HANDLE, () -> driver.free(0));
        driver.free(address);
        refused(Code.INVALID_HANDLE, () -> driver.free(address));
        refused(Code.INVALID_HANDLE, () -> driver.freeAsync(12345, 0));
        refused(Code.INVALID_HANDLE, () -> driver.release(4096));
        refused(Code.INVALID_HANDLE, () -> driver.commit(4096, 0, 1));
    }

    @Test
    void streamsAndEventsAreCheckedAndCompleteAtOnce() {
        long stream = driver.createStream();
        long event = driver.createEvent();
        assertThat(driver.queryEvent(event)).isTrue();
        driver.recordEvent(event, stream);
        driver.waitEvent(0, event);
        driver.synchronizeEvent(event);
        driver.synchronizeStream(stream);
        driver.synchronize();
        refused(Code.INVALID_HANDLE, () -> driver.recordEvent(stream, stream));
        refused(Code.INVALID_HANDLE, () -> driver.synchronizeStream(event));
        refused(Code.INVALID_VALUE, () -> driver.destroyStream(0));
        driver.destroyStream(stream);
        driver.destroyEvent(event);
        refused(Code.INVALID_HANDLE, () -> driver.launch(new Launch(), stream));
        refused(Code.INVALID_HANDLE, () -> driver.destroyStream(stream));
        refused(Code.INVALID_HANDLE, () -> driver.queryEvent(event));
        assertThat(driver.createStream()).isNotEqualTo(stream);
    }

    @Test
    void copiesColumnsWithTheirPitches() {
        long host = driver.allocate(1000);
        long device = driver.allocate(1000);
        long back = driver.allocate(1000);
        for (int i = 0; i < 125; i++) {
            Memory.i64(host + 8 * i, i);
            Memory.i64(device + 8 * i, -1);
            Memory.i64(back + 8 * i, -1);
        }
        driver.upload(host, 40, device, 64, 24, 5, 0);
        driver.download(device, 64, back, 24, 24, 5, 0);
        for (int j = 0; j < 5; j++) {
            for (int i = 0; i < 8; i++) {
                assertThat(Memory.i64(device + 64 * j + 8 * i)).isEqualTo(i < 3 ? 5 * j + i : -1);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(Memory.i64(back + 24 * j + 8 * i)).isEqualTo(5 * j + i);
            }
        }
        driver.upload(host, 8, device, 8, 8, 125, 0);
        assertThat(Memory.i64(device + 8 * 124)).isEqualTo(124);
        driver.free(host);
        driver.free(device);
        driver.free(back);
    }

    @Test
    void aPoolGivesBackWhatWasFreedInIt() {
        long pool = driver.createPool();
        long a = driver.allocateAsync(pool, 1000, 0);
        long b = driver.allocateAsync(pool, 1000, 0);
        assertThat(a).isNotEqualTo(b);
        assertThat(a % 64).isZero();
        driver.freeAsync(a, 0);
        refused(Code.INVALID_HANDLE, () -> driver.freeAsync(a, 0));
        refused(Code.INVALID_HANDLE, () -> driver.free(a));
        assertThat(driver.allocateAsync(pool, 990, 0)).isEqualTo(a);
        driver.freeAsync(a, 0);
        driver.trimPool(pool, 0);
        driver.destroyPool(pool);
        refused(Code.INVALID_HANDLE, () -> driver.allocateAsync(pool, 64, 0));
        refused(Code.INVALID_HANDLE, () -> driver.trimPool(pool, 0));
        Memory.f64(b, 1);
        driver.freeAsync(b, 0);
        refused(Code.INVALID_HANDLE, () -> driver.freeAsync(b, 0));
    }

    @Test
    void trimKeepsWhatItMay() {
        long pool = driver.createPool();
        long small = driver.allocateAsync(pool, 64, 0);
        long large = driver.allocateAsync(pool, MIB, 0);
        driver.freeAsync(small, 0);
        driver.freeAsync(large, 0);
        driver.trimPool(pool, 4096);
        assertThat(driver.allocateAsync(pool, 64, 0)).isEqualTo(small);
        driver.freeAsync(small, 0);
        driver.destroyPool(pool);
    }

    @Test
    void poolsInSteadyStateMakeNoGarbage() throws ReflectiveOperationException {
        long pool = driver.createPool();
        Runnable many = () -> {
            for (int i = 0; i < 20_000; i++) {
                long a = driver.allocateAsync(pool, 1000 + i % 7 * 1000, 0);
                long b = driver.allocateAsync(pool, 5_000_000, 0);
                driver.freeAsync(a, 0);
                driver.freeAsync(b, 0);
            }
        };
        assertThat(Garbage.of(3, 20_000, many)).isLessThan(20_000);
    }

    @Test
    void aReservedRangeGrowsInPlaceAndKeepsItsContent() {
        Assumptions.assumeTrue(driver.traits().virtualMemory());
        assertThat(SystemMemory.canReserve()).isTrue();
        long range = driver.reserve(1L << 36);
        assertThat(range % (2 * MIB)).isZero();
        long has = driver.commit(range, 0, 1);
        assertThat(has).isEqualTo(2 * MIB);
        for (long i = 0; i < has; i += 8) {
            Memory.i64(range + i, i);
        }
        long more = driver.commit(range, has, 5 * MIB + 1);
        assertThat(more).isEqualTo(6 * MIB);
        Memory.i64(range + more - 8, 7);
        for (long i = 0; i < has; i += 8) {
            assertThat(Memory.i64(range + i)).isEqualTo(i);
        }
        assertThat(driver.commit(range, more, MIB)).as("never shrinks").isEqualTo(more);
        refused(Code.INVALID_VALUE, () -> driver.commit(range, more, (1L << 36) + 1));
        Assumptions.assumeTrue(driver.totalMemory() < 1L << 36);
        refused(Code.OUT_OF_MEMORY, () -> driver.commit(range, more, 1L << 36));
        assertThat(Memory.i64(range + more - 8)).isEqualTo(7);
        driver.release(range);
        refused(Code.INVALID_HANDLE, () -> driver.release(range));
    }

    @Test
    void whatIsGivenOutCountsAgainstTheMachine() {
        Assumptions.assumeTrue(driver.totalMemory() < 1L << 45);
        long before = MemoryBudget.PROCESS.total();
        long range = driver.reserve(before);
        long address = driver.allocate(64 * MIB);
        assertThatThrownBy(() -> driver.allocate(before - 32 * MIB)).hasMessageContaining("given out");
        driver.free(address);
        driver.release(range);
    }

    @Test
    void thereAreNoGraphs() {
        long stream = driver.createStream();
        assertThat(driver.isCapturing(stream)).isFalse();
        refused(Code.NOT_SUPPORTED, () -> driver.beginCapture(stream));
        refused(Code.NOT_SUPPORTED, () -> driver.endCapture(stream));
        refused(Code.NOT_SUPPORTED, () -> driver.launchGraph(1, stream));
        refused(Code.NOT_SUPPORTED, () -> driver.destroyGraph(1));
    }

    @Test
    void theTraitsNameTheEngineAndTheThreads() {
        assertThat(driver.traits()).isSameAs(driver.traits());
        assertThat(driver.traits().deviceClass()).startsWith("host-").endsWith("-t2");
        assertThat(driver.traits().alignment()).isEqualTo(64);
        assertThat(driver.traits().hostAccessible()).isTrue();
        assertThat(driver.traits().memoryPools()).isTrue();
        assertThat(driver.traits().defaultWorkspace()).isEqualTo(32 * MIB);
    }

    @Test
    void aClosedDeviceRefusesAndASecondCloseDoesNothing() {
        long stream = driver.createStream();
        driver.close();
        driver.close();
        refused(Code.INVALID_HANDLE, () -> driver.launch(new Launch(), 0));
        refused(Code.INVALID_HANDLE, () -> driver.launch(new Launch(), stream));
    }

    @Test
    void launchesMakeNoGarbage() throws ReflectiveOperationException {
        long address = driver.allocate(64 * MIB);
        driver.fill(address, 64 * MIB, (byte) 0, 0);
        Launch small = new Launch().reset(Kernel.AXPY, ElementType.F64, 1);
        small.n = 16;
        small.alpha.set(0.5, 0);
        small.a.vector(ElementType.F64, address, 16, 1, 0);
        small.c.vector(ElementType.F64, address + MIB, 16, 1, 0);
        Launch large = new Launch().reset(Kernel.GEMM, ElementType.F64, 1);
        large.m = 96;
        large.n = 96;
        large.k = 96;
        large.a.matrix(ElementType.F64, address, 96, 96, 96, 0);
        large.b.matrix(ElementType.F64, address + MIB, 96, 96, 96, 0);
        large.c.matrix(ElementType.F64, address + 2 * MIB, 96, 96, 96, 0);
        large.work = address + 32 * MIB;
        large.workBytes = 32 * MIB;
        Runnable many = () -> {
            for (int i = 0; i < 1_000; i++) {
                for (int j = 0; j < 100; j++) {
                    driver.launch(small, 0);
                }
                driver.launch(large, 0);
            }
        };
        assertThat(Garbage.of(8, 1_000, many)).isLessThan(1_000);
        driver.free(address);
    }
}
