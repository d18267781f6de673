package io.github.reconciler4j.test.server.internal.dispatch;

import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.auth.AccessRequest;
import io.github.reconciler4j.test.server.internal.auth.Authentication;
import io.github.reconciler4j.test.server.internal.auth.Authorizer;
import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.control.RequestRecorder;
import io.github.reconciler4j.test.server.internal.control.RequestSummary;
import io.github.reconciler4j.test.server.internal.discovery.Discovery;
import io.github.reconciler4j.test.server.internal.discovery.OpenApi;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.http.RequestHandler;
import io.github.reconciler4j.test.server.internal.http.RequestHandler.Reply;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.Call;
import io.github.reconciler4j.test.server.internal.rest.RequestInfo;
import io.github.reconciler4j.test.server.internal.rest.ResourceHandler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests from the transport and answers them. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ApiServer implements RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final Answer NOT_FOUND = Answer.text(404, "404 page not found\n");
    private static final List<String> PROBES = List.of("/healthz", "/livez", "/readyz");

    private final Parts parts;
    private final Discovery discovery;
    private final OpenApi openApi;

    /**
     * What a server is made of.
     *
     * @param registry the kinds
     * @param authentication who asks
     * @param authorizer who may do what
     * @param resources what answers for resources
     * @param faults what goes wrong
     * @param log takes what was asked
     * @param clock the time of the log
     * @param version what the server says it is
     * @since 0.1.0
     */
    public record Parts(
            Registry registry,
            Authentication authentication,
            Authorizer authorizer,
            ResourceHandler resources,
            FaultRules faults,
            RequestRecorder log,
            Clock clock,
            ServerVersion version) {}

    /** A server of its parts. */
    public ApiServer(Parts parts) {
        this.parts = parts;
        discovery = new Discovery(parts.registry());
        openApi = new OpenApi(parts.registry());
    }

    @Override
    public void handle(ApiRequest request, Reply reply) {
        if (PROBES.stream().anyMatch(request.path()::startsWith)) {
            reply.send(Answer.text(200, "ok"));
            return;
        }
        RequestInfo info = RequestInfo.of(request);
        ResourceType type = parts.registry().find(info.group(), info.version(), info.resource());
        User user = null;
        Answer refused = null;
        try {
            user = parts.authentication().authenticate(request);
        } catch (StatusException e) {
            refused = Answer.error(e);
        }
        RequestSummary summary = summary(info, type, user);
        Asked asked = new Asked(summary);
        Reply logged = new LoggingReply(reply, parts.log(), asked, parts.clock().instant());
        if (user == null || refused != null) {
            logged.send(refused == null ? Answer.error(StatusException.unauthorized()) : refused);
        } else {
            answer(new Incoming(user, request, info, type, asked), logged);
        }
    }

    private record Incoming(
            User user,
            ApiRequest request,
            RequestInfo info,
            @Nullable ResourceType type,
            Asked asked) {}

    private static RequestSummary summary(RequestInfo info, @Nullable ResourceType type, @Nullable User user) {
        return new RequestSummary(
                info.verb(),
                info.group(),
                info.version(),
                info.resource(),
                type == null ? "" : type.kind(),
                type != null && !type.namespaced() ? "" : info.namespace(),
                info.name(),
                info.subresource(),
                user == null ? "" : user.name(),
                info.path());
    }

    private void answer(Incoming incoming, Reply reply) {
        Supplier<Answer> answer = () -> safely(incoming);
        Optional<FaultRules.Active> fault =
                parts.faults().onRequest(incoming.asked().request());
        if (fault.isPresent()) {
            FaultPlayer.play(fault.get(), answer, reply);
        } else {
            reply.send(answer.get());
        }
    }

    private Answer safely(Incoming incoming) {
        try {
            return route(incoming);
        } catch (StatusException e) {
            return Answer.error(e);
        } catch (RuntimeException | StackOverflowError e) {
            ApiRequest request = incoming.request();
            LOG.warn("The test API server could not answer {} {}", request.method(), request.path(), e);
            return Answer.error(StatusException.internal(e.getClass().getSimpleName()));
        }
    }

    private Answer route(Incoming incoming) {
        AccessRequest wanted = access(incoming);
        if (!parts.authorizer().allows(wanted)) {
            throw wanted.toForbidden();
        }
        if (incoming.request().header("upgrade").equalsIgnoreCase("websocket")) {
            return Answer.text(200, ""); // clients take this as a no and watch over plain HTTP
        }
        return incoming.info().isResource() ? resource(incoming) : other(incoming.request());
    }

    private static AccessRequest access(Incoming incoming) {
        RequestInfo info = incoming.info();
        return new AccessRequest(
                incoming.user(),
                info.verb(),
                info.isResource(),
                info.group(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name(),
                info.path());
    }

    private Answer other(ApiRequest request) {
        List<String> path = Arrays.stream(request.path().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        if (path.isEmpty()) {
            return Answer.json(
                    200, Json.object().set("paths", Json.strings(List.of("/api", "/apis", "/openapi/v3", "/version"))));
        }
        boolean known = List.of("api", "apis", "version").contains(path.get(0));
        if (known && !request.method().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
        return switch (path.get(0)) {
            case "api", "apis" -> discovery.answer(request, path);
            case "openapi" -> openApi.answer(path);
            case "version" -> Answer.json(200, parts.version().tree());
            default -> NOT_FOUND;
        };
    }

    private boolean hasBuiltIn(String group) {
        return parts.registry().all().stream()
                .anyMatch(type -> type.custom() == null && type.group().equals(group));
    }

    private static Answer noSuchPath() {
        return Answer.error(StatusException.noSuchPath());
    }

    private Answer resource(Incoming incoming) {
        ResourceType type = incoming.type();
        RequestInfo info = incoming.info();
        if (type == null) {
            return hasBuiltIn(info.group()) ? noSuchPath() : NOT_FOUND;
        }
        if (!type.namespaced() && !info.namespace().isEmpty() && !type.is("", "namespaces")) {
            return noSuchPath();
        }
        if (type.namespaced() && misplaced(incoming.info())) {
            boolean whole = incoming.info().name().isEmpty();
            throw whole ? StatusException.methodNotAllowed() : StatusException.noSuchPath();
        }
        Call call = new Call(
                incoming.user(),
                incoming.request(),
                incoming.info(),
                type,
                incoming.asked().request());
        Answer answer;
        try {
            answer = parts.resources().handle(call);
        } catch (StatusException e) {
            answer = Answer.error(e);
        }
        incoming.asked().createdAs(call.created());
        for (String warning : call.warnings()) {
            answer = answer.withHeader("Warning", "299 - \"" + warning.replace("\"", "\\\"") + "\"");
        }
        return answer;
    }

    private static boolean misplaced(RequestInfo info) {
        return info.namespace().isEmpty() && !List.of("list", "watch").contains(info.verb());
    }

    /**
     * Writes down what was replied before it is sent, so that a client that has its answer finds its request in the log.
     *
     * @param reply what sends
     * @param log where to write
     * @param asked what the request is about
     * @param arrived when it came
     */
    private record LoggingReply(Reply reply, RequestRecorder log, Asked asked, Instant arrived) implements Reply {
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

    /** Lets a fault happen to a request. */
    private static final class FaultPlayer {
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
}
