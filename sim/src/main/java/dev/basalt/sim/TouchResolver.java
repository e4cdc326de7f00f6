package dev.basalt.sim;

import java.util.ArrayList;
import java.util.List;

/** Finds the allocations that an operation touches, and refuses operations that touch anything else. */
final class TouchResolver implements Touch.Sink {
    private final DeviceMemory memory;
    private final Hazards hazards;
    private final Failures failures;
    private List<Touch> touches = new ArrayList<>();
    private Stamp stamp;
    private boolean running;

    TouchResolver(DeviceMemory memory, Hazards hazards, Failures failures) {
        this.memory = memory;
        this.hazards = hazards;
        this.failures = failures;
    }

    /** What an operation touches, except behind pointer tables. */
    List<Touch> resolve(Op op, Stamp submitted) {
        begin(submitted, false);
        op.touch(this);
        return touches;
    }

    /** What an operation touches through pointer tables: when it is submitted, or when it runs. */
    List<Touch> resolveThroughTables(Op op, boolean whenRun) {
        begin(op.stamp, whenRun);
        op.touchThroughTables(this);
        return touches;
    }

    /** Checks that what was recorded into a graph is still the same memory. */
    void verifyRecorded(List<Touch> recorded, Stamp replayed) {
        for (Touch touch : recorded) {
            if (!touch.block().live || touch.block().generation != touch.generation()) {
                refuse(Hazard.Kind.USE_AFTER_FREE, touch.block(), touch.bytes(), touch.write(), touch.operand(),
                        replayed);
            }
        }
    }

    /** Checks, when an operation runs, that its memory is there. */
    void verifyMapped(Op op) {
        for (Touch touch : op.touches) {
            if (!touch.block().mapped) {
                refuse(Hazard.Kind.USE_AFTER_FREE, touch.block(), touch.bytes(), touch.write(), touch.operand(),
                        op.stamp);
            }
        }
    }

    @Override
    public void device(Footprint bytes, boolean write, String operand) {
        if (bytes.isEmpty()) {
            return;
        }
        Block block = memory.around(bytes.base());
        if (block == null) {
            Block dead = memory.buried(bytes.base());
            Hazard.Kind kind = dead == null ? Hazard.Kind.OUT_OF_BOUNDS : Hazard.Kind.USE_AFTER_FREE;
            refuse(kind, dead, bytes, write, operand, stamp);
        } else if (running ? !block.mapped : !block.live) {
            refuse(Hazard.Kind.USE_AFTER_FREE, block, bytes, write, operand, stamp);
        } else if (!block.holds(bytes.base(), bytes.end())) {
            refuse(Hazard.Kind.OUT_OF_BOUNDS, block, bytes, write, operand, stamp);
        } else {
            touches.add(new Touch(block, block.generation, bytes, write, operand));
        }
    }

    @Override
    public void host(Footprint bytes, boolean write, String operand) {
        touches.add(new Touch(memory.host(), 0, bytes, write, operand));
    }

    @Override
    public void block(Block block, long bytes, String operand) {
        touches.add(new Touch(block, block.generation, Footprint.range(block.address, bytes), true, operand));
    }

    private void begin(Stamp submitted, boolean whenRun) {
        touches = new ArrayList<>();
        stamp = submitted;
        running = whenRun;
    }

    private void refuse(Hazard.Kind kind, Block block, Footprint bytes, boolean write, String operand, Stamp accessed) {
        Hazard.Access access = Hazard.Access.of(accessed, operand, write, bytes);
        String known = block == null ? "no allocation" : block.describe().toString();
        long from = block == null ? bytes.base() : block.address;
        long to = block == null ? bytes.base() : block.address + block.bytes;
        Hazard.Access first = block != null && block.lastFree != null && kind == Hazard.Kind.USE_AFTER_FREE
                ? Hazard.Access.of(block.lastFree.stamp, known, true, Footprint.range(from, to - from))
                : new Hazard.Access("the allocator", -1, -1, known, true, from, to);
        Hazard hazard = new Hazard(kind, first, access);
        failures.stick("illegal address: " + hazard);
        hazards.add(hazard);
        failures.check();
    }
}
