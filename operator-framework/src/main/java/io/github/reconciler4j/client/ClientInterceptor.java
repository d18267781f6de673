package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiResponse;

/**
 * Intercepts the requests of a client, with one method per verb; for tests, audits and policies. A method may change the request,
 * return a response in place of the server, throw, or inspect the response. By default each method proceeds. Calls of
 * subresources reach {@link #subresource} only. Reads from a cache send no request. Implementations must be thread-safe.
 *
 * @since 0.1.0
 */
public interface ClientInterceptor {

    /** Intercept reading an object. */
    default ApiResponse get(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept reading a page of a list. */
    default ApiResponse list(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept creating an object. */
    default ApiResponse create(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept replacing an object: an update of one that was built by hand. */
    default ApiResponse update(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept patching an object; an update of an object that was read is a patch too. */
    default ApiResponse patch(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept applying an object. */
    default ApiResponse apply(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept deleting an object. */
    default ApiResponse delete(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept deleting many objects. */
    default ApiResponse deleteAll(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /** Intercept any call of a subresource. */
    default ApiResponse subresource(ClientCall call, Next next) {
        return next.proceed(call);
    }

    /**
     * Return the interceptor of the client of another cluster, by default this one. A manager calls it when the cluster joins.
     *
     * @param cluster the name of the cluster
     */
    default ClientInterceptor forCluster(String cluster) {
        return this;
    }

    /**
     * The rest of the chain: the next interceptors, and then the server.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    interface Next {
        /** Continue with the given call. */
        ApiResponse proceed(ClientCall call);
    }
}
