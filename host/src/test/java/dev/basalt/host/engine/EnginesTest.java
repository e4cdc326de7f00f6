package dev.basalt.host.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.host.HostProvider;
import dev.basalt.spi.DriverException;
import dev.basalt.type.ElementType;
import org.junit.jupiter.api.Test;

class EnginesTest {
    private static final boolean VECTOR_MODULE = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

    @Test
    void theScalarEngineIsAlwaysThereAndDeclinesNothing() {
        Engines.Choice choice = Engines.choose("scalar");
        assertThat(choice.engine().name()).isEqualTo("scalar");
        assertThat(choice.declined()).isNull();
        for (ElementType type : ElementType.values()) {
            if (type.isFloating()) {
                assertThat(choice.engine().leaf(type)).isNotNull();
            }
        }
    }

    @Test
    void anEngineIsOpenedOnce() {
        assertThat(Engines.choose("scalar").engine()).isSameAs(Engines.choose("scalar").engine());
        assertThat(Engines.choose("auto").engine()).isSameAs(Engines.choose("auto").engine());
    }

    @Test
    void withoutTheVectorModuleTheReasonSaysWhatToDo() {
        if (VECTOR_MODULE) {
            return;
        }
        assertThatThrownBy(() -> Engines.choose("vector"))
                .isInstanceOfSatisfying(DriverException.class,
                        e -> assertThat(e.code()).isEqualTo(DriverException.Code.NOT_SUPPORTED))
                .hasMessageContaining("--add-modules jdk.incubator.vector");
    }

    @Test
    void withTheVectorModuleItsEngineCanBeForced() {
        if (VECTOR_MODULE) {
            assertThat(Engines.choose("vector").engine().name()).isEqualTo("vector");
        }
    }

    @Test
    void theFastestThatRunsIsChosenAndTheOthersSayWhyNot() {
        Engines.Choice choice = Engines.choose("auto");
        if (choice.declined() == null) {
            assertThat(choice.engine().name()).isEqualTo("assembled");
        } else {
            assertThat(choice.declined()).startsWith("assembled: ");
        }
    }

    @Test
    void narrowAssembledKernelsAreReachedByNameOnly() {
        Engines.Choice auto = Engines.choose("auto");
        if (auto.engine().name().equals("assembled")) {
            assertThat(Engines.choose("assembled-avx2").engine().vectorBits()).isEqualTo(256);
        } else {
            assertThat(auto.declined()).doesNotContain("assembled-avx2");
        }
    }

    @Test
    void aWidthThatIsNoneIsRefusedWhateverTheEngine() {
        String before = System.getProperty("basalt.vectorBits");
        System.setProperty("basalt.vectorBits", "100");
        try {
            assertThatThrownBy(() -> Engines.choose("scalar"))
                    .isInstanceOfSatisfying(DriverException.class,
                            e -> assertThat(e.code()).isEqualTo(DriverException.Code.INVALID_VALUE))
                    .hasMessageContaining("basalt.vectorBits is \"100\"; accepted: 128, 256, 512");
            assertThat(new HostProvider().probe().get(0).refusal()).contains("basalt.vectorBits is \"100\"");
        } finally {
            if (before == null) {
                System.clearProperty("basalt.vectorBits");
            } else {
                System.setProperty("basalt.vectorBits", before);
            }
        }
    }
}
