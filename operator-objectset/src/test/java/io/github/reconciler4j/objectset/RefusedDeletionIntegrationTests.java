package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An admission policy of the cluster refuses to delete a child: the set says so, and nothing is orphaned or forgotten. */
@AnyKubernetesTest
class RefusedDeletionIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String REFUSAL = "secrets are archived before they are deleted";

    private final Manager manager;
    private final ObjectSets sets;
    private final Client client;
    private final String namespace;
    private final Queue<Condition> reconciled = new ConcurrentLinkedQueue<>();
    private final Queue<Condition> cleaned = new ConcurrentLinkedQueue<>();

    RefusedDeletionIntegrationTests(AnyKubernetes kubernetes) {
        manager = Manager.create(kubernetes.config());
        sets = ObjectSets.create(manager);
        client = manager.client();
        namespace = kubernetes.createNamespace("refused");
    }

    @AfterEach
    void stop() {
        allow();
        manager.close();
    }

    private final class Owners implements ObjectReconciler<ConfigMap>, Cleaner<ConfigMap> {

        @Override
        public Result reconcile(ConfigMap owner, ReconcileContext context) {
            ObjectSetResult result = sets.reconcile(set(owner));
            reconciled.add(ready(result, owner));
            return result.toResult();
        }

        @Override
        public CleanupResult cleanup(ConfigMap owner, ReconcileContext context) {
            ObjectSetResult result = sets.delete(set(owner));
            cleaned.add(ready(result, owner));
            return result.toCleanupResult();
        }
    }

    private static Condition ready(ObjectSetResult result, ConfigMap owner) {
        List<Condition> conditions = new ArrayList<>();
        result.report(Conditions.of(conditions, owner));
        return conditions.get(0);
    }

    private ObjectSet set(ConfigMap owner) {
        boolean wanted = "true".equals(owner.getData().get("secret"));
        return ObjectSet.ownedBy(owner)
                .apply(new ServiceAccountBuilder().withMetadata(named("first")).build())
                .then(s -> s.when(
                        wanted,
                        t -> t.apply(new SecretBuilder()
                                .withMetadata(named("second"))
                                .build())))
                .then(s -> s.apply(
                        new ClusterRoleBuilder().withMetadata(named(roleName())).build()));
    }

    private String roleName() {
        return "role-" + namespace;
    }

    private static ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withName(name).build();
    }

    private void start() {
        ControllerBuilder.of(ConfigMap.class)
                .named("owners")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().name().equals("owner")))
                .finalizer("objectset.example.com/" + namespace)
                .owns(ServiceAccount.class)
                .owns(Secret.class)
                .watches(ObjectSets.watch(Kind.of(ClusterRole.class), ConfigMap.class))
                .reconciler(new Owners())
                .addTo(manager);
        manager.start();
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .endMetadata()
                .withData(Map.of("secret", "true"))
                .build());
        until("all is there", () -> exists(Kind.of(ClusterRole.class), roleName()));
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(TIMEOUT).until(condition);
    }

    private boolean exists(Kind<?> kind, String name) {
        boolean namespaced = !kind.kind().equals("ClusterRole");
        return client.live().exists(kind, new ObjectKey(namespaced ? namespace : "", name));
    }

    private ConfigMap owner() {
        return client.live()
                .get(ConfigMap.class, ObjectKey.of(namespace, "owner"))
                .orElseThrow();
    }

    private void refuse() {
        client.create(new ValidatingAdmissionPolicyBuilder()
                .withMetadata(named(namespace))
                .withNewSpec()
                .withFailurePolicy("Fail")
                .withNewMatchConstraints()
                .withNewNamespaceSelector()
                .addToMatchLabels("kubernetes.io/metadata.name", namespace)
                .endNamespaceSelector()
                .addNewResourceRule()
                .withApiGroups("")
                .withApiVersions("v1")
                .withOperations("DELETE")
                .withResources("secrets")
                .endResourceRule()
                .endMatchConstraints()
                .addNewValidation()
                .withExpression("has(oldObject.metadata.labels) && 'archived' in oldObject.metadata.labels")
                .withMessage(REFUSAL)
                .endValidation()
                .endSpec()
                .build());
        client.create(new ValidatingAdmissionPolicyBindingBuilder()
                .withMetadata(named(namespace))
                .withNewSpec()
                .withPolicyName(namespace)
                .withValidationActions("Deny")
                .endSpec()
                .build());
        until("the API server enforces the policy", () -> isRefused("second"));
    }

    private boolean isRefused(String secret) {
        try {
            client.dryRun()
                    .delete(client.live()
                            .get(Secret.class, ObjectKey.of(namespace, secret))
                            .orElseThrow());
            return false;
        } catch (ApiException e) {
            return String.valueOf(e.getMessage()).contains(REFUSAL);
        }
    }

    private void allow() {
        client.live()
                .get(ValidatingAdmissionPolicyBinding.class, ObjectKey.ofName(namespace))
                .ifPresent(client::delete);
        client.live()
                .get(ValidatingAdmissionPolicy.class, ObjectKey.ofName(namespace))
                .ifPresent(client::delete);
    }

    private void assertNamesTheRefusal(Condition ready) {
        assertThat(ready.getType()).isEqualTo(ObjectSetResult.READY);
        assertThat(ready.getStatus()).isEqualTo("False");
        assertThat(ready.getReason()).isEqualTo("ObjectsFailed");
        assertThat(ready.getMessage()).contains("Secret " + namespace + "/second", REFUSAL);
    }

    @Test
    void childThatIsNotWantedStaysAndIsReportedUntilItsDeletionIsAllowed() {
        start();
        refuse();
        reconciled.clear();

        client.edit(owner(), owner -> owner.setData(Map.of("secret", "false")));

        until(
                "the refusal is reported",
                () -> reconciled.stream().anyMatch(each -> "ObjectsFailed".equals(each.getReason())));
        reconciled.stream().filter(each -> "False".equals(each.getStatus())).forEach(this::assertNamesTheRefusal);
        assertThat(exists(Kind.of(Secret.class), "second")).isTrue();
        assertThat(exists(Kind.of(ServiceAccount.class), "first")).isTrue();
        assertThat(exists(Kind.of(ClusterRole.class), roleName())).isTrue();
        assertThat(owner().getMetadata().getAnnotations().get(KindMemory.ANNOTATION))
                .contains("v1/Secret");

        allow();
        until("it goes", () -> !exists(Kind.of(Secret.class), "second"));
        until(
                "the set is ready",
                () -> reconciled.stream()
                        .reduce((first, last) -> last)
                        .orElseThrow()
                        .getStatus()
                        .equals("True"));
    }

    @Test
    void ownerThatIsDeletedWaitsForTheChildAndWhatGoesAfterIt() {
        start();
        refuse();

        client.delete(owner());

        until(
                "the refusal is reported",
                () -> cleaned.stream().anyMatch(each -> "ObjectsFailed".equals(each.getReason())));
        cleaned.stream()
                .filter(each -> "ObjectsFailed".equals(each.getReason()))
                .forEach(this::assertNamesTheRefusal);
        assertThat(exists(Kind.of(ClusterRole.class), roleName())).isFalse();
        assertThat(exists(Kind.of(Secret.class), "second")).isTrue();
        assertThat(exists(Kind.of(ServiceAccount.class), "first")).isTrue();
        assertThat(owner().getMetadata().getFinalizers()).isNotEmpty();

        allow();
        until("the owner goes", () -> !exists(Kind.of(ConfigMap.class), "owner"));
        assertThat(exists(Kind.of(Secret.class), "second")).isFalse();
        assertThat(exists(Kind.of(ServiceAccount.class), "first")).isFalse();
    }
}
