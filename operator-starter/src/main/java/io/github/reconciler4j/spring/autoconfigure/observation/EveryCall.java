package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;

/** Intercepts the calls of all verbs in one method. */
abstract class EveryCall implements ClientInterceptor {

    abstract ApiResponse intercept(ClientCall call, Next next);

    @Override
    public final ApiResponse get(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse list(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse create(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse update(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse patch(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse apply(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse delete(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse deleteAll(ClientCall call, Next next) {
        return intercept(call, next);
    }

    @Override
    public final ApiResponse subresource(ClientCall call, Next next) {
        return intercept(call, next);
    }
}
