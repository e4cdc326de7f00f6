package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hand-written bindings against {@code cuda.h}: a C++ program prints what the header says of each function, struct and
 * constant that is used. Skipped where there is no header or no compiler.
 */
class HeaderTest {
    @TempDir
    static Path folder;

    private static Path include;

    @BeforeAll
    static void findHeader() throws IOException {
        List<Path> places = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            if (System.getenv(variable) != null) {
                places.add(Path.of(System.getenv(variable), "include"));
            }
        }
        places.add(Path.of("/usr/local/cuda/include"));
        try (var installed = Files.list(Path.of("/usr/local"))) {
            installed.filter(p -> p.getFileName().toString().startsWith("cuda-"))
                    .forEach(p -> places.add(p.resolve("include")));
        }
        include = places.stream().filter(p -> Files.exists(p.resolve("cuda.h"))).findFirst().orElse(null);
        require(include != null, "there is no cuda.h in " + places);
        require(run(List.of("g++", "--version")) != null, "there is no g++");
    }

    private static void require(boolean there, String reason) {
        if (!there) {
            System.out.println("the bindings are not held against cuda.h: " + reason);
        }
        assumeTrue(there, reason);
    }

    /** What a program printed, or null if it cannot be started. */
    private static List<String> run(List<String> command) throws IOException {
        try {
            return ChildOutput.of(folder, new ProcessBuilder(command));
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> printed(String name, String statements) throws IOException {
        Path source = folder.resolve(name + ".cpp");
        Files.writeString(source, """
                #include <cuda.h>
                #include <cstddef>
                #include <cstdio>
                #include <type_traits>
                template <class A> struct Width {
                  static_assert(std::is_integral<A>::value || std::is_enum<A>::value || std::is_pointer<A>::value,
                                "neither a number nor an address");
                  static const int bytes = (int) sizeof(A);
                };
                template <class F> struct Function;
                template <class R, class... A> struct Function<R(A...)> {
                  static void print(const char *symbol) {
                    static_assert(std::is_same<R, CUresult>::value, "another result");
                    printf("%%s", symbol);
                    int widths[] = {Width<A>::bytes..., 0};
                    for (int i = 0; widths[i]; i++) printf(" %%d", widths[i]);
                    printf("\\n");
                  }
                };
                #define TEXT(x) #x
                #define FUNCTION(x) Function<decltype(x)>::print(TEXT(x))
                int main() {
                %s
                }
                """.formatted(statements));
        Path program = folder.resolve(name);
        List<String> messages =
                run(List.of("g++", "-std=c++17", "-I" + include, "-o", program.toString(), source.toString()));
        assertThat(messages).as("what the compiler says").isEmpty();
        return run(List.of(program.toString()));
    }

    @Test
    void everyFunctionHasTheSymbolAndTheParametersOfTheHeader() throws IOException {
        assertThat(Libcuda.signatures()).hasSizeGreaterThan(50);
        String statements = Libcuda.signatures()
                .stream()
                .map(s -> "FUNCTION(" + s.symbol().replaceFirst("_v[0-9]+$", "") + ");")
                .collect(Collectors.joining("\n"));
        List<String> ours = Libcuda.signatures()
                .stream()
                .map(s -> s.symbol() + s.parameters()
                        .stream()
                        .map(parameter -> " " + parameter.byteSize())
                        .collect(Collectors.joining()))
                .toList();
        assertThat(ours).isEqualTo(printed("functions", statements));
    }

    @Test
    void everyOffsetAndConstantIsThatOfTheHeader() throws IOException {
        Map<String, Integer> ours = new LinkedHashMap<>();
        sizesAndOffsets(ours);
        launches(ours);
        constants(ours);
        for (Attribute attribute : Attribute.values()) {
            ours.put("CU_DEVICE_ATTRIBUTE_" + attribute, attribute.number);
        }
        String statements = ours.keySet()
                .stream()
                .map(e -> "printf(\"%d\\n\", (int) " + e + ");")
                .collect(Collectors.joining("\n"));
        List<String> theirs = printed("constants", statements);
        List<String> lines = new ArrayList<>();
        int i = 0;
        for (String expression : ours.keySet()) {
            lines.add(expression + " = " + theirs.get(i++));
        }
        assertThat(ours.entrySet().stream().map(e -> e.getKey() + " = " + e.getValue()).toList()).isEqualTo(lines);
    }

    private static void sizesAndOffsets(Map<String, Integer> ours) {
        ours.put("sizeof(CUmemAllocationProp)", Structs.ALLOCATION_BYTES);
        ours.put("offsetof(CUmemAllocationProp, type)", Structs.ALLOCATION_TYPE);
        ours.put("offsetof(CUmemAllocationProp, location)", Structs.ALLOCATION_LOCATION);
        ours.put("offsetof(CUmemLocation, type)", Structs.LOCATION_TYPE);
        ours.put("offsetof(CUmemLocation, id)", Structs.LOCATION_ID);
        ours.put("sizeof(CUmemAccessDesc)", Structs.ACCESS_BYTES);
        ours.put("offsetof(CUmemAccessDesc, location)", Structs.ACCESS_LOCATION);
        ours.put("offsetof(CUmemAccessDesc, flags)", Structs.ACCESS_FLAGS);
        ours.put("sizeof(CUmemPoolProps)", Structs.POOL_BYTES);
        ours.put("offsetof(CUmemPoolProps, allocType)", Structs.POOL_ALLOCATION_TYPE);
        ours.put("offsetof(CUmemPoolProps, location)", Structs.POOL_LOCATION);
        ours.put("sizeof(CUDA_MEMCPY2D)", Structs.COPY_BYTES);
        ours.put("offsetof(CUDA_MEMCPY2D, srcMemoryType)", Structs.COPY_SOURCE_TYPE);
        ours.put("offsetof(CUDA_MEMCPY2D, srcHost)", Structs.COPY_SOURCE_HOST);
        ours.put("offsetof(CUDA_MEMCPY2D, srcDevice)", Structs.COPY_SOURCE_DEVICE);
        ours.put("offsetof(CUDA_MEMCPY2D, srcPitch)", Structs.COPY_SOURCE_PITCH);
        ours.put("offsetof(CUDA_MEMCPY2D, dstMemoryType)", Structs.COPY_TARGET_TYPE);
        ours.put("offsetof(CUDA_MEMCPY2D, dstHost)", Structs.COPY_TARGET_HOST);
        ours.put("offsetof(CUDA_MEMCPY2D, dstDevice)", Structs.COPY_TARGET_DEVICE);
        ours.put("offsetof(CUDA_MEMCPY2D, dstPitch)", Structs.COPY_TARGET_PITCH);
        ours.put("offsetof(CUDA_MEMCPY2D, WidthInBytes)", Structs.COPY_WIDTH);
        ours.put("offsetof(CUDA_MEMCPY2D, Height)", Structs.COPY_HEIGHT);
    }

    private static void launches(Map<String, Integer> ours) {
        ours.put("sizeof(CUlaunchConfig)", Structs.CONFIG_BYTES);
        ours.put("offsetof(CUlaunchConfig, gridDimX)", Structs.CONFIG_GRID_X);
        ours.put("offsetof(CUlaunchConfig, gridDimY)", Structs.CONFIG_GRID_X + 4);
        ours.put("offsetof(CUlaunchConfig, gridDimZ)", Structs.CONFIG_GRID_Z);
        ours.put("offsetof(CUlaunchConfig, blockDimX)", Structs.CONFIG_GRID_Z + 4);
        ours.put("offsetof(CUlaunchConfig, blockDimY)", Structs.CONFIG_BLOCK_Y);
        ours.put("offsetof(CUlaunchConfig, blockDimZ)", Structs.CONFIG_BLOCK_Y + 4);
        ours.put("offsetof(CUlaunchConfig, sharedMemBytes)", Structs.CONFIG_SHARED);
        ours.put("offsetof(CUlaunchConfig, hStream)", Structs.CONFIG_STREAM);
        ours.put("offsetof(CUlaunchConfig, attrs)", Structs.CONFIG_ATTRIBUTES);
        ours.put("offsetof(CUlaunchConfig, numAttrs)", Structs.CONFIG_COUNT);
        ours.put("sizeof(CUlaunchAttribute)", Structs.LAUNCH_ATTRIBUTE_BYTES);
        ours.put("offsetof(CUlaunchAttribute, id)", Structs.LAUNCH_ATTRIBUTE_ID);
        ours.put("offsetof(CUlaunchAttribute, value.programmaticStreamSerializationAllowed)",
                Structs.LAUNCH_ATTRIBUTE_VALUE);
        ours.put("CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION", Structs.LAUNCH_PROGRAMMATIC_SERIALIZATION);
    }

    private static void constants(Map<String, Integer> ours) {
        ours.put("CU_MEM_ALLOCATION_TYPE_PINNED", Structs.ALLOCATION_TYPE_PINNED);
        ours.put("CU_MEM_LOCATION_TYPE_DEVICE", Structs.LOCATION_TYPE_DEVICE);
        ours.put("CU_MEM_ACCESS_FLAGS_PROT_READWRITE", Structs.ACCESS_READ_WRITE);
        ours.put("CU_MEM_ALLOC_GRANULARITY_MINIMUM", Structs.GRANULARITY_MINIMUM);
        ours.put("CU_MEMPOOL_ATTR_RELEASE_THRESHOLD", Structs.POOL_RELEASE_THRESHOLD);
        ours.put("CU_MEMORYTYPE_HOST", Structs.MEMORY_TYPE_HOST);
        ours.put("CU_MEMORYTYPE_DEVICE", Structs.MEMORY_TYPE_DEVICE);
        ours.put("CU_POINTER_ATTRIBUTE_MEMORY_TYPE", Structs.POINTER_MEMORY_TYPE);
        ours.put("CU_POINTER_ATTRIBUTE_IS_MANAGED", Structs.POINTER_IS_MANAGED);
        ours.put("CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL", Structs.POINTER_DEVICE_ORDINAL);
        ours.put("CU_MEMHOSTALLOC_PORTABLE", Structs.HOST_ALLOC_PORTABLE);
        ours.put("CU_STREAM_NON_BLOCKING", Structs.STREAM_NON_BLOCKING);
        ours.put("CU_EVENT_DISABLE_TIMING", Structs.EVENT_DISABLE_TIMING);
        ours.put("CU_STREAM_CAPTURE_MODE_THREAD_LOCAL", Structs.CAPTURE_THREAD_LOCAL);
        ours.put("CU_STREAM_CAPTURE_MODE_RELAXED", Structs.CAPTURE_RELAXED);
        ours.put("CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH", Structs.GRAPH_FREE_ON_LAUNCH);
        ours.put("CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", Structs.FUNCTION_MAX_DYNAMIC_SHARED);
        ours.put("CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED", Structs.FUNCTION_NON_PORTABLE_CLUSTER);
        ours.put("CUDA_SUCCESS", CudaErrors.SUCCESS);
        ours.put("CUDA_ERROR_INVALID_VALUE", CudaErrors.INVALID_VALUE);
        ours.put("CUDA_ERROR_OUT_OF_MEMORY", CudaErrors.OUT_OF_MEMORY);
        ours.put("CUDA_ERROR_STUB_LIBRARY", CudaErrors.STUB_LIBRARY);
        ours.put("CUDA_ERROR_NO_DEVICE", CudaErrors.NO_DEVICE);
        ours.put("CUDA_ERROR_INVALID_CONTEXT", CudaErrors.INVALID_CONTEXT);
        ours.put("CUDA_ERROR_NO_BINARY_FOR_GPU", CudaErrors.NO_BINARY_FOR_GPU);
        ours.put("CUDA_ERROR_INVALID_HANDLE", CudaErrors.INVALID_HANDLE);
        ours.put("CUDA_ERROR_NOT_FOUND", CudaErrors.NOT_FOUND);
        ours.put("CUDA_ERROR_NOT_READY", CudaErrors.NOT_READY);
        ours.put("CUDA_ERROR_CONTEXT_IS_DESTROYED", CudaErrors.CONTEXT_IS_DESTROYED);
        ours.put("CUDA_ERROR_NOT_SUPPORTED", CudaErrors.NOT_SUPPORTED);
        ours.put("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", CudaErrors.SYSTEM_DRIVER_MISMATCH);
        ours.put("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", CudaErrors.FIRST_CAPTURE);
        ours.put("CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", CudaErrors.LAST_CAPTURE);
    }
}
