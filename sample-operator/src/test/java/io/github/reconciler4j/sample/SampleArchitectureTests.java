package io.github.reconciler4j.sample;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** The shape of an operator that others copy: the application, reconcilers, what they build, the kind; each knows those below. */
@AnalyzeClasses(
        packages = "io.github.reconciler4j.sample",
        importOptions = {ImportOption.DoNotIncludeTests.class, SampleArchitectureTests.OwnClasses.class})
class SampleArchitectureTests {

    private static final String APPLICATION = ".*\\.SampleOperatorApplication";
    private static final String RECONCILERS =
            ".*\\.(WebApp(Reconciler|Validator|Defaulter|Converter)|SecretChecksums)(\\$.*)?";
    private static final String OBJECTS = ".*\\.(WebAppResources|WebAppStatuses|Checksum)";
    private static final String KIND = ".*\\.WebApp(Spec|Status|V1Beta1)?(\\$.*)?";

    @ArchTest
    static final ArchRule LAYERS_KNOW_ONLY_THOSE_BELOW = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("application")
            .definedBy(nameMatching(APPLICATION))
            .layer("reconcilers")
            .definedBy(nameMatching(RECONCILERS))
            .layer("objects")
            .definedBy(nameMatching(OBJECTS))
            .layer("kind")
            .definedBy(nameMatching(KIND))
            .whereLayer("application")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("reconcilers")
            .mayOnlyBeAccessedByLayers("application")
            .whereLayer("objects")
            .mayOnlyBeAccessedByLayers("reconcilers", "application")
            .whereLayer("kind")
            .mayOnlyBeAccessedByLayers("objects", "reconcilers", "application");

    @ArchTest
    static final ArchRule EVERY_CLASS_IS_IN_A_LAYER = classes()
            .that()
            .haveSimpleNameNotEndingWith("package-info")
            .should()
            .haveNameMatching(String.join("|", APPLICATION, RECONCILERS, OBJECTS, KIND) + "|.*\\$.*");

    @ArchTest
    static final ArchRule CLASSES_ARE_FREE_OF_CYCLES =
            slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles();

    @ArchTest
    static final ArchRule WHAT_IS_BUILT_KNOWS_NO_SPRING = noClasses()
            .that()
            .haveNameMatching(OBJECTS + "|" + KIND)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule INTERNALS_OF_THE_FRAMEWORK_STAY_THERE =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.github.reconciler4j..internal..");

    private static final class TopLevelClasses implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getName().replaceAll("\\$.*", ""));
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    }

    /** Leaves out the classes that Spring generates when the operator is packaged, and that the next run of the tests finds. */
    static final class OwnClasses implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("__");
        }
    }
}
