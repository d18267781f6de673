package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import java.time.Instant;
import java.util.List;

/**
 * The options of an apply. Immutable.
 *
 * @param manager the {@code fieldManager} of the request
 * @param force whether to take fields from other managers instead of failing
 * @param apiVersion the version of the endpoint, such as {@code apps/v1}
 * @param subresource the subresource that is applied to; empty for the object itself
 * @param time the time of the request
 * @param resetFields fields that the endpoint ignores and that are not owned through it, each as names from the root, such
 *     as {@code ["status"]} for the main endpoint of a resource with a status subresource
 */
public record ApplyRequest(
        String manager,
        boolean force,
        String apiVersion,
        String subresource,
        Instant time,
        List<List<String>> resetFields) {

    /** Create a request; lists are copied. */
    public ApplyRequest {
        resetFields = List.copyOf(resetFields);
    }

    public ApplyRequest(String manager, boolean force, String apiVersion, String subresource, Instant time) {
        this(manager, force, apiVersion, subresource, time, List.of());
    }

    public ApplyRequest withResetFields(List<List<String>> fields) {
        return new ApplyRequest(manager, force, apiVersion, subresource, time, fields);
    }
}
