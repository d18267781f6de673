package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.reconciler4j.test.PodLogs;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.auth.Authorizer;
import io.github.reconciler4j.test.server.internal.auth.Tokens;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import io.github.reconciler4j.test.server.internal.registry.ServedVersions;
import io.github.reconciler4j.test.server.internal.registry.Subresource;
import io.github.reconciler4j.test.server.internal.render.Renderers;
import io.github.reconciler4j.test.server.internal.render.View;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers requests for resources: finds the verb and does it. Safe for use by multiple threads. */
public final class ResourceHandler {
    private final Reading reading;
    private final Watching watching;
    private final Writing writing;
    private final Map<String, Function<Call, Response>> special;
    private final Scales scales;

    /**
     * The collaborators of the handler.
     *
     * @param faults the faults of watches
     * @param bookmarkInterval the time between the bookmarks of a watch
     * @param logs returns what knows the logs of containers
     */
    public record Dependencies(
            Clock clock,
            Authorizer authorizer,
            Tokens tokens,
            FaultRules faults,
            ActiveWatches watches,
            Duration bookmarkInterval,
            Supplier<PodLogs> logs) {}

    public ResourceHandler(ObjectAccess access, Dependencies around) {
        Renderers renderers = new Renderers(around.clock());
        reading = new Reading(access.store(), renderers);
        watching = new Watching(
                new WatchStream.Dependencies(
                        access.store(),
                        around.faults(),
                        around.watches(),
                        resource -> access.registry().findAny(resource.group(), resource.plural()) != null),
                renderers,
                new Watching.Options(
                        around.bookmarkInterval(), access.registry().served().isEnabled(ServedVersions.WATCH_LIST)));
        writing = new Writing(access, around.authorizer(), renderers, reading);
        scales = new Scales(access);
        PodParts pods = new PodParts(access);
        Reviews reviews = new Reviews(access, around.authorizer(), around.tokens());
        special = Map.ofEntries(
                Map.entry("pods/eviction", pods::evict),
                Map.entry("pods/log", new ContainerLogs(access, around.logs())::read),
                Map.entry("pods/binding", pods::bind),
                Map.entry("bindings", pods::bind),
                Map.entry("serviceaccounts/token", reviews::accountToken),
                Map.entry("tokenreviews.authentication.k8s.io", reviews::token),
                Map.entry("selfsubjectreviews.authentication.k8s.io", reviews::self),
                Map.entry("selfsubjectrulesreviews.authorization.k8s.io", reviews::selfRules),
                Map.entry("selfsubjectaccessreviews.authorization.k8s.io", reviews::selfAccess),
                Map.entry("subjectaccessreviews.authorization.k8s.io", reviews::subjectAccess),
                Map.entry("localsubjectaccessreviews.authorization.k8s.io", reviews::subjectAccess));
    }

    public Response handle(Call call) {
        if (call.type().is("", "endpoints")) {
            call.warn("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
        }
        CustomVersion custom = call.type().custom();
        if (custom != null) {
            call.warn(custom.warning());
        } else {
            View.check(call.request(), call.info().verb());
        }
        Response response = found(call);
        return response instanceof Response.Whole whole
                        && View.of(call.request()).yaml()
                ? Yaml.of(whole)
                : response;
    }

    private Response found(Call call) {
        String part = call.info().subresource();
        if (part.isEmpty()) {
            if (!call.type().verbs().contains(call.info().verb())) {
                throw StatusException.methodNotAllowed();
            }
            Function<Call, Response> handler = special.get(call.type().id().toString());
            return handler == null ? stored(call) : handler.apply(call);
        }
        Subresource subresource = call.type().subresources().get(part);
        if (subresource == null) {
            throw call.type().custom() == null
                    ? StatusException.noSuchPath()
                    : StatusException.notFound(
                            call.type().group(),
                            call.type().plural(),
                            call.info().name());
        }
        if (!subresource.verbs().contains(call.info().verb())) {
            throw StatusException.methodNotAllowed();
        }
        if (part.equals("scale")) {
            return scales.handle(call);
        }
        Function<Call, Response> handler = special.get(call.type().id() + "/" + part);
        return handler == null ? stored(call) : handler.apply(call);
    }

    private Response stored(Call call) {
        List<String> problems = Names.pathSegment(call.info().name());
        if (!problems.isEmpty()) {
            throw StatusException.badRequest(
                    "Name parameter invalid: \"" + call.info().name() + "\": " + problems.get(0));
        }
        if (call.info().name().isEmpty()
                && List.of("update", "patch").contains(call.info().verb())) {
            throw StatusException.methodNotAllowed();
        }
        return switch (call.info().verb()) {
            case "get" -> reading.get(call);
            case "list" -> reading.list(call);
            case "watch" -> watching.watch(call);
            case "create" -> create(call);
            case "update" -> writing.update(call);
            case "patch" -> writing.patch(call);
            case "delete" -> writing.delete(call);
            case "deletecollection" -> writing.deleteCollection(call);
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private Response create(Call call) {
        if (!call.info().name().isEmpty()) {
            throw StatusException.methodNotAllowed();
        }
        return writing.create(call);
    }

    /** Answers for clients that want YAML. Stateless; safe for use by multiple threads. */
    private static final class Yaml {
        private static final ObjectMapper MAPPER = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build();

        private Yaml() {}

        static Response of(Response.Whole response) {
            try {
                ByteArrayOutputStream json = new ByteArrayOutputStream();
                for (byte[] part : response.body()) {
                    json.write(part);
                }
                byte[] yaml = MAPPER.writeValueAsBytes(Json.parse(json.toByteArray()));
                return new Response.Whole(response.status(), "application/yaml", response.headers(), List.of(yaml));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
