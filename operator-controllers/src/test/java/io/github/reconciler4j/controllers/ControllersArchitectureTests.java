package io.github.reconciler4j.controllers;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.reconciler4j.test.architecture.ForeignTypes;
import io.github.reconciler4j.test.architecture.OnePlatform;
import java.util.Map;

/** The shape of the module of Kubernetes' own controllers. */
@AnalyzeClasses(packages = "io.github.reconciler4j.controllers", importOptions = ImportOption.DoNotIncludeTests.class)
class ControllersArchitectureTests {

    @ArchTest
    static final ArchRule THREADS_TIME_AND_SOCKETS_COME_FROM_ONE_PLACE = OnePlatform.isUsed(Map.of());

    @ArchTest
    static final ArchRule NO_INTERNALS_OF_LIBRARIES = ForeignTypes.noInternalsOfLibraries(Map.of());
}
