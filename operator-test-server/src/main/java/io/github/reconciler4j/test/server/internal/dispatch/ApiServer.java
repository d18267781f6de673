package io.github.reconciler4j.test.server.internal.dispatch;

import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.auth.AccessRequest;
import io.github.reconciler4j.test.server.internal.auth.Authentication;
import io.github.reconciler4j.test.server.internal.auth.Authorizer;
import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.control.RequestRecorder;
import io.github.reconciler4j.test.server.internal.control.RequestSummary;
import io.github.reconciler4j.test.server.internal.discovery.Discovery;
import io.github.reconciler4j.test.server.internal.discovery.OpenApi;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.exchange.RequestHandler;
import io.github.reconciler4j.test.server.internal.exchange.RequestHandler.Reply;
import io.github.reconciler4j.test.server.internal.exchange.Response;
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

/** Takes requests from the transport and answers them. Safe for use by multiple threads. */
public final class ApiServer implements RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final Response NOT_FOUND = Response.text(404, "404 page not found\n");
    private static final List<String> PROBES = List.of("/healthz", "/livez", "/readyz");

    private final Parts parts;
    private final Discovery discovery;
    private final OpenApi openApi;

    /**
     * The parts of a server.
     *
     * @param clock the time of the log
     * @param version what the server says it is
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

    public ApiServer(Parts parts) {
        this.parts = parts;
        discovery = new Discovery(parts.registry());
        openApi = new OpenApi(parts.registry());
    }

    @Override
    public void handle(ApiRequest request, Reply reply) {
        if (PROBES.stream().anyMatch(request.path()::startsWith)) {
            reply.send(probe(request));
            return;
        }
        RequestInfo info = RequestInfo.of(request);
        ResourceType type = parts.registry().find(info.group(), info.version(), info.resource());
        User user = null;
        Response refused = null;
        try {
            user = parts.authentication().authenticate(request, parts.authorizer());
        } catch (StatusException e) {
            refused = Response.error(e);
        }
        CurrentSummary summary = new CurrentSummary(summary(info, type, user));
        Reply logged =
                new LoggingReply(reply, parts.log(), summary, parts.clock().instant());
        if (user == null || refused != null) {
            logged.send(refused == null ? Response.error(StatusException.unauthorized()) : refused);
        } else {
            answer(new Incoming(user, request, info, type, summary), logged);
        }
    }

    /** Probes need no credentials, but invalid ones are rejected. */
    private Response probe(ApiRequest request) {
        try {
            if (!request.header("authorization").isEmpty()) {
                parts.authentication().authenticate(request, parts.authorizer());
            }
            return Response.text(200, "ok");
        } catch (StatusException e) {
            return Response.error(e);
        }
    }

    private record Incoming(
            User user,
            ApiRequest request,
            RequestInfo info,
            @Nullable ResourceType type,
            CurrentSummary summary) {}

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
        Supplier<Response> response = () -> safely(incoming);
        Optional<FaultRules.Active> fault =
                parts.faults().onRequest(incoming.summary().request());
        if (fault.isPresent()) {
            FaultInjector.inject(fault.get(), response, reply);
        } else {
            reply.send(response.get());
        }
    }

    private Response safely(Incoming incoming) {
        try {
            return route(incoming);
        } catch (StatusException e) {
            return Response.error(e);
        } catch (RuntimeException | StackOverflowError e) {
            ApiRequest request = incoming.request();
            LOG.warn("The test API server could not response {} {}", request.method(), request.path(), e);
            return Response.error(StatusException.internal(e.getClass().getSimpleName()));
        }
    }

    private Response route(Incoming incoming) {
        AccessRequest wanted = access(incoming);
        if (!parts.authorizer().allows(wanted)) {
            throw wanted.toForbidden();
        }
        if (incoming.request().header("upgrade").equalsIgnoreCase("websocket")) {
            return Response.text(200, ""); // clients take this as a no and watch over plain HTTP
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

    private Response other(ApiRequest request) {
        List<String> path = Arrays.stream(request.path().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        if (path.isEmpty()) {
            return Response.json(
                    200, Json.object().set("paths", Json.strings(List.of("/api", "/apis", "/openapi/v3", "/version"))));
        }
        boolean known = List.of("api", "apis", "version").contains(path.get(0));
        if (known && !request.method().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
        return switch (path.get(0)) {
            case "api", "apis" -> discovery.answer(request, path);
            case "openapi" -> openApi.answer(path);
            case "version" -> Response.json(200, parts.version().tree());
            default -> NOT_FOUND;
        };
    }

    private boolean hasBuiltIn(String group) {
        return parts.registry().all().stream()
                .anyMatch(type -> type.custom() == null && type.group().equals(group));
    }

    private static Response noSuchPath() {
        return Response.error(StatusException.noSuchPath());
    }

    private Response resource(Incoming incoming) {
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
                incoming.summary().request());
        Response response;
        try {
            response = parts.resources().handle(call);
        } catch (StatusException e) {
            response = Response.error(e);
        }
        incoming.summary().createdAs(call.created());
        for (String warning : call.warnings()) {
            response = response.withHeader(
                    "Warning", "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }
        return response;
    }

    private static boolean misplaced(RequestInfo info) {
        return info.namespace().isEmpty() && !List.of("list", "watch").contains(info.verb());
    }

    /**
     * Writes down what was replied before it is sent, so that a client that has its response finds its request in the log.
     *
     * @param asked what the request is about
     */
    private record LoggingReply(Reply reply, RequestRecorder log, CurrentSummary summary, Instant arrived)
            implements Reply {
        @Override
        public void send(Response response) {
            write(response.status());
            reply.send(response);
        }

        @Override
        public void sendPartOf(Response.Whole response) {
            write(0);
            reply.sendPartOf(response);
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
            log.add(new LoggedRequest(summary.request(), status, arrived));
        }
    }

    /** Lets a fault happen to a request. */
    private static final class FaultInjector {
        private FaultInjector() {}

        /** Replies as the fault wants; {@code response} carries the request out. */
        static void inject(FaultRules.Active active, Supplier<Response> response, Reply reply) {
            Fault fault = active.rule().fault();
            if (fault instanceof Fault.Respond respond) {
                reply.send(error(respond));
            } else if (fault instanceof Fault.Delay delay) {
                reply.later(delay.time(), () -> reply.send(response.get()));
            } else if (fault instanceof Fault.Stall) {
                active.whenRemoved(() -> reply.send(response.get()));
            } else if (fault instanceof Fault.Cut cut) {
                cut(cut, response, reply);
            } else {
                reply.send(response.get());
            }
        }

        private static void cut(Fault.Cut cut, Supplier<Response> response, Reply reply) {
            switch (cut.point()) {
                case BEFORE -> reply.cut();
                case AFTER -> {
                    drop(response.get());
                    reply.cut();
                }
                case INSIDE -> {
                    Response whole = response.get();
                    if (whole instanceof Response.Whole body) {
                        reply.sendPartOf(body);
                    } else {
                        drop(whole);
                        reply.cut();
                    }
                }
            }
        }

        private static void drop(Response response) {
            if (response instanceof Response.Stream stream) {
                stream.source().closed();
            }
        }

        private static Response error(Fault.Respond respond) {
            StatusException error =
                    new StatusException(respond.status(), respond.reason(), respond.message(), Json.object());
            Response response = Response.error(error);
            for (Map.Entry<String, String> header : respond.headers().entrySet()) {
                response = response.withHeader(header.getKey(), header.getValue());
            }
            return response;
        }
    }

    /** The subject of a request, whose name is unknown until an object is created. Safe for use by multiple threads. */
    private static final class CurrentSummary {
        private volatile RequestSummary request;

        CurrentSummary(RequestSummary request) {
            this.request = request;
        }

        RequestSummary request() {
            return request;
        }

        /** Set what the object that was created is called; nothing for an empty name. */
        void createdAs(String name) {
            if (!name.isEmpty()) {
                request = request.about(request.namespace(), name);
            }
        }
    }
}
