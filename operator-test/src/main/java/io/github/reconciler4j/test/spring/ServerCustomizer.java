package io.github.reconciler4j.test.spring;

import io.github.reconciler4j.test.KubernetesServerBuilder;

/**
 * Changes the settings of the API server in this JVM before it starts.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * ServerCustomizer withoutHttp2() {
 *     return server -> server.http2(false).historySize(10);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ServerCustomizer {
    /** Return the builder to start the server with, usually the given one after changes. */
    KubernetesServerBuilder customize(KubernetesServerBuilder server);

    /** Changes nothing. */
    final class None implements ServerCustomizer {
        /** Create one. */
        public None() {}

        @Override
        public KubernetesServerBuilder customize(KubernetesServerBuilder server) {
            return server;
        }
    }
}
