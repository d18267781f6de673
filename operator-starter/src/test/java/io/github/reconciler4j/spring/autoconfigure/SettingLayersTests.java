package io.github.reconciler4j.spring.autoconfigure;

import static io.github.reconciler4j.spring.autoconfigure.SettingGrid.ALL;
import static io.github.reconciler4j.spring.autoconfigure.SettingGrid.CUSTOMIZER;
import static io.github.reconciler4j.spring.autoconfigure.SettingGrid.DECLARATION;
import static io.github.reconciler4j.spring.autoconfigure.SettingGrid.OF_KIND;
import static io.github.reconciler4j.spring.autoconfigure.SettingGrid.OPTIONS;
import static io.github.reconciler4j.spring.autoconfigure.SettingGrid.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
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
import io.github.reconciler4j.spring.autoconfigure.SettingGrid.OfKind;
import io.github.reconciler4j.spring.autoconfigure.SettingGrid.Option;
import io.github.reconciler4j.spring.autoconfigure.SettingGrid.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The whole grid of settings, layers and kinds of controllers: in 16 applications, each setting is set by each subset of the
 * layers, and has the value of the strongest of them.
 */
class SettingLayersTests extends OperatorContextFixture {

    static IntStream settingWhenLayersSetItHasTheValueOfTheStrongest() {
        return IntStream.range(0, 16);
    }

    @ParameterizedTest
    @MethodSource
    void settingWhenLayersSetItHasTheValueOfTheStrongest(int number) {
        Plan plan = new Plan(number);
        contextRunner
                .withBean(Plan.class, () -> plan)
                .withUserConfiguration(
                        Code.class,
                        plan.annotates() ? FullObjects.class : Objects.class,
                        plan.annotates() ? FullRequests.class : Requests.class,
                        plan.annotates() ? FullOwn.class : Own.class)
                .withPropertyValues(properties(plan).toArray(String[]::new))
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

    private static List<String> properties(Plan plan) {
        List<String> properties = new ArrayList<>();
        Map<String, List<?>> all = new LinkedHashMap<>();
        OPTIONS.forEach(option -> all.put(option.name(), option.values()));
        OF_KIND.forEach(setting -> all.put(setting.name(), setting.values()));
        all.forEach((name, values) -> {
            boolean ofKind = OF_KIND.stream().anyMatch(setting -> setting.name().equals(name));
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
        return properties;
    }

    private static void checkOptions(Plan plan, String controller, ControllerOptions options) {
        for (Option option : OPTIONS) {
            boolean declared = controller.equals("by-hand") || hasAttribute(option.name());
            List<Integer> layers =
                    declared ? List.of(CUSTOMIZER, DECLARATION, ALL, OWN) : List.of(CUSTOMIZER, ALL, OWN);
            Object otherwise = option.reader().apply(ControllerOptions.defaults(), controller);
            Object expected = plan.expected(option.name(), option.values(), layers, otherwise);
            if (expected != null) { // without a limit for namespaces, the other limit decides what is read
                assertThat(option.reader().apply(options, controller))
                        .as(controller + "." + option.name())
                        .isEqualTo(expected);
            }
        }
    }

    private static void checkKind(Plan plan, ControllerBuilder<?> builder) {
        for (OfKind setting : OF_KIND) {
            Object expected =
                    plan.expected(setting.name(), setting.values(), List.of(CUSTOMIZER, DECLARATION, ALL, OWN), null);
            Assertions.assertThat(builder)
                    .extracting(setting.field())
                    .as(setting.name())
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

    @Test
    void gridWhenThereIsANewSettingHasIt() {
        Set<String> tested = OPTIONS.stream().map(Option::name).collect(Collectors.toSet());
        OF_KIND.forEach(setting -> tested.add(setting.name()));
        tested.addAll(Set.of(
                "enabled", "clusters", "storage")); // ControllerSelectionPropertiesTests, ReconcilerAnnotationTests
        tested.addAll(Set.of("schedule", "zone")); // ScheduledReconcilerTests

        assertThat(ControllerProperties.SETTINGS).extracting(Setting::name).containsExactlyInAnyOrderElementsOf(tested);
        assertThat(ControllerProperties.class.getRecordComponents())
                .extracting(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                .containsExactlyInAnyOrderElementsOf(tested);
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
                if (plan.sets(CUSTOMIZER, setting.name())) {
                    setting.set().apply(builder, setting.values().get(CUSTOMIZER));
                }
            }
        }

        @Bean
        ControllerCustomizer<RequestControllerBuilder<String>> ownCustomizer() {
            return builder -> builder.watches(ConfigMap.class, map -> List.of("x"));
        }

        @Bean
        Controller<Request> byHand(Manager manager, Plan plan) {
            return ControllerBuilder.of(ConfigMap.class)
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
            minInterval = "${annotated.min-interval:}",
            maxAttempts = "${annotated.max-attempts:}",
            pauseAnnotation = "${annotated.pause-annotation:}",
            fieldManager = "${annotated.field-manager:}",
            serviceAccount = "${annotated.service-account:}",
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
            minInterval = "${annotated.min-interval:}",
            maxAttempts = "${annotated.max-attempts:}",
            pauseAnnotation = "${annotated.pause-annotation:}",
            fieldManager = "${annotated.field-manager:}",
            serviceAccount = "${annotated.service-account:}",
            labelSelector = "${annotated.label-selector:}",
            namespaces = "${annotated.namespaces:}",
            finalizer = "${annotated.finalizer:}",
            resync = "${annotated.resync:}",
            runOn = RunOn.DEDICATED_LEASE,
            warmUp = false,
            reconcileOn = ReconcileOn.ANY_CHANGE)
    static class FullObjects extends Objects {}

    @Reconciler(
            value = Secret.class,
            name = "requests",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            minInterval = "${annotated.min-interval:}",
            maxAttempts = "${annotated.max-attempts:}",
            pauseAnnotation = "${annotated.pause-annotation:}",
            fieldManager = "${annotated.field-manager:}",
            serviceAccount = "${annotated.service-account:}",
            labelSelector = "${annotated.label-selector:}",
            namespaces = "${annotated.namespaces:}",
            finalizer = "${annotated.finalizer:}",
            resync = "${annotated.resync:}")
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
            value = Secret.class,
            name = "requests",
            maxConcurrentReconciles = "${annotated.max-concurrent-reconciles:}",
            reconcileTimeout = "${annotated.reconcile-timeout:}",
            initialBackoff = "${annotated.initial-backoff:}",
            maxBackoff = "${annotated.max-backoff:}",
            minInterval = "${annotated.min-interval:}",
            maxAttempts = "${annotated.max-attempts:}",
            pauseAnnotation = "${annotated.pause-annotation:}",
            fieldManager = "${annotated.field-manager:}",
            serviceAccount = "${annotated.service-account:}",
            labelSelector = "${annotated.label-selector:}",
            namespaces = "${annotated.namespaces:}",
            finalizer = "${annotated.finalizer:}",
            resync = "${annotated.resync:}",
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
            minInterval = "${annotated.min-interval:}",
            maxAttempts = "${annotated.max-attempts:}",
            pauseAnnotation = "${annotated.pause-annotation:}",
            fieldManager = "${annotated.field-manager:}",
            serviceAccount = "${annotated.service-account:}")
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
            minInterval = "${annotated.min-interval:}",
            maxAttempts = "${annotated.max-attempts:}",
            pauseAnnotation = "${annotated.pause-annotation:}",
            fieldManager = "${annotated.field-manager:}",
            serviceAccount = "${annotated.service-account:}",
            runOn = RunOn.DEDICATED_LEASE,
            warmUp = false)
    static class FullOwn extends Own {}
}
