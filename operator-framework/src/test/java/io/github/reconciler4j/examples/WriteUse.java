package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.client.FieldValidation;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What the options of reads and writes look like. */
final class WriteUse {

    private final Client client;

    WriteUse(Client client) {
        this.client = client;
    }

    Optional<Secret> read(Greeting greeting) {
        List<ConfigMap> children = client.listOwned(greeting, ConfigMap.class);
        boolean known = client.exists(Kind.of(Secret.class), ObjectKey.of("shop", "login"));
        return known && children.isEmpty() ? client.get(Secret.class, "shop", "login") : Optional.empty();
    }

    List<Pod> select() {
        return client.list(Kind.of(Pod.class), Selection.inNamespace("shop").withLabelSelector("app=web,tier!=test"));
    }

    long count() {
        try (Stream<Pod> pods = client.live().stream(Kind.of(Pod.class), Selection.all())) {
            return pods.filter(pod -> pod.getSpec().getNodeName() == null).count();
        }
    }

    boolean hasRoutes() {
        return client.discovery().serves(KindName.of("route.openshift.io/v1", "Route"))
                && client.discovery().isKubernetesAtLeast(33);
    }

    void write(ConfigMap wanted) {
        ConfigMap created = client.create(wanted);
        created.getData().put("mode", "fast");
        client.update(created); // fails with a ConflictException if it has changed
        client.delete(created);
    }

    void defaults(ConfigMap wanted) {
        client.apply(
                wanted,
                ApplyOptions.defaults().withFieldManager("shop-defaults").withoutForce());
    }

    boolean isNew(ConfigMap wanted) {
        OperationResult<ConfigMap> result = client.applyWithOutcome(wanted, ApplyOptions.defaults());
        return result.outcome() == OperationResult.Outcome.CREATED;
    }

    void check(ConfigMap wanted, Consumer<String> log) {
        client.create(
                wanted,
                WriteOptions.defaults()
                        .asDryRun()
                        .withFieldValidation(FieldValidation.STRICT)
                        .withOnWarning(log));
    }

    void delete(ConfigMap read) {
        client.delete(
                read,
                DeletionOptions.exactly(read)
                        .withPropagation(Propagation.FOREGROUND)
                        .withGracePeriod(Duration.ofSeconds(5)));
    }

    void report(Deployment deployment) {
        Long generation = deployment.getMetadata().getGeneration();
        client.status().edit(deployment, changed -> changed.getStatus().setObservedGeneration(generation));
    }

    void scale(Deployment deployment) {
        if (client.scale().get(deployment).getSpec().getReplicas() < 3) {
            client.scale().set(deployment, 3);
        }
    }

    ConfigMap tryOut(ConfigMap wanted) throws Exception {
        return DryRunScope.call(() -> client.apply(wanted));
    }

    void later(Executor executor, ConfigMap wanted) {
        Runnable write = WorkScope.inherit(() -> client.apply(wanted)); // the field manager of this controller
        executor.execute(WriteScope.inherit(write)); // fails if this process has lost its lease
    }
}
