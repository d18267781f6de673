package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The examples of {@code docs/how-to} become controllers. */
class HowToTests {

    @Test
    void examplesWhenTheyAreBeansBecomeControllers() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                .withPropertyValues("reconciler4j.auto-startup=false")
                .withBean(Billing.class, () -> Map::of);
        runner.withUserConfiguration(WatchingReconciler.class, TenantReconciler.class, OperatorCustomizations.class)
                .run(context -> assertThat(
                                context.getBean(ReconcilerRegistry.class).controllers())
                        .containsOnlyKeys("watching", "tenants", "reminders"));
        runner.withUserConfiguration(PasswordReconciler.class, RolloutReconciler.class)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(
                                context.getBean(ReconcilerRegistry.class).controllers())
                        .containsOnlyKeys("passwords", "rollouts"));
        runner.withUserConfiguration(BucketReconciler.class, BucketPolls.class)
                .withBean(ObjectStorage.class, Storage::new)
                .run(context -> assertThat(
                                context.getBean(ReconcilerRegistry.class).controllers())
                        .containsOnlyKeys("bucket"));
    }

    private static final class Storage implements ObjectStorage {

        @Override
        public boolean create(String id) {
            return true;
        }

        @Override
        public boolean delete(String id) {
            return true;
        }

        @Override
        public String version(String id) {
            return "1";
        }
    }
}
