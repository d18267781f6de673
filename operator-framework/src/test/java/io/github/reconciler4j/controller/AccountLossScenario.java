package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;

/**
 * Two controllers run while one loses the rights of its account, then the right to impersonate it, then the account itself. The log names
 * what is missing, the other controller keeps working, and the objects are reconciled when the rights are back, without a change.
 */
final class AccountLossScenario {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private static final String ACCOUNT = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: @account@, namespace: @ns@}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: @account@, namespace: @ns@}
            rules:
              - {apiGroups: [""], resources: [configmaps], verbs: [@verbs@]}
            ---
            """;

    private static final String BINDING = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: @account@, namespace: @ns@}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: @account@}
            subjects: [{kind: ServiceAccount, name: @account@, namespace: @ns@}]
            """;

    private static final String IMPERSONATION = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: impersonation, namespace: @ns@}
            rules:
              - {apiGroups: [""], resources: [serviceaccounts], resourceNames: [one, two], verbs: [impersonate]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: impersonation, namespace: @ns@}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: impersonation}
            subjects: [{kind: ServiceAccount, name: operator, namespace: @ns@}]
            """;

    private final AnyKubernetes kubernetes;
    private final String namespace;

    AccountLossScenario(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("loss");
        apply(ACCOUNT + BINDING, "operator", "get, list, watch");
        apply(ACCOUNT + BINDING, "one", "create, patch");
        apply(ACCOUNT + BINDING, "two", "create, patch");
        apply(IMPERSONATION, "", "");
    }

    private void apply(String text, String account, String verbs) {
        kubernetes.apply(
                text.replace("@ns@", namespace).replace("@account@", account).replace("@verbs@", verbs));
    }

    void check() {
        try (Manager manager = Manager.create(
                        kubernetes.serviceAccountConfig(namespace, "operator"),
                        ManagerOptions.defaults()
                                .withName("loss")
                                .withCache(CacheOptions.defaults()
                                        .withKindDefaults(
                                                KindCacheOptions.defaults().withNamespaces(Set.of(namespace)))));
                CapturedLog log = CapturedLog.of(Controller.class.getName())) {
            add(manager, "one");
            add(manager, "two");
            manager.start();
            write("one", "first");
            write("two", "first");
            awaitCopy("one", "first");
            awaitCopy("two", "first");

            delete(RoleBinding.class, "one");
            checkLoss(
                    log,
                    manager,
                    "unbound",
                    "User \"system:serviceaccount:" + namespace + ":one\" cannot patch resource \"configmaps\"",
                    "for service account " + namespace + "/one");
            write("two", "meanwhile");
            awaitCopy("two", "meanwhile");
            apply(BINDING, "one", "");
            awaitCopy("one", "unbound");

            loseTheRightToImpersonate(log, manager);

            delete(ServiceAccount.class, "one");
            write("one", "without");
            awaitCopy("one", "without");
        }
    }

    private void loseTheRightToImpersonate(CapturedLog log, Manager manager) {
        delete(RoleBinding.class, "impersonation");
        checkLoss(
                log,
                manager,
                "alone",
                "User \"system:serviceaccount:" + namespace
                        + ":operator\" cannot impersonate resource \"serviceaccounts\"",
                "impersonate on serviceaccounts one");
        apply(IMPERSONATION, "", "");
        awaitCopy("one", "alone");
    }

    /** The first controller cannot write, says why, and tries again. */
    private void checkLoss(CapturedLog log, Manager manager, String name, String refusal, String missing) {
        write("one", name);
        Awaitility.await("the log names " + refusal)
                .atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(log.lines(Level.WARN))
                        .filteredOn(line -> line.contains(name))
                        .anyMatch(line -> line.contains(refusal)));
        assertThat(manager.checkPermissions().missing())
                .extracting(one -> one.permission().toString())
                .anyMatch(text -> text.contains(missing));
        assertThat(exists(copyOf("one", name))).isFalse();
    }

    private void add(Manager manager, String account) {
        ControllerBuilder.of(ConfigMap.class)
                .named("controller-" + account)
                .inNamespaces(namespace)
                .withLabelSelector("account=" + account)
                .customizeOptions(options -> options.withServiceAccount(namespace + "/" + account)
                        .withBackoff(Duration.ofMillis(10), Duration.ofMillis(500)))
                .requiredPermissions(RequiredPermission.on(ConfigMap.class, "create", "patch")
                        .inNamespace(namespace))
                .requestReconciler((request, context) -> {
                    manager.client()
                            .apply(map(copyOf(account, request.name().substring(account.length() + 1)), "none"));
                    return Result.done();
                })
                .addTo(manager);
    }

    private static String copyOf(String account, String name) {
        return "copy-of-" + account + "-" + name;
    }

    private void write(String account, String name) {
        kubernetes.with(
                client -> client.resource(map(account + "-" + name, account)).create());
    }

    private void awaitCopy(String account, String name) {
        Awaitility.await(copyOf(account, name)).atMost(TIME_LIMIT).until(() -> exists(copyOf(account, name)));
    }

    private boolean exists(String name) {
        return kubernetes.with(client -> client.configMaps()
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                != null;
    }

    private void delete(Class<? extends HasMetadata> type, String name) {
        List<?> deleted = kubernetes.with(client ->
                client.resources(type).inNamespace(namespace).withName(name).delete());
        assertThat(deleted).hasSize(1);
    }

    private ConfigMap map(String name, String account) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("account", account)
                .endMetadata()
                .build();
    }
}
