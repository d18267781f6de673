package io.github.reconciler4j.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.plan.PlanLedger.ObjectId;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Answers the writes of a plan. Those whose result only the API server knows are dry runs. It knows the result of deletions, of status
 * writes, and of writes to what the plan itself has created. Thread-safe.
 */
final class PlanRecorder implements ClientInterceptor {

    private static final String LAST_APPLIED = "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration";
    private static final byte[] NOTHING = {};
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final PlanLedger ledger;
    private final ThreadLocal<@Nullable String> cause = new ThreadLocal<>();
    private final ConcurrentHashMap<String, Integer> generated = new ConcurrentHashMap<>();
    private final AtomicInteger statusWrites = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile @Nullable Manager manager;

    PlanRecorder(PlanLedger ledger) {
        this.ledger = ledger;
    }

    /** Set the manager whose cache has the states before. */
    void use(Manager itsManager) {
        manager = itsManager;
    }

    /** Set what the calling thread works for. */
    void workFor(String request) {
        cause.set(request);
    }

    /** End what {@link #workFor} has started. */
    void endWork() {
        cause.remove();
    }

    int statusWrites() {
        return statusWrites.get();
    }

    int requests() {
        return requests.get();
    }

    private String cause() {
        return Optional.ofNullable(cause.get()).or(WorkScope::controller).orElse("");
    }

    @Override
    public ApiResponse intercept(ClientCall call, Next next) {
        if (!call.verb().isWrite()) {
            return read(call, next);
        }
        if (call.callerDryRun()) { // it would change nothing either
            return send(call, next);
        }
        if (call.subresource().equals("status")) {
            return status(call, next);
        }
        if (!call.subresource().isEmpty()) {
            return subresource(call, next);
        }
        return switch (call.verb()) {
            case DELETE -> delete(call, next);
            case DELETE_ALL -> deleteAll(call, next);
            case CREATE -> create(call, next);
            default -> change(call, next);
        };
    }

    private ApiResponse send(ClientCall call, Next next) {
        requests.incrementAndGet();
        return next.proceed(call);
    }

    /** The API server has neither what the plan has written nor what it has deleted. */
    private ApiResponse read(ClientCall call, Next next) {
        if (call.verb() != Verb.GET) {
            return next.proceed(call);
        }
        refuseIfGone(call);
        boolean isWhole =
                call.subresource().isEmpty() && !call.request().accept().contains("PartialObjectMetadata");
        Optional<byte[]> planned =
                isWhole ? call.key().flatMap(key -> ledger.written(call.kind(), key)) : Optional.empty();
        if (planned.isPresent()) {
            return new ApiResponse(OK, planned.get(), List.of());
        }
        requests.incrementAndGet();
        return next.proceed(call);
    }

    private void refuseIfGone(ClientCall call) {
        if (call.key().filter(key -> ledger.isGone(call.kind(), key)).isPresent()) {
            throw new NotFoundException(call + ": 404 NotFound: " + PlanRefusals.quoted(call) + " not found");
        }
    }

    private ApiResponse status(ClientCall call, Next next) {
        refuseIfGone(call);
        byte[] after = JsonTrees.merged(current(call, next), call.request());
        statusWrites.incrementAndGet();
        return new ApiResponse(OK, after, List.of());
    }

    private ApiResponse subresource(ClientCall call, Next next) {
        refuseIfGone(call);
        ObjectKey key = call.key().orElseThrow();
        if (ledger.created(call.kind(), key).isPresent()) { // part of what is created
            if (call.subresource().equals("eviction")) {
                ledger.deleted(new ObjectId(call.kind(), key, ""), cause(), null);
            }
            return new ApiResponse(OK, JsonTrees.subresource(call), List.of());
        }
        boolean isObject = call.verb() != Verb.CREATE;
        byte[] before = isObject ? get(call, next, call.request().path()) : NOTHING;
        ApiResponse response = send(call, next);
        if (call.subresource().equals("eviction")) {
            ledger.deleted(new ObjectId(call.kind(), key, ""), cause(), null);
            return response;
        }
        // The response to a binding or a token is not the object, and may be confidential.
        List<Change> fields = isObject ? fields(call.kind(), before, response.body()) : List.of();
        if (!isObject || !fields.isEmpty()) {
            ledger.changed(new ObjectId(call.kind(), key, call.subresource()), cause(), fields, NOTHING, "");
        }
        return response;
    }

    private ApiResponse delete(ClientCall call, Next next) {
        refuseIfGone(call);
        ObjectKey key = call.key().orElseThrow();
        byte[] current = current(call, next);
        PlanRefusals.checkPreconditions(call, current);
        if (!JsonTrees.isTerminating(current)) {
            ledger.deleted(
                    new ObjectId(call.kind(), key, ""), cause(), JsonTrees.keptByFinalizers(current, call.request()));
        }
        String uid = JsonTrees.object(current)
                .map(tree -> tree.path("metadata").path("uid").asText(""))
                .orElse("");
        return success(Map.of("name", key.name(), "uid", uid));
    }

    private static ApiResponse success(Map<String, String> details) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("kind", "Status");
        status.put("apiVersion", "v1");
        status.put("metadata", Map.of());
        status.put("status", "Success");
        status.put("details", details);
        return new ApiResponse(OK, JsonTrees.bytes(status), List.of());
    }

    private ApiResponse deleteAll(ClientCall call, Next next) {
        ApiRequest write = call.request();
        ApiRequest list = ApiRequest.of("list", "GET", write.path())
                .withQuery(write.query())
                .withTimeout(write.timeout());
        ApiResponse found = send(call.withRequest(list), next);
        JsonTrees.object(found.body())
                .ifPresent(tree -> tree.path("items").forEach(item -> {
                    JsonNode metadata = item.path("metadata");
                    ObjectKey key = new ObjectKey(
                            metadata.path("namespace").asText(""),
                            metadata.path("name").asText(""));
                    if (!metadata.hasNonNull("deletionTimestamp") && !ledger.isDeleted(call.kind(), key)) {
                        ledger.deleted(
                                new ObjectId(call.kind(), key, ""),
                                cause(),
                                JsonTrees.keptByFinalizers(JsonTrees.bytes(item), write));
                    }
                }));
        return success(Map.of());
    }

    private ApiResponse create(ClientCall call, Next next) {
        if (call.key().filter(key -> ledger.isGone(call.kind(), key)).isPresent()) {
            return createAgain(call, next);
        }
        call.key()
                .flatMap(key -> ledger.written(call.kind(), key))
                .ifPresent(there -> PlanRefusals.refuseToCreate(call, there));
        ApiResponse response = send(call, next);
        noteCreated(call, response);
        return response;
    }

    private ApiResponse createAgain(ClientCall call, Next next) {
        ObjectKey key = call.key().orElseThrow();
        byte[] body = Objects.requireNonNull(call.request().body());
        byte[] before = before(call, next, "");
        byte[] after = JsonTrees.stored(body, before);
        List<Change> fields = fields(call.kind(), JsonTrees.comparable(before, body), body);
        ledger.replaced(new ObjectId(call.kind(), key, ""), cause(), fields, after);
        return new ApiResponse(CREATED, after, List.of());
    }

    private void noteCreated(ClientCall call, ApiResponse response) {
        ObjectKey key = call.key().orElseGet(() -> generated(call.kind(), response.body()));
        ledger.created(
                new ObjectId(call.kind(), key, ""),
                cause(),
                fields(call.kind(), NOTHING, response.body()),
                response.body());
    }

    /** Each object with a generated name is one of its own. */
    private ObjectKey generated(KindInfo kind, byte[] created) {
        JsonNode metadata = JsonTrees.object(created).orElseThrow().path("metadata");
        String prefix = metadata.path("generateName").asText("");
        String namespace = metadata.path("namespace").asText("");
        int number = generated.merge(kind.resource() + " " + namespace + "/" + prefix, 1, Integer::sum);
        return new ObjectKey(namespace, prefix + (number == 1 ? "" : "#" + number) + "*");
    }

    private ApiResponse change(ClientCall call, Next next) {
        ObjectKey key = call.key().orElseThrow();
        ObjectId id = new ObjectId(call.kind(), key, "");
        Optional<byte[]> planned = ledger.created(call.kind(), key);
        if (planned.isPresent()) {
            byte[] after = JsonTrees.merged(planned.get(), call.request());
            ledger.changed(id, cause(), fields(call.kind(), planned.get(), after), after, "");
            return new ApiResponse(OK, after, List.of());
        }
        if (call.verb() == Verb.APPLY && ledger.isGone(call.kind(), key)) {
            return createAgain(call, next);
        }
        refuseIfGone(call);
        ApiResponse response = send(call, next);
        if (response.code() == CREATED) {
            noteCreated(call, response);
            return response;
        }
        return noteChanged(call, next, id, response);
    }

    private ApiResponse noteChanged(ClientCall call, Next next, ObjectId id, ApiResponse response) {
        byte[] before = before(call, next, JsonTrees.resourceVersion(response.body()));
        boolean isLocal =
                isMergePatch(call) && ledger.written(id.kind(), id.key()).isPresent();
        byte[] after = isLocal
                ? JsonTrees.merged(ledger.written(id.kind(), id.key()).orElseThrow(), call.request())
                : response.body();
        if (JsonTrees.isReleased(before, after)) {
            ledger.deleted(id, cause(), null);
            return response;
        }
        List<Change> all = Change.between(id.kind(), before, after);
        List<Change> fields = withoutStatus(all);
        if (fields.isEmpty() && !all.isEmpty()) {
            statusWrites.incrementAndGet();
        }
        ledger.changed(id, cause(), fields, after, isLocal ? PlanLedger.WHOLE : writer(call));
        return isLocal ? new ApiResponse(OK, after, List.of()) : response;
    }

    private static boolean isMergePatch(ClientCall call) {
        return call.verb() == Verb.PATCH
                && "application/merge-patch+json".equals(call.request().contentType());
    }

    /** Return whose earlier writes a write undoes, unless it repeats them. */
    private static String writer(ClientCall call) {
        return switch (call.verb()) {
            case UPDATE -> PlanLedger.WHOLE;
            case APPLY -> "apply " + call.request().query().get("fieldManager");
            default -> "";
        };
    }

    private static List<Change> fields(KindInfo kind, byte[] before, byte[] after) {
        return withoutStatus(Change.between(kind, before, after));
    }

    private static List<Change> withoutStatus(List<Change> fields) {
        return fields.stream()
                .filter(field -> !field.path().equals("status") && !field.path().startsWith("status."))
                .filter(field -> !field.path().equals(LAST_APPLIED))
                .toList();
    }

    /** Return the state that a write of the plan finds. */
    private byte[] current(ClientCall call, Next next) {
        Optional<byte[]> planned = call.key().flatMap(key -> ledger.written(call.kind(), key));
        return planned.isPresent() ? planned.get() : before(call, next, "");
    }

    /**
     * Return the state of an object on the API server.
     *
     * @param version the version that it must have, {@code ""} for any
     */
    private byte[] before(ClientCall call, Next next, String version) {
        ObjectKey key = call.key().orElseThrow();
        return cached(call.kind(), key)
                .filter(json -> version.isEmpty() || version.equals(JsonTrees.resourceVersion(json)))
                .orElseGet(() -> get(call, next, call.kind().path(key)));
    }

    private byte[] get(ClientCall call, Next next, String path) {
        ApiRequest get =
                ApiRequest.of("get", "GET", path).withTimeout(call.request().timeout());
        return send(call.withRequest(get), next).body();
    }

    /** Return an object of the cache, if the cache has all of it. */
    private Optional<byte[]> cached(KindInfo kind, ObjectKey key) {
        Manager current = manager;
        Kind<GenericKubernetesResource> whole = Kind.of(kind.kind());
        if (current == null || !isWhole(current, kind, whole)) {
            return Optional.empty();
        }
        try {
            return current.cache().get(whole, key).map(JsonTrees::bytes);
        } catch (RuntimeException e) { // not of a namespace that is watched, or released just now
            return Optional.empty();
        }
    }

    private static boolean isWhole(Manager manager, KindInfo kind, Kind<?> whole) {
        for (KindStatus status : manager.cache().kinds()) {
            if (status.kind().kind().equals(kind.kind())) {
                return status.synced()
                        && !status.content().metadataOnly()
                        && manager.options().cache().of(whole).transform().isEmpty();
            }
        }
        return false;
    }
}
