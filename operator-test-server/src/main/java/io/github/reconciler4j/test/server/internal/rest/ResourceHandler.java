package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.Names;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.auth.Authorizer;
import io.github.reconciler4j.test.server.internal.auth.Tokens;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests for resources: finds the verb and does it. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ResourceHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceHandler.class);

    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final Reading reading;
    private final Watching watching;
    private final Writing writing;
    private final Map<String, SubresourceHandler> special;
    private final SubresourceHandler scales;

    /**
     * What surrounds the objects.
     *
     * @param clock the time
     * @param authorizer who may do what
     * @param tokens the tokens of users
     * @param faults what goes wrong with watches
     * @param watches takes the open watches
     * @param bookmarkInterval the time between the bookmarks of a watch
     * @since 0.1.0
     */
    public record Surroundings(
            Clock clock,
            Authorizer authorizer,
            Tokens tokens,
            FaultRules faults,
            ActiveWatches watches,
            Duration bookmarkInterval) {}

    /** A handler over stored objects. */
    public ResourceHandler(ObjectAccess access, Surroundings around) {
        Renderers renderers = new Renderers(around.clock());
        reading = new Reading(access.store(), renderers);
        watching = new Watching(
                new WatchStream.Surroundings(access.store(), around.faults(), around.watches()),
                renderers,
                around.bookmarkInterval());
        writing = new Writing(access, around.authorizer(), renderers, reading);
        scales = new Scales(access);
        PodParts pods = new PodParts(access);
        Reviews reviews = new Reviews(access, around.authorizer(), around.tokens());
        special = Map.ofEntries(
                Map.entry("pods/binding", pods::bind),
                Map.entry("pods/eviction", pods::evict),
                Map.entry("bindings", pods::bindByName),
                Map.entry("serviceaccounts/token", reviews::accountToken),
                Map.entry("tokenreviews.authentication.k8s.io", reviews::token),
                Map.entry("selfsubjectreviews.authentication.k8s.io", reviews::self),
                Map.entry("selfsubjectaccessreviews.authorization.k8s.io", reviews::selfAccess),
                Map.entry("selfsubjectrulesreviews.authorization.k8s.io", reviews::selfRules),
                Map.entry("subjectaccessreviews.authorization.k8s.io", reviews::subjectAccess),
                Map.entry("localsubjectaccessreviews.authorization.k8s.io", reviews::subjectAccess));
    }

    /** Does what the request asks. */
    public Answer handle(Call call) {
        if (call.type().is("", "endpoints")) {
            call.warn("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
        }
        if (call.type().custom() == null) {
            View.check(call.request(), call.info().verb());
        }
        Answer answer = found(call);
        if (call.type().custom() == null && View.isProtobufOnly(call.request())) {
            return ProtobufAnswers.of(answer);
        }
        return answer instanceof Answer.Whole whole && View.of(call.request()).yaml() ? Yaml.of(whole) : answer;
    }

    private Answer found(Call call) {
        String part = call.info().subresource();
        if (part.isEmpty()) {
            if (!call.type().verbs().contains(call.info().verb())) {
                throw StatusException.methodNotAllowed();
            }
            SubresourceHandler handler = special.get(call.type().id().toString());
            return handler == null ? stored(call) : handler.handle(call);
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
        SubresourceHandler handler = special.get(call.type().id() + "/" + part);
        return handler == null ? stored(call) : handler.handle(call);
    }

    private Answer stored(Call call) {
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

    private Answer create(Call call) {
        if (!call.info().name().isEmpty()) {
            throw StatusException.methodNotAllowed();
        }
        warnAboutAdmission(call);
        return writing.create(call);
    }

    /** The server accepts objects that change admission, but does not act on them. */
    private void warnAboutAdmission(Call call) {
        String plural = call.type().plural();
        if (!call.type().group().equals("admissionregistration.k8s.io")) {
            return;
        }
        String warning = plural.endsWith("webhookconfigurations")
                ? "The test API server does not call webhooks: " + plural + " have no effect"
                : "The test API server does not enforce admission policies: " + plural + " have no effect";
        call.warn(warning);
        if (warned.add(plural)) {
            LOG.warn(warning);
        }
    }

    /** Answers for clients that want YAML. Stateless; safe for use by many threads. */
    private static final class Yaml {
        private static final ObjectMapper MAPPER = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build();

        private Yaml() {}

        /** The same answer as YAML. */
        static Answer of(Answer.Whole answer) {
            try {
                ByteArrayOutputStream json = new ByteArrayOutputStream();
                for (byte[] part : answer.body()) {
                    json.write(part);
                }
                byte[] yaml = MAPPER.writeValueAsBytes(Json.parse(json.toByteArray()));
                return new Answer.Whole(answer.status(), "application/yaml", answer.headers(), List.of(yaml));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What one can do with a pod besides reading and writing it: put it on a node, and drive it away. */
    private static final class PodParts {
        private final ObjectAccess access;

        PodParts(ObjectAccess access) {
            this.access = access;
        }

        /** {@code pods/binding}. */
        Answer bind(Call call) {
            ObjectNode binding = Bodies.object(call.request(), "v1", "Binding");
            String node = Json.text(binding, "target", "name");
            if (node.isEmpty()) {
                throw StatusException.badRequest("target.name: Required value");
            }
            access.update(call.type(), call.object(), "binding", pod -> bound(pod, node), Writing.context(call, ""));
            return Answer.json(201, success());
        }

        private ObjectNode bound(ObjectNode pod, String node) {
            String now = Json.text(pod, "spec", "nodeName");
            if (!now.isEmpty()) {
                throw StatusException.conflict(
                        "",
                        "pods/binding",
                        Json.text(pod, "metadata", "name"),
                        "pod " + Json.text(pod, "metadata", "name") + " is already assigned to node \"" + now + "\"");
            }
            Json.child(pod, "spec").put("nodeName", node);
            ObjectNode condition = Json.object().put("type", "PodScheduled").put("status", "True");
            condition.putNull("lastProbeTime").put("lastTransitionTime", Times.text(access.now()));
            Json.child(pod, "status").putArray("conditions").add(condition);
            return pod;
        }

        /** {@code bindings}: the same, with the pod's name in the body. */
        Answer bindByName(Call call) {
            ObjectNode binding = Bodies.object(call.request(), "v1", "Binding");
            ResourceType pods = Objects.requireNonNull(access.registry().find("", "v1", "pods"));
            String name = Json.text(binding, "metadata", "name");
            return bind(call.about(pods, name));
        }

        /** {@code pods/eviction}. */
        Answer evict(Call call) {
            ObjectNode eviction = Bodies.object(call.request(), "policy/v1", "Eviction");
            DeleteOptions options = DeleteOptions.of(call.request().query(), Json.at(eviction, "deleteOptions"));
            access.delete(call.type(), call.object(), options, Writing.context(call, ""));
            return Answer.json(201, success());
        }

        private static ObjectNode success() {
            ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
            status.putObject("metadata");
            return status.put("status", "Success").put("code", 201);
        }
    }
}
