package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.GroupVersionKind;
import java.util.stream.Stream;

/**
 * Reads from the API server, past every cache. Lists are fetched in pages of 500; if the server forgets the list in the
 * middle, {@code list} and {@code headers} begin anew, so that what they return was there at one moment. Safe for use by
 * many threads.
 *
 * @since 0.1.0
 */
public interface LiveReader extends Reader {

    /**
     * The objects of a kind, a page at a time as the stream is consumed. If the server forgets the list in the middle it
     * goes on after the last object with the state of that moment. The stream holds no connection and need not be closed.
     */
    <T extends HasMetadata> Stream<T> stream(Class<T> type, ListOptions options);

    /** The objects of a kind in their generic form, a page at a time; see {@link #stream(Class, ListOptions)}. */
    Stream<GenericKubernetesResource> stream(GroupVersionKind kind, ListOptions options);
}
