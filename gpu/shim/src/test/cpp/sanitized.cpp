// Runs launches that it reads from its standard input, with AddressSanitizer watching: all memory is poisoned but what the
// launches' operands own, so a read or write beside one ends the process with a report. Each trial runs in both orders of threads.
#include "basalt.h"

#include <sanitizer/asan_interface.h>
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using basalt::Args;

extern "C" void basalt_shim_launch(
        void (*kernel)(Args), unsigned x, unsigned y, unsigned z, unsigned threads, unsigned shared,
        const void* arguments, int backwards, int together);

struct Launch {
    std::string name;
    int32_t numbers[6];  // grid, threads, shared memory, blocks that run at once (0: all)
    Args arguments;
};

static std::string label;
static const std::string CAPPED = "capped ";

static void say() { std::fprintf(stderr, "sanitized: in %s\n", label.c_str()); }

static void take(void* to, size_t bytes) {
    if (std::fread(to, 1, bytes, stdin) != bytes) {
        std::fprintf(stderr, "sanitized: the input ends early\n");
        std::exit(2);
    }
}

static int64_t number() {
    int64_t value;
    take(&value, 8);
    return value;
}

static std::string text() {
    std::string value(number(), ' ');
    take(&value[0], value.size());
    return value;
}

// A kernel by its name; those of the library of capped ones have a mark before it.
static void* find(const std::string& name, void* capped) {
    bool marked = name.compare(0, CAPPED.size(), CAPPED) == 0;
    void* kernel = marked ? dlsym(capped, name.c_str() + CAPPED.size()) : dlsym(RTLD_DEFAULT, name.c_str());
    if (kernel == nullptr) {
        std::fprintf(stderr, "sanitized: there is no kernel %s\n", name.c_str());
        std::exit(2);
    }
    return kernel;
}

// The library of capped kernels is named on the command line.
int main(int, char** arguments) {
    void* capped = dlopen(arguments[1], RTLD_NOW);
    if (capped == nullptr) {
        std::fprintf(stderr, "sanitized: %s\n", dlerror());
        return 2;
    }
    char* base = reinterpret_cast<char*>(number());
    size_t room = number();
    size_t syncBytes = number();
    constexpr uintptr_t PAGE = 4096;
    char* first = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(base) & -PAGE);
    void* mapped = mmap(first, base + room + syncBytes - first, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (mapped != first) {
        return 3;  // something else lies there in this process; another one may have luck
    }
    __sanitizer_set_death_callback(say);
    __asan_poison_memory_region(base, room);
    long launches = 0;
    for (label = text(); !label.empty(); label = text()) {
        std::vector<std::pair<char*, std::vector<char>>> regions(number());
        for (auto& region : regions) {
            region.first = reinterpret_cast<char*>(number());
            region.second.resize(number());
            take(region.second.data(), region.second.size());
            __asan_unpoison_memory_region(region.first, region.second.size());
        }
        std::vector<Launch> all(number());
        for (auto& one : all) {
            one.name = text();
            take(one.numbers, sizeof one.numbers);
            take(&one.arguments, sizeof one.arguments);
        }
        for (int backwards = 0; backwards < 2; backwards++) {
            for (auto& region : regions) {
                std::memcpy(region.first, region.second.data(), region.second.size());
            }
            std::memset(base + room, 0, syncBytes);
            for (auto& one : all) {
                void* kernel = find(one.name, capped);
                const int32_t* n = one.numbers;
                basalt_shim_launch(reinterpret_cast<void (*)(Args)>(kernel), n[0], n[1], n[2], n[3], n[4],
                        &one.arguments, backwards, n[5]);
                launches++;
            }
        }
        for (auto& region : regions) {
            __asan_poison_memory_region(region.first, region.second.size());
        }
    }
    std::printf("%ld launches\n", launches);
}
