package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Owned;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Object sets of a controller on an API server. */
@AnyKubernetesTest
class ObjectSetsIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final AnyKubernetes kubernetes;
    private final Manager manager;
    private final ObjectSets sets;
    private final Client client;
    private final String namespace;
    private final Queue<ObjectSetResult> results = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    ObjectSetsIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        manager = Manager.create(kubernetes.config());
        sets = ObjectSets.create(manager);
        client = manager.client();
        namespace = kubernetes.createNamespace("objectset");
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    private final class Owners implements ObjectReconciler<ConfigMap>, Cleaner<ConfigMap> {

        @Override
        public Result reconcile(ConfigMap owner, ReconcileContext context) {
            try {
                ObjectSetResult result = sets.reconcile(set(owner));
                results.add(result);
                return result.toResult();
            } catch (RuntimeException e) {
                failures.add(e);
                throw e;
            }
        }

        @Override
        public CleanupResult cleanup(ConfigMap owner, ReconcileContext context) {
            return sets.delete(set(owner)).toCleanupResult();
        }
    }

    private ObjectSet set(ConfigMap owner) {
        Map<String, String> data = owner.getData();
        return ObjectSet.ownedBy(owner)
                .apply(new ServiceAccountBuilder().withMetadata(named("first")).build())
                .when("true".equals(data.get("secret")), s -> s.apply(secret("second")))
                .then(s -> s.apply(
                        new ClusterRoleBuilder().withMetadata(named(roleName())).build()))
                .when("true".equals(data.get("optional")), s -> s.ifServed(gadget(), t -> t.apply(gadget("third"))));
    }

    private String roleName() {
        return "role-" + namespace;
    }

    private String group() {
        return namespace + ".example.com";
    }

    private Kind<GenericKubernetesResource> gadget() {
        return Kind.of(group() + "/v1", "Gadget");
    }

    private HasMetadata gadget(String name) {
        GenericKubernetesResource gadget = new GenericKubernetesResource();
        gadget.setApiVersion(group() + "/v1");
        gadget.setKind("Gadget");
        gadget.setMetadata(named(name));
        return gadget;
    }

    private static ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withName(name).build();
    }

    private static Secret secret(String name) {
        return new SecretBuilder().withMetadata(named(name)).build();
    }

    private ControllerBuilder<ConfigMap> controller() {
        return ControllerBuilder.of(ConfigMap.class)
                .named("owners")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().equals(ownerKey())))
                .finalizer("objectset.example.com/" + namespace)
                .owns(ServiceAccount.class)
                .watches(ObjectSets.watch(Kind.of(ClusterRole.class), ConfigMap.class))
                .reconciler(new Owners());
    }

    private ObjectKey ownerKey() {
        return ObjectKey.of(namespace, "owner");
    }

    private ConfigMap createOwner(Map<String, String> data) {
        return client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .endMetadata()
                .withData(data)
                .build());
    }

    private void edit(Map<String, String> data) {
        client.createOrPatch(
                client.live().get(ConfigMap.class, ownerKey()).orElseThrow(), owner -> owner.setData(data));
    }

    private boolean exists(Kind<?> kind, String name) {
        boolean namespaced = !kind.kind().equals("ClusterRole");
        return client.live().exists(kind, new ObjectKey(namespaced ? namespace : "", name));
    }

    private boolean gadgetExists() {
        return kubernetes.with(admin -> admin.genericKubernetesResources(group() + "/v1", "Gadget")
                        .inNamespace(namespace)
                        .withName("third")
                        .get()
                != null);
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(TIMEOUT).until(condition);
    }

    @Test
    void childrenFollowTheOwner() {
        controller().owns(Secret.class).addTo(manager);
        manager.start();
        createOwner(Map.of("secret", "true"));
        until("the last step is applied", () -> exists(Kind.of(ClusterRole.class), roleName()));
        assertThat(exists(Kind.of(Secret.class), "second")).isTrue();

        client.delete(Kind.of(ClusterRole.class), ObjectKey.ofName(roleName()), DeletionOptions.defaults());
        until("a child that a user deleted comes back", () -> exists(Kind.of(ClusterRole.class), roleName()));

        edit(Map.of("secret", "false"));
        until("what is switched off goes", () -> !exists(Kind.of(Secret.class), "second"));
        assertThat(exists(Kind.of(ServiceAccount.class), "first")).isTrue();

        client.delete(client.live().get(ConfigMap.class, ownerKey()).orElseThrow());
        until("the owner goes", () -> !exists(Kind.of(ConfigMap.class), "owner"));
        assertThat(exists(Kind.of(ClusterRole.class), roleName())).isFalse();
        assertThat(exists(Kind.of(ServiceAccount.class), "first")).isFalse();
    }

    @Test
    void kindThatTheControllerDoesNotWatchFailsWithTheLineToAdd() {
        controller().addTo(manager);
        manager.start();
        createOwner(Map.of("secret", "true"));

        until("the reconciliation fails", () -> !failures.isEmpty());
        assertThat(failures.peek())
                .hasMessageContaining("controller 'owners' does not watch")
                .hasMessageContaining("add @Owns(Secret.class), or .owns(Secret.class) to its builder");
        assertThat(exists(Kind.of(ServiceAccount.class), "first")).isFalse();
        edit(Map.of());
        until("the owner is reconciled", () -> !results.isEmpty());
        client.delete(client.live().get(ConfigMap.class, ownerKey()).orElseThrow());
        until("the owner goes", () -> !exists(Kind.of(ConfigMap.class), "owner"));
    }

    @Test
    void kindThatIsDeclaredAsPrunedIsDeleted() {
        controller().prunes(Secret.class).addTo(manager);
        ConfigMap owner = createOwner(Map.of());
        Secret old = secret("old");
        old.getMetadata().setNamespace(namespace);
        OwnerReferences.setController(old, owner);
        client.create(old);
        manager.start();

        until("the old object goes", () -> !exists(Kind.of(Secret.class), "old"));
        client.delete(client.live().get(ConfigMap.class, ownerKey()).orElseThrow());
        until("the owner goes", () -> !exists(Kind.of(ConfigMap.class), "owner"));
    }

    @Test
    void rememberedKindWithoutRuleIsReported() {
        controller().addTo(manager);
        ConfigMap owner = createOwner(Map.of());
        owner.getMetadata().setAnnotations(Map.of(KindMemory.ANNOTATION, "v1/Secret"));
        client.update(owner);
        manager.start();

        until("the owner is reconciled", () -> !results.isEmpty());
        assertThat(results.peek().ruleProblems())
                .singleElement()
                .asString()
                .contains("add @Prunes(Secret.class), or .prunes(Secret.class) to its builder");
        client.delete(client.live().get(ConfigMap.class, ownerKey()).orElseThrow());
        until("the owner goes", () -> !exists(Kind.of(ConfigMap.class), "owner"));
    }

    private void define() {
        kubernetes.applyDefinitions("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: gadgets.GROUP}
                spec:
                  group: GROUP
                  scope: Namespaced
                  names: {kind: Gadget, plural: gadgets, singular: gadget}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object}}
                """.replace("GROUP", group()));
    }

    @Test
    void optionalKindIsFollowedOnceItIsServed() {
        controller().owns(Secret.class).addTo(manager);
        manager.start();
        createOwner(Map.of("optional", "true"));
        until(
                "the kind is missed",
                () -> results.stream().anyMatch(each -> !each.absentKinds().isEmpty()));

        define();
        until("the object is applied", () -> {
            edit(Map.of("optional", "true", "time", Long.toString(System.nanoTime())));
            return gadgetExists();
        });
        client.delete(gadget(), ObjectKey.of(namespace, "third"), DeletionOptions.defaults());
        until("a change of it reconciles the owner", () -> gadgetExists());

        edit(Map.of());
        until("it is pruned", () -> !gadgetExists());
        assertThat(List.copyOf(failures)).isEmpty();
        client.delete(client.live().get(ConfigMap.class, ownerKey()).orElseThrow());
        until("the owner goes", () -> !exists(Kind.of(ConfigMap.class), "owner"));
    }

    @Test
    void ownedOptionalKindIsAppliedAsSoonAsItIsServed() {
        manager.options().scheme().register(new KindInfo(gadget().name(), "gadgets", true));
        controller().owns(Secret.class).owns(Owned.of(gadget()).optional()).addTo(manager);
        manager.start();
        createOwner(Map.of("optional", "true"));
        until("the kind is missed", this::isGadgetMissed);

        define();
        until("the object is applied", this::gadgetExists);
        until("the set is done", () -> !isGadgetMissed());

        client.delete(
                Kind.of(CustomResourceDefinition.class),
                ObjectKey.ofName("gadgets." + group()),
                DeletionOptions.defaults());
        until("the kind is missed again", this::isGadgetMissed);
        client.delete(client.live().get(ConfigMap.class, ownerKey()).orElseThrow());
        until("the owner goes", () -> !exists(Kind.of(ConfigMap.class), "owner"));
    }

    /** Return whether the kind was absent in the last reconciliation. */
    private boolean isGadgetMissed() {
        return results.stream()
                .reduce((first, last) -> last)
                .filter(last -> !last.absentKinds().isEmpty())
                .isPresent();
    }
}
