package io.github.reconciler4j.objectset;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A cache that is as late as a test wants. It has own writes at once, as the cache of the framework, and those of others when the
 * test says so. Not thread-safe.
 */
final class LateReader implements Reader {

    /** An object by kind, namespace and name. */
    record Place(String kind, ObjectKey key) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : key.compareTo(other.key);
        }
    }

    private final Map<Place, String> objects = new TreeMap<>();

    /** Show what the server has. */
    void catchUp(Map<Place, String> server) {
        objects.clear();
        objects.putAll(server);
    }

    /** Show one write. */
    void show(Place place, String json) {
        if (json == null) {
            objects.remove(place);
        } else {
            objects.put(place, json);
        }
    }

    @Override
    public <T> Optional<T> get(Kind<T> kind, ObjectKey key) {
        return Optional.ofNullable(objects.get(new Place(kind.kind(), key))).map(json -> decode(kind, json));
    }

    @Override
    public <T> List<T> list(Kind<T> kind, Selection options) {
        LabelMatcher labels = LabelMatcher.parse(options.labelSelector());
        return all(kind).stream()
                .filter(json -> labels.matches(header(json).labels()))
                .map(json -> decode(kind, json))
                .toList();
    }

    @Override
    public <T> List<T> listOwned(HasMetadata owner, Kind<T> kind) {
        String uid = OwnerReferences.uid(owner);
        return all(kind).stream()
                .filter(json -> header(json).ownerReferences().stream()
                        .anyMatch(reference -> reference.uid().equals(uid)))
                .map(json -> decode(kind, json))
                .toList();
    }

    private List<String> all(Kind<?> kind) {
        List<String> all = new ArrayList<>();
        objects.forEach((place, json) -> {
            if (place.kind().equals(kind.kind())) {
                all.add(json);
            }
        });
        return all;
    }

    private static <T> T decode(Kind<T> kind, String json) {
        return kind.objectType().cast(kind.isMetadata() ? header(json) : read(json, kind.objectType()));
    }

    static <T> T read(String json, Class<T> type) {
        try {
            return KubernetesJson.mapper().readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static Header header(String json) {
        return new Header(read(json, GenericKubernetesResource.class).getMetadata());
    }

    /** A header by its metadata. */
    record Header(ObjectMeta metadata) implements ObjectHeader {

        @Override
        public ObjectKey key() {
            return new ObjectKey(Objects.requireNonNullElse(metadata.getNamespace(), ""), metadata.getName());
        }

        @Override
        public String uid() {
            return metadata.getUid();
        }

        @Override
        public String resourceVersion() {
            return metadata.getResourceVersion();
        }

        @Override
        public long generation() {
            return Objects.requireNonNullElse(metadata.getGeneration(), 0L);
        }

        @Override
        public Map<String, String> labels() {
            return Objects.requireNonNullElse(metadata.getLabels(), Map.of());
        }

        @Override
        public Map<String, String> annotations() {
            return Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
        }

        @Override
        public List<OwnerRef> ownerReferences() {
            return metadata.getOwnerReferences().stream()
                    .map(each -> new OwnerRef(
                            each.getApiVersion(),
                            each.getKind(),
                            each.getName(),
                            each.getUid(),
                            Boolean.TRUE.equals(each.getController())))
                    .toList();
        }

        @Override
        public List<String> finalizers() {
            return metadata.getFinalizers();
        }

        @Override
        public String creationTimestamp() {
            return Objects.requireNonNullElse(metadata.getCreationTimestamp(), "");
        }

        @Override
        public String deletionTimestamp() {
            return metadata.getDeletionTimestamp();
        }
    }
}
