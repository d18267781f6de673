package io.github.reconciler4j.spring.autoconfigure.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.WebhookAutoConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.InputStreamSource;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Properties that lead to other beans are noticed. */
class RecordedConditionsTests {

    private static final Map<String, Object> BUILD = Map.of("mode", "fast", "first", "1");

    private static ConditionInputs inputs;

    @BeforeAll
    static void process() throws IOException {
        inputs = processed();
    }

    @ParameterizedTest
    @CsvSource({
        "reconciler4j.enabled, false",
        "reconciler4j.crds.install, true",
        "reconciler4j.crds.migrate-storage, true",
        "reconciler4j.clusters.folder, /clusters",
        "reconciler4j.clusters.secrets.enabled, true",
        "reconciler4j.webhook.enabled, false",
        "reconciler4j.webhook.clean-up, true",
        "reconciler4j.webhook.validate-constraints, false",
        "mode, slow",
        "first, 2",
        "second, 1"
    })
    void propertyWhenItLeadsToOtherBeansIsNamed(String name, String value) {
        assertThat(inputs.differences(environment(Map.of(name, value), BUILD))).containsExactly(name);
    }

    @ParameterizedTest
    @CsvSource({
        "reconciler4j.enabled, true",
        "reconciler4j.webhook.enabled, true",
        "reconciler4j.crds.install, false",
        "reconciler4j.crds.migrate-storage, false",
        "reconciler4j.leader-election.enabled, true",
        "reconciler4j.sharding.enabled, true",
        "reconciler4j.cache.namespaces, shop",
        "reconciler4j.name, shop",
        "reconciler4j.auto-startup, false",
        "mode, FAST"
    })
    void propertyWhenItLeadsToTheSameBeansIsNotNamed(String name, String value) {
        assertThat(inputs.differences(environment(Map.of(name, value), BUILD))).isEmpty();
    }

    @Test
    void applicationWhenNotStartedBySpringBootHasNoInputs() {
        TestGenerationContext generated = new TestGenerationContext();
        AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
        application.register(Application.class);

        assertThat(new ApplicationContextAotGenerator().processAheadOfTime(application, generated))
                .isNotNull();
        generated.writeGeneratedContent();
        assertThat(resource(generated)).isNull();
    }

    private static ConditionInputs processed() throws IOException {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.getEnvironment().getPropertySources().addFirst(new MapPropertySource("build", BUILD));
            application.register(Application.class);
            ConditionRecorder.addTo(application.getEnvironment(), Application.class);
            new ApplicationContextAotGenerator().processAheadOfTime(application, generated);
            generated.writeGeneratedContent();
            InputStreamSource resource = resource(generated);
            assertThat(resource).isNotNull();
            return ConditionInputs.of(new String(resource.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static InputStreamSource resource(TestGenerationContext generated) {
        return generated
                .getGeneratedFiles()
                .getGeneratedFile(Kind.RESOURCE, ConditionInputs.location(Application.class));
    }

    @SafeVarargs
    private static StandardEnvironment environment(Map<String, Object>... sources) {
        StandardEnvironment environment = new StandardEnvironment();
        for (Map<String, Object> source : sources) {
            environment.getPropertySources().addLast(new MapPropertySource("source" + source.hashCode(), source));
        }
        return environment;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({OperatorAutoConfiguration.class, WebhookAutoConfiguration.class})
    static class Application {

        @Bean
        @ConditionalOnProperty(name = "mode", havingValue = "fast")
        String fast() {
            return "fast";
        }

        @Bean
        @Conditional(Equal.class)
        String equal() {
            return "equal";
        }
    }

    /** A condition by hand. */
    static class Equal implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return context.getEnvironment()
                    .getProperty("first", "")
                    .equals(context.getEnvironment().getProperty("second"));
        }
    }
}
