package io.github.reconciler4j.controllers.internal.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SliceEventsTests {

    private final SliceEvents events = new SliceEvents(Duration.ZERO);
    private final List<Request> enqueued = new ArrayList<>();

    private record Snapshot(EndpointSlice object) implements ObjectSnapshot<EndpointSlice> {
        @Override
        public ObjectHeader header() {
            return new Header(ObjectKey.of(object), object.getMetadata());
        }
    }

    private record Header(ObjectKey key, ObjectMeta metadata) implements ObjectHeader {
        @Override
        public String uid() {
            return metadata.getUid();
        }

        @Override
        public String resourceVersion() {
            return "1";
        }

        @Override
        public long generation() {
            return metadata.getGeneration();
        }

        @Override
        public Map<String, String> labels() {
            return metadata.getLabels();
        }

        @Override
        public Map<String, String> annotations() {
            return Map.of();
        }

        @Override
        public List<OwnerRef> ownerReferences() {
            return List.of();
        }

        @Override
        public List<String> finalizers() {
            return List.of();
        }

        @Override
        public @Nullable String creationTimestamp() {
            return null;
        }

        @Override
        public @Nullable String deletionTimestamp() {
            return null;
        }
    }

    private static EndpointSlice slice(long generation) {
        return new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("web-1")
                .withUid("1")
                .withGeneration(generation)
                .addToLabels(Slices.SERVICE_NAME, "web")
                .addToLabels(Slices.MANAGED_BY, Slices.CONTROLLER)
                .endMetadata()
                .build();
    }

    private void receive(ObjectEvent<EndpointSlice> event) {
        events.onEvent(event, (request, delay, priority, trigger) -> enqueued.add(request));
    }

    private void receiveDeletion() {
        receive(new ObjectEvent.Deleted<>(new Snapshot(slice(1)), false));
    }

    @Test
    void sliceWhenWrittenHereIsNotEnqueued() {
        events.expect(slice(1));
        receive(new ObjectEvent.Created<>(new Snapshot(slice(1)), false));

        assertThat(enqueued).isEmpty();
    }

    @Test
    void sliceWhenChangedByOthersIsEnqueued() {
        events.expect(slice(1));
        receive(new ObjectEvent.Updated<>(new Snapshot(slice(1)), new Snapshot(slice(2)), false));

        assertThat(enqueued).containsExactly(Request.of(ObjectKey.of("default", "web")));
    }

    @Test
    void sliceWhenDeletedHereIsNotEnqueued() {
        events.expect(slice(1));
        events.expectDeletion(slice(1));
        receiveDeletion();

        assertThat(enqueued).isEmpty();
    }

    @Test
    void sliceWhenDeletedByOthersIsEnqueued() {
        events.expect(slice(1));
        receiveDeletion();

        assertThat(enqueued).containsExactly(Request.of(ObjectKey.of("default", "web")));
    }

    /** Kubernetes' own controller misses this until the Service or its pods change. */
    @Test
    void sliceWhenAnEarlierProcessWroteItAndOthersDeleteItIsEnqueued() {
        receiveDeletion();

        assertThat(enqueued).containsExactly(Request.of(ObjectKey.of("default", "web")));
    }
}
