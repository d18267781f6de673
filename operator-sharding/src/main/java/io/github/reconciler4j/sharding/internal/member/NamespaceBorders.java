package io.github.reconciler4j.sharding.internal.member;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.leaderelection.internal.LeaseJson;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The borders between shards of namespaces that all replicas use, in an annotation of one Lease. The replica that finds none computes
 * them from the namespaces that exist, or from those that the cache is limited to. Confined to one thread, except for {@link #close}.
 */
public final class NamespaceBorders {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceBorders.class);

    /** With the number of shards, because replicas with another number can live at the same time. */
    private static final String ANNOTATION = "reconciler4j.io/namespace-borders-of-";

    private static final String METADATA =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    private static final String PAGE = "500";
    private static final int HEX = 16;
    private static final String LEASE = "coordination.k8s.io/v1/Lease";
    private static final Set<String> LISTS = Set.of("v1/NamespaceList", "meta.k8s.io/v1/PartialObjectMetadataList");

    /** A shard may have so many namespaces more than twice its part. */
    private static final int TOLERANCE = 4;

    /** How many other replicas may be faster before it is tried again later. */
    private static final int ATTEMPTS = 3;

    /** A million namespaces. A server that sends more pages does not end. */
    private static final int MAX_PAGES = 2_000;

    private final ApiConnection connection;
    private final ObjectKey key;
    private final Map<String, String> labels;
    private final Partition shards;
    private final Set<String> named;
    private final Duration timeout;
    private volatile boolean closed;

    /**
     * Creates access to the borders.
     *
     * @param shards the shards to divide
     * @param named the only namespaces with objects; empty to list those of the cluster
     */
    public NamespaceBorders(ShardCoordinator.Settings settings, Partition shards, Set<String> named) {
        connection = settings.connection();
        key = ObjectKey.of(settings.namespace(), settings.options().name() + "-borders");
        labels = ShardCoordinator.bordersLabels(settings.options());
        this.shards = shards;
        this.named = named;
        timeout = settings.options().timing().requestTimeout();
    }

    /**
     * Returns the borders that all replicas use.
     *
     * @param current those that this replica uses, which become those of all if there are none; empty before the first
     */
    public List<Long> agree(Optional<List<Long>> current) {
        for (int left = ATTEMPTS; ; left--) {
            ObjectNode lease = read().orElseGet(this::emptyLease);
            List<Long> found = bordersOf(lease);
            if (!found.isEmpty()) {
                return found;
            }
            List<Long> first = current.orElseGet(
                    () -> shards.withEvenNamespaces(namespaces()).namespaceBorders());
            try {
                write(lease, first);
                return first;
            } catch (ConflictException | AlreadyExistsException e) {
                if (left == 1) {
                    throw e;
                }
                LOG.debug("Another client was faster with Lease {}", key, e);
            }
        }
    }

    /** Replaces the borders if a shard has far more namespaces than the others. */
    public void review(List<Long> current) {
        Collection<String> namespaces = namespaces();
        Partition divided = shards.withNamespaceBorders(current);
        int part = namespaces.size() / shards.count();
        int largest = largest(divided, namespaces);
        ObjectNode lease = read().orElseGet(this::emptyLease);
        if (largest <= 2 * part + TOLERANCE || !bordersOf(lease).equals(current)) {
            return;
        }
        LOG.info("A shard has {} of {} namespaces, so all replicas divide them again", largest, namespaces.size());
        try {
            write(lease, shards.withEvenNamespaces(namespaces).namespaceBorders());
        } catch (ConflictException | AlreadyExistsException e) {
            LOG.debug("Another client has changed Lease {}", key, e);
        }
    }

    /** Lets no further request start. For any thread. */
    public void close() {
        closed = true;
    }

    private static int largest(Partition divided, Collection<String> namespaces) {
        int[] sizes = new int[divided.count()];
        int largest = 0;
        for (String namespace : namespaces) {
            largest = Math.max(largest, ++sizes[divided.ofNamespace(namespace)]);
        }
        return largest;
    }

    private Optional<ObjectNode> read() {
        try {
            return Optional.of(sendForLease(ApiRequest.of("get", "GET", LeaseJson.KIND.path(key))));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    /** Any other JSON, taken for the Lease, would be one without borders. */
    private ObjectNode sendForLease(ApiRequest request) {
        JsonNode lease = send(request);
        JsonNode metadata = lease.path("metadata");
        if (lease instanceof ObjectNode object
                && type(lease).equals(LEASE)
                && metadata.path("name").asText("").equals(key.name())
                && metadata.path("namespace").asText("").equals(key.namespace())) {
            return object;
        }
        throw unreadable("it is not Lease " + key);
    }

    private static String type(JsonNode object) {
        return object.path("apiVersion").asText("") + "/" + object.path("kind").asText("");
    }

    private ObjectNode emptyLease() {
        ObjectNode lease = KubernetesJson.mapper().createObjectNode();
        lease.put("apiVersion", LeaseJson.KIND.kind().apiVersion())
                .put("kind", LeaseJson.KIND.kind().kind());
        ObjectNode metadata =
                lease.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
        labels.forEach(metadata.putObject("labels")::put);
        return lease;
    }

    private String annotation() {
        return ANNOTATION + shards.count();
    }

    /** Any other JSON, taken for annotations or a text, would be a Lease without borders. */
    private String textOf(ObjectNode lease) {
        JsonNode annotations = lease.path("metadata").path("annotations");
        JsonNode text = annotations.path(annotation());
        boolean absent = annotations.isMissingNode() || annotations.isNull();
        if (!absent && !annotations.isObject() || !text.isMissingNode() && !text.isNull() && !text.isTextual()) {
            throw unreadable("the annotations of Lease " + key + " are no texts");
        }
        return text.asText("");
    }

    /** Returns what a Lease says, an empty list if it says nothing. */
    private List<Long> bordersOf(ObjectNode lease) {
        String text = textOf(lease);
        if (text.isEmpty()) {
            return List.of();
        }
        try {
            List<Long> borders = Stream.of(text.split(",", -1))
                    .map(border -> Long.parseUnsignedLong(border, HEX))
                    .toList();
            return shards.withNamespaceBorders(borders).namespaceBorders();
        } catch (IllegalArgumentException e) {
            throw new ApiException(
                    "Annotation " + annotation() + " of Lease " + key + " cannot be read: remove it (R4J-213)",
                    ErrorDetails.none());
        }
    }

    private void write(ObjectNode lease, List<Long> borders) {
        String text = borders.stream().map(Long::toHexString).collect(Collectors.joining(","));
        ObjectNode changed = lease.deepCopy();
        changed.withObjectProperty("metadata").withObjectProperty("annotations").put(annotation(), text);
        boolean created =
                lease.path("metadata").path("resourceVersion").asText("").isEmpty();
        ApiRequest request = created
                ? ApiRequest.of("create", "POST", LeaseJson.KIND.path(key.namespace()))
                : ApiRequest.of("update", "PUT", LeaseJson.KIND.path(key));
        try {
            ObjectNode stored = sendForLease(
                    request.withBody(ApiRequest.JSON, KubernetesJson.mapper().writeValueAsBytes(changed)));
            if (!textOf(stored).equals(text)) {
                throw unreadable("Lease " + key + " has other borders than those that were written");
            }
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Collection<String> namespaces() {
        if (!named.isEmpty()) {
            return named;
        }
        List<String> names = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        String next = "";
        do {
            if (!seen.add(next) || seen.size() > MAX_PAGES) {
                throw unreadable("the list of namespaces does not end");
            }
            JsonNode page = send(ApiRequest.of("list", "GET", "/api/v1/namespaces")
                    .withAccept(METADATA)
                    .withQuery(Map.of("limit", List.of(PAGE), "continue", List.of(next))));
            names.addAll(namesOf(page));
            next = page.path("metadata").path("continue").asText("");
        } while (!next.isEmpty());
        return names;
    }

    /** Returns the names in a list. Any other JSON, taken for one, would divide no namespaces. */
    private static List<String> namesOf(JsonNode list) {
        if (!LISTS.contains(type(list)) || !list.path("items").isArray()) {
            throw unreadable("it is no list of namespaces");
        }
        List<String> names = new ArrayList<>();
        for (JsonNode item : list.path("items")) {
            names.add(item.path("metadata").path("name").asText(""));
        }
        if (names.contains("")) {
            throw unreadable("it has a namespace without a name");
        }
        return names;
    }

    private JsonNode send(ApiRequest request) {
        if (closed) {
            throw new CancellationException("closed");
        }
        try {
            return KubernetesJson.read(
                    KubernetesJson.mapper(),
                    connection.send(request.withTimeout(timeout)).body(),
                    JsonNode.class);
        } catch (IOException e) {
            throw unreadable(e.getClass().getSimpleName());
        }
    }

    private static ApiException unreadable(String why) {
        return new ApiException(
                "The response about the borders of namespaces cannot be read: " + why, ErrorDetails.none());
    }
}
