package io.github.reconciler4j.client.internal.write;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;

/** Notes calls in words. */
final class CallRecorder implements ClientInterceptor {

    private final List<String> calls;

    CallRecorder(List<String> calls) {
        this.calls = calls;
    }

    private ApiResponse record(ClientCall call, Next next) {
        String key = call.key().map(ObjectKey::toString).orElse("-");
        calls.add(call.verb().word() + " " + key
                + (call.subresource().isEmpty() ? "" : " " + call.subresource())
                + (call.dryRun() ? " dry" : "")
                + (call.idempotent() ? " again" : "")
                + ": " + call.request().method() + " " + call.request().path() + " "
                + call.request().query()
                + (call.request().timeout().toSeconds() == 7 ? "" : " with another timeout"));
        return next.proceed(call);
    }

    @Override
    public ApiResponse create(ClientCall call, Next next) {
        return record(call, next);
    }

    @Override
    public ApiResponse update(ClientCall call, Next next) {
        return record(call, next);
    }

    @Override
    public ApiResponse patch(ClientCall call, Next next) {
        return record(call, next);
    }

    @Override
    public ApiResponse apply(ClientCall call, Next next) {
        return record(call, next);
    }

    @Override
    public ApiResponse delete(ClientCall call, Next next) {
        return record(call, next);
    }

    @Override
    public ApiResponse deleteAll(ClientCall call, Next next) {
        return record(call, next);
    }

    @Override
    public ApiResponse subresource(ClientCall call, Next next) {
        return record(call, next);
    }
}
