package io.github.reconciler4j.test.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.reconciler4j.test.architecture.ForeignTypes;
import java.util.Map;
import java.util.function.BiPredicate;

/** The package map of this module: imports point down only. */
@AnalyzeClasses(packages = "io.github.reconciler4j.test.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String ROOT = "io.github.reconciler4j.test.server";

    /** A package may use those of lower levels, and itself. */
    private static final Map<String, Integer> LEVELS = Map.ofEntries(
            Map.entry("internal.apimachinery", 0),
            Map.entry("internal.apimachinery.schema", 1),
            Map.entry("internal.apimachinery.apply", 1),
            Map.entry("internal.apimachinery.patch", 1),
            Map.entry("internal.apimachinery.selector", 1),
            Map.entry("internal.apimachinery.rules", 2),
            Map.entry("internal.apimachinery.cel.library", 2),
            Map.entry("internal.apimachinery.cel.cost", 2),
            Map.entry("internal.apimachinery.cel", 3),
            Map.entry("internal.apimachinery.definition", 4),
            Map.entry("internal.control", 0),
            Map.entry("internal.storage", 2),
            Map.entry("internal.exchange", 3),
            Map.entry("internal.registry", 4),
            Map.entry("internal.auth", 4),
            Map.entry("internal.http", 4),
            Map.entry("internal.direct", 4),
            Map.entry("internal.webhook", 4),
            Map.entry("internal.render", 5),
            Map.entry("internal.admission", 6),
            Map.entry("internal.discovery", 6),
            Map.entry("internal.rest", 7),
            Map.entry("internal.lifecycle", 9),
            Map.entry("internal.dispatch", 9),
            Map.entry("internal", 10));

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule IMPORTS_POINT_DOWN =
            classes().should(dependOnlyOn("lower packages of the map", ArchitectureTests::pointsDown));

    @ArchTest
    static final ArchRule NETTY_IS_USED_BY_THE_TRANSPORT_ALONE = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".internal.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..");

    @ArchTest
    static final ArchRule API_MACHINERY_DOES_NOT_DEPEND_ON_THE_SERVER = noClasses()
            .that()
            .resideInAPackage(ROOT + ".internal.apimachinery..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "io.fabric8.kubernetes.client..");

    @ArchTest
    static final ArchRule CEL_IS_USED_BY_ITS_RULES_ALONE = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".internal.apimachinery.cel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.cel..");

    @ArchTest
    static final ArchRule NO_JSON_IN_PUBLIC_SIGNATURES = ForeignTypes.noJsonInPublicSignatures(Map.of());

    @ArchTest
    static final ArchRule NO_INTERNALS_OF_LIBRARIES = ForeignTypes.noInternalsOfLibraries(Map.of());

    private static boolean pointsDown(JavaClass from, JavaClass to) {
        return name(to).equals(name(from)) || level(to) < level(from);
    }

    /** The name of the package below the root. */
    private static String name(JavaClass type) {
        String name = type.getPackageName();
        return name.length() <= ROOT.length() ? "" : name.substring(ROOT.length() + 1);
    }

    private static int level(JavaClass type) {
        Integer level = LEVELS.get(name(type));
        if (level == null) {
            throw new AssertionError(type.getName() + " is in a package that is not in the package map");
        }
        return level;
    }

    private static ArchCondition<JavaClass> dependOnlyOn(
            String description, BiPredicate<JavaClass, JavaClass> allowed) {
        return new ArchCondition<>("depend only on " + description) {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(ROOT) && !allowed.test(item, target)) {
                        events.add(SimpleConditionEvent.violated(item, dependency.getDescription()));
                    }
                }
            }
        };
    }
}
