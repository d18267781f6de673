package io.github.reconciler4j.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;

/**
 * The way to one API server: fabric8's HTTP client with its credentials, TLS and proxy settings, and the typed errors
 * of this package. The low level under {@link Client} and the cache; most code never needs it. Safe for use by many
 * threads.
 */
public interface ApiConnection extends AutoCloseable {

    /** The configuration it was opened with; must not be changed. */
    Config config();

    /** The mapper that reads and writes Kubernetes objects; must not be reconfigured. */
    ObjectMapper mapper();

    /**
     * Sends a request and reads the whole answer.
     *
     * @throws ApiException for an answer other than 2xx, or if no answer came
     */
    ApiResponse send(ApiRequest request);

    /**
     * Sends a request and returns once the answer's headers are there; the body is read as it arrives, and not faster
     * than the caller reads it.
     *
     * @throws ApiException for an answer other than 2xx, or if no answer came
     */
    ApiStream stream(ApiRequest request);

    /** Ends all connections; requests under way fail. */
    @Override
    void close();
}
