package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Server-side apply, and the upkeep of {@code managedFields} for all other writes. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ServerSideApply {

    private ServerSideApply() {}

    /**
     * Applies an object. Fields that the manager applied before, does not apply now and nobody else owns are removed. When
     * nothing changes, the times in {@code managedFields} stay as they are.
     *
     * @param live the object as it is, or null if there is none yet
     * @param applied the applied object, as it came with the request
     * @param request manager, version and the like
     * @param schema type of the object
     * @return the object to store; defaults are up to the caller
     * @throws StatusException 409 with the server's message if others own fields with other values and the request does not
     *     force; 400 for a wrong version or {@code managedFields} in the applied object; 500 if it does not fit the type,
     *     as on the server
     */
    public static ApplyResult apply(
            @Nullable JsonNode live, JsonNode applied, ApplyRequest request, TypeSchema schema) {
        return new ApplyOperation(live, applied, request, schema).run();
    }

    /**
     * Brings {@code managedFields} up to date after a create, an update or another kind of patch.
     *
     * @param before the object before the change, or null if it is new
     * @param after the object after the change, with the {@code managedFields} that the request sent, if any; a list of
     *     one empty entry makes the server forget all owners
     * @param manager the field manager of the request
     * @param apiVersion the version of the endpoint, such as {@code apps/v1}
     * @param subresource the subresource that is written to; empty for the object itself
     * @param time the time of the request
     * @param schema type of the object
     * @return {@code after} with new {@code managedFields}; the argument is not changed
     */
    public static JsonNode update(
            @Nullable JsonNode before,
            JsonNode after,
            String manager,
            String apiVersion,
            String subresource,
            Instant time,
            TypeSchema schema) {
        return update(before, after, new ApplyRequest(manager, true, apiVersion, subresource, time), schema);
    }

    /**
     * Brings {@code managedFields} up to date after a create, an update or another kind of patch, for an endpoint that
     * ignores fields ({@link ApplyRequest#resetFields}).
     */
    public static JsonNode update(@Nullable JsonNode before, JsonNode after, ApplyRequest request, TypeSchema schema) {
        return new UpdateOperation(before, after, request, schema).run();
    }

    /** Turns names of ignored fields into a set. */
    static FieldSet ignoredFields(List<List<String>> fields) {
        FieldSet set = new FieldSet();
        for (List<String> path : fields) {
            set.insert(path.stream()
                    .map(name -> (PathElement) new PathElement.Field(name))
                    .toList());
        }
        return set;
    }
}
