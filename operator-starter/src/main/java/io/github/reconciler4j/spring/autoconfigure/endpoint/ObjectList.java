package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOperations;
import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ItemDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ObjectsDescriptor;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Position;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Finds objects of a controller in the cache: by their headers only, of which none is copied, and the bodies of one page for their
 * readiness. Thread-safe.
 */
final class ObjectList {

    /** The number of objects of a page. */
    static final int PAGE = 50;

    private static final int MAX_SEARCH = 300;

    private final Manager manager;
    private final ObjectStates states;
    private final RunHistories runs;
    private final TimeSource time;

    ObjectList(Manager manager, ObjectStates states, RunHistories runs, TimeSource time) {
        this.manager = manager;
        this.states = states;
        this.runs = runs;
        this.time = time;
    }

    /**
     * Which objects are wanted.
     *
     * @param search words that the namespace and name contain, all of them, whatever their case
     * @param page the number of the page, from 0
     */
    record Query(String search, OperatorEndpoint.Filter filter, int page) {}

    /** Finds the latest reconciliations of a request. */
    @FunctionalInterface
    interface RunHistories {
        List<RunHistory.Entry> of(Controller<Request> controller, Request request);
    }

    ObjectsDescriptor of(Controller<Request> controller, KindName kind, String clusterName, Query query) {
        Optional<Cluster> cluster = Clusters.of(manager).find(clusterName);
        Optional<KindStatus> status = cluster.flatMap(found -> CachedObjects.synced(kind, found));
        if (cluster.isEmpty() || status.isEmpty()) {
            return new ObjectsDescriptor(kind.toString(), false, 0, 0, 0, PAGE, List.of());
        }
        List<ObjectHeader> all = CachedObjects.headers(status.get(), Selection::all, cluster.get());
        Predicate<ObjectHeader> wanted = search(query.search()).and(filter(query.filter(), controller, clusterName));
        List<ObjectHeader> matching = new ArrayList<>();
        all.stream().filter(wanted).forEach(matching::add);
        int page = Math.max(0, Math.min(query.page(), (matching.size() - 1) / PAGE));
        List<ItemDescriptor> items =
                matching.subList(page * PAGE, Math.min(matching.size(), (page + 1) * PAGE)).stream()
                        .map(header -> item(header, controller, status.get(), cluster.get()))
                        .toList();
        return new ObjectsDescriptor(kind.toString(), true, all.size(), matching.size(), page, PAGE, items);
    }

    private static Predicate<ObjectHeader> search(String search) {
        String text = search.length() <= MAX_SEARCH ? search : search.substring(0, MAX_SEARCH);
        String[] words = StringUtils.tokenizeToStringArray(text.toLowerCase(Locale.ROOT), " ");
        if (words.length == 0) {
            return header -> true;
        }
        return header -> {
            String key = header.key().toString().toLowerCase(Locale.ROOT);
            for (String word : words) {
                if (!key.contains(word)) {
                    return false;
                }
            }
            return true;
        };
    }

    private Predicate<ObjectHeader> filter(
            OperatorEndpoint.Filter filter, Controller<Request> controller, String cluster) {
        ControllerOperations<Request> operations = controller.operations();
        String annotation = controller.options().pauseAnnotation();
        Instant now = time.instant();
        return switch (filter) {
            case ALL -> header -> true;
            case FAILING ->
                header -> operations.failing(request(header.key(), cluster)).isPresent();
            case STALLED ->
                header -> operations
                        .failing(request(header.key(), cluster))
                        .filter(FailingRequest::terminal)
                        .isPresent();
            case WAITING ->
                header -> operations
                        .find(request(header.key(), cluster))
                        .filter(position -> position.waitsFor() != Wait.NOTHING)
                        .isPresent();
            case RUNNING ->
                header -> operations
                        .find(request(header.key(), cluster))
                        .filter(Position::running)
                        .isPresent();
            case PAUSED ->
                header -> {
                    String value = header.annotations().get(annotation);
                    return value != null
                            && !ControllerOperations.Pause.parse(value)
                                    .left(now)
                                    .isZero();
                };
            case DELETING -> ObjectHeader::isBeingDeleted;
        };
    }

    private static Request request(ObjectKey key, String cluster) {
        return new Request(key.namespace(), key.name(), cluster);
    }

    private ItemDescriptor item(ObjectHeader header, Controller<Request> controller, KindStatus kind, Cluster cluster) {
        Request request = request(header.key(), cluster.name());
        @Nullable
        FailingRequest<Request> failing =
                controller.operations().failing(request).orElse(null);
        return new ItemDescriptor(
                request.toString(),
                header.creationTimestamp(),
                Objects.toString(header.deletionTimestamp(), ""),
                CachedObjects.readiness(CachedObjects.object(kind, header.key(), cluster)),
                states.of(controller, request, header, () -> runs.of(controller, request)),
                failing == null ? 0 : failing.failures(),
                failing == null ? "" : failing.error());
    }
}
