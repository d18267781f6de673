package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ConditionDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.DetailsDescriptor;
import io.github.reconciler4j.support.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the page of one object shows besides its reconciliations. Conditions and owned objects come from the cache, and nothing
 * of a Secret but its header is read. Thread-safe.
 */
final class ObjectDetails {

    private final ObjectEvents events;

    ObjectDetails(TimeSource time) {
        this.events = new ObjectEvents(time);
    }

    /** Return what is known about an object. */
    DetailsDescriptor of(KindStatus kind, ObjectHeader known, Cluster cluster) {
        ObjectEvents.Events read = events.of(known, cluster);
        Optional<GenericKubernetesResource> object = CachedObjects.object(kind, known.key(), cluster);
        ObjectChildren.Children children = ObjectChildren.of(known, cluster);
        return new DetailsDescriptor(
                kind.kind().kind().toString(),
                known.creationTimestamp(),
                text(known.deletionTimestamp()),
                known.generation(),
                known.finalizers(),
                conditions(object),
                CachedObjects.readiness(object),
                children.shown(),
                children.leftOut(),
                read.events(),
                read.problem());
    }

    private static List<ConditionDescriptor> conditions(Optional<GenericKubernetesResource> object) {
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
}
