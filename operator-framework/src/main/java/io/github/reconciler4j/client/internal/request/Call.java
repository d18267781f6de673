package io.github.reconciler4j.client.internal.request;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.http.RequestTarget;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request of a client.
 *
 * @since 0.1.0
 */
public record Call(
        Verb verb,
        KindInfo kind,
        Optional<ObjectKey> key,
        String subresource,
        boolean dryRun,
        boolean callerDryRun,
        boolean idempotent,
        ApiRequest request)
        implements ClientCall {

    /** Create a call. If it is a dry run, the caller has asked for that. */
    public Call(
            Verb verb,
            KindInfo kind,
            Optional<ObjectKey> key,
            String subresource,
            boolean dryRun,
            boolean idempotent,
            ApiRequest request) {
        this(verb, kind, key, subresource, dryRun, dryRun, idempotent, request);
    }

    /** Create a call that reads. */
    public static Call read(Verb verb, KindInfo kind, Optional<ObjectKey> key, String subresource, ApiRequest request) {
        return new Call(verb, kind, key, subresource, false, true, request);
    }

    @Override
    public ClientCall withRequest(ApiRequest newRequest) {
        return new Call(verb, kind, key, subresource, dryRun, callerDryRun, idempotent, newRequest);
    }

    /** Return the verb and the target in the form of log and error messages. */
    public static String describe(ClientCall call) {
        return RequestTarget.of(call.request().path()).describe(call.verb().word());
    }

    /** Add the query parameters that select objects. */
    public static void addSelectors(Map<String, List<String>> query, Selection options) {
        if (!options.labelSelector().isEmpty()) {
            query.put("labelSelector", List.of(options.labelSelector()));
        }
        if (!options.fieldSelector().isEmpty()) {
            query.put("fieldSelector", List.of(options.fieldSelector()));
        }
    }

    /** The verb and the target; neither content nor credentials. */
    @Override
    public String toString() {
        return describe(this);
    }
}
