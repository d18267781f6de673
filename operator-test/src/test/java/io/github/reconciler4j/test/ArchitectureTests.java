package io.github.reconciler4j.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.reconciler4j.test.architecture.ForeignTypes;
import java.util.Map;

/** The package map of this module. */
@AnalyzeClasses(packages = "io.github.reconciler4j.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String ROOT = "io.github.reconciler4j.test";

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule IMPORTS_POINT_DOWN = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("server")
            .definedBy(ROOT, ROOT + ".faults", ROOT + ".request")
            .layer("expect")
            .definedBy(ROOT + ".expect")
            .layer("cluster")
            .definedBy(ROOT + ".cluster")
            .layer("junit")
            .definedBy(ROOT + ".junit")
            .layer("spring")
            .definedBy(ROOT + ".spring")
            .whereLayer("spring")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("junit")
            .mayOnlyBeAccessedByLayers("spring")
            .whereLayer("cluster")
            .mayOnlyBeAccessedByLayers("junit", "spring")
            .whereLayer("expect")
            .mayOnlyBeAccessedByLayers("cluster");

    @ArchTest
    static final ArchRule JUNIT_IS_OPTIONAL = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".junit..", ROOT + ".spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.junit..");

    @ArchTest
    static final ArchRule SPRING_IS_OPTIONAL = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..");

    @ArchTest
    static final ArchRule NO_JSON_IN_PUBLIC_SIGNATURES = ForeignTypes.noJsonInPublicSignatures(Map.of());

    @ArchTest
    static final ArchRule NO_INTERNALS_OF_LIBRARIES = ForeignTypes.noInternalsOfLibraries(Map.of());
}
