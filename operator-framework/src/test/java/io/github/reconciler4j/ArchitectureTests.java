package io.github.reconciler4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.LocationProvider;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.reconciler4j.fixtures.ModuleClasses;
import io.github.reconciler4j.test.architecture.ForeignTypes;
import io.github.reconciler4j.test.architecture.OnePlatform;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** The package map of the design: imports point down only, and what is internal stays with its owner. */
@AnalyzeClasses(locations = ArchitectureTests.CoreAndConnection.class)
class ArchitectureTests {

    private static final String ROOT = "io.github.reconciler4j";
    private static final String CACHE_INTERNAL = ROOT + ".cache.internal";

    /** A package may use those of lower levels, and itself. */
    private static final Map<String, Integer> LEVELS = Map.ofEntries(
            Map.entry("support", -1),
            Map.entry("crd", 0),
            Map.entry("policy", 0),
            Map.entry("scheme", 0),
            Map.entry("workqueue", 0),
            Map.entry("metrics", 0),
            Map.entry("health", 0),
            Map.entry("event", 1),
            Map.entry("client", 1),
            Map.entry("reconcile", 2),
            Map.entry("predicate", 2),
            Map.entry("cache", 3),
            Map.entry("handler", 3),
            Map.entry("leaderelection", 3),
            Map.entry("recorder", 3),
            Map.entry("finalizer", 3),
            Map.entry("source", 5),
            Map.entry("manager", 5),
            Map.entry("controller", 6),
            Map.entry("builder", 7));

    /** The parts of the cache: each may use those of lower levels, and itself. */
    private static final Map<String, Integer> CACHE_LEVELS = Map.of(
            "json", 0,
            "storage", 1,
            "metrics", 2,
            "subscription", 2,
            "watch", 3,
            "writes", 4,
            "", 5);

    /** Who takes part in the requests of a client: the cache shows writes, the manager and its leases stop them. */
    private static final Set<String> CLIENT_SEAM_USERS = Set.of("cache", "manager", "leaderelection", "builder");

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule IMPORTS_POINT_DOWN =
            classes().should(dependOnlyOn("lower packages of the map", ArchitectureTests::pointsDown));

    @ArchTest
    static final ArchRule PARTS_OF_THE_CACHE_USE_LOWER_PARTS_ONLY = classes()
            .that()
            .resideInAPackage(CACHE_INTERNAL + "..")
            .should(dependOnlyOn("lower parts of the cache", ArchitectureTests::usesLowerPart));

    @ArchTest
    static final ArchRule INTERNALS_STAY_WITH_THEIR_OWNER =
            classes().should(dependOnlyOn("internals of their own package", ArchitectureTests::isOwnInternal));

    /** The rooms of the client's internals, from the bottom to the top. */
    private static final List<Set<String>> CLIENT_ROOMS = List.of(
            Set.of("spi", "error", "kubeconfig"),
            Set.of("http", "discovery"),
            Set.of("request"),
            Set.of("read", "write"),
            Set.of("apply"),
            Set.of(""));

    @ArchTest
    static final ArchRule ROOMS_OF_THE_CLIENT_POINT_DOWN =
            classes().should(dependOnlyOn("lower rooms of the client", ArchitectureTests::pointsDownInClient));

    @ArchTest
    static final ArchRule WORK_QUEUE_KNOWS_NOTHING_OF_KUBERNETES = noClasses()
            .that()
            .resideInAPackage(ROOT + ".workqueue..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "io.kubernetes..", "com.fasterxml..");

    @ArchTest
    static final ArchRule FRAMEWORK_KNOWS_NO_SPRING = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".test.spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..");

    @ArchTest
    static final ArchRule MICROMETER_IS_OPTIONAL = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".metrics..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..");

    @ArchTest
    static final ArchRule THREADS_TIME_AND_SOCKETS_COME_FROM_ONE_PLACE = OnePlatform.isUsed(Map.of(
            "Authentication CompletableFuture.get", "the login of a client library runs on threads of its own",
            "HostAddresses FutureTask.get", "the system resolves a name in real time",
            "ExecPlugin ReentrantLock.tryLock", "the thread that has the lock waits for another program",
            "PluginProcess Process.waitFor", "another program runs in real time",
            "SupportedVersions URL.openStream", "a file of the class path, no connection"));

    @ArchTest
    static final ArchRule NO_JSON_IN_PUBLIC_SIGNATURES = ForeignTypes.noJsonInPublicSignatures(
            Map.of("KubernetesJson ObjectMapper", "the modules of the project share it; 'support' is not for users"));

    @ArchTest
    static final ArchRule NO_INTERNALS_OF_LIBRARIES = ForeignTypes.noInternalsOfLibraries(Map.of());

    private static boolean pointsDown(JavaClass from, JavaClass to) {
        String target = concept(to);
        String origin = concept(from);
        return target.equals(origin) || level(target, to) < level(origin, from);
    }

    private static boolean pointsDownInClient(JavaClass from, JavaClass to) {
        int origin = clientRoom(from);
        int target = clientRoom(to);
        return origin < 0 || target < 0 || from.getPackageName().equals(to.getPackageName()) || target < origin;
    }

    /** Return the level of a room of the client, -1 for everything else. */
    private static int clientRoom(JavaClass type) {
        String internal = ROOT + ".client.internal";
        String name = type.getPackageName();
        if (!name.equals(internal) && !name.startsWith(internal + ".")) {
            return -1;
        }
        String room = name.equals(internal) ? "" : name.substring(internal.length() + 1);
        for (int level = 0; level < CLIENT_ROOMS.size(); level++) {
            if (CLIENT_ROOMS.get(level).contains(room)) {
                return level;
            }
        }
        throw new AssertionError(type.getName() + " is in a package that is no room of the client");
    }

    private static boolean usesLowerPart(JavaClass from, JavaClass to) {
        String origin = cachePart(from);
        String target = cachePart(to);
        return !to.getPackageName().startsWith(CACHE_INTERNAL)
                || target.equals(origin)
                || CACHE_LEVELS.get(target) < CACHE_LEVELS.get(origin);
    }

    private static String cachePart(JavaClass type) {
        String name = type.getPackageName();
        return name.length() <= CACHE_INTERNAL.length() ? "" : name.substring(CACHE_INTERNAL.length() + 1);
    }

    /** The internals of {@code support} are for all packages of the project. */
    private static boolean isOwnInternal(JavaClass from, JavaClass to) {
        return !to.getPackageName().contains(".internal")
                || concept(to).equals("support")
                || concept(to).equals(concept(from))
                || isClientSeam(to) && CLIENT_SEAM_USERS.contains(concept(from))
                || isElection(to) && concept(from).equals("manager");
    }

    /** The manager runs the electors, which users do not need; so does the module for sharding. */
    private static boolean isElection(JavaClass type) {
        return type.getPackageName().equals(ROOT + ".leaderelection.internal");
    }

    private static boolean isClientSeam(JavaClass type) {
        return type.getPackageName().equals(ROOT + ".client.internal.spi")
                || type.getFullName().equals(ROOT + ".client.internal.http.ServerWait")
                || type.getFullName().equals(ROOT + ".client.internal.ClientWiring");
    }

    /** The first part of the package name after the root. */
    private static String concept(JavaClass type) {
        String name = type.getPackageName();
        return name.length() <= ROOT.length()
                ? ""
                : name.substring(ROOT.length() + 1).split("\\.")[0];
    }

    private static int level(String concept, JavaClass type) {
        Integer level = LEVELS.get(concept);
        if (level == null) {
            throw new AssertionError(type.getName() + " is in a package that is not in the package map");
        }
        return level;
    }

    private static ArchCondition<JavaClass> dependOnlyOn(
            String description, BiFunction<JavaClass, JavaClass, Boolean> allowed) {
        return new ArchCondition<>("depend only on " + description) {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(ROOT) && !allowed.apply(item, target)) {
                        events.add(SimpleConditionEvent.violated(item, dependency.getDescription()));
                    }
                }
            }
        };
    }

    /** The core and the modules that it is built on, whose packages have one map. */
    static final class CoreAndConnection implements LocationProvider {

        @Override
        public Set<Location> get(Class<?> testClass) {
            return ModuleClasses.locations();
        }
    }
}
