package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Two cleaners of one kind do not share a finalizer, and one that is disabled has none. */
class CleanerBeansTests extends OperatorContextFixture {

    private static class Cleans implements ObjectReconciler<Secret>, Cleaner<Secret> {

        @Override
        public Result reconcile(Secret secret, ReconcileContext context) {
            return Result.done();
        }

        @Override
        public CleanupResult cleanup(Secret secret, ReconcileContext context) {
            return CleanupResult.done();
        }
    }

    @Reconciler(name = "one")
    static class One extends Cleans {}

    @Reconciler(name = "two")
    static class Two extends Cleans {}

    @Reconciler(name = "three", finalizer = "example.com/three")
    static class Three extends Cleans {}

    @Configuration(proxyBeanMethods = false)
    static class Methods {

        @Bean
        @Reconciler(name = "four", finalizer = "example.com/three")
        Cleans four() {
            return new Cleans();
        }
    }

    @Test
    void beansWhenTheyShareTheDefaultFinalizerFailTheStartAndAreNamed() {
        contextRunner
                .withBean(One.class)
                .withBean(Two.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("'one'")
                        .hasMessageContaining("'two'")
                        .hasMessageContaining("finalizer 'secrets/finalizer' of secrets")
                        .hasMessageContaining("set another 'finalizer' for this controller"));
    }

    @Test
    void beansWhenOneIsTheResultOfAMethodFailTheStartToo() {
        contextRunner
                .withBean(Three.class)
                .withUserConfiguration(Methods.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("finalizer 'example.com/three' of secrets"));
    }

    @Test
    void beansWhenTheirFinalizersDifferStart() {
        contextRunner
                .withBean(One.class)
                .withBean(Three.class)
                .run(context -> assertThat(controller(context.getBean(Manager.class), "one")
                                .claims())
                        .isNotEqualTo(controller(context.getBean(Manager.class), "three")
                                .claims()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reconciler4j.controllers.two.enabled=false",
                "reconciler4j.enabled-controllers=*,-two",
                "reconciler4j.enabled-controllers=one",
                "reconciler4j.controllers.one.finalizer=example.com/one"
            })
    void beansWhenOneIsDisabledOrRenamedByAPropertyStart(String property) {
        contextRunner
                .withBean(One.class)
                .withBean(Two.class)
                .withPropertyValues(property)
                .run(context -> assertThat(controller(context.getBean(Manager.class), "one")
                                .claims())
                        .hasSize(1));
    }
}
