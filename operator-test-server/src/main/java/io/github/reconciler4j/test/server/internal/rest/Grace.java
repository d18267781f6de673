package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.time.Instant;
import java.util.List;

/** The grace period of pods: the time between the wish to delete one and its end on a node. */
final class Grace {
    /** What the grace period means for a removal. */
    enum Step {
        /** There is none: delete now, or mark for finalizers. */
        NONE,
        /** It begins or gets shorter: the object was marked and waits for whoever ends it. */
        WAIT,
        /** It began earlier and the request does not shorten it. */
        ALREADY_PENDING
    }

    private static final List<String> ENDED = List.of("Succeeded", "Failed");

    private Grace() {}

    /** Sets deletion time and period of a pod; leaves other kinds alone. */
    static Step of(ResourceType type, ObjectNode object, DeleteOptions options, Instant now) {
        if (!type.is("", "pods")) {
            return Step.NONE;
        }
        ObjectNode metadata = Json.metadata(object);
        Long asked = options.grace() != null && options.grace() < 0 ? Long.valueOf(1) : options.grace();
        if (metadata.hasNonNull("deletionTimestamp")) {
            return shorten(metadata, asked, now);
        }
        long period = period(object, asked);
        metadata.put("deletionTimestamp", Times.text(now.plusSeconds(period)));
        metadata.put("deletionGracePeriodSeconds", period);
        MetadataRules.bumpForDeletion(metadata);
        return period > 0 ? Step.WAIT : Step.NONE;
    }

    private static long period(ObjectNode pod, @org.jspecify.annotations.Nullable Long asked) {
        boolean runs =
                !Json.text(pod, "spec", "nodeName").isEmpty() && !ENDED.contains(Json.text(pod, "status", "phase"));
        if (!runs) {
            return 0;
        }
        return asked != null ? asked : Json.number(pod, 30, "spec", "terminationGracePeriodSeconds");
    }

    private static Step shorten(ObjectNode metadata, @org.jspecify.annotations.Nullable Long asked, Instant now) {
        long pending = Json.number(metadata, 0, "deletionGracePeriodSeconds");
        if (pending == 0) {
            return Step.NONE;
        }
        if (asked == null || asked >= pending) {
            return Step.ALREADY_PENDING;
        }
        Instant end = Instant.parse(Json.text(metadata, "deletionTimestamp"))
                .minusSeconds(pending)
                .plusSeconds(asked);
        boolean late = end.isBefore(now);
        metadata.put("deletionTimestamp", Times.text(late ? now : end));
        metadata.put("deletionGracePeriodSeconds", late && asked != 0 ? 1 : asked);
        return asked == 0 ? Step.NONE : Step.WAIT;
    }
}
