package dev.basalt.conformance.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of ARCHITECTURE.md that a compiler does not check. */
class ArchitectureTest {
    private static final JavaClasses BASALT =
            new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("dev.basalt");
    private static final String[] DEVICES =
            {"dev.basalt.host..", "dev.basalt.sim..", "dev.basalt.gpu..", "dev.basalt.cuda..", "dev.basalt.hip.."};
    private static final String[] CORE = {
            "dev.basalt",
            "dev.basalt.spi..",
            "dev.basalt.type..",
            "dev.basalt.foreign..",
            "dev.basalt.portable..",
            "dev.basalt.internal.."};

    /** The rooms of {@code dev.basalt.internal} that are no routines; each of all others is a family of algorithms. */
    private static final Set<String> NO_ROUTINES = Set.of("call", "signature", "telemetry", "workspace");

    private static final String[] ROUTINES = BASALT.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith("dev.basalt.internal."))
            .map(name -> name.split("\\.")[3])
            .filter(room -> !NO_ROUTINES.contains(room))
            .distinct()
            .map(room -> "dev.basalt.internal." + room + "..")
            .toArray(String[]::new);

    /** What Java 25 marks with {@code @Restricted}. */
    private static final Set<String> RESTRICTED =
            Set.of("Linker.downcallHandle", "Linker.upcallStub", "SymbolLookup.libraryLookup",
                    "MemorySegment.reinterpret", "AddressLayout.withTargetLayout", "Controller.enableNativeAccess",
                    "System.load", "System.loadLibrary", "Runtime.load", "Runtime.loadLibrary");

    @Test
    void coreKnowsNoDevice() {
        noClasses().that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(DEVICES)
                .check(BASALT);
    }

    @Test
    void coreDependsOnTheJdkAlone() {
        classes().that()
                .resideInAnyPackage(CORE)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(CORE).or(resideInAnyPackage("java..", "javax.management..", "jdk.jfr..")))
                .check(BASALT);
    }

    @Test
    void devicesUseTheSpiAndNotTheInternals() {
        noClasses().that()
                .resideInAnyPackage(DEVICES)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.basalt.internal..")
                .check(BASALT);
    }

    /** Java asks the module of the caller, so that one flag for one module is enough only while it makes all such calls. */
    @Test
    void oneClassCallsRestrictedMethods() {
        DescribedPredicate<AccessTarget.CodeUnitCallTarget> restricted = DescribedPredicate.describe("are restricted",
                target -> RESTRICTED.contains(target.getOwner().getSimpleName() + "." + target.getName()));
        noClasses().that()
                .doNotHaveFullyQualifiedName("dev.basalt.foreign.NativeAccess")
                .should()
                .callCodeUnitWhere(JavaCall.Predicates.target(restricted))
                .check(BASALT);
    }

    @Test
    void routinesKnowNoSchemesAndTheWorkspaceKnowsNoRoutines() {
        assertThat(ROUTINES).hasSizeGreaterThan(10);
        noClasses().that()
                .resideInAnyPackage(ROUTINES)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe("are the workspace's state",
                        c -> c.getPackageName().equals("dev.basalt.internal.workspace")
                                && List.of("WorkspaceCore", "BlockStore", "Block").contains(c.getSimpleName())))
                .check(BASALT);
        noClasses().that()
                .resideInAPackage("dev.basalt.internal.workspace..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROUTINES).or(resideInAPackage("dev.basalt.internal.call..")))
                .check(BASALT);
    }

    @Test
    void thePublicApiShowsNoInternalTypes() {
        ArchCondition<JavaMethod> showNoInternals = new ArchCondition<>("show no internal types") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                Stream.concat(Stream.of(method.getRawReturnType()), method.getRawParameterTypes().stream())
                        .filter(resideInAPackage("dev.basalt.internal.."))
                        .forEach(t -> events
                                .add(SimpleConditionEvent.violated(method, method.getFullName() + ": " + t)));
            }
        };
        methods().that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .resideInAPackage("dev.basalt")
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .should(showNoInternals)
                .check(BASALT);
    }

    /** The rooms of the kernels that Java writes as machine code: what stands above a room is no business of its. */
    @Test
    void roomsOfMachineCodeFormNoCircle() {
        slices().matching("dev.basalt.host.assembled.(*)..").should().beFreeOfCycles().check(BASALT);
        noClasses().that()
                .resideInAPackage("dev.basalt.host.assembled.*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.basalt.host", "dev.basalt.host.assembled")
                .check(BASALT);
        noClasses().that()
                .resideInAPackage("dev.basalt.host.assembled.code")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.basalt.host.assembled.x86", "dev.basalt.host.assembled.stream",
                        "dev.basalt.host.assembled.matvec", "dev.basalt.host.assembled.product",
                        "dev.basalt.host.assembled.factor", "dev.basalt.host.assembled.batch")
                .check(BASALT);
    }

    /** Kernels below, engines that choose among them above, and the device that runs launches on top. */
    @Test
    void roomsOfTheHostAreInOrder() {
        noClasses().that()
                .resideInAPackage("dev.basalt.host.vector")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.basalt.host", "dev.basalt.host.engine", "dev.basalt.host.assembled..")
                .check(BASALT);
        noClasses().that()
                .resideInAPackage("dev.basalt.host.assembled..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.basalt.host.engine", "dev.basalt.host.vector")
                .check(BASALT);
        noClasses().that()
                .resideInAPackage("dev.basalt.host.engine")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.basalt.host")
                .check(BASALT);
    }

    /** Java may run without that module: only classes that an engine refers to by name may need it. */
    @Test
    void oneRoomUsesTheVectorApi() {
        noClasses().that()
                .resideOutsideOfPackage("dev.basalt.host.vector")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jdk.incubator.vector")
                .check(BASALT);
    }

    /** Opcodes, maps and prefixes are fields of the table, which the encoder alone reads. */
    @Test
    void onlyTheEncoderReadsRowsOfInstructions() {
        String x86 = "dev.basalt.host.assembled.x86.";
        DescribedPredicate<AccessTarget.CodeUnitCallTarget> fields = DescribedPredicate.describe("are fields of rows",
                target -> target.getOwner().getName().equals(x86 + "X86Op")
                        && Set.of("map", "prefix", "w", "opcode").contains(target.getName()));
        noClasses().that()
                .haveNameNotMatching(x86 + "(Emitter|X86Op(\\$.*)?)")
                .should()
                .callCodeUnitWhere(JavaCall.Predicates.target(fields))
                .check(BASALT);
    }

    @Test
    void nothingPrints() {
        noClasses().that()
                .resideInAnyPackage("dev.basalt", "dev.basalt.spi..", "dev.basalt.type..", "dev.basalt.portable..",
                        "dev.basalt.internal..", "dev.basalt.host..", "dev.basalt.sim..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(BASALT);
    }

    @Test
    void namesAreTheFields() {
        ArchCondition<JavaClass> haveNames = new ArchCondition<>("have names of the field") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (String word : List.of("Impl", "Util", "Utils", "Manager", "Helper")) {
                    if (type.getSimpleName().endsWith(word)) {
                        events.add(SimpleConditionEvent.violated(type, type.getName() + " ends in " + word));
                    }
                }
            }
        };
        classes().that().resideInAPackage("dev.basalt..").should(haveNames).check(BASALT);
    }
}
