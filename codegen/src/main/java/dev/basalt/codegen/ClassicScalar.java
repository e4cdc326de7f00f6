package dev.basalt.codegen;

/**
 * A scalar: on the host, or in device memory.
 *
 * @param name alpha or beta, or c and s of a rotation
 * @param real whether it is real even where the elements are complex
 */
record ClassicScalar(String name, boolean real) implements ClassicArgument {
    /** Which scalar of the frame it is. */
    private String slot() {
        return switch (name) {
            case "c" -> "alpha";
            case "s" -> "beta";
            default -> name;
        };
    }

    @Override
    public void write(ClassicMethod method) {
        String element = real ? method.type().real() : method.type().element();
        if (method.scalarsOnDevice()) {
            method.parameter(
                    "DevicePointer",
                    name,
                    "the scalar " + name + ", one {@link ElementType#" + element + "} for all problems");
            method.statement("Frame." + slot() + "(f, " + name + ", ElementType." + element + ");");
            method.view("VectorView");
        } else {
            String host = ClassicType.host(element);
            method.parameter(host, name, "the scalar " + name);
            method.statement("Frame." + slot() + "(f, " + name + ");");
            method.view(host.equals("float") ? "double" : host);
        }
    }
}
