package io.github.reconciler4j.test.fullcluster;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.github.reconciler4j.test.architecture.ForeignTypes;
import java.util.Map;

/** The shape of the module of the test cluster. */
@AnalyzeClasses(
        packages = "io.github.reconciler4j.test.fullcluster",
        importOptions = ImportOption.DoNotIncludeTests.class)
class FullClusterArchitectureTests {

    @ArchTest
    static final ArchRule NO_INTERNALS_OF_LIBRARIES = ForeignTypes.noInternalsOfLibraries(Map.of());

    @ArchTest
    static final ArchRule CONTROLLERS_AND_SERVER_ARE_USED_BY_THEIR_API = ArchRuleDefinition.noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.reconciler4j.controllers.internal..", "io.github.reconciler4j.test.server.internal..");
}
