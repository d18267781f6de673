package io.github.reconciler4j.installer;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real API server, where objects are refused in one of the ways that there are. */
final class RealMigrationWorld implements MigrationWorld, AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** The name of an object that is always refused, so the test sees when a refusal starts and ends. */
    private static final String PROBE = "probe";

    /** Why the API server refuses objects. */
    enum Cause {
        POLICY,
        WEBHOOK,
        CONVERSION,
        SCHEMA,
        RIGHT,
        QUOTA
    }

    private final RealKubernetes kubernetes;
    private final KubernetesClient admin;
    private final KubernetesClient alice;
    private final ApiConnection connection;
    private final ApiConnection connectionOfAlice;
    private final Client client;
    private final RefusingWebhooks webhooks;
    private final Etcd etcd;
    private final String group;
    private final Cause cause;

    RealMigrationWorld(
            RealKubernetes kubernetes, KubernetesClient admin, RefusingWebhooks webhooks, String group, Cause cause) {
        this.kubernetes = kubernetes;
        this.admin = admin;
        this.webhooks = webhooks;
        this.group = group;
        this.cause = cause;
        etcd = new Etcd(kubernetes.kubeconfig().getParent().resolve("etcd.sock"));
        connection = ApiConnection.open(kubernetes.config());
        connectionOfAlice = ApiConnection.open(kubernetes.config("alice"));
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        alice = new KubernetesClientBuilder()
                .withConfig(kubernetes.config("alice"))
                .build();
        if (cause == Cause.RIGHT) {
            prepareRights();
        }
    }

    @Override
    public Client admin() {
        return client;
    }

    /** The user that the operator is. */
    String user() {
        return cause == Cause.RIGHT ? "alice" : "admin";
    }

    @Override
    public ApiConnection operator() {
        return cause == Cause.RIGHT ? connectionOfAlice : connection;
    }

    /** The API server notices a new definition within milliseconds, unless this machine is busy. */
    @Override
    public CrdInstaller.Pace pace() {
        return new CrdInstaller.Pace(
                Duration.ofMillis(20), Duration.ofMillis(700), Backoff.of(Duration.ofMillis(1), Duration.ofMillis(1)));
    }

    @Override
    public String conversion() {
        return cause == Cause.CONVERSION
                ? "conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: "
                        + webhooks.clientConfig("convert", group) + "}}"
                : "";
    }

    @Override
    public boolean refusesBySchema() {
        return cause == Cause.SCHEMA;
    }

    @Override
    public void refuse(Set<String> names) {
        switch (cause) {
            case POLICY -> {
                apply(policy(names));
                apply(policyBinding());
                awaitPatch(false);
            }
            case WEBHOOK -> {
                webhooks.refuse(group, with(names));
                apply(webhook());
                awaitPatch(false);
            }
            case CONVERSION -> webhooks.refuse(group, names);
            case RIGHT -> {
                apply(role(names));
                await().atMost(LONG).until(() -> names.stream().noneMatch(this::canPatch));
            }
            case QUOTA -> etcd.refuseWrites(true);
            case SCHEMA -> {}
        }
    }

    @Override
    public void allow() {
        switch (cause) {
            case POLICY -> {
                apply(policy(Set.of("none")));
                admin.resource(policyBinding()).delete();
                awaitPatch(true);
            }
            case WEBHOOK -> {
                webhooks.refuse(group, Set.of());
                admin.resource(webhook()).delete();
                awaitPatch(true);
            }
            case CONVERSION -> webhooks.refuse(group, Set.of());
            case RIGHT -> {
                apply(role(Set.of()));
                await().atMost(LONG).until(() -> canPatch("any"));
            }
            case QUOTA -> etcd.refuseWrites(false);
            case SCHEMA -> {}
        }
    }

    @Override
    public Map<String, String> stored() {
        Map<String, String> stored = etcd.versions(group);
        stored.remove(PROBE);
        return stored;
    }

    private static Set<String> with(Set<String> names) {
        return Stream.concat(names.stream(), Stream.of(PROBE)).collect(Collectors.toSet());
    }

    private String plain() {
        return group.toLowerCase(Locale.ROOT);
    }

    private HasMetadata policy(Set<String> names) {
        String list = with(names).stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ", "[", "]"));
        return parse("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: %1$s}
                spec:
                  matchConstraints:
                    resourceRules: [{apiGroups: [%1$s], apiVersions: ['*'], operations: [UPDATE], resources: [widgets]}]
                  validations: [{expression: "!(object.metadata.name in %2$s)", message: not this one}]
                """.formatted(plain(), list));
    }

    private HasMetadata policyBinding() {
        return parse("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: %1$s}
                spec: {policyName: %1$s, validationActions: [Deny]}
                """.formatted(plain()));
    }

    private HasMetadata webhook() {
        return parse("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata: {name: %1$s}
                webhooks:
                - name: refuse.%1$s
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: %2$s
                  rules: [{apiGroups: [%1$s], apiVersions: ['*'], operations: [UPDATE], resources: [widgets]}]
                """.formatted(plain(), webhooks.clientConfig("admit", group)));
    }

    /** Alice may patch the objects that history creates, but not those of the names. */
    private HasMetadata role(Set<String> names) {
        String patch = names.isEmpty()
                ? "{apiGroups: [%s], resources: [widgets], verbs: [patch]}".formatted(plain())
                : "{apiGroups: [%s], resources: [widgets], verbs: [patch], resourceNames: [%s]}"
                        .formatted(
                                plain(),
                                Stream.of("o0", "o1", "o2", "o3", "o4", "none")
                                        .filter(name -> !names.contains(name))
                                        .collect(Collectors.joining(", ")));
        return parse("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: %1$s}
                rules:
                - {apiGroups: [apiextensions.k8s.io], resources: ['*'], verbs: ['*']}
                - {apiGroups: [%1$s], resources: [widgets], verbs: [get, list]}
                - %2$s
                """.formatted(plain(), patch));
    }

    private void prepareRights() {
        apply(role(Set.of()));
        apply(parse("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}]
                """.formatted(plain())));
        await().atMost(LONG).until(() -> canPatch("any"));
    }

    private boolean canPatch(String name) {
        SelfSubjectAccessReview review = parse("""
                        apiVersion: authorization.k8s.io/v1
                        kind: SelfSubjectAccessReview
                        spec: {resourceAttributes: {group: %s, resource: widgets, verb: patch, namespace: default, name: %s}}
                        """.formatted(plain(), name));
        return Boolean.TRUE.equals(alice.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed());
    }

    /** Waits until the API server refuses the object for a probe, or no longer does. */
    private void awaitPatch(boolean accepted) {
        await().atMost(LONG).ignoreExceptions().until(() -> {
            String version = MigrationEdit.definition(client, "widgets." + group)
                    .map(DefinitionState::servedVersion)
                    .orElse("");
            if (version.isEmpty()) {
                return true; // someone has deleted the definition, or serves nothing: no probe is possible
            }
            Resource<GenericKubernetesResource> probe = admin.genericKubernetesResources(
                            group + "/" + version, "Widget")
                    .inNamespace("default")
                    .withName(PROBE);
            if (probe.get() == null) {
                admin.resource(RealMigrationWorld.<GenericKubernetesResource>parse("apiVersion: " + group + "/"
                                + version + "\nkind: Widget\nmetadata: {name: " + PROBE + ", namespace: default}"))
                        .create();
            }
            boolean now;
            try {
                probe.patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"labels\": {\"n\": \"" + System.nanoTime() + "\"}}}");
                now = true;
            } catch (KubernetesClientException e) {
                now = e.getCode() != 422;
            }
            if (now == accepted) {
                probe.delete();
                return true;
            }
            return false;
        });
    }

    private void apply(HasMetadata object) {
        admin.resource(object).forceConflicts().serverSideApply();
    }

    private static <T extends HasMetadata> T parse(String yaml) {
        return new KubernetesSerialization().unmarshal(yaml);
    }

    @Override
    public void close() {
        alice.close();
        connection.close();
        connectionOfAlice.close();
        admin.resource(role(Set.of())).delete();
    }
}
