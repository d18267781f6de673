package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiResponse;

/**
 * Intercepts the requests of a client, for tests, audits and policies. Reads from a cache send no request. Implementations must
 * be thread-safe.
 *
 * <!-- snippet: ClientSettings -->
 * <pre>{@code
 * return client.intercepted((call, next) -> {
 *     if (call.verb() == ClientCall.Verb.DELETE) {
 *         throw new IllegalStateException("This client deletes nothing");
 *     }
 *     return next.proceed(call);
 * });
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ClientInterceptor {

    /**
     * Intercept a request on the thread of the caller. To send it, call {@link Next#proceed}, with the call or with a changed
     * copy of it. You may also return a response of your own, or throw: the caller gets the exception as it is. The verb and the
     * subresource of the call say what is requested. An update of an object that was read is a patch. A list has one request per
     * page. Repeated attempts of the client, for example after a lost connection, are not intercepted again.
     *
     * @return the response, not null
     */
    ApiResponse intercept(ClientCall call, Next next);

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
