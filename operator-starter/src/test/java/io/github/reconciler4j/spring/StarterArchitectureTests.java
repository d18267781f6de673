package io.github.reconciler4j.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.reconciler4j.test.architecture.ForeignTypes;
import io.github.reconciler4j.test.architecture.OnePlatform;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/** The shape of the starter: what is public is meant to be used. */
@AnalyzeClasses(packages = "io.github.reconciler4j.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class StarterArchitectureTests {

    private static final String ROOT = "io.github.reconciler4j.spring";

    @ArchTest
    static final ArchRule AUTO_CONFIGURATIONS_ARE_PUBLIC_AND_FINAL = classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .bePublic()
            .andShould()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule AUTO_CONFIGURATIONS_HAVE_NO_PUBLIC_METHODS = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .bePublic();

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule SETTING_UP_NEEDS_NO_ACTUATOR = noClasses()
            .that()
            .resideInAnyPackage(ROOT, ROOT + ".autoconfigure")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework.boot.actuate..", "org.springframework.boot.health..", "io.micrometer..");

    @ArchTest
    static final ArchRule THE_ANNOTATION_KNOWS_NO_AUTO_CONFIGURATION = noClasses()
            .that()
            .resideInAPackage(ROOT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".autoconfigure..");

    @ArchTest
    static final ArchRule INTERNALS_OF_THE_FRAMEWORK_STAY_THERE =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.github.reconciler4j..internal..");

    @ArchTest
    static final ArchRule THREADS_TIME_AND_SOCKETS_COME_FROM_ONE_PLACE = OnePlatform.isUsed(Map.of());

    @ArchTest
    static final ArchRule NO_JSON_IN_PUBLIC_SIGNATURES = ForeignTypes.noJsonInPublicSignatures(Map.of());

    @ArchTest
    static final ArchRule NO_INTERNALS_OF_LIBRARIES = ForeignTypes.noInternalsOfLibraries(Map.of());
}
