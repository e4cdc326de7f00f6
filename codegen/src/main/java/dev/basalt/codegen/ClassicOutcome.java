package dev.basalt.codegen;

/**
 * What a routine leaves for each problem, one after the other in device memory: LAPACK's info, or the result of a reduction,
 * which a method may return instead.
 *
 * @param name info or result
 * @param slot operand of the frame
 * @param kind {@code real} or {@code index}, or nothing for the type of the elements
 */
record ClassicOutcome(String name, int slot, String kind) implements ClassicArgument {
    static ClassicOutcome of(String text) {
        String[] parts = text.split(":", -1);
        return new ClassicOutcome(parts[0], parts[1].charAt(0) - 'a', parts.length > 2 ? parts[2] : "");
    }

    boolean isResult() {
        return name.equals("result");
    }

    /** The element type of the outcome. */
    String element(ClassicType type) {
        return !isResult() ? "I32" : kind.equals("index") ? "I64" : kind.equals("real") ? type.real() : type.written();
    }

    @Override
    public void write(ClassicMethod method) {
        String one = method.type() == null ? "one element" : "one {@link ElementType#" + element(method.type()) + "}";
        method.parameter("DevicePointer", name, one + (method.form() == ClassicForm.PLAIN ? "" : " for each problem")
                + (isResult() ? "" : ": 0, or where the factorisation failed"));
        String element = method.element(this, name, name);
        method.statement(
                "Frame.vector(f, " + slot + ", " + element + ", " + name + ", 1, 1, 1, " + method.count() + ");");
        method.view("VectorView");
    }
}
