package io.github.reconciler4j.generator.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.spring.Reconciler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The generated role has rights for events only if the operator records some. */
class EventPermissionTests {

    private static List<String> eventRights(Class<?> application, Map<String, String> properties, Area... areas) {
        List<String> warnings = new ArrayList<>();
        List<String> rights =
                OperatorReader.ofSpring(application.getName(), properties, warnings::add)
                        .read(List.of(), List.of())
                        .grants()
                        .stream()
                        .filter(grant -> grant.right().group().equals("events.k8s.io"))
                        .filter(grant -> List.of(areas).contains(grant.area()))
                        .map(grant -> grant.right().verb())
                        .toList();
        assertThat(warnings).isEmpty();
        return rights;
    }

    private static List<String> everywhere(Class<?> application) {
        return eventRights(
                application,
                Map.of(),
                Area.WATCHED,
                Area.CLUSTER,
                Area.COMPONENTS,
                Area.FIXED,
                Area.SHARDING,
                Area.WEBHOOK);
    }

    @Test
    void roleWhenNothingRecordsEventsHasNoRightsForThem() {
        assertThat(everywhere(Silent.class)).isEmpty();
        assertThat(everywhere(Unused.class)).isEmpty();
    }

    @Test
    void roleWhenAControllerRecordsEventsHasTheirRights() {
        assertThat(everywhere(Injected.class)).containsExactly("create", "patch");
        assertThat(everywhere(Cleaning.class)).containsExactly("create", "patch");
        assertThat(everywhere(Ending.class)).containsExactly("create", "patch");
    }

    @Test
    void roleOfTheLeaseHasRightsForEventsAboutIt() {
        assertThat(eventRights(Silent.class, Map.of(), Area.OWN)).containsExactly("create", "patch");
    }

    static class NoEvents implements ObjectReconciler<ConfigMap> {

        @Override
        public Result reconcile(ConfigMap object, ReconcileContext context) {
            return Result.done();
        }
    }

    @Reconciler
    static class SilentReconciler extends NoEvents {}

    @Reconciler
    static class UnusedReconciler extends NoEvents {

        UnusedReconciler(ObjectProvider<EventRecorder> events) {
            assertThat(events).isNotNull();
        }
    }

    @Reconciler
    static class InjectedReconciler extends NoEvents {

        InjectedReconciler(EventRecorder events) {
            assertThat(events).isNotNull();
        }
    }

    @Reconciler
    static class CleaningReconciler extends NoEvents implements Cleaner<ConfigMap> {

        @Override
        public CleanupResult cleanup(ConfigMap object, ReconcileContext context) {
            return CleanupResult.done();
        }
    }

    @Reconciler(maxAttempts = "3")
    static class EndingReconciler extends NoEvents {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(SilentReconciler.class)
    public static class Silent {

        public static void main(String... arguments) {
            SpringApplication.run(Silent.class, arguments);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(UnusedReconciler.class)
    public static class Unused {

        public static void main(String... arguments) {
            SpringApplication.run(Unused.class, arguments);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(InjectedReconciler.class)
    public static class Injected {

        public static void main(String... arguments) {
            SpringApplication.run(Injected.class, arguments);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(CleaningReconciler.class)
    public static class Cleaning {

        public static void main(String... arguments) {
            SpringApplication.run(Cleaning.class, arguments);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(EndingReconciler.class)
    public static class Ending {

        public static void main(String... arguments) {
            SpringApplication.run(Ending.class, arguments);
        }
    }
}
