package io.github.reconciler4j.controllers.internal.namespace;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controllers.internal.support.ServedResources;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Empties a namespace that is being deleted, says in its status what is left, and removes its finalizer at the end. */
final class NamespaceReconciler implements RequestReconciler<Request> {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceReconciler.class);

    private static final String TERMINATING = "Terminating";

    private final Client client;
    private final ApiConnection connection;
    private final Clock clock;

    NamespaceReconciler(Client client, ApiConnection connection, Clock clock) {
        this.client = client;
        this.connection = connection;
        this.clock = clock;
    }

    /** Other controllers change a namespace while it ends, so that only the API server knows its state. */
    @Override
    public Result reconcile(Request request, ReconcileContext context) {
        Namespace namespace = client.live().get(Namespace.class, request.key()).orElse(null);
        if (namespace == null || namespace.getMetadata().getDeletionTimestamp() == null) {
            return Result.done();
        }
        try {
            return empty(terminating(namespace));
        } catch (NotFoundException e) {
            if (client.live().exists(Kind.of(Namespace.class), request.key())) {
                throw e;
            }
            return Result.done();
        }
    }

    private Namespace terminating(Namespace namespace) {
        return TERMINATING.equals(status(namespace).getPhase())
                ? namespace
                : client.status().edit(namespace, changed -> {
                    changed.setStatus(status(changed));
                    changed.getStatus().setPhase(TERMINATING);
                });
    }

    private static NamespaceStatus status(Namespace namespace) {
        return Objects.requireNonNullElseGet(namespace.getStatus(), NamespaceStatus::new);
    }

    private Result empty(Namespace namespace) {
        if (NamespaceFinalizer.isFinalized(namespace)) {
            return Result.done();
        }
        Emptying emptying = new Emptying(client, clock, namespace);
        try {
            emptying.run(ServedResources.request(connection));
        } catch (ApiException e) {
            emptying.withoutDiscovery(String.valueOf(e.getMessage()));
        }
        Namespace written = writeConditions(namespace, emptying.conditions());
        if (!emptying.failures().isEmpty()) {
            throw new IllegalStateException(
                    "Namespace " + namespace.getMetadata().getName() + " is not empty yet: "
                            + String.join("; ", emptying.failures()));
        }
        if (emptying.estimate() > 0) {
            return Result.requeueAfter(Duration.ofSeconds(emptying.estimate() / 2 + 1));
        }
        finish(written);
        return Result.done();
    }

    /** The conditions only inform, so that a failure does not end the deletion. */
    private Namespace writeConditions(Namespace namespace, NamespaceConditions conditions) {
        try {
            return client.status().edit(namespace, changed -> {
                changed.setStatus(status(changed));
                changed.getStatus()
                        .setConditions(conditions.applyTo(
                                Objects.requireNonNullElse(changed.getStatus().getConditions(), List.of()),
                                clock.instant()));
            });
        } catch (ApiException e) {
            LOG.warn("The conditions of a namespace cannot be written: {}", e.getMessage());
            return namespace;
        }
    }

    /** Remove the finalizer of this controller from the spec; the API server deletes the namespace after the last one. */
    private void finish(Namespace emptied) {
        Namespace namespace = emptied;
        while (true) {
            try {
                Namespace body = new NamespaceBuilder()
                        .withMetadata(namespace.getMetadata())
                        .withNewSpec()
                        .withFinalizers(NamespaceFinalizer.withoutOwn(namespace))
                        .endSpec()
                        .build();
                client.subresource("finalize").write(namespace, body, WriteOptions.defaults());
                return;
            } catch (ConflictException e) {
                Namespace latest = client.live()
                        .get(Namespace.class, ObjectKey.of(namespace))
                        .orElse(null);
                if (latest == null) {
                    return;
                }
                if (!Objects.equals(
                        latest.getMetadata().getUid(), namespace.getMetadata().getUid())) {
                    throw e;
                }
                namespace = latest;
            }
        }
    }
}
