package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Enqueues the Service of a slice that others have changed or deleted, after a second in which further changes are
 * collected. Changes by this controller itself lead nowhere.
 *
 * <p>Safe for use by many threads.
 */
final class SliceEvents implements EventHandler<EndpointSlice, Request> {

    private static final Duration MIN_DELAY = Duration.ofSeconds(1);
    private static final long DELETED = Long.MAX_VALUE;

    private final Duration delay;

    /** By uid: the generation of slices that were written here, until they are gone. */
    private final Map<String, Long> written = new ConcurrentHashMap<>();

    SliceEvents(Duration batchPeriod) {
        this.delay = batchPeriod.compareTo(MIN_DELAY) > 0 ? batchPeriod : MIN_DELAY;
    }

    /** Note a slice that was written. */
    void expect(EndpointSlice slice) {
        written.put(
                slice.getMetadata().getUid(),
                Objects.requireNonNullElse(slice.getMetadata().getGeneration(), 0L));
    }

    /** Note a slice that is about to be deleted. */
    void expectDeletion(EndpointSlice slice) {
        written.put(slice.getMetadata().getUid(), DELETED);
    }

    @Override
    public void onEvent(ObjectEvent<? extends EndpointSlice> event, RequestSink<Request> sink) {
        ObjectHeader slice = event.snapshot().header();
        if (event instanceof ObjectEvent.Deleted) {
            Long generation = written.remove(slice.uid());
            boolean expected = generation != null && generation == DELETED;
            if (isManaged(slice)
                    && !expected) { // also one that an earlier process wrote, which Kubernetes' own ignores
                enqueue(slice, sink);
            }
            return;
        }
        if (event instanceof ObjectEvent.Updated<? extends EndpointSlice> update) {
            ObjectHeader before = update.previous().header();
            if (!Slices.serviceName(before.labels()).equals(Slices.serviceName(slice.labels()))) {
                enqueue(before, sink);
                enqueue(slice, sink);
                return;
            }
            if (isManaged(before) != isManaged(slice)) {
                enqueue(slice, sink);
                return;
            }
        }
        if (isManaged(slice) && slice.generation() > written.getOrDefault(slice.uid(), -1L)) {
            enqueue(slice, sink);
        }
    }

    private static boolean isManaged(ObjectHeader slice) {
        return Slices.CONTROLLER.equals(slice.labels().get(Slices.MANAGED_BY));
    }

    private void enqueue(ObjectHeader slice, RequestSink<Request> sink) {
        Slices.serviceName(slice.labels())
                .ifPresent(service ->
                        sink.addAfter(Request.of(ObjectKey.of(slice.key().namespace(), service)), delay));
    }
}
