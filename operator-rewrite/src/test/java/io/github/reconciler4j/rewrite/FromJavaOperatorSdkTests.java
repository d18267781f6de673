package io.github.reconciler4j.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.xml.Assertions.xml;

import org.junit.jupiter.api.Test;
import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;
import org.openrewrite.test.TypeValidation;

class FromJavaOperatorSdkTests implements RewriteTest {

    @Override
    public void defaults(RecipeSpec spec) {
        spec.recipe(new FromJavaOperatorSdk())
                .parser(JavaParser.fromJavaVersion()
                        .classpath(
                                "operator-framework-core",
                                "kubernetes-client-api",
                                "kubernetes-model-core",
                                "kubernetes-model-common"))
                .typeValidationOptions(TypeValidation.none())
                .expectedCyclesThatMakeChanges(1);
    }

    private void moved(String source, String[] expected, String... gone) {
        rewriteRun(java(
                source,
                spec -> spec.after(actual -> {
                    String text = actual.replaceAll("\\s+", " ");
                    assertThat(text)
                            .contains(expected)
                            .doesNotContain(gone)
                            .doesNotContain("import io.javaoperatorsdk");
                    return actual;
                })));
    }

    private static final String RECONCILER = """
            package a;
            import io.fabric8.kubernetes.api.model.ConfigMap;
            import io.fabric8.kubernetes.api.model.Pod;
            import io.javaoperatorsdk.operator.api.config.informer.Informer;
            import io.javaoperatorsdk.operator.api.reconciler.*;
            import java.time.Duration;
            import java.util.concurrent.TimeUnit;

            @ControllerConfiguration(name = "pods", finalizerName = "a/f", generationAwareEventProcessing = false,
                informer = @Informer(namespaces = {"x", "y"}, labelSelector = "app=z"),
                maxReconciliationInterval = @MaxReconciliationInterval(interval = 10, timeUnit = TimeUnit.MINUTES))
            public class PodReconciler implements Reconciler<Pod>, Cleaner<Pod> {
                @Override
                public UpdateControl<Pod> reconcile(Pod pod, Context<Pod> context) {
                    if (context.getSecondaryResource(ConfigMap.class).isEmpty()) {
                        return UpdateControl.<Pod>noUpdate().rescheduleAfter(Duration.ofSeconds(1));
                    }
                    return pod.isMarkedForDeletion() ? UpdateControl.noUpdate() : UpdateControl.patchStatus(pod);
                }

                @Override
                public DeleteControl cleanup(Pod pod, Context<Pod> context) {
                    return pod.getSpec() == null
                        ? DeleteControl.noFinalizerRemoval().rescheduleAfter(Duration.ofSeconds(2))
                        : DeleteControl.defaultDelete();
                }

                @Override
                public ErrorStatusUpdateControl<Pod> updateErrorStatus(Pod pod, Context<Pod> context, Exception e) {
                    pod.getStatus().setMessage(e.getMessage());
                    return ErrorStatusUpdateControl.patchStatus(pod);
                }
            }
            """;

    private static final String WITH_EVENT_SOURCES = """
            package a;
            import io.fabric8.kubernetes.api.model.Pod;
            import io.javaoperatorsdk.operator.api.reconciler.*;
            import io.javaoperatorsdk.operator.processing.event.source.EventSource;
            import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
            import java.util.List;

            @GradualRetry(maxAttempts = 3)
            @ControllerConfiguration
            public class PodReconciler implements Reconciler<Pod> {
                @Override
                public List<EventSource<?, Pod>> prepareEventSources(EventSourceContext<Pod> context) {
                    /* none */
                    return List.of();
                }

                @Override
                public UpdateControl<Pod> reconcile(Pod pod, Context<Pod> context) {
                    return UpdateControl.noUpdate();
                }
            }
            """;

    @Test
    void reconcilerWithAllResultsIsMoved() {
        moved(
                RECONCILER,
                new String[] {
                    "@Reconciler(name = \"pods\", finalizer = \"a/f\", reconcileOn = ReconcileOn.ANY_CHANGE, namespaces = {\"x\", \"y\"},"
                            + " labelSelector = \"app=z\", resync = \"10m\", owns = ConfigMap.class,"
                            + " permissions = @Permission(resources = \"pods/status\", verbs = \"patch\"))",
                    "implements ObjectReconciler<Pod>, Cleaner<Pod>, ErrorStatusHandler<Pod>",
                    "public Result reconcile(Pod pod, ReconcileContext context)",
                    "context.client().listOwned(pod, ConfigMap.class).stream().findFirst().isEmpty()",
                    "return Result.requeueAfter(Duration.ofSeconds(1));",
                    "? Result.done() : patchStatus(pod, context, Result.done());",
                    "public CleanupResult cleanup(Pod pod, ReconcileContext context)",
                    "CleanupResult.notYet(Duration.ofSeconds(2))",
                    "CleanupResult.done()",
                    "public void updateErrorStatus(Pod pod, Exception e, ReconcileContext context)",
                    "private Result patchStatus(Pod object, ReconcileContext context, Result next)"
                },
                "UpdateControl",
                "DeleteControl",
                "@ControllerConfiguration");
    }

    @Test
    void eventSourcesAndRetriesStayAsCommentsForPeople() {
        moved(
                WITH_EVENT_SOURCES,
                new String[] {
                    "/* TODO reconciler4j: see docs/objectset.md for children, docs/controllers.md for retries: @GradualRetry(maxAttempts = 3) */",
                    "/* TODO reconciler4j: declare these sources",
                    "/* none * /",
                    "return Result.done();"
                },
                "patchStatus");
    }

    private static final String WITH_CLIENT = """
            package a;
            import io.fabric8.kubernetes.api.model.ConfigMap;
            import io.fabric8.kubernetes.client.CustomResource;
            import io.fabric8.kubernetes.model.annotation.Group;
            import io.fabric8.kubernetes.model.annotation.Version;
            import io.javaoperatorsdk.operator.ReconcilerUtilsInternal;
            import io.javaoperatorsdk.operator.api.reconciler.*;
            import java.time.Duration;

            @Group("example.com")
            @Version("v1")
            class Proxy extends CustomResource<String, String> {}

            @ControllerConfiguration
            class ProxyReconciler implements Reconciler<Proxy> {
                @Override
                public UpdateControl<Proxy> reconcile(Proxy proxy, Context<Proxy> context) {
                    ConfigMap map = ReconcilerUtilsInternal.loadYaml(ConfigMap.class, getClass(), "map.yaml");
                    context.getClient().resource(map).createOr(one -> one.update());
                    if (proxy.getStatus() == null) {
                        return UpdateControl.patchResourceAndStatus(proxy).rescheduleAfter(Duration.ofSeconds(1));
                    }
                    return UpdateControl.patchResource(proxy);
                }
            }
            """;

    @Test
    void clientYamlAndWritesOfTheResourceAreMoved() {
        moved(
                WITH_CLIENT,
                new String[] {
                    "@Reconciler(permissions = @Permission(group = \"example.com\", resources = {\"proxies\", \"proxies/status\"},"
                            + " verbs = \"patch\"))",
                    "Serialization.unmarshal(getClass().getResourceAsStream(\"map.yaml\"), ConfigMap.class)",
                    "kubernetesClient.resource(map)",
                    "@Autowired private KubernetesClient kubernetesClient;",
                    "return patchResourceAndStatus(proxy, context, Result.requeueAfter(Duration.ofSeconds(1)));",
                    "return patchResource(proxy, context, Result.done());",
                    "private Result patchResource(Proxy object, ReconcileContext context, Result next) {"
                            + " context.client().apply(object); return next; }",
                    "import io.github.reconciler4j.spring.Permission;",
                    "see docs/permissions.md"
                },
                "ReconcilerUtilsInternal",
                "getClient");
    }

    private static final String WITHOUT_COUNTERPART = """
            package a;
            import io.fabric8.kubernetes.api.model.Pod;
            import io.fabric8.kubernetes.api.model.Secret;
            import io.javaoperatorsdk.operator.api.reconciler.Context;
            import io.javaoperatorsdk.operator.processing.dependent.Creator;
            import io.javaoperatorsdk.operator.processing.dependent.Matcher.Result;
            import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependentResource;
            import java.io.Serializable;

            class PodSecret extends KubernetesDependentResource<Secret, Pod> implements Creator<Secret, Pod>, Serializable {
                @Override
                protected Secret desired(Pod pod, Context<Pod> context) {
                    return new Secret();
                }

                @Override
                public Result<Secret> match(Secret actual, Pod pod, Context<Pod> context) {
                    return Result.nonComputed(true);
                }

                @Override
                public String toString() {
                    return "secret";
                }
            }
            """;

    @Test
    void typesWithoutCounterpartStayAsCommentsForPeople() {
        moved(
                WITHOUT_COUNTERPART,
                new String[] {
                    "class PodSecret implements Serializable {",
                    "implements Creator<Secret, Pod> */",
                    "{ protected Secret desired(Pod pod, ReconcileContext context)",
                    "/* TODO reconciler4j: this has no counterpart, see docs/coming-from/java-operator-sdk.md public Result<Secret> match(",
                    "@Override public String toString()"
                },
                "extends KubernetesDependentResource");
    }

    private static final String WITH_MAPPER = """
            package a;
            import io.fabric8.kubernetes.api.model.ConfigMap;
            import io.fabric8.kubernetes.api.model.Pod;
            import io.fabric8.kubernetes.api.model.Secret;
            import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
            import io.javaoperatorsdk.operator.api.reconciler.*;
            import io.javaoperatorsdk.operator.processing.event.source.EventSource;
            import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
            import java.util.List;
            import java.util.Set;

            @ControllerConfiguration
            class PodReconciler implements Reconciler<Pod> {
                @Override
                public List<EventSource<?, Pod>> prepareEventSources(EventSourceContext<Pod> context) {
                    return List.of(new InformerEventSource<>(InformerEventSourceConfiguration.from(Secret.class, Pod.class)
                        .withSecondaryToPrimaryMapper(secret -> Set.of()).build(), context));
                }

                @Override
                public UpdateControl<Pod> reconcile(Pod pod, Context<Pod> context) {
                    context.getSecondaryResource(Secret.class).orElseThrow();
                    context.getSecondaryResource(ConfigMap.class).orElseThrow();
                    return UpdateControl.noUpdate();
                }
            }
            """;

    @Test
    void kindThatAMapperFindsIsNotOwned() {
        moved(
                WITH_MAPPER,
                new String[] {
                    "@Reconciler(owns = ConfigMap.class)",
                    "replace listOwned(..., Secret.class) by client.get or client.list"
                },
                "owns = {");
    }

    @Test
    void startBecomesAnApplication() {
        moved(
                """
                package a;
                import io.javaoperatorsdk.operator.Operator;

                public class Main {
                    public static void main(String[] args) {
                        Operator operator = new Operator();
                        operator.installShutdownHook(null);
                        operator.start();
                    }
                }
                """,
                new String[] {"@SpringBootApplication public class Main", "SpringApplication.run(Main.class, args);"},
                "new Operator");
    }

    @Test
    void classWithoutTheSdkStays() {
        rewriteRun(
                spec -> spec.expectedCyclesThatMakeChanges(0),
                java("package a;\n\nclass Context {\n    Context reconcile() {\n        return this;\n    }\n}\n"));
    }

    @Test
    void dependenciesAreReplaced() {
        rewriteRun(xml("""
                <project><dependencies>
                  <dependency><groupId>io.javaoperatorsdk</groupId><artifactId>operator-framework</artifactId><version>5.2.3</version></dependency>
                  <dependency><groupId>io.javaoperatorsdk</groupId><artifactId>other</artifactId></dependency>
                </dependencies></project>
                """, """
                <project><dependencies>
                  <dependency><groupId>io.github.reconciler4j</groupId><artifactId>reconciler4j-spring-boot-starter</artifactId><version>VERSION</version></dependency>
                  <dependency><groupId>io.javaoperatorsdk</groupId><artifactId>other</artifactId></dependency>
                </dependencies></project>
                """.replace("VERSION", MoveDependencies.version()), spec -> spec.path("pom.xml")));
        assertThat(MoveDependencies.version()).matches("[0-9]+\\..*");
    }
}
