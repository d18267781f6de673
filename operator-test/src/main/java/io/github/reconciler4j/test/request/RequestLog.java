package io.github.reconciler4j.test.request;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The latest requests that a server answered, oldest first. The server drops the oldest requests beyond the capacity of
 * the log, but still counts them in {@link #counts()}. A request is logged when it has been answered, which can be a moment
 * after its effect is visible. Safe for use by multiple threads.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * server.requests().clear();
 * work.run();
 * assertThat(server.requests().writes(RequestMatch.any().kind("ConfigMap")))
 *         .hasSize(1);
 * }</pre>
 *
 * @since 0.1.0
 */
public interface RequestLog {

    /** Return the requests in the log, oldest first. */
    List<LoggedRequest> all();

    /** Return the number of requests by verb and resource, such as {@code "patch pods"}, including dropped requests. */
    Map<String, Long> counts();

    /** Remove all requests and reset all counts. */
    void clear();

    /** Return the requests in the log that match, oldest first. */
    default List<LoggedRequest> matching(Predicate<ServerRequest> match) {
        return all().stream().filter(logged -> match.test(logged.request())).toList();
    }

    /** Return the number of requests in the log that match. */
    default long count(Predicate<ServerRequest> match) {
        return matching(match).size();
    }

    /** Return the successful writes in the log, oldest first. */
    default List<LoggedRequest> writes() {
        return all().stream()
                .filter(logged -> logged.request().isWrite() && logged.status() / 100 == 2)
                .toList();
    }

    /** Return the successful writes in the log that match, oldest first, for example those of one user. */
    default List<LoggedRequest> writes(Predicate<ServerRequest> match) {
        return writes().stream().filter(logged -> match.test(logged.request())).toList();
    }

    /** Return the number of requests in the log that match, by verb and kind, such as {@code "patch Deployment"}. */
    default Map<String, Long> counts(Predicate<ServerRequest> match) {
        return matching(match).stream()
                .collect(Collectors.groupingBy(
                        logged ->
                                logged.request().verb() + " " + logged.request().kind(),
                        TreeMap::new,
                        Collectors.counting()));
    }
}
