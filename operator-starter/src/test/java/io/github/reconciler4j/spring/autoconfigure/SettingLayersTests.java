package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.RunOn;
import io.github.reconciler4j.spring.autoconfigure.ControllerSettings.Setting;
import io.github.reconciler4j.workqueue.Fairness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The whole grid of settings, layers and kinds of controllers: in 16 applications, each setting is set by each subset of the
 * layers, and has the value of the strongest of them.
 */
class SettingLayersTests extends OperatorContextFixture {

    private static final int CUSTOMIZER = 0;
    private static final int DECLARATION = 1;
    private static final int ALL = 2;
    private static final int OWN = 3;

    /**
     * A setting.
     *
     * @param values what each layer sets
     * @param setter how code sets it
     * @param reader how it is read from a controller with a name
     */
    private record Option(
            String name,
            List<?> values,
            BiFunction<ControllerOptions, Object, ControllerOptions> setter,
            BiFunction<ControllerOptions, String, Object> reader) {}

    /** A setting of a builder; the field that keeps it is read. */
    private record OfKind(
            String name, List<?> values, BiFunction<ControllerBuilder<?>, Object, Object> set, String field) {}

    private static <V> Option option(
            String name,
            List<V> values,
            BiFunction<ControllerOptions, V, ControllerOptions> setter,
            Function<ControllerOptions, V> reader) {
        return new Option(
                name, values, (options, value) -> setter.apply(options, cast(value)), (o, c) -> reader.apply(o));
    }

    private static List<Duration> seconds(int first) {
        return IntStream.range(first, first + 4).mapToObj(Duration::ofSeconds).toList();
    }

    private static final List<Boolean> BOOLEANS = List.of(true, false, true, false);

    private static final List<Option> OPTIONS = List.of(
            option(
                    "max-concurrent-reconciles",
                    List.of(2, 3, 4, 5),
                    ControllerOptions::withMaxConcurrentReconciles,
                    ControllerOptions::maxConcurrentReconciles),
            option(
                    "virtual-threads",
                    BOOLEANS,
                    ControllerOptions::withVirtualThreads,
                    ControllerOptions::virtualThreads),
            option(
                    "cache-sync-timeout",
                    seconds(1),
                    ControllerOptions::withCacheSyncTimeout,
                    ControllerOptions::cacheSyncTimeout),
            option(
                    "reconcile-timeout",
                    seconds(11),
                    ControllerOptions::withReconcileTimeout,
                    ControllerOptions::reconcileTimeout),
            option("stuck-after", seconds(21), ControllerOptions::withStuckAfter, ControllerOptions::stuckAfter),
            option(
                    "interrupt-timeout",
                    seconds(31),
                    ControllerOptions::withInterruptTimeout,
                    ControllerOptions::interruptTimeout),
            option("fatal-errors", BOOLEANS, ControllerOptions::withFatalErrors, ControllerOptions::fatalErrors),
            option(
                    "max-per-namespace",
                    List.of(2, 3, 4, 5),
                    ControllerOptions::withFairNamespaces,
                    options -> options.fairness().map(Fairness::maxRunning).orElse(null)),
            option(
                    "namespace-share",
                    List.of(0.1, 0.2, 0.3, 0.4),
                    ControllerOptions::withNamespaceShare,
                    options -> options.fairness().map(Fairness::share).orElse(null)),
            new Option(
                    "run-on",
                    List.of(RunOn.ALL_REPLICAS, RunOn.DEDICATED_LEASE, RunOn.LEADER, RunOn.ALL_REPLICAS),
                    (options, on) -> options.withPlacement(placement((RunOn) on, "")
                            .withWarmUp(options.placement().warmUp())),
                    (options, name) -> Arrays.stream(RunOn.values())
                            .filter(on -> placement(on, name)
                                    .equals(options.placement().withWarmUp(false)))
                            .findFirst()
                            .orElse(null)),
            option(
                    "warm-up",
                    BOOLEANS,
                    (options, warm) -> options.withPlacement(options.placement().withWarmUp(warm)),
                    options -> options.placement().warmUp()),
            option(
                    "initial-backoff",
                    seconds(1),
                    (options, delay) -> options.withBackoff(delay, options.maxBackoff()),
                    ControllerOptions::initialBackoff),
            option(
                    "max-backoff",
                    seconds(50),
                    (options, delay) -> options.withBackoff(options.initialBackoff(), delay),
                    ControllerOptions::maxBackoff),
            option(
                    "field-manager",
                    List.of("a", "b", "c", "d"),
                    ControllerOptions::withFieldManager,
                    options -> options.fieldManager().orElse(null)));

    private static final List<OfKind> OF_KIND = List.of(
            new OfKind(
                    "reconcile-on",
                    List.of(
                            ReconcileOn.GENERATION,
                            ReconcileOn.ANY_CHANGE,
                            ReconcileOn.SPEC_OR_METADATA,
                            ReconcileOn.GENERATION),
                    (builder, value) -> builder.reconcileOn((ReconcileOn) value),
                    "settings.reconcileOn"),
            new OfKind(
                    "label-selector",
                    List.of("a=0", "a=1", "a=2", "a=3"),
                    (builder, value) -> builder.withLabelSelector((String) value),
                    "settings.labels"),
            new OfKind(
                    "namespaces",
                    List.of("n0", "n1", "n2", "n3"),
                    (builder, value) -> builder.inNamespaces((String) value),
                    "settings.namespaces"),
            new OfKind(
                    "finalizer",
                    List.of("a.b/f0", "a.b/f1", "a.b/f2", "a.b/f3"),
                    (builder, value) -> builder.finalizer((String) value),
                    "settings.finalizer"),
            new OfKind("resync", seconds(61), (builder, value) -> builder.resync((Duration) value), "resync"));

    private static Placement placement(RunOn on, String lease) {
        return switch (on) {
            case LEADER -> Placement.leader();
            case DEDICATED_LEASE -> lease.isEmpty() ? Placement.dedicatedLease() : Placement.leaseHolder(lease);
            case ALL_REPLICAS -> Placement.allReplicas();
        };
    }

    /** Which layers set which setting in one of the 16 applications. */
    private record Plan(int number) {

        /** Placeholders cannot stand for the values of enums, so all of these are annotated, or none. */
        private static final Set<String> TOGETHER = Set.of("run-on", "warm-up", "reconcile-on");

        boolean sets(int layer, String setting) {
            int shift = TOGETHER.contains(setting) ? 0 : Math.floorMod(setting.hashCode(), 16);
            return ((number + shift) % 16 & 1 << layer) != 0;
        }

        boolean annotates() {
            return (number & 1 << DECLARATION) != 0;
        }

        <V> V expected(String setting, List<? extends V> values, List<Integer> layers, V otherwise) {
            return layers.stream()
                    .filter(layer -> sets(layer, setting))
                    .reduce((weaker, stronger) -> stronger)
                    .<V>map(values::get)
                    .orElse(otherwise);
        }

        ControllerOptions set(int layer, ControllerOptions before) {
            ControllerOptions options = before;
            for (Option option : OPTIONS) {
                if (sets(layer, option.name)) {
                    options = option.setter.apply(options, option.values.get(layer));
                }
            }
            return options;
        }
    }

    static IntStream settingWhenLayersSetItHasTheValueOfTheStrongest() {
        return IntStream.range(0, 16);
    }

    @ParameterizedTest
    @MethodSource
    void settingWhenLayersSetItHasTheValueOfTheStrongest(int number) {
        Plan plan = new Plan(number);
        List<String> properties = new ArrayList<>();
        Map<String, List<?>> all = new LinkedHashMap<>();
        OPTIONS.forEach(option -> all.put(option.name, option.values));
        OF_KIND.forEach(setting -> all.put(setting.name, setting.values));
        all.forEach((name, values) -> {
            boolean ofKind = OF_KIND.stream().anyMatch(setting -> setting.name.equals(name));
            if (plan.sets(DECLARATION, name)) {
                properties.add("annotated." + name + "=" + values.get(DECLARATION));
            }
            if (plan.sets(ALL, name)) {
                properties.add("reconciler4j.all-controllers." + name + "=" + values.get(ALL));
            }
            for (String controller : List.of("objects", "requests", "own", "by-hand")) {
                if (plan.sets(OWN, name)
                        && (!ofKind || List.of("objects", "requests").contains(controller))) {
                    properties.add("reconciler4j.controllers." + controller + "." + name + "=" + values.get(OWN));
                }
            }
        });
        contextRunner
                .withBean(Plan.class, () -> plan)
                .withUserConfiguration(
                        Code.class,
                        plan.annotates() ? FullObjects.class : Objects.class,
                        plan.annotates() ? FullRequests.class : Requests.class,
                        plan.annotates() ? FullOwn.class : Own.class)
                .withPropertyValues(properties.toArray(String[]::new))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Manager manager = context.getBean(Manager.class);
                    Captured captured = context.getBean(Captured.class);
                    for (String name : List.of("objects", "requests", "own", "by-hand")) {
                        checkOptions(plan, name, controller(manager, name).options());
                    }
                    checkKind(plan, captured.builders.get("objects"));
                    checkKind(plan, captured.builders.get("requests"));
                });
    }

    private static void checkOptions(Plan plan, String controller, ControllerOptions options) {
        for (Option option : OPTIONS) {
            boolean declared = controller.equals("by-hand") || hasAttribute(option.name);
            List<Integer> layers =
                    declared ? List.of(CUSTOMIZER, DECLARATION, ALL, OWN) : List.of(CUSTOMIZER, ALL, OWN);
            Object otherwise = option.reader.apply(ControllerOptions.defaults(), controller);
            Object expected = plan.expected(option.name, option.values, layers, otherwise);
            if (expected != null) { // without a limit for namespaces, the other limit decides what is read
                assertThat(option.reader.apply(options, controller))
                        .as(controller + "." + option.name)
                        .isEqualTo(expected);
            }
        }
    }

    private static void checkKind(Plan plan, ControllerBuilder<?> builder) {
        for (OfKind setting : OF_KIND) {
            Object expected =
                    plan.expected(setting.name, setting.values, List.of(CUSTOMIZER, DECLARATION, ALL, OWN), null);
            Assertions.assertThat(builder)
                    .extracting(setting.field)
                    .as(setting.name)
                    .satisfies(value -> assertThat(text(value)).isEqualTo(text(expected)));
        }
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString().replaceAll("[\\[\\]]", "");
    }

    private static boolean hasAttribute(String setting) {
        return Arrays.stream(Reconciler.class.getDeclaredMethods())
                .anyMatch(attribute ->
                        DataObjectPropertyName.toDashedForm(attribute.getName()).equals(setting));
    }

    @ParameterizedTest
    @CsvSource({
        "own, resync, 1h, with requests of its own type",
        "own, storage, decoded, with requests of its own type",
        "by-hand, label-selector, a=b, that the application builds itself",
        "by-hand, enabled, false, that the application builds itself",
        "by-hand, clusters, home, that the application builds itself"
    })
    void startWhenAControllerCannotHaveASettingNamesIt(String controller, String setting, String value, String reason) {
        String property = "reconciler4j.controllers." + controller + "." + setting;
        contextRunner
                .withBean(Plan.class, () -> new Plan(0))
                .withUserConfiguration(Code.class, Objects.class, Requests.class, Own.class)
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(problem(context.getStartupFailure()))
                        .isEqualTo("The property '" + property + "' has no effect on a controller " + reason));
    }

    @Test
    void startWhenAnAttributeIsForControllersOfAKindNamesIt() {
        contextRunner
                .withBean(Plan.class, () -> new Plan(0))
                .withUserConfiguration(Code.class, Objects.class, Requests.class, ResyncedOwn.class)
                .run(context -> assertThat(problem(context.getStartupFailure()))
                        .isEqualTo("The attribute for 'resync' in @Reconciler of the bean"
                                + " 'settingLayersTests.ResyncedOwn' has no effect on a controller with requests of its own"
                                + " type"));
    }

    private static String problem(Throwable failure) {
        FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(failure);
        assertThat(analysis).as("analysis of " + failure).isNotNull();
        return analysis.getDescription();
    }

    @Test
    void gridWhenThereIsANewSettingHasIt() {
        Set<String> tested = OPTIONS.stream().map(Option::name).collect(Collectors.toSet());
        OF_KIND.forEach(setting -> tested.add(setting.name));
        tested.addAll(Set.of(
                "enabled", "clusters", "storage")); // ControllerSelectionPropertiesTests, ReconcilerAnnotationTests

        assertThat(ControllerProperties.SETTINGS).extracting(Setting::name).containsExactlyInAnyOrderElementsOf(tested);
        assertThat(ControllerProperties.class.getRecordComponents())
                .extracting(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                .containsExactlyInAnyOrderElementsOf(tested);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <V> V cast(Object value) {
        return (V) value;
    }

    /** The builders that customizers have seen, by the names of the controllers. */
    private static final class Captured {
        private final Map<String, ControllerBuilder<?>> builders = new LinkedHashMap<>();
    }

    @Configuration(proxyBeanMethods = false)
    static class Code {

        private final Captured captured = new Captured();

        @Bean
        Captured captured() {
            return captured;
        }

        @Bean
        ControllerCustomizer<ConfigurableController> options(Plan plan) {
            return controller -> controller.customizeOptions(options -> plan.set(CUSTOMIZER, options));
        }

        @Bean
        ControllerCustomizer<ControllerBuilder<WebPage>> objectsCustomizer(Plan plan) {
            return builder -> customize("objects", plan, builder);
        }

        @Bean
        ControllerCustomizer<ControllerBuilder<Secret>> requestsCustomizer(Plan plan) {
            return builder -> customize("requests", plan, builder);
        }

        private void customize(String name, Plan plan, ControllerBuilder<?> builder) {
            captured.builders.put(name, builder);
            for (OfKind setting : OF_KIND) {
                if (plan.sets(CUSTOMIZER, setting.name)) {
                    setting.set.apply(builder, setting.values.get(CUSTOMIZER));
                }
            }
        }

        @Bean
        ControllerCustomizer<RequestControllerBuilder<String>> ownCustomizer() {
            return builder -> builder.watches(ConfigMap.class, map -> List.of("x"));
        }

        @Bean
        Controller<Request> byHand(Manager manager, Plan plan) {
            return ControllerBuilder.forType(ConfigMap.class)
                    .named("by-hand")
                    .customizeOptions(options -> plan.set(DECLARATION, options))
                    .reconciler((map, context) -> Result.done())
                    .addTo(manager);
        }
    }

    @Reconciler(
            name = "objects",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            fieldManager = "${annotated.field-manager:}",
            labelSelector = "${annotated.label-selector:}",
            namespaces = "${annotated.namespaces:}",
            finalizer = "${annotated.finalizer:}",
            resync = "${annotated.resync:}")
    static class Objects implements ObjectReconciler<WebPage>, Cleaner<WebPage> {

        @Override
        public Result reconcile(WebPage page, ReconcileContext context) {
            return Result.done();
        }

        @Override
        public CleanupResult cleanup(WebPage object, ReconcileContext context) {
            return CleanupResult.done();
        }
    }

    @Reconciler(
            name = "objects",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            fieldManager = "${annotated.field-manager:}",
            labelSelector = "${annotated.label-selector:}",
            namespaces = "${annotated.namespaces:}",
            finalizer = "${annotated.finalizer:}",
            resync = "${annotated.resync:}",
            runOn = RunOn.DEDICATED_LEASE,
            warmUp = false,
            reconcileOn = ReconcileOn.ANY_CHANGE)
    static class FullObjects extends Objects {}

    @Reconciler(
            name = "requests",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            fieldManager = "${annotated.field-manager:}",
            labelSelector = "${annotated.label-selector:}",
            namespaces = "${annotated.namespaces:}",
            finalizer = "${annotated.finalizer:}",
            resync = "${annotated.resync:}",
            forType = Secret.class)
    static class Requests implements RequestReconciler<Request>, Cleaner<Secret> {

        @Override
        public Result reconcile(Request request, ReconcileContext context) {
            return Result.done();
        }

        @Override
        public CleanupResult cleanup(Secret object, ReconcileContext context) {
            return CleanupResult.done();
        }
    }

    @Reconciler(
            name = "requests",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            fieldManager = "${annotated.field-manager:}",
            labelSelector = "${annotated.label-selector:}",
            namespaces = "${annotated.namespaces:}",
            finalizer = "${annotated.finalizer:}",
            resync = "${annotated.resync:}",
            forType = Secret.class,
            runOn = RunOn.DEDICATED_LEASE,
            warmUp = false,
            reconcileOn = ReconcileOn.ANY_CHANGE)
    static class FullRequests extends Requests {}

    @Reconciler(
            name = "own",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            fieldManager = "${annotated.field-manager:}")
    static class Own implements RequestReconciler<String> {

        @Override
        public Result reconcile(String request, ReconcileContext context) {
            return Result.done();
        }
    }

    @Reconciler(
            name = "own",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            fieldManager = "${annotated.field-manager:}",
            runOn = RunOn.DEDICATED_LEASE,
            warmUp = false)
    static class FullOwn extends Own {}

    @Reconciler(name = "own", resync = "1h")
    static class ResyncedOwn extends Own {}
}
