package io.github.reconciler4j.client.internal.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.internal.apply.ConditionalApply.ApplyIntent;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server, with one read, whether a previous run of this program has applied the same. The read is for the
 * {@code managedFields}, which no cache holds. They show whether the previous run applied fields that are not wanted now, which
 * an apply would remove.
 */
final class PreviousApply {

    private final ClientCore core;

    PreviousApply(ClientCore core) {
        this.core = core;
    }

    /**
     * Return the object on the server if the apply would change nothing; empty if it would, or in case of doubt.
     *
     * @param cached the cached object, null if it is not cached; if it differs, no request is sent
     */
    <T extends HasMetadata> Optional<T> find(ApplyIntent<T> wanted, @Nullable T cached) {
        if (cached != null && (isTerminating(cached) || !mayContain(ObjectCodec.tree(cached), wanted.given()))) {
            return Optional.empty();
        }
        try {
            Call call = get(wanted, cached);
            JsonNode live = ObjectCodec.readTree(core.send(call).body(), Call.describe(call));
            return ManagedFieldsComparison.isApplied(wanted.tree(), wanted.given(), live, wanted.fieldManager())
                    ? Optional.of(ObjectCodec.object(live, wanted.type(), call)).filter(now -> !isTerminating(now))
                    : Optional.empty();
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ApiException e) {
            // The apply fails for the same reason, or succeeds without the permission to read.
            return Optional.empty();
        }
    }

    /** Request the cached state or a newer one, which the server can return from memory. */
    private Call get(ApplyIntent<?> wanted, @Nullable HasMetadata cached) {
        String version = cached == null ? null : cached.getMetadata().getResourceVersion();
        ApiRequest request = ApiRequest.of("get", "GET", wanted.kind().path(wanted.key()))
                .withQuery(version == null ? Map.of() : Map.of("resourceVersion", List.of(version)))
                .withTimeout(core.options().timeout());
        return Call.read(Verb.GET, wanted.kind(), Optional.of(wanted.key()), "", request);
    }

    private static boolean isTerminating(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    /** Return false if a value outside of lists is missing or different, so that the apply is necessary. */
    private static boolean mayContain(JsonNode cached, JsonNode wanted) {
        if (wanted.isObject()) {
            return cached.isObject()
                    && wanted.properties().stream()
                            .allMatch(member -> mayContain(cached.path(member.getKey()), member.getValue()));
        }
        return wanted.isArray() || wanted.isNumber() ? !cached.isMissingNode() : cached.equals(wanted);
    }
}
