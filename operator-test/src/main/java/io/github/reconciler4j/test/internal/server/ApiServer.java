package io.github.reconciler4j.test.internal.server;

import io.github.reconciler4j.test.internal.auth.Authentication;
import io.github.reconciler4j.test.internal.auth.User;
import io.github.reconciler4j.test.internal.discovery.Discovery;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.Answer;
import io.github.reconciler4j.test.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.internal.http.RequestHandler;
import io.github.reconciler4j.test.internal.json.Json;
import io.github.reconciler4j.test.internal.registry.Registry;
import io.github.reconciler4j.test.internal.registry.ResourceType;
import io.github.reconciler4j.test.internal.rest.Call;
import io.github.reconciler4j.test.internal.rest.RequestInfo;
import io.github.reconciler4j.test.internal.rest.ResourceHandler;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes requests from the transport and answers them. Safe for use by many threads. */
public final class ApiServer implements RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final List<String> PROBES = List.of("/healthz", "/livez", "/readyz");

    private final Registry registry;
    private final Authentication authentication;
    private final ResourceHandler resources;
    private final Discovery discovery;
    private final ServerVersion version;

    /** A server of its parts. */
    public ApiServer(
            Registry registry, Authentication authentication, ResourceHandler resources, ServerVersion version) {
        this.registry = registry;
        this.authentication = authentication;
        this.resources = resources;
        this.version = version;
        discovery = new Discovery(registry);
    }

    @Override
    public void handle(ApiRequest request, Reply reply) {
        reply.send(answer(request));
    }

    private Answer answer(ApiRequest request) {
        try {
            return route(request);
        } catch (StatusException e) {
            return Answer.error(e);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.warn("The test API server could not answer {} {}", request.method(), request.path(), e);
            return Answer.error(StatusException.internal(e.getClass().getSimpleName()));
        }
    }

    private Answer route(ApiRequest request) {
        if (PROBES.stream().anyMatch(request.path()::startsWith)) {
            return Answer.text(200, "ok");
        }
        User user = authentication.authenticate(request);
        if (request.header("upgrade").equalsIgnoreCase("websocket")) {
            return Answer.text(200, ""); // clients take this as a no and watch over plain HTTP
        }
        RequestInfo info = RequestInfo.of(request);
        return info.isResource() ? resource(user, request, info) : other(request);
    }

    private Answer other(ApiRequest request) {
        List<String> path = Arrays.stream(request.path().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        if (path.isEmpty()) {
            return Answer.json(200, Json.object().set("paths", Json.strings(List.of("/api", "/apis", "/version"))));
        }
        return switch (path.get(0)) {
            case "api", "apis" -> discovery.answer(request, path);
            case "version" -> Answer.json(200, version.tree());
            default -> throw StatusException.noSuchPath();
        };
    }

    private Answer resource(User user, ApiRequest request, RequestInfo info) {
        ResourceType type = registry.find(info.group(), info.version(), info.resource());
        if (type == null || type.namespaced() && misplaced(info)) {
            throw StatusException.noSuchPath();
        }
        Call call = new Call(user, request, info, type);
        Answer answer = resources.handle(call);
        for (String warning : call.warnings()) {
            answer = answer.withHeader("Warning", "299 - \"" + warning.replace("\"", "\\\"") + "\"");
        }
        return answer;
    }

    private static boolean misplaced(RequestInfo info) {
        return info.namespace().isEmpty() && !List.of("list", "watch").contains(info.verb());
    }
}
