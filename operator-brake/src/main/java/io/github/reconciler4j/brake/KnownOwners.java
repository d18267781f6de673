package io.github.reconciler4j.brake;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.brake.DeletionWindow.Target;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the deletion of an object is no accident: it is being deleted already, or its owner or namespace is. Reads the
 * cache where it has the kind, and the API server otherwise. Thread-safe.
 */
final class KnownOwners {

    private static final KindName NAMESPACE = new KindName("", "v1", "Namespace");
    private static final long MEMORY = Duration.ofSeconds(10).toNanos();
    private static final int MEMORY_SIZE = 1_000;
    private static final int PAGE = 500;

    private final TimeSource time;
    private final LruMap<Asked, Answer> answers = new LruMap<>(MEMORY_SIZE);

    KnownOwners(TimeSource time) {
        this.time = time;
    }

    /** An owner or a namespace. */
    private record Asked(String cluster, KindName kind, ObjectKey key, String uid) {}

    private record Answer(long at, boolean ending) {}

    /** The number of objects of a kind that a cluster's cache has; 0 if it does not watch the kind. */
    static int cached(Cluster cluster, KindName kind) {
        return watched(cluster, kind).map(KindStatus::objects).orElse(0);
    }

    private static Optional<KindStatus> watched(Cluster cluster, KindName kind) {
        return cluster.cache().kinds().stream()
                .filter(status -> status.synced() && status.kind().kind().sameGroupKind(kind))
                .findFirst();
    }

    /** Return the object that is to be deleted, empty if it does not exist. */
    Optional<ObjectHeader> find(Cluster cluster, KindName kind, ObjectKey key) {
        Optional<ObjectHeader> cached = cachedHeader(cluster, kind, key);
        return cached.isPresent()
                ? cached
                : cluster.client().live().get(Kind.of(kind).metadata(), key);
    }

    private static Optional<ObjectHeader> cachedHeader(Cluster cluster, KindName kind, ObjectKey key) {
        Optional<KindStatus> status = watched(cluster, kind);
        if (status.isEmpty()) {
            return Optional.empty();
        }
        try {
            return cluster.cache().get(Kind.of(status.get().kind().kind()).metadata(), key);
        } catch (RuntimeException e) { // the kind or the namespace has left the cache
            return Optional.empty();
        }
    }

    /** Return the uid of the object that an object belongs to, {@code ""} for none. */
    static String ownerOf(List<OwnerRef> owners) {
        return owners.stream()
                .filter(OwnerRef::controller)
                .findFirst()
                .or(() -> owners.stream().findFirst())
                .map(OwnerRef::uid)
                .orElse("");
    }

    /** Return whether an owner of an object is being deleted, or gone: then Kubernetes deletes the object as well. */
    boolean isOwnerEnding(Cluster cluster, String namespace, List<OwnerRef> owners) {
        return owners.stream().anyMatch(owner -> isEnding(cluster, namespace, owner));
    }

    private boolean isEnding(Cluster cluster, String namespace, OwnerRef owner) {
        KindName kind = KindName.of(owner.apiVersion(), owner.kind());
        for (ObjectKey key : List.of(new ObjectKey(namespace, owner.name()), ObjectKey.ofName(owner.name()))) {
            Optional<ObjectHeader> header = cachedHeader(cluster, kind, key);
            if (header.filter(found -> found.uid().equals(owner.uid())).isPresent()) {
                return header.get().isBeingDeleted();
            }
        }
        return ask(new Asked(cluster.name(), kind, new ObjectKey(namespace, owner.name()), owner.uid()), cluster);
    }

    /**
     * Ask the API server whether an object of a set or its owner is being deleted or gone, which the reconciler did not know yet; false
     * if this process may not know.
     */
    boolean isGoing(Cluster cluster, KindName kind, ObjectHeader object, HasMetadata owner) {
        return WorkScope.cluster().equals(cluster.name()) && isGoing(cluster, owner)
                || isEnding(new Asked(cluster.name(), kind, object.key(), object.uid()), cluster);
    }

    private boolean isGoing(Cluster cluster, HasMetadata owner) {
        if (owner.getApiVersion() == null || owner.getKind() == null) {
            return false;
        }
        KindName kind = KindName.of(owner.getApiVersion(), owner.getKind());
        String uid = Objects.requireNonNullElse(owner.getMetadata().getUid(), "");
        return ask(new Asked(cluster.name(), kind, ObjectKey.of(owner), uid), cluster);
    }

    /** Return whether a namespace is being deleted; false if this process may not know. */
    boolean isNamespaceEnding(Cluster cluster, String namespace) {
        if (namespace.isEmpty()) {
            return false;
        }
        ObjectKey key = ObjectKey.ofName(namespace);
        return cachedHeader(cluster, NAMESPACE, key)
                .map(ObjectHeader::isBeingDeleted)
                .orElseGet(() -> ask(new Asked(cluster.name(), NAMESPACE, key, ""), cluster));
    }

    /** Ask the API server, not more often than every ten seconds. */
    private boolean ask(Asked asked, Cluster cluster) {
        Answer known = answers.get(asked);
        long now = time.nanoTime();
        if (known != null && now - known.at < MEMORY) {
            return known.ending;
        }
        boolean ending = isEnding(asked, cluster);
        answers.put(asked, new Answer(now, ending));
        return ending;
    }

    private static boolean isEnding(Asked asked, Cluster cluster) {
        try {
            Optional<ObjectHeader> found =
                    cluster.client().live().get(Kind.of(asked.kind).metadata(), asked.key);
            return found.map(header -> header.isBeingDeleted() || isAnother(header, asked.uid))
                    .orElse(!asked.uid.isEmpty());
        } catch (ApiException | IllegalArgumentException e) { // no permission, or no such kind: nothing is known
            return false;
        }
    }

    private static boolean isAnother(ObjectHeader header, String uid) {
        return !uid.isEmpty() && !header.uid().equals(uid);
    }

    /**
     * Return what a deletion of many objects would delete, without what is no accident; more than the given number only if that many
     * are found.
     */
    List<Target> targets(Cluster cluster, ClientCall call, long enough) {
        List<Target> targets = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = page(cluster, call, token);
            for (JsonNode item : page.path("items")) {
                add(targets, cluster, item.path("metadata"));
            }
            token = page.path("metadata").path("continue").asText("");
        } while (!token.isEmpty() && targets.size() <= enough);
        return targets;
    }

    private static JsonNode page(Cluster cluster, ClientCall call, String token) {
        Map<String, List<String>> query = new LinkedHashMap<>(call.request().query());
        query.put("limit", List.of(Integer.toString(PAGE)));
        if (!token.isEmpty()) {
            query.put("continue", List.of(token));
        }
        ApiRequest request = ApiRequest.of("list", "GET", call.request().path())
                .withAccept("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json")
                .withQuery(query)
                .withTimeout(call.request().timeout());
        try {
            JsonNode list = KubernetesJson.mapper()
                    .readTree(cluster.connection().send(request).body());
            if (list.path("items").isArray()) {
                return list;
            }
        } catch (IOException e) { // the message can contain what was sent
        }
        throw new ApiException("The list of " + call.kind().resource() + " has no items", ErrorDetails.none());
    }

    private void add(List<Target> targets, Cluster cluster, JsonNode metadata) {
        String namespace = metadata.path("namespace").asText("");
        List<OwnerRef> owners = owners(metadata);
        if (!metadata.path("deletionTimestamp").isTextual() && !isOwnerEnding(cluster, namespace, owners)) {
            targets.add(new Target(
                    new ObjectKey(namespace, metadata.path("name").asText("")),
                    metadata.path("uid").asText(""),
                    ownerOf(owners)));
        }
    }

    static List<OwnerRef> owners(@Nullable JsonNode metadata) {
        List<OwnerRef> owners = new ArrayList<>();
        if (metadata != null) {
            for (JsonNode each : metadata.path("ownerReferences")) {
                owners.add(new OwnerRef(
                        each.path("apiVersion").asText(""),
                        each.path("kind").asText(""),
                        each.path("name").asText(""),
                        each.path("uid").asText(""),
                        each.path("controller").asBoolean()));
            }
        }
        return owners;
    }
}
