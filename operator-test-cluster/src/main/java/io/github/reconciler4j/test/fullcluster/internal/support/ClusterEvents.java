package io.github.reconciler4j.test.fullcluster.internal.support;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the events of the scheduler and of nodes in the form that upstream's have, which names containers and nodes. An event that
 * repeats counts. A failure is logged only. Safe for use by many threads.
 */
public final class ClusterEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterEvents.class);
    private static final String SCHEDULER = "default-scheduler";
    private static final String KUBELET = "kubelet";

    private final Client client;
    private final Clock clock;
    private final AtomicLong numbers;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** An event that was written, and how often it happened. */
    private record Known(ObjectKey key, int count) {}

    /** Create one that writes with this client. */
    public ClusterEvents(Client client, Clock clock) {
        this.client = client;
        this.clock = clock;
        this.numbers = new AtomicLong(clock.millis() << 20);
    }

    /** Write an event of the scheduler. */
    public void scheduling(Pod pod, String type, String reason, String action, String note) {
        Event event = new io.fabric8.kubernetes.api.model.events.v1.EventBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(name(pod))
                .endMetadata()
                .withEventTime(new MicroTime(Times.formatMicros(clock.instant())))
                .withReportingController(SCHEDULER)
                .withReportingInstance(SCHEDULER + "-test")
                .withAction(action)
                .withReason(reason)
                .withType(type)
                .withNote(note)
                .withRegarding(reference(pod, ""))
                .build();
        create(event);
    }

    /**
     * Write an event of a node.
     *
     * @param field the part of the pod, such as {@code spec.containers{web}}; empty for the pod
     */
    public void node(Pod pod, String field, String type, String reason, String message) {
        String identity = pod.getMetadata().getUid() + "/" + field + "/" + type + "/" + reason + "/" + message;
        Known now = known.compute(
                identity,
                (key, before) -> before == null
                        ? new Known(ObjectKey.of(pod.getMetadata().getNamespace(), name(pod)), 1)
                        : new Known(before.key(), before.count() + 1));
        String time = Times.format(clock.instant());
        if (now.count() > 1) {
            repeat(now, time);
            return;
        }
        String node = pod.getSpec().getNodeName();
        create(new EventBuilder()
                .withNewMetadata()
                .withNamespace(now.key().namespace())
                .withName(now.key().name())
                .endMetadata()
                .withInvolvedObject(reference(pod, field))
                .withType(type)
                .withReason(reason)
                .withMessage(message)
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withCount(1)
                .withNewSource(KUBELET, node)
                .withReportingComponent(KUBELET)
                .withReportingInstance(node)
                .build());
    }

    /** Forget the events of a pod that is gone. */
    public void forget(String uid) {
        known.keySet().removeIf(identity -> identity.startsWith(uid + "/"));
    }

    private void repeat(Known event, String time) {
        try {
            client.patch(
                    Kind.of(io.fabric8.kubernetes.api.model.Event.class),
                    event.key(),
                    ObjectPatch.merge(Map.of("count", event.count(), "lastTimestamp", time)),
                    WriteOptions.defaults());
        } catch (ApiException e) {
            LOG.debug("An event of a pod could not be counted", e);
        }
    }

    private void create(HasMetadata event) {
        try {
            client.create(event);
        } catch (ApiException e) {
            LOG.debug("An event of a pod could not be written", e); // for example while its namespace is deleted
        }
    }

    private String name(Pod pod) {
        return pod.getMetadata().getName() + "." + Long.toHexString(numbers.incrementAndGet());
    }

    private static ObjectReference reference(Pod pod, String field) {
        return new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Pod")
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .withResourceVersion(pod.getMetadata().getResourceVersion())
                .withFieldPath(field.isEmpty() ? null : field)
                .build();
    }
}
