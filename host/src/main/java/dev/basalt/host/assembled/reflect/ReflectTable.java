package dev.basalt.host.assembled.reflect;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of reflectors of one shape. */
public final class ReflectTable extends Variants<ReflectTable.Kind> {
    /** What there is. */
    public enum Kind {
        PANEL, APPLY, GRAM
    }

    private final Shape shape;
    private final boolean complex;
    private final int panel;
    private final int apply;
    private final int gram;
    private long constants;

    /**
     * A table.
     *
     * @param shape registers and their use
     * @param complex whether elements are complex
     */
    public ReflectTable(Shape shape, boolean complex) {
        super(Kind.values());
        this.shape = shape;
        this.complex = complex;
        this.panel = count(Kind.PANEL, 1);
        this.apply = count(Kind.APPLY, ApplyCode.VARIANTS);
        this.gram = count(Kind.GRAM, 2);
    }

    /** {@link QrPanelCode}. */
    MemorySegment panel() {
        return kernel(panel);
    }

    /** An {@link ApplyCode}. */
    MemorySegment apply(int variant) {
        return kernel(apply + variant);
    }

    /** {@link GramCode}. */
    MemorySegment gram(boolean ahead) {
        return kernel(gram + (ahead ? 1 : 0));
    }

    @Override
    protected void prepare() {
        constants = PassCode.constants(shape, complex);
    }

    @Override
    protected byte[] write(Kind kind, int variant) {
        return switch (kind) {
            case PANEL -> QrPanelCode.write(shape, complex, constants);
            case APPLY -> ApplyCode.write(shape, complex, constants, variant);
            case GRAM -> GramCode.write(shape, complex, variant == 1);
        };
    }

    @Override
    protected boolean agrees(Kind kind, int variant, MemorySegment code) {
        ReflectCheck check = new ReflectCheck(shape, complex);
        return switch (kind) {
            case PANEL -> check.panel(code);
            case APPLY -> check.apply(code, variant);
            case GRAM -> check.gram(code);
        };
    }
}
