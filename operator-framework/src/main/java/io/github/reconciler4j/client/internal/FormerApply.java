package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from the server whether a former run of this program has applied the same, with one read. That takes the
 * {@code managedFields}, which are in no cache: without them nobody knows whether the former run applied more than is wanted
 * now, which an apply would take away.
 */
final class FormerApply {

    private final ClientCore core;

    FormerApply(ClientCore core) {
        this.core = core;
    }

    /**
     * The object as the server has it, if applying would change nothing; empty if it would, or if that cannot be told.
     *
     * @param object what would be applied
     * @param wanted its tree
     * @param known the cached object, null if it is not cached; if it differs, nothing is asked
     */
    <T extends HasMetadata> Optional<T> find(
            T object, ObjectNode wanted, @Nullable T known, AppliedMemory.Place place) {
        if (known != null && (isDeleted(known) || !mayContain(core.codec().tree(known), ApplyTrees.given(wanted)))) {
            return Optional.empty();
        }
        KindInfo kind = core.kindOf(object);
        try {
            byte[] answer = get(kind, place, known);
            JsonNode live = core.codec().readTree(answer, "get " + kind.resource());
            if (!OwnedFields.areThose(
                    wanted, live, place.fieldManager(), core.codec().mapper())) {
                return Optional.empty();
            }
            return Optional.of(core.codec().decode(answer, ServerWriter.typeOf(object), kind))
                    .filter(now -> !isDeleted(now));
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ApiException e) {
            // The apply will meet the same obstacle, or none.
            return Optional.empty();
        }
    }

    /** Reads at least the known state; the server can answer that from memory. */
    private byte[] get(KindInfo kind, AppliedMemory.Place place, @Nullable HasMetadata known) {
        String version = known == null ? null : known.getMetadata().getResourceVersion();
        ApiRequest request = ApiRequest.of("get", "GET", kind.path(place.key()))
                .withQuery(version == null ? Map.of() : Map.of("resourceVersion", List.of(version)))
                .withTimeout(core.options().timeout());
        ClientCall call = new Call(ClientCall.Verb.GET, kind, Optional.of(place.key()), "", false, true, request);
        return core.send(call).body();
    }

    private static boolean isDeleted(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    /** False if a value outside of lists is missing or another, so that the apply is needed for sure. */
    private static boolean mayContain(JsonNode known, JsonNode wanted) {
        if (wanted.isObject()) {
            return known.isObject()
                    && wanted.properties().stream()
                            .allMatch(member -> mayContain(known.path(member.getKey()), member.getValue()));
        }
        return wanted.isArray() || wanted.isNumber() ? !known.isMissingNode() : known.equals(wanted);
    }
}
