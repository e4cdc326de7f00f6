package dev.basalt.host.assembled.matvec;

import dev.basalt.portable.Leaf;
import dev.basalt.portable.SmallTriangle;

/**
 * Whose products with stored triangles and bands go through {@link Stored}.
 *
 * @param leaf copies and scales vectors, divides complex numbers, and takes dense triangles
 * @param small takes the few columns that kernels leave
 */
public record StoredLeaf(Leaf leaf, SmallTriangle small) {}
