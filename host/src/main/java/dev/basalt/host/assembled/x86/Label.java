package dev.basalt.host.assembled.x86;

import java.util.ArrayList;
import java.util.List;

/** A place in the code that jumps go to; jumps may come before the place is known. */
public final class Label {
    /** Offset of the place, -1 while it is not known. */
    public int place = -1;
    /** Offsets of the displacements that wait for the place. */
    public final List<Integer> waiting = new ArrayList<>(2);
}
