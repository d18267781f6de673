package io.github.reconciler4j.test.server.internal.dispatch;

import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.http.RequestHandler.Reply;
import java.util.Map;
import java.util.function.Supplier;

/** Lets a fault happen to a request. */
final class FaultPlayer {
    private FaultPlayer() {}

    /** Replies as the fault wants; {@code answer} carries the request out. */
    static void play(FaultRules.Active active, Supplier<Answer> answer, Reply reply) {
        Fault fault = active.rule().fault();
        if (fault instanceof Fault.Respond respond) {
            reply.send(error(respond));
        } else if (fault instanceof Fault.Delay delay) {
            reply.later(delay.time(), () -> reply.send(answer.get()));
        } else if (fault instanceof Fault.Stall) {
            active.whenRemoved(() -> reply.send(answer.get()));
        } else if (fault instanceof Fault.Cut cut) {
            cut(cut, answer, reply);
        } else {
            reply.send(answer.get());
        }
    }

    private static void cut(Fault.Cut cut, Supplier<Answer> answer, Reply reply) {
        switch (cut.point()) {
            case BEFORE -> reply.cut();
            case AFTER -> {
                drop(answer.get());
                reply.cut();
            }
            case INSIDE -> {
                Answer whole = answer.get();
                if (whole instanceof Answer.Whole body) {
                    reply.sendPartOf(body);
                } else {
                    drop(whole);
                    reply.cut();
                }
            }
        }
    }

    private static void drop(Answer answer) {
        if (answer instanceof Answer.Stream stream) {
            stream.source().closed();
        }
    }

    private static Answer error(Fault.Respond respond) {
        StatusException error =
                new StatusException(respond.status(), respond.reason(), respond.message(), Json.object());
        Answer answer = Answer.error(error);
        for (Map.Entry<String, String> header : respond.headers().entrySet()) {
            answer = answer.withHeader(header.getKey(), header.getValue());
        }
        return answer;
    }
}
