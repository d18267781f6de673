package io.github.reconciler4j.test.fullcluster.internal.support;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.EventSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
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
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the events of the scheduler, of nodes and of claims in the form that upstream's have, which names containers and nodes. An event that
 * repeats counts. A failure is logged only. Safe for use by many threads.
 */
public final class ClusterEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterEvents.class);
    private static final String SCHEDULER = "default-scheduler";
    private static final String KUBELET = "kubelet";
    private static final String VOLUMES = "persistentvolume-controller";

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
        write(pod, field, new EventSource(KUBELET, pod.getSpec().getNodeName()), type, reason, message);
    }

    /** Write an event of what binds a claim. */
    public void claim(PersistentVolumeClaim claim, String type, String reason, String message) {
        write(claim, "", new EventSource(VOLUMES, null), type, reason, message);
    }

    private void write(
            HasMetadata about, String field, EventSource source, String type, String reason, String message) {
        String identity = about.getMetadata().getUid() + "/" + field + "/" + type + "/" + reason + "/" + message;
        Known now = known.compute(
                identity,
                (key, before) -> before == null
                        ? new Known(ObjectKey.of(about.getMetadata().getNamespace(), name(about)), 1)
                        : new Known(before.key(), before.count() + 1));
        String time = Times.format(clock.instant());
        if (now.count() > 1) {
            repeat(now, time);
            return;
        }
        create(new EventBuilder()
                .withNewMetadata()
                .withNamespace(now.key().namespace())
                .withName(now.key().name())
                .endMetadata()
                .withInvolvedObject(reference(about, field))
                .withType(type)
                .withReason(reason)
                .withMessage(message)
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withCount(1)
                .withSource(source)
                .withReportingComponent(source.getComponent())
                .withReportingInstance(Objects.requireNonNullElse(source.getHost(), ""))
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

    private String name(HasMetadata about) {
        return about.getMetadata().getName() + "." + Long.toHexString(numbers.incrementAndGet());
    }

    private static ObjectReference reference(HasMetadata about, String field) {
        return new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind(about.getKind())
                .withNamespace(about.getMetadata().getNamespace())
                .withName(about.getMetadata().getName())
                .withUid(about.getMetadata().getUid())
                .withResourceVersion(about.getMetadata().getResourceVersion())
                .withFieldPath(field.isEmpty() ? null : field)
                .build();
    }
}
