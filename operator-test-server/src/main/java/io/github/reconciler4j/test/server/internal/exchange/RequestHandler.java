package io.github.reconciler4j.test.server.internal.exchange;

import java.time.Duration;

/** Answers requests; called in worker threads, many at a time. Must not throw. */
@FunctionalInterface
public interface RequestHandler {
    /** The response to a request; {@code reply} says how and when it is to be sent. */
    void handle(ApiRequest request, Reply reply);

    /** Sends the response. One of the methods is to be called, once, from any thread. */
    interface Reply {
        void send(Response response);

        /** Send the first part of the response and close the connection in the middle of the body. */
        void sendPartOf(Response.Whole response);

        /** Close the connection without a response. */
        void cut();

        /** Run the task after a delay, in a worker thread; dropped when the server stops meanwhile. */
        void later(Duration delay, Runnable task);
    }
}
