package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.controllers.internal.services.TriggerTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What to write so that the slices of a Service list its pods. The lists are filled step by step. */
final class SliceChanges {

    final List<EndpointSlice> create = new ArrayList<>();
    final List<EndpointSlice> update = new ArrayList<>();
    final List<EndpointSlice> delete = new ArrayList<>();

    /** The slices that are neither updated nor deleted. */
    List<EndpointSlice> unchanged(Collection<EndpointSlice> existing) {
        Set<String> changed = new HashSet<>();
        update.forEach(slice -> changed.add(slice.getMetadata().getName()));
        delete.forEach(slice -> changed.add(slice.getMetadata().getName()));
        return existing.stream()
                .filter(slice -> !changed.contains(slice.getMetadata().getName()))
                .toList();
    }

    void addAll(SliceChanges others) {
        create.addAll(others.create);
        update.addAll(others.update);
        delete.addAll(others.delete);
    }

    /** Turn creations into updates of slices that would be deleted: one write in place of two. */
    void reuseDeleted(Service service) {
        for (EndpointSlice deleted : List.copyOf(delete)) {
            if (create.isEmpty()) {
                return;
            }
            EndpointSlice last = create.get(create.size() - 1);
            if (Objects.equals(deleted.getAddressType(), last.getAddressType()) && Slices.isOwnedBy(deleted, service)) {
                create.remove(create.size() - 1);
                delete.remove(deleted);
                last.getMetadata().setName(deleted.getMetadata().getName());
                last.getMetadata().setResourceVersion(deleted.getMetadata().getResourceVersion());
                update.add(last);
            }
        }
    }

    /** Write the time of the change that led to this into all slices that are written. */
    void annotate(@Nullable Instant triggerTime) {
        create.forEach(slice -> annotate(slice, triggerTime));
        update.forEach(slice -> annotate(slice, triggerTime));
    }

    private static void annotate(EndpointSlice slice, @Nullable Instant triggerTime) {
        Map<String, String> annotations = Slices.copy(slice.getMetadata().getAnnotations());
        annotations.remove(TriggerTimes.ANNOTATION);
        if (triggerTime != null) {
            annotations.put(TriggerTimes.ANNOTATION, triggerTime.toString());
        }
        slice.getMetadata().setAnnotations(annotations);
    }
}
