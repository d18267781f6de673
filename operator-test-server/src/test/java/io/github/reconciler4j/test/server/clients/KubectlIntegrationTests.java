package io.github.reconciler4j.test.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real kubectl, unmodified: that of the newest Kubernetes, and that of the machine if it has one. */
@RealKubernetesTest
class KubectlIntegrationTests {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, labels: {app: web}}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: web, image: "web:1"}]}
            """;
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: gadgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Gadget, plural: gadgets, singular: gadget, shortNames: [gd]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
                additionalPrinterColumns: [{name: Wanted, type: integer, jsonPath: .spec.size}]
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, properties: {size: {type: integer, description: How big it is}}}
                      status: {type: object, properties: {size: {type: integer}}}
            """;

    private static final String COMPLETE = """
            {"status": {"startTime": "2030-01-01T00:00:00Z", "completionTime": "2030-01-01T00:00:01Z", "succeeded": 1,
             "conditions": [{"type": "SuccessCriteriaMet", "status": "True"}, {"type": "Complete", "status": "True"}]}}
            """;

    @TempDir
    static Path folder;

    private static KubernetesServer server;
    private static Path builtKubectl;

    @BeforeAll
    static void startServer(RealKubernetes kubernetes) {
        server = KubernetesServer.start();
        server.writeKubeconfig(folder.resolve("kubeconfig"));
        builtKubectl = kubernetes.binaries().resolve("kubectl");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    static Stream<Kubectl> programs() {
        Stream<Path> ofMachine = Arrays.stream(System.getenv("PATH").split(":"))
                .map(entry -> Path.of(entry, "kubectl"))
                .filter(Files::isExecutable)
                .limit(1);
        return Stream.concat(Stream.of(builtKubectl), ofMachine)
                .map(program -> new Kubectl(program, folder.resolve("kubeconfig"), folder));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void deploymentWhenAppliedCanBeWorkedWith(Kubectl kubectl) {
        server.restartEmpty();

        assertThat(kubectl.runWithInput(DEPLOYMENT, "apply", "-f", "-")).contains("web created");
        assertThat(kubectl.runWithInput(DEPLOYMENT, "apply", "-f", "-")).contains("web unchanged");
        assertThat(kubectl.runWithInput(DEPLOYMENT, "apply", "--server-side", "--force-conflicts", "-f", "-"))
                .contains("serverside-applied");
        rolledOut(kubectl, 1);
        assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=120s"))
                .contains("successfully rolled out");
        kubectl.run("scale", "deployment/web", "--replicas=3");
        rolledOut(kubectl, 3);
        kubectl.run("wait", "--for=jsonpath={.status.availableReplicas}=3", "deployment/web", "--timeout=120s");
        kubectl.run("label", "deployment/web", "tier=front");
        kubectl.run("annotate", "deployment/web", "note=yes");
        kubectl.run("patch", "deployment/web", "-p", "{\"spec\":{\"replicas\":2}}");
        kubectl.run("set", "image", "deployment/web", "web=web:2");
        rolledOut(kubectl, 2); // kubectl waits for the generation, too
        kubectl.run("wait", "--for=condition=Available", "deployment/web", "--timeout=120s");
        assertThat(kubectl.run("get", "deployments", "-l", "tier=front"))
                .contains("READY")
                .contains("web");
        assertThat(kubectl.run("describe", "deployment/web")).contains("web:2").contains("note: yes");
        assertThat(kubectl.run("get", "deployment/web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("2");
        assertThat(kubectl.run("delete", "deployment/web", "--timeout=120s")).contains("deleted");
        assertThat(kubectl.run("get", "deployments")).contains("No resources found");
    }

    /** Write the status of the Deployment as its controller does at the end of a rollout. */
    private static void rolledOut(Kubectl kubectl, int replicas) {
        String generation = kubectl.run("get", "deployment/web", "-o", "jsonpath={.metadata.generation}");
        String status = """
                {"status": {"observedGeneration": %1$s, "replicas": %2$d, "updatedReplicas": %2$d, "readyReplicas": %2$d,
                 "availableReplicas": %2$d, "conditions": [{"type": "Available", "status": "True"}]}}
                """.formatted(generation, replicas);
        kubectl.run("patch", "deployment/web", "--subresource=status", "-p", status);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void objectsWhenMadeWithoutAFileAreThere(Kubectl kubectl) {
        server.restartEmpty();

        kubectl.run("create", "namespace", "team");
        kubectl.run("-n", "team", "create", "configmap", "one", "--from-literal=a=b");
        kubectl.run("-n", "team", "create", "secret", "generic", "two", "--from-literal=a=b");
        kubectl.run("-n", "team", "create", "deployment", "web", "--image=web", "--replicas=0");
        kubectl.run("-n", "team", "create", "job", "once", "--image=job");
        kubectl.run("-n", "team", "patch", "job/once", "--subresource=status", "--type=merge", "-p", COMPLETE);
        kubectl.run("-n", "team", "wait", "--for=condition=Complete", "job/once", "--timeout=120s");
        kubectl.run("-n", "team", "create", "serviceaccount", "robot");
        kubectl.run("-n", "team", "create", "role", "reader", "--verb=get", "--resource=pods");
        kubectl.run("-n", "team", "create", "rolebinding", "robots", "--role=reader", "--serviceaccount=team:robot");
        assertThat(kubectl.run("-n", "team", "create", "token", "robot")).isNotBlank();
        assertThat(kubectl.run("-n", "team", "get", "secret/two", "-o", "jsonpath={.data.a}"))
                .isEqualTo("Yg==");
        assertThat(kubectl.run("-n", "team", "get", "deployment/web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("0");
        assertThat(kubectl.run("delete", "namespace", "team", "--timeout=120s")).contains("deleted");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void serverWhenAskedAboutItselfAnswers(Kubectl kubectl) {
        assertThat(kubectl.run("auth", "can-i", "create", "pods")).startsWith("yes");
        assertThat(kubectl.run("auth", "can-i", "--list")).contains("*.*");
        assertThat(kubectl.run("auth", "whoami")).contains("admin");
        assertThat(kubectl.run("api-resources", "--api-group=apps"))
                .contains("deployments")
                .contains("Deployment");
        assertThat(kubectl.run("api-versions")).contains("apps/v1");
        assertThat(kubectl.run("explain", "deployment.spec.replicas")).contains("Number of desired pods");
        assertThat(kubectl.run("version")).contains("Server Version: v1.37");
        assertThat(kubectl.run("cluster-info")).contains(server.url());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void customResourceWhenDefinedIsLikeTheOthers(Kubectl kubectl) throws IOException {
        server.restartEmpty();
        kubectl.runWithInput(DEFINITION, "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=Established", "crd/gadgets.example.com", "--timeout=120s");

        kubectl.runWithInput(gadget(3), "create", "-f", "-");
        assertThat(kubectl.run("get", "gd")).containsPattern("NAME +WANTED").containsPattern("one +3");
        kubectl.run("scale", "gadget/one", "--replicas=5");
        assertThat(kubectl.run("get", "gadget/one", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("5");
        assertThat(kubectl.run("explain", "gadget.spec.size")).contains("How big it is");
        edit(kubectl, "s/size: 5/size: 7/", "gadget/one");
        assertThat(kubectl.run("get", "gadget/one", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("7");
        assertThat(kubectl.runWithInput(gadget(8), "replace", "-f", "-")).contains("replaced");
        assertThat(kubectl.outcome(gadget(9), Map.of(), "diff", "-f", "-").output())
                .contains("size: 9");
        assertThat(kubectl.run("delete", "gadgets", "--all", "--timeout=120s")).contains("deleted");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void objectsWhenKindsBesideThemAreUnknownAreApplied(Kubectl kubectl) {
        server.restartEmpty();
        String map = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n";
        String unknown = "---\napiVersion: apps/v1\nkind: Nonsense\nmetadata: {name: bad}\n";

        Kubectl.Outcome outcome =
                kubectl.outcome(DEFINITION + "---\n" + gadget(1) + map + unknown, Map.of(), "apply", "-f", "-");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.output())
                .contains("gadgets.example.com created", "configmap/good created", "no matches for kind \"Nonsense\"");
    }

    private static String gadget(int size) {
        return "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: one}\nspec: {size: " + size + "}\n";
    }

    private static void edit(Kubectl kubectl, String change, String object) throws IOException {
        Path editor = Files.writeString(folder.resolve("editor"), "#!/bin/sh\nsed -i '" + change + "' \"$1\"\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();
        Kubectl.Outcome outcome = kubectl.outcome("", Map.of("EDITOR", editor.toString()), "edit", object);
        assertThat(outcome.output()).contains("edited");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void watchWhenObjectsChangePrintsThem(Kubectl kubectl) throws IOException {
        server.restartEmpty();
        Path none = Files.writeString(folder.resolve("none"), "");
        Path out = Files.createTempFile(folder, "watch", "");
        Process watch = kubectl.start(none, out, Map.of(), "get", "deployments", "-w");
        try {
            kubectl.runWithInput(DEPLOYMENT, "apply", "-f", "-");
            rolledOut(kubectl, 1);
            await("the watch shows it ready")
                    .atMost(LONG)
                    .until(() -> Files.readString(out).contains("1/1"));
            kubectl.run("scale", "deployment/web", "--replicas=2");
            rolledOut(kubectl, 2);
            await("the watch shows the change")
                    .atMost(LONG)
                    .until(() -> Files.readString(out).contains("2/2"));
        } finally {
            watch.destroyForcibly();
        }
    }
}
