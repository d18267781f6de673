package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A setting that a controller cannot have stops the start. */
class MisplacedSettingsTests extends OperatorContextFixture {

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
                .withUserConfiguration(Code.class, Own.class)
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(problem(context.getStartupFailure()))
                        .isEqualTo("The property '" + property + "' has no effect on a controller " + reason));
    }

    @Test
    void startWhenAnAttributeIsForControllersOfAKindNamesIt() {
        contextRunner
                .withUserConfiguration(Code.class, ResyncedOwn.class)
                .run(context -> assertThat(problem(context.getStartupFailure()))
                        .isEqualTo("The attribute for 'resync' in @Reconciler of the bean"
                                + " 'misplacedSettingsTests.ResyncedOwn' has no effect on a controller with requests of its own"
                                + " type"));
    }

    private static String problem(Throwable failure) {
        FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(failure);
        assertThat(analysis).as("analysis of " + failure).isNotNull();
        return analysis.getDescription();
    }

    @Configuration(proxyBeanMethods = false)
    static class Code {

        @Bean
        ControllerCustomizer<RequestControllerBuilder<String>> ownCustomizer() {
            return builder -> builder.watches(ConfigMap.class, map -> List.of("x"));
        }

        @Bean
        Controller<Request> byHand(Manager manager) {
            return ControllerBuilder.of(ConfigMap.class)
                    .named("by-hand")
                    .reconciler((map, context) -> Result.done())
                    .addTo(manager);
        }
    }

    @Reconciler(name = "own")
    static class Own implements RequestReconciler<String> {

        @Override
        public Result reconcile(String request, ReconcileContext context) {
            return Result.done();
        }
    }

    @Reconciler(name = "own", resync = "1h")
    static class ResyncedOwn extends Own {}
}
