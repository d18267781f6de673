package io.github.reconciler4j.controllers.internal.namespace;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.support.ServedResources;
import io.github.reconciler4j.controllers.internal.support.ServedResources.Resource;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.UnknownKindException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Deletes everything in one namespace once, and keeps what it has found. Confined to one thread. */
final class Emptying {

    /** How long finalizers take, in seconds, as nothing says it. */
    private static final long FINALIZER_ESTIMATE = 15;

    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final DeletionOptions BACKGROUND =
            DeletionOptions.defaults().withPropagation(Propagation.BACKGROUND);

    private final Client client;
    private final Clock clock;
    private final String namespace;
    private final Instant deletedAt;
    private final NamespaceConditions conditions = new NamespaceConditions();
    private final Remaining remaining = new Remaining();
    private final List<String> failures = new ArrayList<>();
    private final List<String> deletionFailures = new ArrayList<>();
    private long estimate;

    Emptying(Client client, Clock clock, Namespace namespace) {
        this.client = client;
        this.clock = clock;
        this.namespace = namespace.getMetadata().getName();
        this.deletedAt =
                Objects.requireNonNull(Times.parse(namespace.getMetadata().getDeletionTimestamp()));
    }

    NamespaceConditions conditions() {
        return conditions;
    }

    /** Return everything that went wrong. */
    List<String> failures() {
        return failures;
    }

    /** Return in how many seconds the rest will be gone; zero if nothing is left. */
    long estimate() {
        return estimate;
    }

    /** Report that the resources of the server are not known. */
    void withoutDiscovery(String failure) {
        failures.add(failure);
        conditions.report(NamespaceProblem.DISCOVERY, failure);
    }

    /** Delete everything. Pods go first, since they may need the rest while they end. */
    void run(ServedResources served) {
        if (!served.failures().isEmpty()) {
            failures.add(served.failureText());
            conditions.report(
                    NamespaceProblem.DISCOVERY,
                    "Discovery failed for some groups, " + served.failures().size() + " failing: "
                            + served.failureText());
        }
        List<Resource> resources = new ArrayList<>(served.supporting(List.of("delete")));
        resources.removeIf(resource -> !resource.kind().namespaced());
        Optional<Resource> pods = resources.stream().filter(Emptying::isPods).findFirst();
        pods.ifPresent(this::delete);
        if (remaining.isEmpty()) {
            resources.stream().filter(resource -> !isPods(resource)).forEach(this::delete);
            conditions.report(remaining);
        }
        conditions.reportDeletions(deletionFailures);
    }

    private static boolean isPods(Resource resource) {
        return resource.kind().resource().equals("pods");
    }

    private void delete(Resource resource) {
        long grace = 0;
        try {
            client.scheme().register(resource.kind());
            grace = isPods(resource) ? gracePeriod() : 0;
            Kind<ObjectHeader> kind = Kind.of(resource.kind().kind()).metadata();
            if (!deleteCollection(kind, resource)) {
                deleteEach(kind, resource);
            }
            List<ObjectHeader> left = list(kind, resource);
            if (left.isEmpty()) {
                return;
            }
            boolean held = left.stream().anyMatch(object -> !object.finalizers().isEmpty());
            if (grace == 0 && !held) {
                remaining.add(Remaining.name(resource.kind()), left.size());
                fail(
                        resource,
                        "unexpected items still remain in namespace: " + namespace + " for gvr: "
                                + text(resource.kind()));
                return;
            }
            remaining.add(resource.kind(), left);
            estimate = Math.max(estimate, grace == 0 ? FINALIZER_ESTIMATE : grace);
        } catch (ApiException | UnknownKindException e) {
            fail(resource, String.valueOf(e.getMessage()));
            estimate = Math.max(estimate, grace);
        }
    }

    private void fail(Resource resource, String message) {
        String failure =
                isPods(resource) ? "failed to delete pods for namespace: " + namespace + ", err: " + message : message;
        failures.add(failure);
        deletionFailures.add(failure);
    }

    private static String text(KindInfo kind) {
        return kind.kind().group() + "/" + kind.kind().version() + ", Resource=" + kind.plural();
    }

    private long gracePeriod() {
        List<Pod> pods = client.live().list(Kind.of(Pod.class), Selection.inNamespace(namespace));
        return GracePeriods.estimate(pods, deletedAt, clock.instant());
    }

    /** Delete with one request; false if the server cannot. */
    private boolean deleteCollection(Kind<?> kind, Resource resource) {
        if (!resource.verbs().contains("deletecollection")) {
            return false;
        }
        try {
            client.deleteAll(kind, Selection.inNamespace(namespace), BACKGROUND);
            return true;
        } catch (ApiException e) {
            return supported(e);
        }
    }

    /** Rethrow a failure unless it means that the server does not have the operation. */
    private static boolean supported(ApiException e) {
        if (e.code() == NOT_FOUND || e.code() == METHOD_NOT_ALLOWED) {
            return false;
        }
        throw e;
    }

    private void deleteEach(Kind<ObjectHeader> kind, Resource resource) {
        for (ObjectHeader object : list(kind, resource)) {
            try {
                client.delete(kind, ObjectKey.of(namespace, object.key().name()), BACKGROUND);
            } catch (ApiException e) {
                supported(e);
            }
        }
    }

    /** Return what is there, nothing if the server cannot list it. */
    private List<ObjectHeader> list(Kind<ObjectHeader> kind, Resource resource) {
        if (!resource.verbs().contains("list")) {
            return List.of();
        }
        try {
            return client.live().list(kind, Selection.inNamespace(namespace));
        } catch (ApiException e) {
            supported(e);
            return List.of();
        }
    }
}
