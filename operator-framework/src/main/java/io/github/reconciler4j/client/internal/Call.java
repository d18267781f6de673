package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.http.RequestTarget;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/** The request of a client. */
record Call(
        Verb verb,
        KindInfo kind,
        Optional<ObjectKey> key,
        String subresource,
        boolean dryRun,
        boolean idempotent,
        ApiRequest request)
        implements ClientCall {

    @Override
    public ClientCall withRequest(ApiRequest newRequest) {
        return new Call(verb, kind, key, subresource, dryRun, idempotent, newRequest);
    }

    /** The verb and the target in the form of log and error messages. */
    static String describe(ClientCall call) {
        return RequestTarget.of(call.request().path()).describe(call.verb().word());
    }
}
