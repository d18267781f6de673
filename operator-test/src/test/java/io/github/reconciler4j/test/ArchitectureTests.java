package io.github.reconciler4j.test;

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
import java.util.Map;
import java.util.function.BiPredicate;

/** The package map of this module: imports point down only, and nobody outside needs what is internal. */
@AnalyzeClasses(packages = "io.github.reconciler4j.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String ROOT = "io.github.reconciler4j.test";

    /** The front of the server: it starts what is internal, and everything above it starts it. */
    private static final int FRONT = 10;

    /** A package may use those of lower levels, and itself. */
    private static final Map<String, Integer> LEVELS = Map.ofEntries(
            Map.entry("tree", 0),
            Map.entry("tree.schema", 1),
            Map.entry("tree.apply", 1),
            Map.entry("tree.patch", 1),
            Map.entry("tree.selector", 1),
            Map.entry("tree.rules", 2),
            Map.entry("tree.cel.library", 2),
            Map.entry("tree.cel.cost", 2),
            Map.entry("tree.cel", 3),
            Map.entry("tree.definition", 4),
            Map.entry("request", 0),
            Map.entry("standin", 0),
            Map.entry("faults", 1),
            Map.entry("internal.json", 1),
            Map.entry("internal.error", 2),
            Map.entry("internal.storage", 2),
            Map.entry("internal.exchange", 3),
            Map.entry("internal.registry", 4),
            Map.entry("internal.auth", 4),
            Map.entry("internal.http", 4),
            Map.entry("internal.render", 5),
            Map.entry("internal.discovery", 6),
            Map.entry("internal.rest", 6),
            Map.entry("internal.standin", 7),
            Map.entry("internal.lifecycle", 8),
            Map.entry("internal.server", 8),
            Map.entry("", FRONT),
            Map.entry("expect", 0),
            Map.entry("cluster", FRONT + 1),
            Map.entry("junit", FRONT + 2),
            Map.entry("spring", FRONT + 3));

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule IMPORTS_POINT_DOWN =
            classes().should(dependOnlyOn("lower packages of the map", ArchitectureTests::pointsDown));

    @ArchTest
    static final ArchRule INTERNALS_ARE_STARTED_BY_THE_FRONT_ALONE =
            classes().should(dependOnlyOn("internals of their own", ArchitectureTests::mayKnow));

    @ArchTest
    static final ArchRule NETTY_STAYS_WITH_THE_TRANSPORT = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".internal.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..");

    @ArchTest
    static final ArchRule RULES_ON_TREES_KNOW_NO_SERVER = noClasses()
            .that()
            .resideInAPackage(ROOT + ".tree..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".internal..", "io.netty..", "io.fabric8.kubernetes.client..");

    @ArchTest
    static final ArchRule CEL_STAYS_WITH_ITS_RULES = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".tree.cel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.cel..");

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

    private static boolean pointsDown(JavaClass from, JavaClass to) {
        return name(to).equals(name(from)) || level(to) < level(from);
    }

    private static boolean mayKnow(JavaClass from, JavaClass to) {
        return !isInternal(to) || isInternal(from) || name(from).isEmpty();
    }

    private static boolean isInternal(JavaClass type) {
        return name(type).startsWith("internal") || name(type).startsWith("tree");
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
