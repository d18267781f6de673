package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An idle reconcile writes nothing, regardless of what the server and its controllers make of the applied object: other notations of
 * quantities, defaults in lists, nulls and empty lists that vanish, fields that others write.
 */
@AnyKubernetesTest
@Timeout(300)
class ConditionalApplyIntegrationTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private static final String POD = """
            metadata: {labels: {app: x}, creationTimestamp: null, annotations: {}}
            spec:
              containers:
              - name: main
                image: web:1
                args: []
                ports: [{containerPort: 8080}, {containerPort: 53, protocol: UDP}]
                env: [{name: A, value: ""}, {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
                resources: {requests: {cpu: 1000m, memory: 1024Mi}, limits: {cpu: "2", memory: 1.5Gi}}
                livenessProbe: {httpGet: {path: /, port: 8080}}
              - {name: side, image: "side:1", resources: {requests: {cpu: 0.1}}}
              volumes: [{name: v, emptyDir: {sizeLimit: 0.5Gi}}]
            """.indent(4);

    private static final String CRD = Definitions.of("client.test.reconciler4j.io", "Idle", "{}", """
            spec:
              type: object
              properties:
                size: {type: integer, default: 3}
                ratio: {type: number}
                port: {x-kubernetes-int-or-string: true}
                parts:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items:
                    type: object
                    required: [name]
                    properties:
                      name: {type: string}
                      weight: {type: integer, default: 1}
                none: {type: string, nullable: true}
            """);

    private final AnyKubernetes kubernetes;
    private final String namespace;
    private final ApiConnection connection;
    private final Cache cache;
    private final Client client;

    ConditionalApplyIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        namespace = kubernetes.createNamespace("idle");
        connection = ApiConnection.open(kubernetes.config());
        Scheme scheme = Scheme.create();
        cache = Cache.create(connection, scheme);
        client = Client.create(connection, scheme, cache, ClientOptions.defaults());
        cache.start();
    }

    @AfterEach
    void close() {
        cache.close();
        connection.close();
    }

    static Stream<Arguments> objects() {
        String head = "metadata: {name: x}\n";
        String template = "  selector: {matchLabels: {app: x}}\n  template:\n" + POD;
        return Stream.of(
                of(Deployment.class, "apps/v1", head + "spec:\n  replicas: 2\n  strategy: {}\n" + template),
                of(StatefulSet.class, "apps/v1", head + "spec:\n  serviceName: x\n" + template),
                of(
                        CronJob.class,
                        "batch/v1",
                        head + "spec:\n  schedule: '0 0 1 1 *'\n  jobTemplate:\n    spec:\n      template:\n"
                                + POD.replace("spec:\n", "spec:\n      restartPolicy: Never\n")
                                        .indent(4)),
                of(
                        Service.class,
                        "v1",
                        head + "spec: {selector: {app: x}, ports: [{port: 80, targetPort: http, name: a},"
                                + " {port: 81, targetPort: 8080, name: b, nodePort: 0}]}"),
                of(
                        Ingress.class,
                        "networking.k8s.io/v1",
                        head + "spec: {tls: [], rules: [{host: x.example, http: {paths: [{path: /, pathType: Prefix,"
                                + " backend: {service: {name: x, port: {number: 80}}}}]}}]}"),
                of(
                        HorizontalPodAutoscaler.class,
                        "autoscaling/v2",
                        head
                                + "spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: x},"
                                + " metrics: [{type: Resource, resource: {name: cpu, target: {type: AverageValue,"
                                + " averageValue: 1000m}}}]}"),
                of(
                        PodDisruptionBudget.class,
                        "policy/v1",
                        head + "spec: {minAvailable: 50%, selector: {matchLabels: {app: x}}}"),
                of(Secret.class, "v1", head + "stringData: {a: b}\ndata: {c: ZA==}\ntype: Opaque"),
                of(
                        GenericKubernetesResource.class,
                        "client.test.reconciler4j.io/v1",
                        head + "spec: {ratio: 1.0, port: 8080, none: null,"
                                + " parts: [{name: a}, {name: b, weight: 1}]}"));
    }

    private static Arguments of(Class<? extends HasMetadata> type, String apiVersion, String rest) {
        String kind = type == GenericKubernetesResource.class ? "Idle" : type.getSimpleName();
        return Arguments.of(kind, type, "apiVersion: " + apiVersion + "\nkind: " + kind + "\n" + rest);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("objects")
    void applyWhenNothingChangesSendsNothing(String kind, Class<? extends HasMetadata> type, String yaml) {
        if (type == GenericKubernetesResource.class) {
            kubernetes.applyDefinitions(CRD);
        }
        idle(object(yaml, type), "typed");
        idle(object(yaml, GenericKubernetesResource.class), "generic");
    }

    private <T extends HasMetadata> T object(String yaml, Class<T> type) {
        T object = new KubernetesSerialization().unmarshal(yaml, type);
        object.getMetadata().setNamespace(namespace);
        return object;
    }

    private <T extends HasMetadata> void idle(T wanted, String manager) {
        Client fresh = client.withFieldManager(manager);
        assertThat(fresh.applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
        for (int i = 0; i < 3; i++) {
            assertThat(fresh.applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                    .as("round %s", i)
                    .isEqualTo(Outcome.UNCHANGED);
        }
        // Fields that controllers and others write beside it.
        String version = version(wanted);
        fresh.patch(wanted, ObjectPatch.merge(Map.of("metadata", Map.of("annotations", Map.of("foreign", version)))));
        awaitQuiet(wanted);
        assertThat(fresh.applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .as("after others")
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(version(wanted)).isNotEqualTo(version);
    }

    /** Controllers have had their say when the object stays as it is. */
    private void awaitQuiet(HasMetadata object) {
        await("the object is quiet")
                .during(Duration.ofMillis(700))
                .atMost(TIME_LIMIT)
                .until(() -> version(object), new Same()::test);
    }

    /** Compares each value with the one before. */
    private static final class Same {

        private String last = "";

        boolean test(String value) {
            boolean same = Objects.equals(last, value);
            last = value;
            return same;
        }
    }

    private String version(HasMetadata object) {
        return client.live()
                .get(Kind.of(client.scheme().kindOf(object).kind()).metadata(), ObjectKey.of(namespace, "x"))
                .orElseThrow()
                .resourceVersion();
    }
}
