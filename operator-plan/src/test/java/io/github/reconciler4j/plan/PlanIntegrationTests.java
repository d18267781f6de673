package io.github.reconciler4j.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.objectset.ObjectSet;
import io.github.reconciler4j.objectset.ObjectSets;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plan of an upgrade that changes a few of many WebApps, as the audit log of a real API server sees it. {@code -Dplan.webapps=500}
 * sets how many there are.
 */
@Tag("whole")
@Timeout(600)
class PlanIntegrationTests {

    private static final int COUNT = Integer.getInteger("plan.webapps", 100);
    private static final Set<Integer> SEEDED = Set.of(3, 14, 15, 58, 65, 79, 92);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Kind<GenericKubernetesResource> WEB_APP = Kind.of("plan.example.com/v1", "WebApp");
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules: [{level: Metadata}]
            """;
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: webapps.plan.example.com}
            spec:
              group: plan.example.com
              scope: Namespaced
              names: {plural: webapps, singular: webapp, kind: WebApp, listKind: WebAppList}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties: {spec: {type: object, properties: {number: {type: integer}}}}
            """;

    @TempDir
    private Path folder;

    @Test
    void planNamesWhatTheUpgradeChangesWritesNothingAndIsEmptyAfterwards() throws Exception {
        Path log = folder.resolve("audit.log");
        RealKubernetesOptions options = RealKubernetesOptions.defaults()
                .withOnly(KubernetesComponent.APISERVER)
                .withArgument(
                        KubernetesComponent.APISERVER,
                        "--audit-policy-file=" + Files.writeString(folder.resolve("policy.yaml"), POLICY))
                .withArgument(KubernetesComponent.APISERVER, "--audit-log-path=" + log);
        String first;
        String second;
        PlanReport report;
        PlanReport again;
        try (RealKubernetes kubernetes = RealKubernetes.start(options)) {
            kubernetes.apply(DEFINITION);
            kubernetes.awaitServed(DEFINITION);
            String namespace = kubernetes.createNamespace("plan");
            createAll(kubernetes, namespace);
            upgradeTo(1, kubernetes);
            first = "plan-one";
            report = plan(2, kubernetes, first);
            upgradeTo(2, kubernetes);
            second = "plan-two";
            again = plan(2, kubernetes, second);
        }
        checkSeeded(report);
        assertThat(again.changes()).isEmpty();
        assertThat(again.exitCode()).isZero();
        assertThat(writes(log, first)).isEmpty();
        assertThat(writes(log, second)).isEmpty();
        assertThat(dryRuns(log, first)).hasSize(COUNT).doesNotHaveDuplicates();
    }

    private static void checkSeeded(PlanReport report) {
        assertThat(report.problems()).isEmpty();
        assertThat(report.changes())
                .extracting(change -> change.kind().kind() + " " + change.key().name())
                .containsExactlyInAnyOrderElementsOf(SEEDED.stream()
                        .map(number -> "Deployment app-" + number)
                        .toList());
        assertThat(report.changes())
                .allSatisfy(change -> assertThat(change.fields())
                        .containsExactly(
                                new Change("spec.template.spec.containers[main].image", "\"web:1\"", "\"web:2\"")));
        assertThat(report.exitCode()).isEqualTo(2);
        assertThat(report.counts().requests()).isEqualTo(COUNT);
        assertThat(report.toText()).contains(SEEDED.size() + " Deployments would be changed:");
    }

    private static void createAll(RealKubernetes kubernetes, String namespace) {
        try (ApiConnection connection = ApiConnection.open(kubernetes.config())) {
            Client client = Client.create(connection, scheme(), ClientOptions.defaults());
            IntStream.range(0, COUNT).parallel().forEach(number -> {
                GenericKubernetesResource app = new GenericKubernetesResource();
                app.setApiVersion(WEB_APP.apiVersion());
                app.setKind(WEB_APP.kind());
                app.setMetadata(new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName("app-" + number)
                        .build());
                app.setAdditionalProperty("spec", Map.of("number", number));
                client.create(app);
            });
        }
    }

    private static Scheme scheme() {
        Scheme scheme = Scheme.create();
        scheme.register(new KindInfo(KindName.of(WEB_APP.apiVersion(), WEB_APP.kind()), "webapps", true));
        return scheme;
    }

    /** Do what a version does, in its name. */
    private static void upgradeTo(int version, RealKubernetes kubernetes) {
        try (ApiConnection connection = ApiConnection.open(kubernetes.config())) {
            Client client =
                    Client.create(connection, scheme(), ClientOptions.defaults().withFieldManager("webapp"));
            ObjectSets sets = ObjectSets.create(client);
            client.live().list(WEB_APP, "").parallelStream()
                    .forEach(app -> sets.reconcile(set(version, app)).toResult());
        }
    }

    private static ObjectSet set(int version, GenericKubernetesResource app) {
        Integer number = app.get("spec", "number");
        String image = version == 2 && SEEDED.contains(number) ? "web:2" : "web:1";
        return ObjectSet.ownedBy(app).apply(deployment(app.getMetadata().getName(), image));
    }

    private static Deployment deployment(String name, String image) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static PlanReport plan(int version, RealKubernetes kubernetes, String name) throws InterruptedException {
        Plan plan = Plan.create();
        ManagerOptions options =
                plan.prepare(ManagerOptions.defaults().withName(name).withScheme(scheme()));
        try (Manager manager = Manager.create(kubernetes.config(), options)) {
            ObjectSets sets = ObjectSets.create(manager);
            ControllerBuilder.of(WEB_APP)
                    .named("webapp")
                    .owns(Deployment.class)
                    .reconciler(
                            (app, context) -> sets.reconcile(set(version, app)).toResult())
                    .addTo(manager);
            return plan.run(manager, LIMIT);
        }
    }

    /** Return the requests of a program that change something. A review of permissions is a question, and stores nothing. */
    private static List<String> writes(Path log, String program) throws IOException {
        return requests(log, program).stream()
                .filter(request -> !Set.of("get", "list", "watch")
                        .contains(request.path("verb").asText()))
                .map(request -> request.path("requestURI").asText())
                .filter(uri -> !uri.contains("dryRun=All") && !uri.endsWith("/selfsubjectaccessreviews"))
                .toList();
    }

    private static List<String> dryRuns(Path log, String program) throws IOException {
        return requests(log, program).stream()
                .map(request -> request.path("requestURI").asText())
                .filter(uri -> uri.contains("dryRun=All"))
                .toList();
    }

    private static List<JsonNode> requests(Path log, String program) throws IOException {
        List<JsonNode> requests = new ArrayList<>();
        Set<String> others = new TreeSet<>();
        for (String line : Files.readAllLines(log)) {
            JsonNode request = MAPPER.readTree(line);
            String agent = request.path("userAgent").asText();
            if (agent.startsWith(program + "/")) {
                requests.add(request);
            } else {
                others.add(agent);
            }
        }
        assertThat(requests).as("requests of %s, besides %s", program, others).isNotEmpty();
        return requests;
    }
}
