package dev.basalt.type;

/** In what order reflectors make a block reflector. */
public enum Direct {
    /** H = H₁·H₂ … Hₖ; its triangle is an upper one. */
    FORWARD,
    /** H = Hₖ … H₂·H₁; its triangle is a lower one. */
    BACKWARD
}
