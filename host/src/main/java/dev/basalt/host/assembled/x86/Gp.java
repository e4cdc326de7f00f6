package dev.basalt.host.assembled.x86;

/** The 64-bit integer registers of x86-64, in the order of their numbers. */
public enum Gp {
    RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15;

    /** The number that an instruction encodes; the top bit goes to a prefix. */
    public int number() {
        return ordinal();
    }
}
