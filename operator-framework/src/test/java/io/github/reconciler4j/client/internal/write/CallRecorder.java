package io.github.reconciler4j.client.internal.write;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;

/** Notes writes and calls of subresources in words. */
final class CallRecorder implements ClientInterceptor {

    private final List<String> calls;

    CallRecorder(List<String> calls) {
        this.calls = calls;
    }

    @Override
    public ApiResponse intercept(ClientCall call, Next next) {
        if (call.verb().isWrite() || !call.subresource().isEmpty()) {
            calls.add(text(call));
        }
        return next.proceed(call);
    }

    private static String text(ClientCall call) {
        String key = call.key().map(ObjectKey::toString).orElse("-");
        return call.verb().word() + " " + key
                + (call.subresource().isEmpty() ? "" : " " + call.subresource())
                + (call.dryRun() ? " dry" : "")
                + (call.idempotent() ? " again" : "")
                + ": " + call.request().method() + " " + call.request().path() + " "
                + call.request().query()
                + (call.request().timeout().toSeconds() == 7 ? "" : " with another timeout");
    }
}
