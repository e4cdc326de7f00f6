package dev.basalt.conformance.support;

import dev.basalt.type.ElementType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The arguments of {@link EveryTarget}. */
final class Targets implements ArgumentsProvider, AnnotationConsumer<EveryTarget> {
    private EveryTarget wanted;

    Targets() {}

    @Override
    public void accept(EveryTarget annotation) {
        wanted = annotation;
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        List<ElementType> types =
                TYPES.stream().filter(t -> t.isComplex() ? !wanted.realOnly() : !wanted.complexOnly()).toList();
        return Target.share(context.getRequiredTestMethod(), types).stream().map(Arguments::of);
    }

    /** The floating types. */
    static final List<ElementType> TYPES = List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);
}
