package io.github.reconciler4j.test.server.internal.dispatch;

import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.server.internal.control.RequestRecorder;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.http.RequestHandler.Reply;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes down what was replied before it is sent, so that a client that has its answer finds its request in the log.
 *
 * @param reply what sends
 * @param log where to write
 * @param asked what the request is about
 * @param arrived when it came
 */
record LoggingReply(Reply reply, RequestRecorder log, Asked asked, Instant arrived) implements Reply {
    @Override
    public void send(Answer answer) {
        write(answer.status());
        reply.send(answer);
    }

    @Override
    public void sendPartOf(Answer.Whole answer) {
        write(0);
        reply.sendPartOf(answer);
    }

    @Override
    public void cut() {
        write(0);
        reply.cut();
    }

    @Override
    public void later(Duration delay, Runnable task) {
        reply.later(delay, task);
    }

    private void write(int status) {
        log.add(new LoggedRequest(asked.request(), status, arrived));
    }
}
