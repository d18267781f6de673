package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.Watches;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** Reconcilers of every form work in an application that Spring processed ahead of time. */
class AheadOfTimeTests {

    @Test
    @CompileWithForkedClassLoader
    void reconcilersWhenProcessedAheadOfTimeGetTheirControllers() {
        run(context -> {
            ReconcilerRegistry registry = context.getBean(ReconcilerRegistry.class);
            assertThat(registry.reconcilers()).containsOnlyKeys("pages", "maps");
            assertThat(registry.reconcilers().get("pages").kinds()).contains(GroupVersionKind.of("v1", "ConfigMap"));
            Manager manager = context.getBean(Manager.class);
            assertThat(OperatorContextFixture.controller(manager, "pages")
                            .options()
                            .maxConcurrentReconciles())
                    .isEqualTo(3);
            assertThat(OperatorContextFixture.controller(manager, "maps")
                            .options()
                            .maxConcurrentReconciles())
                    .isEqualTo(4);
        });
    }

    /** Processes the application, compiles what Spring generates, and runs that instead of the configuration classes. */
    private static void run(Consumer<ApplicationContext> test) {
        AnnotationConfigApplicationContext processed = new AnnotationConfigApplicationContext();
        prepare(processed.getEnvironment());
        processed.register(Application.class);
        TestGenerationContext generated = new TestGenerationContext();
        ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(processed, generated);
        generated.writeGeneratedContent();
        TestCompiler.forSystem().with(generated).compile(compiled -> {
            GenericApplicationContext context = new GenericApplicationContext();
            prepare(context.getEnvironment());
            initialize(compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()), context);
            context.refresh();
            try (context) {
                test.accept(context);
            }
        });
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void initialize(ApplicationContextInitializer initializer, GenericApplicationContext context) {
        initializer.initialize(context);
    }

    private static void prepare(ConfigurableEnvironment environment) {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test", Map.of("reconciler4j.auto-startup", "false", "spring.application.name", "shop")));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(OperatorAutoConfiguration.class)
    @Import(Pages.class)
    static class Application {

        @Bean
        Config config() {
            return new ConfigBuilder(Config.empty())
                    .withMasterUrl("https://127.0.0.1:1")
                    .build();
        }

        @Bean
        @Reconciler(name = "maps", maxConcurrentReconciles = "4")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }

        @Bean
        ControllerConfigurer<WebPage> pagesConfigurer() {
            return builder -> builder.options(ControllerOptions.defaults().withMaxConcurrentReconciles(3));
        }
    }

    @Reconciler(name = "pages", owns = ConfigMap.class)
    static class Pages implements ObjectReconciler<WebPage> {

        @Override
        public Result reconcile(WebPage page, ReconcileContext context) {
            return Result.done();
        }

        @Watches(ConfigMap.class)
        Request pageOf(ConfigMap map) {
            return Request.of(map);
        }
    }
}
