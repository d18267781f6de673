package io.github.reconciler4j.test.client;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.reconciler4j.test.architecture.ForeignTypes;
import io.github.reconciler4j.test.architecture.OnePlatform;
import java.util.Map;

/** The shape of the module. */
@AnalyzeClasses(packages = "io.github.reconciler4j.test.client", importOptions = ImportOption.DoNotIncludeTests.class)
class TestClientArchitectureTests {

    /** The module joins the server with the client: it uses what the server offers to it, and what makes the errors of the client. */
    @ArchTest
    static final ArchRule INTERNALS_OF_OTHERS_STAY_THERE = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.github.reconciler4j..internal..")
                    .and(not(resideInAnyPackage(
                            "io.github.reconciler4j.test.client.internal",
                            "io.github.reconciler4j.test.cluster.internal",
                            "io.github.reconciler4j.test.server.internal",
                            "io.github.reconciler4j.test.server.internal.direct",
                            "io.github.reconciler4j.client.internal.error",
                            "io.github.reconciler4j.client.internal.http"))));

    @ArchTest
    static final ArchRule THREADS_TIME_AND_SOCKETS_COME_FROM_ONE_PLACE = OnePlatform.isUsed(Map.of());

    @ArchTest
    static final ArchRule NO_JSON_IN_PUBLIC_SIGNATURES = ForeignTypes.noJsonInPublicSignatures(Map.of());

    @ArchTest
    static final ArchRule NO_INTERNALS_OF_LIBRARIES = ForeignTypes.noInternalsOfLibraries(Map.of());
}
