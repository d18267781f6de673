package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.client.connection.HttpEngine;
import org.jspecify.annotations.Nullable;

/**
 * How the API server is reached; kubeconfig, environment and pod as usual unless set.
 *
 * @since 0.1.0
 */
public class ClientProperties {

    /** File that says how the API server is reached; KUBECONFIG, the pod's account or ~/.kube/config unless set. */
    private @Nullable String kubeconfig;

    /** Context of the kubeconfig to use; its current one unless set. */
    private @Nullable String context;

    /** What speaks HTTP with the API server. */
    private HttpEngine engine = HttpEngine.SOCKETS;

    /** Creates the defaults. */
    public ClientProperties() {}

    /** The kubeconfig file, null for the usual places. */
    public @Nullable String getKubeconfig() {
        return kubeconfig;
    }

    /** Sets the kubeconfig file. */
    public void setKubeconfig(@Nullable String kubeconfig) {
        this.kubeconfig = kubeconfig;
    }

    /** The context of the kubeconfig, null for its current one. */
    public @Nullable String getContext() {
        return context;
    }

    /** Sets the context of the kubeconfig. */
    public void setContext(@Nullable String context) {
        this.context = context;
    }

    /** What speaks HTTP with the API server. */
    public HttpEngine getEngine() {
        return engine;
    }

    /** Sets what speaks HTTP with the API server. */
    public void setEngine(HttpEngine engine) {
        this.engine = engine;
    }
}
