#include "basalt.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define START_SWITCH(save, bottom, size) __sanitizer_start_switch_fiber(save, bottom, size)
#define FINISH_SWITCH(save) __sanitizer_finish_switch_fiber(save, nullptr, nullptr)
// A fiber that has ended left its last frames as they were.
#define FRESH_STACK(bottom, size) __asan_unpoison_memory_region(bottom, size)
#else
#define START_SWITCH(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#define FINISH_SWITCH(save) ((void)(save))
#define FRESH_STACK(bottom, size) ((void)(bottom))
#endif

namespace shim {

Thread* self;
Index blockCount, threadCount;

namespace {

constexpr size_t STACK = 256 << 10;
constexpr unsigned MOST = 8192;  // fibers: those of a block, or of a whole grid whose blocks wait for each other

struct Fiber {
    Thread thread;
    void* pointer;  // saved stack pointer
    void* fake;     // the sanitizer's
    char* bottom;
    unsigned number;     // in the grid
    unsigned barriers;   // that it has reached
    unsigned groupBarriers;
    unsigned partBarriers;
    unsigned exchanges;  // that it has taken part in
};

// What a fiber waits for: until then the scheduler passes it by. Apart from the fibers, so that to look at all of them takes little memory.
struct Wait {
    const unsigned* count;
    unsigned enough;
};

struct Lane {
    unsigned char value[2][16];
};

// Stacks that all began at the same place of a page would share few lines of a cache.
constexpr size_t STAGGER = 13 * 64;
constexpr size_t STAGGERS = 78;

Fiber fibers[MOST];
Wait waits[MOST];
constexpr unsigned NEVER = 0;
constexpr unsigned ALWAYS = 1;
Lane lanes[MOST];
unsigned arrived[MOST];           // at the exchanges, by warp: how many lanes in all
unsigned barrierArrivals[MOST];  // by block
unsigned partArrivals[MOST][16];   // by block and number of the barrier
unsigned groupArrivals;
unsigned fibersAtOnce;
size_t sharedOfBlock;
bool progress;
unsigned idle;  // rounds in which threads did nothing but spin
void* scheduler;
void* schedulerFake;
void* schedulerBottom;
size_t schedulerSize;
void (*entry)(const void*);
const void* entryArguments;

// Saves the callee-saved registers and the stack pointer, and takes those of another fiber.
extern "C" void shimSwitch(void** save, void* to);
__asm__(R"(
.text
.type shimSwitch,@function
shimSwitch:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
)");

Fiber& current() { return *reinterpret_cast<Fiber*>(self); }

void leave(bool forever) {
    Fiber& f = current();
    START_SWITCH(forever ? nullptr : &f.fake, schedulerBottom, schedulerSize);
    shimSwitch(&f.pointer, scheduler);
    FINISH_SWITCH(f.fake);
}

// Leaves until a count is high enough.
void await(const unsigned& count, unsigned enough) {
    if (count < enough) {
        Wait& wait = waits[current().number];
        wait = Wait{&count, enough};
        leave(false);
        wait = Wait{&ALWAYS, 1};
    }
}

void begin() {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &schedulerSize);
    schedulerBottom = const_cast<void*>(bottom);
#endif
    entry(entryArguments);
    current().thread.done = true;
    waits[current().number] = Wait{&NEVER, 1};
    progress = true;
    leave(true);
    std::abort();
}

void prepare(unsigned number, Index block, char* shared) {
    Fiber& f = fibers[number];
    if (f.bottom == nullptr) {
        f.bottom = (char*)mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (f.bottom == MAP_FAILED) {
            std::perror("shim: no stack");
            std::abort();
        }
    }
    FRESH_STACK(f.bottom, STACK);
    f.thread.thread = Index{number % threadCount.x, 0, 0};
    f.thread.block = block;
    f.thread.shared = shared;
    f.thread.done = false;
    f.number = number;
    f.barriers = 0;
    f.groupBarriers = 0;
    f.partBarriers = 0;
    f.exchanges = 0;
    waits[number] = Wait{&ALWAYS, 1};
    void** top = reinterpret_cast<void**>(f.bottom + STACK - number % STAGGERS * STAGGER) - 1;  // as after a call
    top[-1] = reinterpret_cast<void*>(&begin);
    for (int r = 2; r <= 7; r++) {
        top[-r] = nullptr;
    }
    f.pointer = top - 7;
}

void runFibers(unsigned threads, bool backwards) {
    std::memset(barrierArrivals, 0, sizeof barrierArrivals);
    std::memset(partArrivals, 0, sizeof partArrivals);
    std::memset(arrived, 0, sizeof arrived);
    groupArrivals = 0;
    fibersAtOnce = threads;
    idle = 0;
    for (unsigned left = threads; left > 0;) {
        progress = false;
        for (unsigned s = 0; s < threads; s++) {
            unsigned number = backwards ? threads - 1 - s : s;
            if (*waits[number].count < waits[number].enough) {
                continue;
            }
            Fiber& f = fibers[number];
            self = &f.thread;
            START_SWITCH(&schedulerFake, f.bottom, STACK);
            shimSwitch(&scheduler, f.pointer);
            FINISH_SWITCH(schedulerFake);
            left -= f.thread.done;
        }
        idle = progress ? 0 : idle + 1;
        // A thread that spins may have seen the last round's news only now.
        if (idle > 3) {
            std::fprintf(stderr, "shim: all threads wait\n");
            std::abort();
        }
    }
}

}  // namespace

void blockBarrier() {
    Fiber& f = current();
    unsigned& arrivals = barrierArrivals[f.number / threadCount.x];
    f.barriers++;
    arrivals++;
    progress = true;
    await(arrivals, f.barriers * threadCount.x);
}

void partBarrier(int which, int threads) {
    Fiber& f = current();
    unsigned& arrivals = partArrivals[f.number / threadCount.x][which];
    f.partBarriers++;
    arrivals++;
    progress = true;
    await(arrivals, f.partBarriers * (unsigned)threads);
}

void groupBarrier() {
    Fiber& f = current();
    f.groupBarriers++;
    groupArrivals++;
    progress = true;
    await(groupArrivals, f.groupBarriers * fibersAtOnce);
}

void* inBlock(void* p, int block) {
    return (char*)p + ((long)block - (long)self->block.x) * (long)sharedOfBlock;
}

void spin() { leave(false); }

void exchange(const void* mine, void* theirs, unsigned bytes, unsigned lane) {
    Fiber& f = current();
    unsigned warp = f.number / 32;
    unsigned parity = f.exchanges % 2;
    std::memcpy(lanes[f.number].value[parity], mine, bytes);
    f.exchanges++;
    arrived[warp]++;
    progress = true;
    await(arrived[warp], f.exchanges * 32);
    std::memcpy(theirs, lanes[warp * 32 + lane].value[parity], bytes);
}

}  // namespace shim

// Runs a grid. `kernel` is an entry point that takes the argument structure by value.
using basalt::Args;

static void (*kernelToRun)(Args);

static void callKernel(const void* arguments) { kernelToRun(*static_cast<const Args*>(arguments)); }

// So many blocks run at once as wait for each other, 0 for all of them; where that is more than one, the kernel has no static
// shared memory.
extern "C" void basalt_shim_launch(
        void (*kernel)(Args), unsigned x, unsigned y, unsigned z, unsigned threads, unsigned shared,
        const void* arguments, int backwards, int together) {
    kernelToRun = kernel;
    shim::entry = callKernel;
    shim::entryArguments = arguments;
    shim::blockCount = shim::Index{x, y, z};
    shim::threadCount = shim::Index{threads, 1, 1};
    unsigned long long blocks = (unsigned long long)x * y * z;
    unsigned long long atOnce = together > 0 ? together : blocks;
    if (atOnce * threads > shim::MOST) {
        std::fprintf(stderr, "shim: too many threads at once\n");
        std::abort();
    }
    size_t each = (shared + 31) / 16 * 16;
    shim::sharedOfBlock = each;
    char* memory = static_cast<char*>(std::aligned_alloc(16, each * atOnce));
    for (unsigned long long s = 0; s < blocks; s += atOnce) {
        std::memset(memory, 0xff, each * atOnce);
        for (unsigned long long o = 0; o < atOnce; o++) {
            unsigned long long b = backwards && atOnce == 1 ? blocks - 1 - s : s + o;
            shim::Index index{(unsigned)(b % x), (unsigned)(b / x % y), (unsigned)(b / x / y)};
            for (unsigned t = 0; t < threads; t++) {
                shim::prepare((unsigned)(o * threads) + t, index, memory + o * each);
            }
        }
        shim::runFibers((unsigned)(atOnce * threads), backwards != 0);
    }
    std::free(memory);
}
