package io.github.reconciler4j.cache.random;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import org.jspecify.annotations.Nullable;

/** What a reader must see right after the answer to a write; each check says what is wrong, or null. */
final class PendingWriteCheck {

    private PendingWriteCheck() {}

    static @Nullable String written(
            Informer<HasMetadata> informer, ServerTruth truth, RandomSelection selection, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String uid = metadata.path("uid").asText();
        String version = metadata.path("resourceVersion").asText();
        ServerTruth.Write own = truth.find(uid, version);
        ObjectKey key = ObjectKey.of(
                metadata.path("namespace").asText(), metadata.path("name").asText());
        ObjectHeader seen = informer.get(key).map(ObjectSnapshot::header).orElse(null);
        if (own == null || !selection.mayWatch(key.namespace())) {
            return null;
        }
        String wrote = "after the write of " + key + " " + uid + "@" + version + " a reader saw ";
        if (seen == null) {
            boolean mayBeGone = truth.removal(uid) != null || selection.isLoose();
            return mayBeGone || !selection.mayCover(own) ? null : wrote + "nothing";
        }
        ServerTruth.Write read = truth.find(seen.uid(), seen.resourceVersion());
        return read == null || read.place() < own.place() ? wrote + DeliveredEvents.state(seen) : null;
    }

    static @Nullable String refused(Informer<HasMetadata> informer, ServerTruth truth, ObjectKey key, int place) {
        ObjectHeader seen = informer.get(key).map(ObjectSnapshot::header).orElse(null);
        ServerTruth.Write read = seen == null ? null : truth.find(seen.uid(), seen.resourceVersion());
        return read != null && truth.isOutdated(read, place)
                ? "after a write of " + key + " was refused a reader saw " + DeliveredEvents.state(seen)
                        + ", which was outdated before the write"
                : null;
    }

    static @Nullable String removed(Informer<HasMetadata> informer, ObjectKey key, String uid) {
        ObjectHeader seen = informer.get(key).map(ObjectSnapshot::header).orElse(null);
        return seen != null && !uid.isEmpty() && seen.uid().equals(uid)
                ? "after the deletion of " + key + " " + uid + " a reader saw it @" + seen.resourceVersion()
                : null;
    }
}
