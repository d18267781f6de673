package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.FieldValidation;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.PathSegments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Creates the calls of writes. Immutable.
 *
 * @since 0.1.0
 */
public final class WriteCalls {

    private static final String APPLY_PATCH = "application/apply-patch+yaml";
    private static final List<String> ALL = List.of("All");

    private final ClientCore core;

    /** Create it. */
    public WriteCalls(ClientCore core) {
        this.core = core;
    }

    /** Return the object in the form that is sent: with its kind and namespace, without {@code managedFields}. */
    public ObjectNode tree(HasMetadata object, KindInfo kind) {
        ObjectNode tree = ObjectCodec.tree(object);
        tree.put("apiVersion", kind.kind().apiVersion());
        tree.put("kind", kind.kind().kind());
        ObjectNode metadata = tree.withObjectProperty("metadata");
        metadata.remove("managedFields");
        if (kind.namespaced()) {
            String namespace = core.namespace(kind, metadata.path("namespace").asText(""));
            if (namespace.isEmpty()) {
                throw new IllegalArgumentException(kind.kind().kind() + " '"
                        + metadata.path("name").asText("")
                        + "' needs a namespace: set metadata.namespace, or use a client for one namespace");
            }
            metadata.put("namespace", PathSegments.check("namespace", namespace));
        }
        return tree;
    }

    /** Return the key of a tree from {@link #tree}. */
    public static ObjectKey keyOf(ObjectNode tree, KindInfo kind) {
        String name = tree.path("metadata").path("name").asText("");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(kind.kind().kind() + " needs a name: set metadata.name");
        }
        String namespace =
                kind.namespaced() ? tree.path("metadata").path("namespace").asText("") : "";
        return new ObjectKey(namespace, PathSegments.check("name", name));
    }

    /** Return the key of an object. */
    ObjectKey keyOf(HasMetadata object, KindInfo kind) {
        String name = object.getMetadata() == null ? null : object.getMetadata().getName();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException(kind.kind().kind() + " needs a name: set metadata.name");
        }
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
        return core.key(kind, new ObjectKey(namespace, name));
    }

    Call create(KindInfo kind, ObjectNode tree, WriteOptions options) {
        String name = tree.path("metadata").path("name").asText("");
        if (name.isEmpty()
                && tree.path("metadata").path("generateName").asText("").isEmpty()) {
            throw new IllegalArgumentException(
                    kind.kind().kind() + " needs a name: set metadata.name or metadata.generateName");
        }
        Optional<ObjectKey> key = name.isEmpty() ? Optional.empty() : Optional.of(keyOf(tree, kind));
        String path = kind.path(tree.path("metadata").path("namespace").asText(""));
        ApiRequest request =
                request(Verb.CREATE, "POST", path, query(options)).withBody(ApiRequest.JSON, ObjectCodec.bytes(tree));
        boolean dryRun = dryRun(options);
        boolean asked = core.isCallerDryRun(options.dryRun());
        return new Call(Verb.CREATE, kind, key, "", dryRun, asked, dryRun, request);
    }

    Call update(Target target, byte[] body, WriteOptions options) {
        ApiRequest request =
                request(Verb.UPDATE, "PUT", target.path(), query(options)).withBody(ApiRequest.JSON, body);
        return call(Verb.UPDATE, target, dryRun(options), request, options);
    }

    Call post(Target target, byte[] body, WriteOptions options) {
        ApiRequest request =
                request(Verb.CREATE, "POST", target.path(), query(options)).withBody(ApiRequest.JSON, body);
        return call(Verb.CREATE, target, dryRun(options), request, options);
    }

    Call patch(Target target, ObjectPatch patch, WriteOptions options) {
        ApiRequest request =
                request(Verb.PATCH, "PATCH", target.path(), query(options)).withBody(patch.contentType(), patch.body());
        return call(Verb.PATCH, target, dryRun(options), request, options);
    }

    /**
     * Create a server-side apply.
     *
     * @param idempotent whether applying twice has the same effect as applying once
     */
    Call apply(Target target, ObjectNode tree, boolean force, boolean idempotent, WriteOptions options) {
        Map<String, List<String>> query = query(options);
        query.put("force", List.of(Boolean.toString(force)));
        ApiRequest request =
                request(Verb.APPLY, "PATCH", target.path(), query).withBody(APPLY_PATCH, ObjectCodec.yamlBytes(tree));
        return call(Verb.APPLY, target, idempotent || dryRun(options), request, options);
    }

    private Call call(Verb verb, Target target, boolean idempotent, ApiRequest request, WriteOptions options) {
        return new Call(
                verb,
                target.kind,
                Optional.of(target.key),
                target.subresource,
                dryRun(options),
                core.isCallerDryRun(options.dryRun()),
                idempotent,
                request);
    }

    Call delete(KindInfo kind, ObjectKey key, DeletionOptions options) {
        boolean dryRun = core.isDryRun(options.dryRun());
        ApiRequest request = request(Verb.DELETE, "DELETE", kind.path(key), Map.of())
                .withBody(ApiRequest.JSON, body(options, dryRun));
        boolean asked = core.isCallerDryRun(options.dryRun());
        return new Call(Verb.DELETE, kind, Optional.of(key), "", dryRun, asked, dryRun, request);
    }

    Call deleteAll(KindInfo kind, Selection requested, DeletionOptions options) {
        Selection select = core.scoped(kind, requested);
        if (select.limit() > 0) {
            throw new IllegalArgumentException("Deleting all " + kind.resource() + " cannot have a limit");
        }
        if (kind.namespaced() && select.namespace().isEmpty()) {
            throw new IllegalArgumentException("Deleting all " + kind.resource()
                    + " needs a namespace: the server deletes in one namespace at a time");
        }
        Map<String, List<String>> query = new LinkedHashMap<>();
        Call.addSelectors(query, select);
        boolean dryRun = core.isDryRun(options.dryRun());
        ApiRequest request = request(Verb.DELETE_ALL, "DELETE", kind.path(select.namespace()), query)
                .withBody(ApiRequest.JSON, body(options, dryRun));
        boolean asked = core.isCallerDryRun(options.dryRun());
        return new Call(Verb.DELETE_ALL, kind, Optional.empty(), "", dryRun, asked, dryRun, request);
    }

    private static byte[] body(DeletionOptions options, boolean dryRun) {
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
        return ObjectCodec.bytes(body);
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

    /** Return the field manager of a write on the calling thread. */
    public String fieldManager(WriteOptions options) {
        return options.fieldManager()
                .or(() -> core.options().fieldManager())
                .or(WorkScope::fieldManager)
                .orElse(core.defaultFieldManager());
    }

    private boolean dryRun(WriteOptions options) {
        return core.isDryRun(options.dryRun());
    }

    private ApiRequest request(Verb verb, String method, String path, Map<String, List<String>> query) {
        return ApiRequest.of(verb.word(), method, path)
                .withQuery(query)
                .withServiceAccount(WorkScope.serviceAccount())
                .withTimeout(core.options().timeout());
    }

    /** An object or a subresource of it. */
    record Target(KindInfo kind, ObjectKey key, String subresource) {

        String path() {
            return subresource.isEmpty() ? kind.path(key) : kind.path(key) + "/" + subresource;
        }
    }
}
