package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiResponse;

/**
 * Stands between a client and the API server, with one method per verb; for tests, audits and policies. A method may
 * change the request, answer in the server's place, throw, or look at the answer. The default of each passes on. Calls
 * of subresources go to {@link #subresource} alone. Reads served from a cache make no request. Must be safe for use by
 * many threads.
 *
 * @since 0.1.0
 */
public interface ClientInterceptor {

    /** Around reading one object. */
    default ApiResponse get(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around reading a page of a list. */
    default ApiResponse list(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around creating. */
    default ApiResponse create(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around replacing. */
    default ApiResponse update(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around patching. */
    default ApiResponse patch(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around applying. */
    default ApiResponse apply(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around deleting one object. */
    default ApiResponse delete(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around deleting many objects. */
    default ApiResponse deleteAll(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Around whatever is done with a subresource. */
    default ApiResponse subresource(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** The way on: to the next interceptor, and then to the server. */
    @FunctionalInterface
    interface Next {
        /** Goes on with this call. */
        ApiResponse proceed(ClientCall call);
    }
}
