package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
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
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Object sets and finalizers of two controllers with an account each, as the audit log of a real API server sees them. */
@Tag("whole")
@Timeout(300)
class AccountsIntegrationTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules: [{level: Metadata}]
            """;

    /** Each account may write in its own namespace only, and the operator may write nowhere. */
    private static final String RIGHTS = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: writer, namespace: @ns@}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: writer, namespace: @ns@}
            rules:
              - apiGroups: [""]
                resources: [configmaps, secrets]
                verbs: [create, update, patch, delete]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: writer, namespace: @ns@}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: writer}
            subjects: [{kind: ServiceAccount, name: writer, namespace: @ns@}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: operator, namespace: @ns@}
            rules:
              - {apiGroups: [""], resources: [configmaps, secrets], verbs: [get, list, watch]}
              - {apiGroups: [""], resources: [serviceaccounts], resourceNames: [writer], verbs: [impersonate]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: operator, namespace: @ns@}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: operator}
            subjects: [{kind: ServiceAccount, name: operator, namespace: @home@}]
            """;

    @TempDir
    private Path folder;

    /** Applies two Secrets, or one after a change, and deletes them with their owner. */
    private record Owners(ObjectSets sets) implements ObjectReconciler<ConfigMap>, Cleaner<ConfigMap> {

        @Override
        public Result reconcile(ConfigMap owner, ReconcileContext context) {
            return sets.reconcile(set(owner)).toResult();
        }

        @Override
        public CleanupResult cleanup(ConfigMap owner, ReconcileContext context) {
            return sets.delete(set(owner)).toCleanupResult();
        }

        private static ObjectSet set(ConfigMap owner) {
            return ObjectSet.ownedBy(owner)
                    .apply(secret("first"))
                    .when("2".equals(owner.getData().get("count")), set -> set.apply(secret("second")));
        }

        private static Secret secret(String name) {
            return new SecretBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .build();
        }
    }

    @Test
    void writesOfSetsAndFinalizersAreThoseOfTheAccountOfTheController() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), POLICY);
        Path log = folder.resolve("audit.log");
        RealKubernetesOptions options = RealKubernetesOptions.defaults()
                .withOnly(KubernetesComponent.APISERVER)
                .withArgument(KubernetesComponent.APISERVER, "--audit-policy-file=" + policy)
                .withArgument(KubernetesComponent.APISERVER, "--audit-log-path=" + log);
        List<String> namespaces;
        try (RealKubernetes kubernetes = RealKubernetes.start(options)) {
            namespaces = List.of(kubernetes.createNamespace("one"), kubernetes.createNamespace("two"));
            run(kubernetes, namespaces);
        }
        List<JsonNode> requests = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            requests.add(MAPPER.readTree(line));
        }
        for (String namespace : namespaces) {
            check(requests, namespace, namespaces.get(0));
        }
    }

    private static void run(RealKubernetes kubernetes, List<String> namespaces) {
        String home = namespaces.get(0);
        kubernetes.apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: operator, namespace: " + home + "}}");
        namespaces.forEach(
                namespace -> kubernetes.apply(RIGHTS.replace("@ns@", namespace).replace("@home@", home)));
        try (Manager manager = Manager.create(
                kubernetes.serviceAccountConfig(home, "operator"),
                ManagerOptions.defaults()
                        .withName("accounts")
                        .withCache(CacheOptions.defaults()
                                .withKindDefaults(
                                        KindCacheOptions.defaults().withNamespaces(Set.copyOf(namespaces)))))) {
            namespaces.forEach(namespace -> add(manager, namespace));
            manager.start();
            namespaces.forEach(namespace -> kubernetes.with(
                    client -> client.resource(owner(namespace, "2")).create()));
            awaitSecrets(kubernetes, namespaces, 2);
            namespaces.forEach(namespace -> kubernetes.with(client -> client.configMaps()
                    .inNamespace(namespace)
                    .withName("owner")
                    .edit(known -> new ConfigMapBuilder(known)
                            .withData(Map.of("count", "1"))
                            .build())));
            awaitSecrets(kubernetes, namespaces, 1);
            namespaces.forEach(namespace -> kubernetes.with(
                    client -> client.resource(owner(namespace, "1")).delete()));
            awaitSecrets(kubernetes, namespaces, 0);
            Callable<Boolean> gone = () -> namespaces.stream()
                    .noneMatch(namespace -> kubernetes.with(client ->
                                    client.resource(owner(namespace, "1")).get())
                            != null);
            await("the owners are gone").atMost(TIME_LIMIT).until(gone);
        }
    }

    private static void add(Manager manager, String namespace) {
        ControllerBuilder.of(ConfigMap.class)
                .named("owners-" + namespace)
                .inNamespaces(namespace)
                .withLabelSelector("has=set")
                .finalizer("accounts.example.com/" + namespace)
                .owns(Secret.class)
                .customizeOptions(controller -> controller.withServiceAccount(namespace + "/writer"))
                .reconciler(new Owners(ObjectSets.create(manager)))
                .addTo(manager);
    }

    private static void awaitSecrets(RealKubernetes kubernetes, List<String> namespaces, int secrets) {
        await(secrets + " secrets")
                .atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(namespaces)
                        .allSatisfy(namespace -> assertThat(kubernetes.<List<Secret>>with(client -> client.secrets()
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()))
                                .hasSize(secrets)));
    }

    private static ConfigMap owner(String namespace, String count) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .addToLabels("has", "set")
                .endMetadata()
                .withData(Map.of("count", count))
                .build();
    }

    private static void check(List<JsonNode> requests, String namespace, String home) {
        List<JsonNode> own = requests.stream()
                .filter(request ->
                        request.at("/user/username").asText().equals("system:serviceaccount:" + home + ":operator"))
                .filter(request -> request.at("/objectRef/namespace").asText().equals(namespace))
                .toList();
        List<String> reads = List.of("get", "list", "watch");
        assertThat(own)
                .filteredOn(request -> reads.contains(request.at("/verb").asText()))
                .isNotEmpty()
                .allMatch(request -> request.at("/impersonatedUser").isMissingNode());
        assertThat(own)
                .filteredOn(request -> !reads.contains(request.at("/verb").asText()))
                .allMatch(request -> request.at("/impersonatedUser/username")
                        .asText()
                        .equals("system:serviceaccount:" + namespace + ":writer"))
                .allMatch(request -> request.at("/responseStatus/code").asInt() < 300)
                .extracting(request -> request.at("/verb").asText() + " "
                        + request.at("/objectRef/resource").asText() + " "
                        + request.at("/objectRef/name").asText())
                .contains(
                        "patch secrets first",
                        "patch secrets second",
                        "delete secrets first",
                        "delete secrets second",
                        "patch configmaps owner");
    }
}
