package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.DeleteOptions;
import io.github.reconciler4j.client.FieldManagerScope;
import io.github.reconciler4j.client.FieldValidation;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the calls of writes. */
final class WriteCalls {

    private static final List<String> ALL = List.of("All");

    private final ClientCore core;

    WriteCalls(ClientCore core) {
        this.core = core;
    }

    /** The object as it is sent: named, in its namespace, without {@code managedFields}; the object itself stays. */
    ObjectNode tree(HasMetadata object, KindInfo kind) {
        ObjectNode tree = core.codec().tree(object);
        tree.put("apiVersion", kind.kind().apiVersion());
        tree.put("kind", kind.kind().kind());
        ObjectNode metadata = tree.withObjectProperty("metadata");
        metadata.remove("managedFields");
        if (kind.namespaced()) {
            String namespace = core.namespace(kind, metadata.path("namespace").asText(""));
            if (namespace.isEmpty()) {
                throw new IllegalArgumentException(kind.kind().kind() + " '"
                        + metadata.path("name").asText("")
                        + "' needs a namespace: set metadata.namespace, or use a client in a namespace");
            }
            metadata.put("namespace", namespace);
        }
        return tree;
    }

    /** The key of a tree from {@link #tree}. */
    static ObjectKey keyOf(ObjectNode tree, KindInfo kind) {
        String name = tree.path("metadata").path("name").asText("");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(kind.kind().kind() + " needs a name: set metadata.name");
        }
        return new ObjectKey(
                kind.namespaced() ? tree.path("metadata").path("namespace").asText("") : "", name);
    }

    /** The key of an object, without writing it as JSON. */
    ObjectKey keyOf(HasMetadata object, KindInfo kind) {
        String name = object.getMetadata() == null ? null : object.getMetadata().getName();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException(kind.kind().kind() + " needs a name: set metadata.name");
        }
        String namespace = object.getMetadata().getNamespace();
        return core.key(kind, new ObjectKey(namespace == null ? "" : namespace, name));
    }

    ClientCall create(KindInfo kind, ObjectNode tree, WriteOptions options) {
        String name = tree.path("metadata").path("name").asText("");
        if (name.isEmpty()
                && tree.path("metadata").path("generateName").asText("").isEmpty()) {
            throw new IllegalArgumentException(
                    kind.kind().kind() + " needs a name: set metadata.name or metadata.generateName");
        }
        String path = kind.path(tree.path("metadata").path("namespace").asText(""));
        Optional<ObjectKey> key = name.isEmpty() ? Optional.empty() : Optional.of(keyOf(tree, kind));
        ApiRequest request = request(Verb.CREATE, "POST", path, query(options))
                .withBody(ApiRequest.JSON, core.codec().bytes(tree));
        return new Call(Verb.CREATE, kind, key, "", dryRun(options), dryRun(options), request);
    }

    ClientCall update(KindInfo kind, ObjectKey key, String subresource, byte[] body, WriteOptions options) {
        ApiRequest request = request(Verb.UPDATE, "PUT", path(kind, key, subresource), query(options))
                .withBody(ApiRequest.JSON, body);
        return new Call(Verb.UPDATE, kind, Optional.of(key), subresource, dryRun(options), dryRun(options), request);
    }

    ClientCall post(KindInfo kind, ObjectKey key, String subresource, byte[] body, WriteOptions options) {
        ApiRequest request = request(Verb.CREATE, "POST", path(kind, key, subresource), query(options))
                .withBody(ApiRequest.JSON, body);
        return new Call(Verb.CREATE, kind, Optional.of(key), subresource, dryRun(options), dryRun(options), request);
    }

    ClientCall patch(
            KindInfo kind, ObjectKey key, String subresource, String contentType, byte[] body, WriteOptions options) {
        ApiRequest request = request(Verb.PATCH, "PATCH", path(kind, key, subresource), query(options))
                .withBody(contentType, body);
        return new Call(Verb.PATCH, kind, Optional.of(key), subresource, dryRun(options), dryRun(options), request);
    }

    /**
     * A server-side apply.
     *
     * @param repeatable whether doing it twice has the effect of once
     */
    ClientCall apply(
            KindInfo kind,
            ObjectKey key,
            String subresource,
            byte[] body,
            boolean force,
            boolean repeatable,
            WriteOptions options) {
        Map<String, List<String>> query = query(options);
        query.put("force", List.of(Boolean.toString(force)));
        ApiRequest request = request(Verb.APPLY, "PATCH", path(kind, key, subresource), query)
                .withBody("application/apply-patch+yaml", body);
        return new Call(
                Verb.APPLY,
                kind,
                Optional.of(key),
                subresource,
                dryRun(options),
                repeatable || dryRun(options),
                request);
    }

    ClientCall delete(KindInfo kind, ObjectKey key, DeleteOptions options) {
        boolean dryRun = core.isDryRun(options.dryRun());
        ApiRequest request = request(Verb.DELETE, "DELETE", kind.path(key), Map.of())
                .withBody(ApiRequest.JSON, body(options, dryRun));
        return new Call(Verb.DELETE, kind, Optional.of(key), "", dryRun, dryRun, request);
    }

    ClientCall deleteAll(KindInfo kind, ListOptions asked, DeleteOptions options) {
        ListOptions select = core.scoped(kind, asked);
        if (kind.namespaced() && select.namespace().isEmpty() || select.limit() > 0) {
            throw new IllegalArgumentException("Deleting all " + kind.resource()
                    + (select.limit() > 0
                            ? " cannot have a limit"
                            : " needs a namespace: the server takes one at a time"));
        }
        Map<String, List<String>> query = new LinkedHashMap<>();
        ListQueries.addSelectors(query, select);
        boolean dryRun = core.isDryRun(options.dryRun());
        ApiRequest request = request(Verb.DELETE_ALL, "DELETE", kind.path(select.namespace()), query)
                .withBody(ApiRequest.JSON, body(options, dryRun));
        return new Call(Verb.DELETE_ALL, kind, Optional.empty(), "", dryRun, dryRun, request);
    }

    private byte[] body(DeleteOptions options, boolean dryRun) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("apiVersion", "v1");
        body.put("kind", "DeleteOptions");
        Map<String, String> preconditions = new LinkedHashMap<>();
        if (!options.uid().isEmpty()) {
            preconditions.put("uid", options.uid());
        }
        if (!options.resourceVersion().isEmpty()) {
            preconditions.put("resourceVersion", options.resourceVersion());
        }
        if (!preconditions.isEmpty()) {
            body.put("preconditions", preconditions);
        }
        options.propagation().ifPresent(p -> body.put("propagationPolicy", p.parameter()));
        options.gracePeriod().ifPresent(p -> body.put("gracePeriodSeconds", p.toSeconds()));
        if (dryRun) {
            body.put("dryRun", ALL);
        }
        return core.codec().bytes(body);
    }

    private Map<String, List<String>> query(WriteOptions options) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        query.put("fieldManager", List.of(fieldManager(options)));
        options.fieldValidation()
                .or(() -> core.options().fieldValidation())
                .map(FieldValidation::parameter)
                .ifPresent(parameter -> query.put("fieldValidation", List.of(parameter)));
        if (dryRun(options)) {
            query.put("dryRun", ALL);
        }
        return query;
    }

    String fieldManager(WriteOptions options) {
        return options.fieldManager()
                .or(() -> core.options().fieldManager())
                .or(FieldManagerScope::current)
                .orElse(core.wiring().defaultFieldManager);
    }

    private boolean dryRun(WriteOptions options) {
        return core.isDryRun(options.dryRun());
    }

    private ApiRequest request(Verb verb, String method, String path, Map<String, List<String>> query) {
        return ApiRequest.of(verb.word(), method, path)
                .withQuery(query)
                .withTimeout(core.options().timeout());
    }

    private static String path(KindInfo kind, ObjectKey key, String subresource) {
        return subresource.isEmpty() ? kind.path(key) : kind.path(key) + "/" + subresource;
    }
}
