package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;

/**
 * A controller that writes with a service account. The account may write Deployments, and the operator may watch everything and
 * impersonate the account. The controller tries all ways to write a Deployment and a StatefulSet.
 */
final class AccountScenario {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private static final String RIGHTS = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: operator, namespace: @ns@}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: writer, namespace: @ns@}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: @ns@-operator}
            rules:
              - {apiGroups: [""], resources: [configmaps], verbs: [get, list, watch]}
              - {apiGroups: [apps], resources: ["*"], verbs: [get, list, watch]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: @ns@-operator}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: @ns@-operator}
            subjects: [{kind: ServiceAccount, name: operator, namespace: @ns@}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: writer, namespace: @ns@}
            rules:
              - apiGroups: [apps]
                resources: [deployments, deployments/status, deployments/scale]
                verbs: [create, update, patch, delete, deletecollection]
              - {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: writer, namespace: @ns@}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: writer}
            subjects: [{kind: ServiceAccount, name: writer, namespace: @ns@}]
            """;

    private static final String IMPERSONATION = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: impersonation, namespace: @ns@}
            rules:
              - {apiGroups: [""], resources: [serviceaccounts], resourceNames: [writer], verbs: [impersonate]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: impersonation, namespace: @ns@}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: impersonation}
            subjects: [{kind: ServiceAccount, name: operator, namespace: @ns@}]
            """;

    private final AnyKubernetes kubernetes;
    private final String namespace;
    private final Map<String, BiConsumer<Client, Deployment>> own;
    private final Map<String, BiConsumer<Client, StatefulSet>> foreign;
    private final Map<String, Optional<ApiException>> outcomes = new ConcurrentHashMap<>();

    AccountScenario(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("account");
        this.own = WriteForms.of(Kind.of(Deployment.class), this::deployment);
        this.foreign = WriteForms.of(Kind.of(StatefulSet.class), this::statefulSet);
        kubernetes.apply(RIGHTS.replace("@ns@", namespace));
    }

    String user(String account) {
        return "system:serviceaccount:" + namespace + ":" + account;
    }

    /** Return the ways to write that were tried with each kind. */
    Set<String> forms() {
        return own.keySet();
    }

    Manager manager() {
        Manager manager = Manager.create(
                kubernetes.serviceAccountConfig(namespace, "operator"),
                ManagerOptions.defaults().withName("accounts"));
        ControllerBuilder.of(ConfigMap.class)
                .named("writing")
                .customizeOptions(options -> options.withServiceAccount(namespace + "/writer"))
                .owns(Deployment.class)
                .owns(StatefulSet.class)
                .requiredPermissions(
                        RequiredPermission.on(Deployment.class, "get", "create", "patch")
                                .inNamespace(namespace),
                        RequiredPermission.on(Deployment.class, "patch")
                                .subresource("status")
                                .inNamespace(namespace))
                .inNamespaces(namespace)
                .requestReconciler((request, context) -> {
                    tryAll(manager);
                    return Result.done();
                })
                .addTo(manager);
        return manager;
    }

    void allowImpersonation() {
        kubernetes.apply(IMPERSONATION.replace("@ns@", namespace));
    }

    /** Let the controller write, and check that it could write its own kind and no other. */
    void check() {
        allowImpersonation();
        forms().forEach(form -> {
            kubernetes.with(client -> client.resource(deployment(form)).create());
            kubernetes.with(client -> client.resource(statefulSet(form)).create());
        });
        try (Manager manager = manager()) {
            Awaitility.await("nothing is missing")
                    .atMost(TIME_LIMIT)
                    .untilAsserted(() ->
                            assertThat(manager.checkPermissions().missing()).isEmpty());
            manager.start();
            kubernetes.with(client -> client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName("start")
                            .endMetadata()
                            .build())
                    .create());
            Awaitility.await("all is tried")
                    .atMost(TIME_LIMIT)
                    .until(() -> outcomes.size() == own.size() + foreign.size());
        }
        Map<String, String> refused = new TreeMap<>();
        outcomes.forEach((form, outcome) -> outcome.ifPresent(
                error -> refused.put(form, error instanceof ForbiddenException ? "" : "" + error.getMessage())));
        Map<String, String> expected = new TreeMap<>();
        foreign.keySet().forEach(form -> expected.put("StatefulSet " + form, ""));
        assertThat(refused).isEqualTo(expected);
        assertThat(outcomes.get("StatefulSet scale").orElseThrow())
                .hasMessageContaining("User \"" + user("writer") + "\" cannot patch resource \"statefulsets/scale\"");
    }

    /** The namespace has several ConfigMaps, but one reconciliation is enough. */
    private void tryAll(Manager manager) {
        Client client = manager.client();
        new TreeSet<>(forms()).forEach(form -> {
            attempt(client, form, Deployment.class, own);
            attempt(client, form, StatefulSet.class, foreign);
        });
        ConfigMap about = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("start")
                .endMetadata()
                .build();
        manager.recorder().normal(about, "Tried", "Write", "all");
    }

    private <T extends HasMetadata> void attempt(
            Client client, String form, Class<T> type, Map<String, BiConsumer<Client, T>> forms) {
        String key = type.getSimpleName() + " " + form;
        if (outcomes.containsKey(key)) {
            return;
        }
        T known = client.live().get(type, ObjectKey.of(namespace, form)).orElseThrow();
        try {
            Objects.requireNonNull(forms.get(form)).accept(client, known);
            outcomes.put(key, Optional.empty());
        } catch (ApiException e) {
            outcomes.put(key, Optional.of(e));
        }
    }

    private Deployment deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("app")
                .withImage("example.com/app:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private StatefulSet statefulSet(String name) {
        Deployment same = deployment(name);
        return new StatefulSetBuilder()
                .withMetadata(same.getMetadata())
                .withNewSpec()
                .withReplicas(1)
                .withServiceName("app")
                .withSelector(same.getSpec().getSelector())
                .withTemplate(same.getSpec().getTemplate())
                .endSpec()
                .build();
    }
}
