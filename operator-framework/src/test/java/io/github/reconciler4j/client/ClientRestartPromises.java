package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.scheme.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** What a program that has just been started applies of what the one before it had applied. */
interface ClientRestartPromises extends ClientPromises {

    /** As people write them, without what the server fills in. */
    String POD = """
            metadata: {labels: {app: x}}
            spec:
              serviceAccountName: x
              securityContext: {runAsNonRoot: true}
              containers:
              - name: main
                image: web:1
                args: [--port, "8080"]
                ports: [{containerPort: 8080, name: http}, {containerPort: 53, protocol: UDP}]
                env:
                - {name: A, value: "1"}
                - {name: B, valueFrom: {secretKeyRef: {name: x, key: b}}}
                resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 1Gi}}
                livenessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 5}
                volumeMounts: [{name: v, mountPath: /v}]
              - {name: side, image: "side:1"}
              volumes: [{name: v, configMap: {name: x}}]
            """.indent(4);

    List<String> OBJECTS = List.of(
            "apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: x}}\n"
                    + "  template:\n" + POD,
            "apiVersion: v1\nkind: Service\nspec: {selector: {app: x}, ports: [{port: 80, name: a}, {port: 53, name: b,"
                    + " protocol: UDP, targetPort: 8080}]}",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {a: b}, annotations: {c.d/e: f}, finalizers: [g.h/i],"
                    + " ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: UID}]}\ndata: {a: '1', b.c: '2'}",
            "apiVersion: v1\nkind: Secret\nmetadata: {}\ndata: {c: ZA==}",
            "apiVersion: v1\nkind: ServiceAccount\nmetadata: {labels: {a: b}}",
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules: [{apiGroups: [''], resources: [pods], verbs:"
                    + " [get, list]}]",
            "apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec: {rules: [{host: x.example, http: {paths: [{path: /,"
                    + " pathType: Prefix, backend: {service: {name: x, port: {number: 80}}}}]}}]}",
            "apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec: {minAvailable: 1, selector: {matchLabels: {app: x}}}",
            "apiVersion: client.test.reconciler4j.io/v1\nkind: Gadget\nspec: {replicas: 1, items: [x, y]}");

    private static GenericKubernetesResource object(String yaml, String namespace) {
        GenericKubernetesResource object =
                new KubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
        if (object.getMetadata() == null) {
            object.setMetadata(new ObjectMeta());
        }
        object.getMetadata().setName("x");
        object.getMetadata().setNamespace(namespace);
        return object;
    }

    /** Return a client of the same program after a restart. */
    private Client restarted() {
        return Client.create(
                connection(), Scheme.create(), ClientOptions.defaults().withFieldManager("client-test"));
    }

    @Test
    default void applyAfterRestartWhenNothingChangesSendsNothing() {
        SoftAssertions every = new SoftAssertions();
        String owner = client().create(configMap("owner")).getMetadata().getUid();
        for (String yaml : OBJECTS) {
            GenericKubernetesResource wanted = object(yaml.replace("UID", owner), namespace());
            GenericKubernetesResource first = client().applyUnconditionally(wanted, ApplyOptions.defaults());
            client().withFieldManager("other")
                    .patch(first, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("o", "p")))));

            Client restarted = restarted();
            OperationResult<GenericKubernetesResource> again =
                    restarted.applyWithOutcome(wanted, ApplyOptions.defaults());
            every.assertThat(again.outcome()).as(yaml).isEqualTo(Outcome.UNCHANGED);
            every.assertThat(again.object().getMetadata().getLabels()).as(yaml).containsEntry("o", "p");
            every.assertThat(restarted
                            .applyWithOutcome(wanted, ApplyOptions.defaults())
                            .outcome())
                    .as(yaml)
                    .isEqualTo(Outcome.UNCHANGED);
            client().patch(first, ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of()))));
        }
        every.assertAll();
    }

    @Test
    default void applyAfterRestartWhenFieldsAreOmittedRemovesThem() {
        ConfigMap former =
                new ConfigMapBuilder(configMap("less")).addToData("old", "1").build();
        client().applyUnconditionally(former, ApplyOptions.defaults());
        OperationResult<ConfigMap> now = restarted().applyWithOutcome(configMap("less"), ApplyOptions.defaults());
        assertThat(now.outcome()).isNotEqualTo(Outcome.UNCHANGED);
        assertThat(now.object().getData()).containsOnlyKeys("a");

        client().applyUnconditionally(service(80, 81), ApplyOptions.defaults());
        OperationResult<Service> service = restarted().applyWithOutcome(service(80), ApplyOptions.defaults());
        assertThat(service.outcome()).isNotEqualTo(Outcome.UNCHANGED);
        assertThat(service.object().getSpec().getPorts()).hasSize(1);
    }

    private Service service(int... ports) {
        List<String> all = new ArrayList<>();
        for (int port : ports) {
            all.add("{name: p" + port + ", port: " + port + "}");
        }
        Service service = new KubernetesSerialization()
                .unmarshal(
                        "kind: Service\napiVersion: v1\nspec: {selector: {a: b}, ports: " + all + "}", Service.class);
        service.setMetadata(named("ports"));
        return service;
    }

    @Test
    default void applyAfterRestartWhenOrderOfListDiffersSendsIt() {
        client().applyUnconditionally(service(80, 81), ApplyOptions.defaults());
        assertThat(restarted()
                        .applyWithOutcome(service(80, 81), ApplyOptions.defaults())
                        .outcome())
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(restarted()
                        .applyWithOutcome(service(81, 80), ApplyOptions.defaults())
                        .outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
    }

    @Test
    default void applyAfterRestartWhenOthersChangedTheObjectRestoresIt() {
        ConfigMap wanted = configMap("drift");
        client().applyUnconditionally(wanted, ApplyOptions.defaults());
        client().withFieldManager("other").patch(wanted, ObjectPatch.merge(Map.of("data", Map.of("a", "9"))));
        OperationResult<ConfigMap> applied = restarted().applyWithOutcome(wanted, ApplyOptions.defaults());
        assertThat(applied.outcome()).isNotEqualTo(Outcome.UNCHANGED);
        assertThat(applied.object().getData()).containsEntry("a", "1");
    }

    @Test
    default void applyAfterRestartWhenOthersTookTheFieldsOwnsThemAgain() {
        ConfigMap before = configMap("taken");
        client().applyUnconditionally(before, ApplyOptions.defaults());
        ConfigMap wanted = new ConfigMapBuilder(before).addToData("a", "2").build();
        client().withFieldManager("other").applyUnconditionally(wanted, ApplyOptions.defaults());
        // The values are those that are wanted, but only the other one owns them.
        assertThat(restarted().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
        ConfigMap none = configMap("taken");
        none.setData(Map.of());
        client().withFieldManager("other").applyUnconditionally(none, ApplyOptions.defaults());
        assertThat(client().live()
                        .get(ConfigMap.class, key("taken"))
                        .orElseThrow()
                        .getData())
                .containsEntry("a", "2");
    }

    @Test
    default void applyAfterRestartWhenObjectWasOnlyUpdatedSendsIt() {
        ConfigMap wanted = configMap("updated");
        client().create(wanted);
        assertThat(restarted().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
        assertThat(restarted().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(restarted()
                        .withFieldManager("other")
                        .applyWithOutcome(wanted, ApplyOptions.defaults())
                        .outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
    }

    @Test
    default void applyAfterRestartWhenObjectWasRecreatedSendsIt() {
        ConfigMap wanted = configMap("again");
        wanted.getMetadata()
                .setUid(client().applyUnconditionally(wanted, ApplyOptions.defaults())
                        .getMetadata()
                        .getUid());
        assertThat(restarted().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        wanted.getMetadata().setUid(null);
        client().delete(wanted);
        Optional<ConfigMap> gone = client().live().get(ConfigMap.class, key("again"));
        assertThat(gone).isEmpty();
        assertThat(restarted().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isNotEqualTo(Outcome.UNCHANGED);
    }
}
