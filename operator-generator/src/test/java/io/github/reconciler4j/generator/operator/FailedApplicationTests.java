package io.github.reconciler4j.generator.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.Watches;
import java.net.ConnectException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

class FailedApplicationTests {

    private static final String PROFILE = "set spring.profiles.active in the properties of the generator";

    private static String message(Map<String, String> properties) {
        Throwable failure =
                catchThrowable(() -> OperatorReader.ofSpring(FaultyOperator.class.getName(), properties, warning -> {})
                        .read(List.of(), List.of()));
        assertThat(failure).isInstanceOf(GeneratorException.class);
        assertThat(failure.getMessage())
                .startsWith("The application context of " + FaultyOperator.class.getName()
                        + " cannot be created at build time: ")
                .containsPattern("[.](?: [(]R4J-[0-9]{3}[)])?$")
                .doesNotContain(".. ");
        return failure.getMessage();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "number | @Reconciler of the bean 'faulty' | 'four' cannot be converted to Integer | Correct the annotation",
                "duration | @Reconciler of the bean 'faulty' | '5 minutes' | Correct the annotation",
                "method | VoidMethod.secret(Secret) | returns void | Return Request or ObjectKey",
                "same | 'faulty' and 'other' | both have the controller name 'configmap' | @Reconciler(name = ...)",
                "missing | required a bean of type 'java.lang.StringBuilder' | could not be found | Consider defining a bean",
            })
    void annotationWhenWrongIsExplainedAsAtAStart(String fault, String where, String what, String action) {
        assertThat(message(Map.of("fault", fault)))
                .contains(where, what, action)
                .doesNotContain(PROFILE)
                .doesNotContain("java.lang.NumberFormatException:");
    }

    @Test
    void reconcilerWhenNotAnnotatedIsNamed() {
        assertThatThrownBy(() -> OperatorReader.ofSpring(
                                FaultyOperator.class.getName(), Map.of("fault", "unannotated"), warning -> {})
                        .read(List.of(), List.of()))
                .isInstanceOf(GeneratorException.class)
                .hasMessage(
                        "The operator 'faulty' has no component that needs permissions: is there a @Reconciler bean, and are"
                                + " its properties set? (R4J-703) Annotate the class or @Bean method with @Reconciler: 'faulty'.");
    }

    @Test
    void propertyWhenWrongIsNamedWithItsValue() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("fault", "none");
        properties.put("reconciler4j.controllers.configmap.max-concurrent-reconciles", "many");
        assertThat(message(properties))
                .contains("reconciler4j.controllers.configmap.max-concurrent-reconciles", "many")
                .doesNotContain(PROFILE);
    }

    @Test
    void beanWhenItNeedsAServerIsToBeLeftOut() {
        assertThat(message(Map.of("fault", "server"))).contains("Connection refused", "the bean 'faulty'", PROFILE);
    }

    @Test
    void contextOfThePropertiesIsNotTheOneOfTheBuild() {
        OperatorDescription operator = OperatorReader.ofSpring(
                        FaultyOperator.class.getName(),
                        Map.of("fault", "none", "reconciler4j.client.context", "admin"),
                        warning -> {})
                .read(List.of(), List.of());
        assertThat(operator.grants()).isNotEmpty();
    }

    static class Nothing implements ObjectReconciler<ConfigMap> {
        @Override
        public Result reconcile(ConfigMap object, ReconcileContext context) {
            return Result.done();
        }
    }

    @Reconciler
    static class Right extends Nothing {}

    @Reconciler(maxConcurrentReconciles = "four")
    static class WrongNumber extends Nothing {}

    @Reconciler(maxBackoff = "5 minutes")
    static class WrongDuration extends Nothing {}

    @Reconciler
    static class VoidMethod extends Nothing {
        @Watches
        void secret(Secret secret) {}
    }

    /** Its property {@code fault} chooses a mistake. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({
        FaultyOperator.None.class,
        FaultyOperator.Number.class,
        FaultyOperator.Time.class,
        FaultyOperator.Method.class,
        FaultyOperator.Same.class,
        FaultyOperator.Unannotated.class,
        FaultyOperator.Missing.class,
        FaultyOperator.Server.class
    })
    public static class FaultyOperator {

        public static void main(String... arguments) {
            SpringApplication application = new SpringApplication(FaultyOperator.class);
            application.setDefaultProperties(Map.of("spring.application.name", "faulty"));
            application.run(arguments);
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "none")
        static class None {
            @Bean
            Right faulty() {
                return new Right();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "number")
        static class Number {
            @Bean
            WrongNumber faulty() {
                return new WrongNumber();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "duration")
        static class Time {
            @Bean
            WrongDuration faulty() {
                return new WrongDuration();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "method")
        static class Method {
            @Bean
            VoidMethod faulty() {
                return new VoidMethod();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "same")
        static class Same {
            @Bean
            Right faulty() {
                return new Right();
            }

            @Bean
            Right other() {
                return new Right();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "unannotated")
        static class Unannotated {
            @Bean
            Nothing faulty() {
                return new Nothing();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "missing")
        static class Missing {
            @Bean
            Right faulty(StringBuilder missing) {
                return new Right();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnProperty(name = "fault", havingValue = "server")
        static class Server {
            @Bean
            Right faulty() throws ConnectException {
                throw new ConnectException("Connection refused");
            }
        }
    }
}
