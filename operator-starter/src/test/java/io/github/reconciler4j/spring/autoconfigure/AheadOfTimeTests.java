package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.spring.Index;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.Watches;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.Validator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
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
            assertThat(registry.reconcilers()).containsOnlyKeys("pages", "maps", "site");
            assertThat(registry.reconcilers().get("pages").kinds()).contains(KindName.of("v1", "ConfigMap"));
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

    @Test
    @CompileWithForkedClassLoader
    void hintsWhenProcessedAheadOfTimeCoverWhatReconcilersDecodeAndCall() {
        RuntimeHints hints = processed(new TestGenerationContext()).getRuntimeHints();

        for (Class<?> decoded : List.of(
                Site.class,
                SiteSpec.class,
                SiteStatus.class,
                Former.class,
                FormerSpec.class,
                Guarded.class,
                GuardedSpec.class,
                WebPage.class,
                ConfigMap.class,
                Secret.class,
                Service.class,
                ServiceSpec.class)) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onType(decoded)
                            .withMemberCategories(
                                    MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.ACCESS_DECLARED_FIELDS))
                    .as(decoded.getName())
                    .accepts(hints);
        }
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(SiteSpec.class, "setDomain"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Pages.class, "tokenOf"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Quiet.class)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Pod.class)).rejects(hints);
        String kinds = "io/github/reconciler4j/scheme/built-in-kinds.txt";
        assertThat(getClass().getClassLoader().getResource(kinds)).isNotNull();
        assertThat(RuntimeHintsPredicates.resource().forResource(kinds)).accepts(hints);
    }

    private static TestGenerationContext processed(TestGenerationContext generated) {
        process(generated);
        return generated;
    }

    private static ClassName process(TestGenerationContext generated) {
        AnnotationConfigApplicationContext processed = new AnnotationConfigApplicationContext();
        prepare(processed.getEnvironment());
        processed.register(Application.class);
        return new ApplicationContextAotGenerator().processAheadOfTime(processed, generated);
    }

    /** Processes the application, compiles what Spring generates, and runs that instead of the configuration classes. */
    private static void run(Consumer<ApplicationContext> test) {
        TestGenerationContext generated = new TestGenerationContext();
        ClassName initializer = process(generated);
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
        @Reconciler
        ObjectReconciler<Site> sites() {
            return (site, context) -> Result.done();
        }

        @Bean
        Validator<Guarded> guard() {
            return (guarded, validation) -> {};
        }

        @Bean
        Formers formers() {
            return new Formers();
        }

        @Bean
        ControllerCustomizer<ControllerBuilder<WebPage>> pagesCustomizer() {
            return builder -> builder.options(ControllerOptions.defaults().withMaxConcurrentReconciles(3));
        }
    }

    @Group("test.reconciler4j.io")
    @Version("v1")
    public static class Site extends CustomResource<SiteSpec, SiteStatus> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    public static class SiteSpec {
        private String domain;

        public String getDomain() {
            return domain;
        }

        public void setDomain(String domain) {
            this.domain = domain;
        }
    }

    public static class SiteStatus {
        public String phase;
    }

    /** A kind that webhooks alone know. */
    @Group("test.reconciler4j.io")
    @Version("v1")
    public static class Guarded extends CustomResource<GuardedSpec, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    public static class GuardedSpec {
        public String owner;
    }

    /** A former version of a kind. */
    @Group("test.reconciler4j.io")
    @Version("v1beta1")
    @Kind("Site")
    public static class Former extends CustomResource<FormerSpec, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    public static class FormerSpec {
        public String host;
    }

    static class Formers implements Converter<Site, Former> {

        @Override
        public Former fromHub(Site site) {
            return new Former();
        }

        @Override
        public Site toHub(Former former) {
            return new Site();
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

        @Watches(value = Service.class, predicates = Quiet.class)
        Request pageOf(ObjectHeader service) {
            return Request.of(service.key());
        }

        @Index("token")
        String tokenOf(Secret secret) {
            return secret.getMetadata().getName();
        }
    }

    static class Quiet implements EventPredicate<Object> {

        @Override
        public boolean test(ObjectEvent<? extends Object> event) {
            return false;
        }
    }
}
