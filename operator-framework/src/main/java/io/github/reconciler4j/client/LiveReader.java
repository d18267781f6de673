package io.github.reconciler4j.client;

import io.github.reconciler4j.scheme.Kind;
import java.util.stream.Stream;

/**
 * Reads from the API server and uses no cache. Lists are fetched in pages of 500. If a list expires on the server between two
 * pages, {@code list} fetches it again in one page, so that the result shows one moment. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * try (Stream<Pod> pods = client.live().stream(Kind.of(Pod.class), Selection.all())) {
 *     return pods.filter(pod -> pod.getSpec().getNodeName() == null).count();
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface LiveReader extends Reader {

    /**
     * Return the objects of a kind, fetched a page at a time as the stream is consumed. If the list expires on the server
     * between two pages, the stream continues after the last object with the newest state. The stream holds no connection and
     * need not be closed.
     */
    <T> Stream<T> stream(Kind<T> kind, Selection options);
}
