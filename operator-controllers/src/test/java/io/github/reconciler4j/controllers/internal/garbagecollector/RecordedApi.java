package io.github.reconciler4j.controllers.internal.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers as the API server of one recorded call did, and fails if it is asked for anything else. */
final class RecordedApi implements GarbageApi {

    private static final ErrorDetails UNKNOWN = ErrorDetails.of(500, "");

    private final UpstreamCase call;
    private final List<String> sent = new ArrayList<>();
    private boolean conflict;

    RecordedApi(UpstreamCase call) {
        this.call = call;
    }

    /** Check that everything has been sent that upstream has sent. */
    void assertComplete() {
        for (String request : List.of("delete", "deleteAnyVersion", "patch")) {
            assertThat(sent.contains(request))
                    .as("sends %s", request)
                    .isEqualTo(!call.note(request).isMissingNode());
        }
    }

    private JsonNode answer(String question) {
        JsonNode answer = call.note(question);
        if (answer.isMissingNode()) {
            throw new AssertionError("Kubernetes does not ask for '" + question + "'");
        }
        return answer;
    }

    @Override
    public Optional<Served> kindOf(ObjectId object) {
        JsonNode kind = answer("kind " + object.apiVersion() + "/" + object.kind());
        return kind.isNull()
                ? Optional.empty()
                : Optional.of(new Served(
                        Kind.of(KindName.of(object.apiVersion(), object.kind())),
                        kind.get("namespaced").asBoolean()));
    }

    @Override
    public Optional<ObjectHeader> read(Served served, ObjectId object) {
        ObjectId place = served.place(object);
        JsonNode found = answer(
                conflict
                        ? "afterConflict"
                        : "get " + place.apiVersion() + "/" + place.kind() + " " + place.namespace() + "/"
                                + place.name());
        if (found.isTextual()) {
            throw new ApiException(found.asText(), UNKNOWN);
        }
        return found.isNull() ? Optional.empty() : Optional.of(Header.of(found));
    }

    @Override
    public Optional<GenericKubernetesResource> readWhole(Served served, ObjectId object) {
        throw new AssertionError("No recorded call patches a custom resource");
    }

    @Override
    public boolean delete(Served served, ObjectId object, DeletionOptions options) {
        String name = options.resourceVersion().isEmpty() ? "deleteAnyVersion" : "delete";
        sent.add(name);
        JsonNode deletion = answer(name);
        assertThat(GarbageCollectorReplays.id(deletion.get("id"))).isEqualTo(object);
        assertThat(options.propagation().orElseThrow().parameter())
                .isEqualTo(deletion.get("policy").asText());
        assertThat(options.uid()).isEqualTo(object.uid());
        return switch (deletion.get("result").asText()) {
            case "ok" -> true;
            case "notFound" -> false;
            case "conflict" -> {
                conflict = true;
                throw new ConflictException("conflict", ErrorDetails.of(409, "Conflict"));
            }
            default -> throw new ApiException(deletion.get("result").asText(), UNKNOWN);
        };
    }

    @Override
    public void patch(Served served, ObjectId object, ObjectPatch patch) {
        sent.add("patch");
        JsonNode recorded = answer("patch");
        assertThat(GarbageCollectorReplays.id(recorded.get("id"))).isEqualTo(object);
        assertThat(GarbageCollectorReplays.tree(patch.body()))
                .isEqualTo(GarbageCollectorReplays.tree(recorded.get("patch").asText()));
    }

    @Override
    public void forgetKinds() {
        throw new AssertionError("No recorded call forgets kinds");
    }

    /** The metadata of an answer. */
    private record Header(
            ObjectKey key,
            String uid,
            String resourceVersion,
            List<OwnerRef> ownerReferences,
            List<String> finalizers,
            @Nullable String deletionTimestamp)
            implements ObjectHeader {

        static Header of(JsonNode metadata) {
            JsonNode deleted = metadata.path("deletionTimestamp");
            return new Header(
                    new ObjectKey(
                            metadata.path("namespace").asText(),
                            metadata.get("name").asText()),
                    metadata.path("uid").asText(),
                    metadata.path("resourceVersion").asText(),
                    GarbageCollectorReplays.owners(metadata.path("ownerReferences")),
                    UpstreamCase.readList(metadata.path("finalizers"), String.class),
                    deleted.isTextual() ? deleted.asText() : null);
        }

        @Override
        public long generation() {
            return 0;
        }

        @Override
        public Map<String, String> labels() {
            return Map.of();
        }

        @Override
        public Map<String, String> annotations() {
            return Map.of();
        }

        @Override
        public String creationTimestamp() {
            return "";
        }
    }

    static UncheckedIOException unreadable(IOException e) {
        return new UncheckedIOException("A recorded call has no valid JSON", e);
    }
}
