package io.github.reconciler4j.spring.observation;

import io.github.reconciler4j.client.ClientCall;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Map;
import java.util.TreeMap;

/**
 * The context of the observation of one request to the API server, with its retries. Its carrier holds the headers that pass the
 * trace on to the API server. For the thread that sends the request.
 *
 * @since 0.1.0
 */
public final class ApiRequestObservationContext extends SenderContext<Map<String, String>> {

    private final ClientCall call;
    private final String cluster;
    private int status;

    /** Create the context of a request to the home cluster that is about to be sent. */
    public ApiRequestObservationContext(ClientCall call) {
        this(call, "");
    }

    /**
     * Create the context of a request that is about to be sent.
     *
     * @param cluster the name of the cluster, {@code ""} for the home cluster
     */
    public ApiRequestObservationContext(ClientCall call, String cluster) {
        super(
                (headers, name, value) -> {
                    if (headers != null) {
                        headers.put(name, value);
                    }
                },
                Kind.CLIENT);
        this.call = call;
        this.cluster = cluster;
        setCarrier(new TreeMap<>());
        setRemoteServiceName("kube-apiserver");
    }

    /** Return the request. */
    public ClientCall call() {
        return call;
    }

    /** Return the name of the cluster to which the request is sent, {@code ""} for the home cluster. */
    public String cluster() {
        return cluster;
    }

    /** Return the HTTP status, 0 without a response. */
    public int status() {
        return status;
    }

    /** Set the HTTP status. */
    public void setStatus(int status) {
        this.status = status;
    }
}
