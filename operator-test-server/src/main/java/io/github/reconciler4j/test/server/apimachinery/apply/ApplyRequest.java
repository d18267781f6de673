package io.github.reconciler4j.test.server.apimachinery.apply;

import java.time.Instant;
import java.util.List;

/**
 * What an apply request says besides the object. Immutable.
 *
 * @param manager the {@code fieldManager} of the request
 * @param force whether to take fields from other managers instead of failing
 * @param apiVersion the version of the endpoint, such as {@code apps/v1}
 * @param subresource the subresource that is applied to; empty for the object itself
 * @param time the time of the request
 * @param resetFields fields that the endpoint ignores and that are not owned through it, each as names from the root, such
 *     as {@code ["status"]} for the main endpoint of a resource with a status subresource
 * @since 0.1.0
 */
public record ApplyRequest(
        String manager,
        boolean force,
        String apiVersion,
        String subresource,
        Instant time,
        List<List<String>> resetFields) {

    /** Makes a request; lists are copied. */
    public ApplyRequest {
        resetFields = List.copyOf(resetFields);
    }

    /** Makes a request whose endpoint ignores no fields. */
    public ApplyRequest(String manager, boolean force, String apiVersion, String subresource, Instant time) {
        this(manager, force, apiVersion, subresource, time, List.of());
    }

    /** Returns a copy with other ignored fields. */
    public ApplyRequest withResetFields(List<List<String>> fields) {
        return new ApplyRequest(manager, force, apiVersion, subresource, time, fields);
    }
}
