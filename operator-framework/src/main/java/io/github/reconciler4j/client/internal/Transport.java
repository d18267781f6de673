package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Carries requests to one server and answers back. Safe for use by many threads. */
interface Transport {

    /**
     * Sends a request and waits for the head of the answer.
     *
     * @param deadline when to give up, in {@link System#nanoTime}; {@link Long#MAX_VALUE} is never
     * @throws java.net.SocketTimeoutException if the deadline has come
     * @throws java.io.InterruptedIOException if the thread was interrupted; its interrupt flag is set
     * @throws TransportException if it is known what went wrong
     * @throws IOException for anything else
     */
    Answer send(StandardHttpRequest request, long deadline) throws IOException;

    /** Ends everything under way, which fails then, and all connections. */
    void close();

    /**
     * An answer whose body is still to be read.
     *
     * @param code the HTTP status
     * @param headers the headers by lower-case name
     * @param body the body; must be read to its end or closed
     */
    record Answer(int code, Map<String, List<String>> headers, AnswerBody body) {

        /** The values of a header; empty if there is none. */
        List<String> header(String lowerCaseName) {
            return headers.getOrDefault(lowerCaseName, List.of());
        }
    }
}
