package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.ConditionDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.DetailsDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.EventDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OwnedDescriptor;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the page of one object shows besides its reconciliations. Conditions and owned objects come from the cache, of which only
 * the headers of owned objects and nothing of a Secret but its header is read. The events are listed from the API server, at most once
 * in five seconds per object, and once a minute while it refuses. Thread-safe.
 */
final class ObjectDetails {

    private static final KindName SECRET = KindName.of("v1", "Secret");
    private static final int MAX_OWNED = 100;
    private static final int MAX_EVENTS = 20;
    private static final int MAX_REMEMBERED = 100;

    /** Kinds with more objects are not searched for owned objects. */
    private static final int MAX_SEARCHED = 50_000;

    private static final Duration REMEMBER = Duration.ofSeconds(5);
    private static final Duration REMEMBER_FAILURE = Duration.ofMinutes(1);

    private final Manager manager;
    private final TimeSource time;
    private final LruMap<String, Events> remembered = new LruMap<>(MAX_REMEMBERED);

    /** The last failure of each cluster. */
    private final LruMap<String, Events> failed = new LruMap<>(MAX_REMEMBERED);

    ObjectDetails(Manager manager, TimeSource time) {
        this.manager = manager;
        this.time = time;
    }

    /** The events of one object, or why they cannot be read, until a moment of the clock. */
    private record Events(List<EventDescriptor> events, String problem, long until) {}

    /** Return what is known about an object of a controller's kind; null if the cache does not contain it. */
    @Nullable
    DetailsDescriptor of(KindInfo kind, Request request) {
        ObjectKey key = request.key();
        Cluster cluster = Clusters.of(manager).find(request.cluster()).orElse(null);
        Optional<ObjectHeader> header = cluster == null
                ? Optional.empty()
                : guarded(() -> cluster.cache().get(Kind.of(kind.kind()).metadata(), key));
        if (cluster == null || header.isEmpty()) {
            return null;
        }
        ObjectHeader known = header.get();
        Events events = events(known, cluster);
        return new DetailsDescriptor(
                kind.kind().toString(),
                known.creationTimestamp(),
                text(known.deletionTimestamp()),
                known.generation(),
                known.finalizers(),
                kind.kind().equals(SECRET) ? List.of() : conditions(kind.kind(), key, cluster),
                owned(known, cluster),
                events.events(),
                events.problem());
    }

    /** A kind may have left the cache, or be kept in a form without bodies. */
    private static <T> Optional<T> guarded(Supplier<Optional<T>> read) {
        try {
            return read.get();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private List<ConditionDescriptor> conditions(KindName kind, ObjectKey key, Cluster cluster) {
        Optional<GenericKubernetesResource> object =
                guarded(() -> cluster.cache().get(Kind.of(kind), key));
        Object status = object.map(GenericKubernetesResource::getAdditionalProperties)
                .map(properties -> properties.get("status"))
                .orElse(null);
        Object conditions = status instanceof Map<?, ?> fields ? fields.get("conditions") : null;
        if (!(conditions instanceof List<?> list)) {
            return List.of();
        }
        return list.stream()
                .filter(Map.class::isInstance)
                .map(each -> condition((Map<?, ?>) each))
                .toList();
    }

    private static ConditionDescriptor condition(Map<?, ?> condition) {
        return new ConditionDescriptor(
                text(condition.get("type")),
                text(condition.get("status")),
                text(condition.get("reason")),
                text(condition.get("message")),
                text(condition.get("lastTransitionTime")));
    }

    private static String text(@Nullable Object value) {
        return Objects.toString(value, "");
    }

    private List<OwnedDescriptor> owned(ObjectHeader owner, Cluster cluster) {
        String namespace = owner.key().namespace();
        Selection options = namespace.isEmpty() ? Selection.all() : Selection.inNamespace(namespace);
        List<OwnedDescriptor> owned = new ArrayList<>();
        cluster.cache().kinds().stream()
                .filter(status -> status.synced() && status.content().objects() <= MAX_SEARCHED)
                .map(KindStatus::kind)
                .filter(kind -> kind.namespaced() || namespace.isEmpty())
                .map(KindInfo::kind)
                .distinct()
                .sorted(Comparator.comparing(KindName::toString))
                .forEach(kind -> headers(kind, options, cluster).stream()
                        .filter(header -> header.ownerReferences().stream()
                                .anyMatch(reference -> reference.uid().equals(owner.uid())))
                        .limit(MAX_OWNED)
                        .forEach(header -> owned.add(new OwnedDescriptor(
                                kind.toString(),
                                header.key().toString(),
                                header.creationTimestamp(),
                                text(header.deletionTimestamp())))));
        return List.copyOf(owned.subList(0, Math.min(owned.size(), MAX_OWNED)));
    }

    private List<ObjectHeader> headers(KindName kind, Selection options, Cluster cluster) {
        return guarded(() -> Optional.of(cluster.cache().list(Kind.of(kind).metadata(), options)))
                .orElse(List.of());
    }

    private Events events(ObjectHeader object, Cluster cluster) {
        long now = time.nanoTime();
        Events failure = failed.get(cluster.name());
        if (failure != null && failure.until() - now > 0) {
            return failure;
        }
        Events known = remembered.get(object.uid());
        if (known != null && known.until() - now > 0) {
            return known;
        }
        try {
            Events read = new Events(list(object, cluster), "", now + REMEMBER.toNanos());
            remembered.put(object.uid(), read);
            return read;
        } catch (ApiException e) {
            Events refused = new Events(List.of(), text(e.getMessage()), now + REMEMBER_FAILURE.toNanos());
            failed.put(cluster.name(), refused);
            return refused;
        }
    }

    private List<EventDescriptor> list(ObjectHeader object, Cluster cluster) {
        String namespace = object.key().namespace();
        Selection options = Selection.inNamespace(namespace.isEmpty() ? "default" : namespace)
                .withFieldSelector("involvedObject.uid=" + object.uid())
                .withLimit(MAX_EVENTS);
        return cluster.client().live().list(Kind.of(Event.class), options).stream()
                .map(ObjectDetails::event)
                .sorted(Comparator.comparing(EventDescriptor::last).reversed())
                .toList();
    }

    private static EventDescriptor event(Event event) {
        String last = text(event.getLastTimestamp());
        if (event.getSeries() != null && event.getSeries().getLastObservedTime() != null) {
            last = event.getSeries().getLastObservedTime().getTime();
        } else if (last.isEmpty()) {
            MicroTime time = event.getEventTime();
            last = time == null ? event.getMetadata().getCreationTimestamp() : time.getTime();
        }
        Integer count =
                event.getSeries() == null ? event.getCount() : event.getSeries().getCount();
        return new EventDescriptor(
                text(event.getType()),
                text(event.getReason()),
                text(event.getMessage()),
                count == null ? 1 : count,
                text(last));
    }
}
