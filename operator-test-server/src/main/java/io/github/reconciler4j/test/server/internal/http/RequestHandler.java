package io.github.reconciler4j.test.server.internal.http;

import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;

/**
 * Answers requests; called in worker threads, many at a time. Must not throw.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RequestHandler {
    /** The answer to a request; {@code reply} says how and when it is to be sent. */
    void handle(ApiRequest request, Reply reply);

    /** Sends the answer. One of the methods is to be called, once, from any thread. */
    interface Reply {
        /** Sends the answer. */
        void send(Answer answer);

        /** Sends the answer's beginning and closes the connection in the middle of its body. */
        void sendPartOf(Answer.Whole answer);

        /** Closes the connection without an answer. */
        void cut();

        /** Runs the task after a delay, in a worker thread; dropped when the server stops meanwhile. */
        void later(java.time.Duration delay, Runnable task);
    }
}
