package dev.basalt.codegen;

import java.util.List;

/**
 * A scalar: on the host, or in device memory.
 *
 * @param name alpha or beta, c and s of a rotation, tol of a rank, vl, vu and abstol of eigenvalues, or cfrom and cto of a quotient
 * @param real whether it is real even where the elements are complex
 */
record ClassicScalar(String name, boolean real) implements ClassicArgument {
    /** Which scalar of the frame it is. */
    String slot() {
        return switch (name) {
            case "c", "tol", "vl", "cfrom" -> "alpha";
            case "s", "vu", "cto" -> "beta";
            case "abstol" -> "gamma";
            default -> name;
        };
    }

    /** Its parts on the host, as the small lane takes them. */
    List<String> parts(ClassicType type) {
        return parts(!real && !type.element().equals(type.real()));
    }

    List<String> parts(boolean complex) {
        if (name.equals("c")) {
            return List.of(name);
        }
        return complex ? List.of(name + ".re()", name + ".im()") : List.of(name, "0");
    }

    /** When the small lane may take it: all operands are read, and something changes; null for always. */
    String condition(ClassicFamily family, ClassicType type, String element) {
        return condition(family, !real && !type.element().equals(type.real()), element);
    }

    String condition(ClassicFamily family, boolean complex, String element) {
        String value = !name.equals("alpha") ? null : "alpha=1".equals(family.fact("none")) ? "One" : "Zero";
        if (!complex) {
            return value == null ? null : name + " != " + (value.equals("One") ? 1 : 0);
        }
        return "SmallCall." + (value == null ? "fits" : "isNot" + value) + "(" + name + ", " + element + ")";
    }

    /** As {@link #condition}, for a method on arrays. */
    String conditionOnArrays(ClassicFamily family, ClassicType type) {
        boolean complex = !real && !type.element().equals(type.real());
        String condition = condition(family, complex, null);
        if (!complex) {
            return condition;
        }
        return condition.startsWith("SmallCall.fits")
                ? name + " != null"
                : condition.replace("SmallCall", "Stage").replace(", null", "");
    }

    @Override
    public void write(ClassicMethod method) {
        String element = method.type() == null ? null : method.type().scalar(real);
        // In level 1 it may have the type of narrow operands as well as that of the computation.
        boolean typed = element == null && method.family().level().equals("1");
        if (method.scalarsOnDevice() && typed) {
            method.parameter("DevicePointer", name, "the scalar " + name + ", one for all problems");
            method.parameter("ElementType", name + "Type",
                    "the type of " + name + ": that of the computation or of the operands");
            method.statement("Frame." + slot() + "(f, " + name + ", Frame.scalarType(f, " + name + "Type, \"" + name
                    + "Type\"));");
            method.view("VectorView");
        } else if (method.scalarsOnDevice()) {
            method.parameter("DevicePointer", name,
                    "the scalar " + name + ", one "
                            + (element == null ? "of the type compute" : "{@link ElementType#" + element + "}")
                            + " for all problems");
            method.statement("Frame." + slot() + "(f, " + name + ", "
                    + (element != null ? "ElementType." + element : real ? "Frame.real(compute)" : "compute") + ");");
            method.view("VectorView");
        } else {
            String host = element != null ? ClassicType.host(element)
                    : method.complexScalars() && !real ? "Complex"
                    : "double";
            method.parameter(host, name, "the scalar " + name);
            method.statement("Frame." + slot() + "(f, " + name + ");");
            method.view(host.equals("float") ? "double" : host);
        }
    }
}
