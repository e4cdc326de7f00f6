package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.DriverException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a tool hears by NVTX: one that is written here, against the toolkit's own headers, listens to another JVM. Skipped where there
 * is no toolkit with NVTX or no compiler.
 */
class NvtxTest {
    private static final String TOOL =
            """
                    #include <nvtx3/nvToolsExtMem.h>
                    #include <cstdio>
                    #include <cstdlib>
                    static FILE *said() { return fopen(getenv("BASALT_NVTX_SAID"), "a"); }
                    static nvtxMemHeapHandle_t heap(nvtxDomainHandle_t, nvtxMemHeapDesc_t const *d) {
                        auto r = static_cast<nvtxMemVirtualRangeDesc_t const *>(d->typeSpecificDesc);
                        FILE *f = said();
                        fprintf(f, "heap %d %d %d %d %d %ld %ld\\n", d->extCompatID == NVTX_EXT_COMPATID_MEM, d->structSize == sizeof *d,
                                d->usage == NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR, d->type == NVTX_MEM_TYPE_VIRTUAL_ADDRESS,
                                d->typeSpecificDescSize == sizeof *r, (long) r->ptr, (long) r->size);
                        fclose(f);
                        return (nvtxMemHeapHandle_t) 77;
                    }
                    static void ends(nvtxDomainHandle_t, nvtxMemHeapHandle_t h) {
                        FILE *f = said();
                        fprintf(f, "ends %ld\\n", (long) h);
                        fclose(f);
                    }
                    static void regions(nvtxDomainHandle_t, nvtxMemRegionsRegisterBatch_t const *d) {
                        auto r = static_cast<nvtxMemVirtualRangeDesc_t const *>(d->regionDescElements);
                        FILE *f = said();
                        fprintf(f, "regions %d %d %d %ld %ld %d %ld %ld\\n", d->extCompatID == NVTX_EXT_COMPATID_MEM,
                                d->structSize == sizeof *d, d->regionType == NVTX_MEM_TYPE_VIRTUAL_ADDRESS, (long) d->heap,
                                (long) d->regionCount, d->regionDescElementSize == sizeof *r, (long) r->ptr, (long) r->size);
                        d->regionHandleElementsOut[0] = 0;
                        fclose(f);
                    }
                    static void gone(nvtxDomainHandle_t, nvtxMemRegionsUnregisterBatch_t const *d) {
                        FILE *f = said();
                        fprintf(f, "gone %d %d %d %ld %d %ld\\n", d->extCompatID == NVTX_EXT_COMPATID_MEM, d->structSize == sizeof *d,
                                d->refType == NVTX_MEM_REGION_REF_TYPE_POINTER, (long) d->refCount,
                                d->refElementSize == sizeof *d->refElements, (long) d->refElements[0].pointer);
                        fclose(f);
                    }
                    extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *m) {
                        if (m->moduleId != NVTX_EXT_MODULEID_MEM) return 0;
                        intptr_t *slots = m->segments[0].functionSlots;
                        slots[NVTX3EXT_CBID_nvtxMemHeapRegister] = (intptr_t) heap;
                        slots[NVTX3EXT_CBID_nvtxMemHeapUnregister] = (intptr_t) ends;
                        slots[NVTX3EXT_CBID_nvtxMemRegionsRegister] = (intptr_t) regions;
                        slots[NVTX3EXT_CBID_nvtxMemRegionsUnregister] = (intptr_t) gone;
                        return 1;
                    }
                    """;

    @TempDir
    private Path folder;

    /** What the other JVM does. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            Nvtx nvtx = Nvtx.listened();
            if (nvtx == null) {
                System.out.println("nobody listens");
                return;
            }
            long heap = nvtx.watch(1 << 20, 4096);
            nvtx.allow(heap, (1 << 20) + 64, 128);
            nvtx.forbid((1 << 20) + 64);
            nvtx.unwatch(heap);
        }
    }

    private static void require(boolean there, String reason) {
        if (!there) {
            System.out.println("what a tool hears by NVTX is not tested: " + reason);
        }
        assumeTrue(there, reason);
    }

    private ProcessBuilder child(Path library) {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-Dbasalt.nvtx=" + library, "-cp",
                ChildClasses.of(DriverException.class, Nvtx.class, NvtxTest.class), Child.class.getName());
    }

    private static Path toolkit() throws IOException {
        try (Stream<Path> installed = Files.list(Path.of("/usr/local"))) {
            return installed.filter(p -> p.getFileName().toString().startsWith("cuda"))
                    .filter(p -> Files.exists(p.resolve("include/nvtx3/nvToolsExtMem.h")))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static Path library(Path toolkit) {
        return Stream.of("lib64", "lib")
                .map(p -> toolkit.resolve(p).resolve("libnvtx3interop.so"))
                .filter(Files::exists)
                .findFirst()
                .orElse(null);
    }

    @Test
    void aToolHearsOfBlocksAndSlots() throws IOException, InterruptedException {
        Path toolkit = toolkit();
        require(toolkit != null && library(toolkit) != null, "there is no toolkit with NVTX in /usr/local");
        Path source = Files.writeString(folder.resolve("tool.cpp"), TOOL);
        Path tool = folder.resolve("tool.so");
        try {
            ChildOutput.of(folder, new ProcessBuilder("g++", "-shared", "-fPIC", "-I" + toolkit.resolve("include"),
                    "-o", tool.toString(), source.toString()));
        } catch (IOException e) {
            require(false, "there is no g++");
        }
        Path said = folder.resolve("said.txt");
        ProcessBuilder child = child(library(toolkit));
        child.environment().put(Nvtx.LISTENER, tool.toString());
        child.environment().put("BASALT_NVTX_SAID", said.toString());
        assertThat(ChildOutput.of(folder, child)).doesNotContain("nobody listens");
        assertThat(Files.readAllLines(said)).isEqualTo(List.of("heap 1 1 1 1 1 1048576 4096",
                "regions 1 1 1 77 1 1 1048640 128", "gone 1 1 1 1 1 1048640", "ends 77"));
    }

    @Test
    void withoutAToolNothingIsLoaded() throws IOException, InterruptedException {
        ProcessBuilder child = child(Path.of("no-such-library"));
        child.environment().remove(Nvtx.LISTENER);
        assertThat(ChildOutput.of(folder, child)).contains("nobody listens");
    }
}
