package dev.basalt.host.assembled.x86;

import java.util.Arrays;

/**
 * Writes x86-64 machine code into an array: the integer instructions that kernels need, and the rows of {@link X86Op} with one of the two
 * prefixes of vector instructions, VEX and EVEX (Intel SDM volume 2, chapter 2).
 *
 * <p>Encodings are those that the GNU assembler chooses, so that a test can compare bytes; only jumps always take 32-bit
 * displacements, since their distance is not known when they are written.
 */
public final class Emitter {
    /** Conditions of jumps by their code. */
    public enum Condition {
        BELOW(2), NOT_BELOW(3), ZERO(4), NOT_ZERO(5), NOT_ABOVE(6), PARITY(10), LESS(12);

        private final int code;

        Condition(int code) {
            this.code = code;
        }
    }

    /** No-operations of 1 to 9 bytes that decode as one instruction each. */
    private static final int[][] NOPS = {
            {0x90},
            {0x66, 0x90},
            {0x0f, 0x1f, 0x00},
            {0x0f, 0x1f, 0x40, 0x00},
            {0x0f, 0x1f, 0x44, 0x00, 0x00},
            {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
            {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
            {0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
            {0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00}};

    private byte[] code = new byte[2048];
    private int size;

    /** The code so far. */
    public byte[] code() {
        return Arrays.copyOf(code, size);
    }

    private void put(int value) {
        if (size == code.length) {
            code = Arrays.copyOf(code, 2 * size);
        }
        code[size++] = (byte) value;
    }

    private void put(int first, int second) {
        put(first);
        put(second);
    }

    private void put(int first, int second, int third) {
        put(first);
        put(second);
        put(third);
    }

    private void put32(int value) {
        put(value, value >> 8);
        put(value >> 16, value >> 24);
    }

    /** Pads to a multiple of {@code alignment} bytes; code is installed at the start of a page. */
    public void align(int alignment) {
        for (int gap = -size & alignment - 1; gap > 0;) {
            int[] nop = NOPS[Math.min(gap, NOPS.length) - 1];
            for (int value : nop) {
                put(value);
            }
            gap -= nop.length;
        }
    }

    // Operand bytes.

    /** ModRM byte of two registers. */
    private void modRegister(int reg, int rm) {
        put(0xc0 | (reg & 7) << 3 | rm & 7);
    }

    /** ModRM byte and what follows it; a displacement of 8 bits counts units of {@code unit} bytes. */
    private void modMemory(int reg, Mem m, int unit) {
        int r = (reg & 7) << 3;
        int base = m.base().number() & 7;
        int steps = m.disp() / unit;
        boolean short8 = m.disp() % unit == 0 && steps >= -128 && steps <= 127;
        // Base 5 without a displacement means something else.
        boolean none = m.disp() == 0 && base != 5;
        int mod = none ? 0 : short8 ? 0x40 : 0x80;
        if (m.index() != null) {
            put(mod | r | 4, Integer.numberOfTrailingZeros(m.scale()) << 6 | (m.index().number() & 7) << 3 | base);
        } else if (base == 4) {
            put(mod | r | 4, 0x24);
        } else {
            put(mod | r | base);
        }
        if (mod == 0x40) {
            put(steps);
        } else if (mod == 0x80) {
            put32(m.disp());
        }
    }

    private static int high(int register) {
        return register >> 3 & 1;
    }

    private static int highIndex(Mem m) {
        return m.index() == null ? 0 : high(m.index().number());
    }

    private void rex(int w, int reg, int index, int base) {
        int rex = 0x40 | w << 3 | high(reg) << 2 | index << 1 | high(base);
        if (rex != 0x40) {
            put(rex);
        }
    }

    // Integer instructions, 64 bits wide.

    private void registers(int opcode, int reg, int rm) {
        rex(1, reg, 0, rm);
        put(opcode);
        modRegister(reg, rm);
    }

    private void memory(int opcode, int reg, Mem m) {
        rex(1, reg, highIndex(m), m.base().number());
        put(opcode);
        modMemory(reg, m, 1);
    }

    private void immediate(int operation, Gp to, int value) {
        boolean short8 = value >= -128 && value <= 127;
        registers(short8 ? 0x83 : 0x81, operation, to.number());
        if (short8) {
            put(value);
        } else {
            put32(value);
        }
    }

    public void mov(Gp to, Gp from) {
        registers(0x89, from.number(), to.number());
    }

    public void mov(Gp to, int value) {
        registers(0xc7, 0, to.number());
        put32(value);
    }

    /** A 64-bit constant. */
    public void mov(Gp to, long value) {
        rex(1, 0, 0, to.number());
        put(0xb8 | to.number() & 7);
        put32((int) value);
        put32((int) (value >> 32));
    }

    public void load(Gp to, Mem m) {
        memory(0x8b, to.number(), m);
    }

    public void store(Mem m, Gp from) {
        memory(0x89, from.number(), m);
    }

    public void lea(Gp to, Mem m) {
        memory(0x8d, to.number(), m);
    }

    public void add(Gp to, Gp from) {
        registers(0x01, from.number(), to.number());
    }

    public void add(Gp to, int value) {
        immediate(0, to, value);
    }

    public void sub(Gp to, Gp from) {
        registers(0x29, from.number(), to.number());
    }

    public void sub(Gp to, int value) {
        immediate(5, to, value);
    }

    public void and(Gp to, int value) {
        immediate(4, to, value);
    }

    public void or(Gp to, Gp from) {
        registers(0x09, from.number(), to.number());
    }

    public void test(Gp a, Gp b) {
        registers(0x85, b.number(), a.number());
    }

    /** Sets the flags of {@code a & value}. */
    public void test(Gp a, int value) {
        if (a == Gp.RAX) {
            put(0x48, 0xa9);
        } else {
            registers(0xf7, 0, a.number());
        }
        put32(value);
    }

    /** Logical shift right by 1 to 63; for 1 there is a shorter form, which is not used. */
    public void shr(Gp to, int count) {
        registers(0xc1, 5, to.number());
        put(count);
    }

    /** Shift left by 2 to 63. */
    public void shl(Gp to, int count) {
        registers(0xc1, 4, to.number());
        put(count);
    }

    /** Sets the flags of {@code a - value}. */
    public void compare(Gp a, int value) {
        immediate(7, a, value);
    }

    /** Sets the flags of {@code a - b}. */
    public void compare(Gp a, Gp b) {
        registers(0x39, b.number(), a.number());
    }

    public void multiply(Gp to, Gp from) {
        rex(1, to.number(), 0, from.number());
        put(0x0f, 0xaf);
        modRegister(to.number(), from.number());
    }

    public void dec(Gp to) {
        registers(0xff, 1, to.number());
    }

    /** {@code to} := the number of zeros below the lowest one bit of {@code from} (BMI1). */
    public void tzcnt(Gp to, Gp from) {
        put(0xf3);
        rex(1, to.number(), 0, from.number());
        put(0x0f, 0xbc);
        modRegister(to.number(), from.number());
    }

    /** {@code to := from} without the bits from {@code count} on (BMI2). */
    public void bzhi(Gp to, Gp from, Gp count) {
        vex(X86Op.BZHI, Real.F64, 16, to.number(), count.number(), from.number());
    }

    public void push(Gp from) {
        rex(0, 0, 0, from.number());
        put(0x50 | from.number() & 7);
    }

    public void pop(Gp to) {
        rex(0, 0, 0, to.number());
        put(0x58 | to.number() & 7);
    }

    public void jump(Condition condition, Label label) {
        put(0x0f, 0x80 | condition.code);
        distance(label);
    }

    public void jump(Label label) {
        put(0xe9);
        distance(label);
    }

    /** Jumps to the address in a register. */
    public void jump(Gp to) {
        rex(0, 0, 0, to.number());
        put(0xff);
        modRegister(4, to.number());
    }

    /** Calls the code whose address is in a register. */
    public void call(Gp target) {
        rex(0, 0, 0, target.number());
        put(0xff);
        modRegister(2, target.number());
    }

    /** The address of a place in the code: where its constants lie. */
    public void lea(Gp to, Label label) {
        rex(1, to.number(), 0, 0);
        put(0x8d);
        put((to.number() & 7) << 3 | 5);
        distance(label);
    }

    /** Data of 8 bytes. */
    public void data(long value) {
        put32((int) value);
        put32((int) (value >> 32));
    }

    private void distance(Label label) {
        if (label.place < 0) {
            label.waiting.add(size);
            put32(0);
        } else {
            put32(label.place - (size + 4));
        }
    }

    public void bind(Label label) {
        label.place = size;
        for (int at : label.waiting) {
            int distance = size - (at + 4);
            for (int i = 0; i < 4; i++) {
                code[at + i] = (byte) (distance >> 8 * i);
            }
        }
        label.waiting.clear();
    }

    /** Fetches a line into all caches. */
    public void prefetch(Mem m) {
        rex(0, 0, highIndex(m), m.base().number());
        put(0x0f, 0x18);
        modMemory(1, m, 1);
    }

    /** Fetches a line into the second cache and those beyond. */
    public void prefetchFar(Mem m) {
        rex(0, 0, highIndex(m), m.base().number());
        put(0x0f, 0x18);
        modMemory(2, m, 1);
    }

    /** Orders stores past the caches before later ones. */
    public void fence() {
        put(0x0f, 0xae, 0xf8);
    }

    public void cpuid() {
        put(0x0f, 0xa2);
    }

    public void xgetbv() {
        put(0x0f, 0x01, 0xd0);
    }

    /** Clears the upper halves of the vector registers, so that old SSE code of the caller does not stall, and returns. */
    public void finish() {
        put(0xc5, 0xf8, 0x77);
        put(0xc3);
    }

    public void ret() {
        put(0xc3);
    }

    // Rows of the table of instructions. Operands that a row has not are 0; registers are numbers. Bytes are those of a vector.

    private void vexPrefix(X86Op op, Real real, int bytes, int reg, int vvvv, int x, int b) {
        if (!op.vex(bytes)) {
            throw new IllegalArgumentException(op + " has no VEX form of " + bytes + " bytes");
        }
        int map = op.map();
        int w = op.w(real, false);
        int tail = (~vvvv & 15) << 3 | bytes / 32 << 2 | op.prefix(real);
        if (map == 1 && w == 0 && x == 0 && b == 0) {
            put(0xc5, (~high(reg) & 1) << 7 | tail);
        } else {
            put(0xc4, (~high(reg) & 1) << 7 | (1 - x) << 6 | (1 - b) << 5 | map, w << 7 | tail);
        }
        put(op.opcode(real));
    }

    /** An instruction with a VEX prefix, between registers below 16. */
    public void vex(X86Op op, Real real, int bytes, int reg, int vvvv, int rm) {
        vexPrefix(op, real, bytes, reg, vvvv, 0, high(rm));
        modRegister(reg, rm);
    }

    public void vex(X86Op op, Real real, int bytes, int reg, int vvvv, Mem m) {
        vexPrefix(op, real, bytes, reg, vvvv, highIndex(m), high(m.base().number()));
        modMemory(reg, m, 1);
    }

    private void evexPrefix(X86Op op, Real real, int bytes, int reg, int vvvv, int x, int b, int mask,
            boolean zeroing) {
        if (!op.evex(bytes)) {
            throw new IllegalArgumentException(op + " has no EVEX form of " + bytes + " bytes");
        }
        put(0x62);
        put((~high(reg) & 1) << 7 | (1 - x) << 6 | (1 - b) << 5 | (~reg >> 4 & 1) << 4 | op.map());
        put(op.w(real, true) << 7 | (~vvvv & 15) << 3 | 4 | op.prefix(real));
        put((zeroing ? 0x80 : 0) | bytes / 32 << 5 | (~vvvv >> 4 & 1) << 3 | mask);
        put(op.opcode(real));
    }

    /**
     * An instruction with an EVEX prefix, between registers.
     *
     * @param mask mask register 1 to 7, 0 for none; elements outside of the mask stay
     */
    public void evex(X86Op op, Real real, int bytes, int reg, int vvvv, int rm, int mask) {
        evexPrefix(op, real, bytes, reg, vvvv, rm >> 4 & 1, high(rm), mask, false);
        modRegister(reg, rm);
    }

    /**
     * With an operand in memory.
     *
     * @param mask mask register 1 to 7, 0 for none
     * @param zeroing whether elements outside of the mask become 0, or else stay
     */
    public void evex(X86Op op, Real real, int bytes, int reg, int vvvv, Mem m, int mask, boolean zeroing) {
        evexPrefix(op, real, bytes, reg, vvvv, highIndex(m), high(m.base().number()), mask, zeroing);
        modMemory(reg, m, op.memory(real, bytes));
    }

    /** The immediate byte that ends some vector instructions. */
    public void immediate8(int value) {
        put(value);
    }
}
