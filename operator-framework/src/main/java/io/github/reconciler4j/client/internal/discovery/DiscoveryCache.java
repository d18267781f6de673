package io.github.reconciler4j.client.internal.discovery;

import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.PathSegments;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Discovery} that remembers responses. It requests the documents of one group and one version, which every server has
 * and which are small; the aggregated documents contain all groups, a hundred times as much as an operator needs. No lock is
 * held during a request; threads that ask for the version wait for the one that requests it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DiscoveryCache implements Discovery {

    private static final Logger LOG = LoggerFactory.getLogger(DiscoveryCache.class);

    /** The minor version of a vendor may end with a plus sign. */
    private static final Pattern MINOR = Pattern.compile("(\\d{1,4})\\+?");

    /** The server does not say which version it has. */
    private static final int UNKNOWN = -1;

    /** There was no answer. */
    private static final int FAILED = -2;

    private static final long RETRY_VERSION_AFTER = Duration.ofSeconds(10).toNanos();
    private static final Duration VERSION_TIMEOUT = Duration.ofSeconds(5);

    private static final long RECHECK_FOUND_AFTER = Duration.ofMinutes(1).toNanos();
    private static final long RETRY_MISSING_AFTER = Duration.ofSeconds(2).toNanos();

    private final ApiConnection connection;
    private final TimeSource time;
    private final Map<String, CachedDiscovery<Map<String, ServedKind>>> kinds = new ConcurrentHashMap<>();
    private final Map<String, CachedDiscovery<List<String>>> versions = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable VersionRequest> versionRequest = new AtomicReference<>();

    /** The last version whose missing features were logged. */
    private final AtomicInteger loggedVersion = new AtomicInteger(UNKNOWN);

    /** Create a discovery; it requests nothing yet. */
    public DiscoveryCache(ApiConnection connection) {
        this(connection, TimeSource.system());
    }

    DiscoveryCache(ApiConnection connection, TimeSource time) {
        this.connection = connection;
        this.time = time;
    }

    @Override
    public Optional<ServedKind> find(KindName kind) {
        CachedDiscovery<Map<String, ServedKind>> known = kinds.get(kind.apiVersion());
        if (!isUsable(known, served -> served.containsKey(kind.kind()))) {
            known = new CachedDiscovery<>(requestKinds(kind.group(), kind.version()), time.nanoTime());
            kinds.put(kind.apiVersion(), known);
        }
        return known == null ? Optional.empty() : Optional.ofNullable(known.content.get(kind.kind()));
    }

    @Override
    public boolean serves(KindName kind) {
        CachedDiscovery<Map<String, ServedKind>> known = kinds.get(kind.apiVersion());
        boolean outdated = known != null
                && known.content.containsKey(kind.kind())
                && time.nanoTime() - known.requestedAt >= RECHECK_FOUND_AFTER;
        if (outdated) {
            try {
                kinds.put(
                        kind.apiVersion(),
                        new CachedDiscovery<>(requestKinds(kind.group(), kind.version()), time.nanoTime()));
            } catch (ApiException e) {
                LOG.debug("Cannot determine whether the API server still serves {}: {}", kind, e.getMessage());
                return true;
            }
        }
        return find(kind).isPresent();
    }

    @Override
    public List<String> versions(String group) {
        CachedDiscovery<List<String>> known = versions.get(group);
        if (known == null || !isUsable(known, content -> !content.isEmpty())) {
            known = new CachedDiscovery<>(requestVersions(group), time.nanoTime());
            versions.put(group, known);
        }
        return known.content;
    }

    /** Return whether a response can be used: it contains what is wanted, or it is too recent to be requested again. */
    private <T> boolean isUsable(@Nullable CachedDiscovery<T> known, Predicate<T> hasWanted) {
        return known != null
                && (hasWanted.test(known.content) || time.nanoTime() - known.requestedAt < RETRY_MISSING_AFTER);
    }

    @Override
    public Optional<ServedKind> findPreferred(String group, String kind) {
        for (String version : versions(group)) {
            Optional<ServedKind> served = find(new KindName(group, version, kind));
            if (served.isPresent()) {
                return served;
            }
        }
        return Optional.empty();
    }

    @Override
    public ServedKind check(KindInfo kind) {
        ServedKind served = find(kind.kind()).orElseThrow(() -> notServed(kind));
        if (!served.info().plural().equals(kind.plural())) {
            throw new KindMismatchException(kind.kind() + " has the plural '" + kind.plural()
                    + "' here, but the API server serves it as '"
                    + served.info().plural()
                    + "': name that one in @Plural, or install the CustomResourceDefinition of this class (R4J-012)");
        }
        if (served.info().namespaced() != kind.namespaced()) {
            throw new KindMismatchException(kind.kind() + " is " + scope(kind) + " here, but "
                    + scope(served.info()) + " on the API server: "
                    + (kind.namespaced() ? "remove 'implements Namespaced'" : "add 'implements Namespaced'")
                    + ", or install the CustomResourceDefinition generated from this class (R4J-013)");
        }
        return served;
    }

    private static String scope(KindInfo kind) {
        return kind.namespaced() ? "namespaced" : "cluster-scoped";
    }

    private KindNotServedException notServed(KindInfo kind) {
        List<String> others = versions(kind.kind().group()).stream()
                .filter(version -> !version.equals(kind.kind().version()))
                .toList();
        String found = others.isEmpty()
                ? "it does not know group '" + kind.kind().group() + "'"
                : "it serves this group in versions " + others;
        return new KindNotServedException("The API server does not serve " + kind.kind() + " (" + found
                + "): install the CustomResourceDefinition " + kind.resource() + " with version "
                + kind.kind().version() + ", such as by 'kubectl apply -f " + kind.resource() + "-v1.yml' (R4J-011)");
    }

    @Override
    public void forget() {
        kinds.clear();
        versions.clear();
        versionRequest.set(null);
    }

    @Override
    public void forget(KindName kind) {
        kinds.remove(kind.apiVersion());
    }

    @Override
    public boolean isKubernetesAtLeast(int minor) {
        if (minor < 0) {
            throw new IllegalArgumentException("'minor' must not be negative, was " + minor);
        }
        VersionRequest mine = new VersionRequest(new CompletableFuture<>(), time.nanoTime());
        while (true) {
            VersionRequest known = versionRequest.get();
            if (known != null && !known.isOutdated(mine.requestedAt)) {
                return known.await() >= minor;
            }
            if (versionRequest.compareAndSet(known, mine)) {
                return answer(mine) >= minor;
            }
        }
    }

    private int answer(VersionRequest request) {
        int found = FAILED;
        try {
            found = requestVersion();
        } finally {
            request.minor.complete(found);
        }
        if (found >= 0 && loggedVersion.getAndSet(found) != found) {
            String sentence = MissingFeatures.sentence(found);
            if (!sentence.isEmpty()) {
                LOG.info("{}", sentence);
            }
        }
        return found;
    }

    /** Request the minor version. Whatever goes wrong, what depends on the version has another way. */
    private int requestVersion() {
        try {
            ApiRequest request = ApiRequest.of("get", "GET", "/version").withTimeout(VERSION_TIMEOUT);
            return minorOf(KubernetesJson.readMap(connection.send(request).body()));
        } catch (ForbiddenException | NotFoundException e) {
            LOG.debug("The version of the API server cannot be read: {}", e.getMessage());
            return UNKNOWN;
        } catch (RuntimeException e) {
            LOG.debug("The version of the API server is not known yet: {}", Causes.message(e));
            return FAILED;
        } catch (IOException e) {
            LOG.debug("The version of the API server is not JSON");
            return FAILED;
        }
    }

    private static int minorOf(Map<String, Object> version) {
        Matcher matcher = MINOR.matcher(String.valueOf(version.get("minor")));
        return "1".equals(version.get("major")) && matcher.matches()
                ? Integer.parseInt(Objects.requireNonNull(matcher.group(1)))
                : UNKNOWN;
    }

    /** Request the versions of a group, the preferred one first; empty if there is no such group. */
    private List<String> requestVersions(String group) {
        Map<String, Object> document = group.isEmpty()
                ? document("/api", "APIVersions")
                : document("/apis/" + PathSegments.check("group", group), "APIGroup");
        List<String> found = new ArrayList<>();
        for (Object version : list(document, "versions")) {
            found.add(version instanceof String name ? name : text(map(version), "version"));
        }
        String preferred = text(map(document.get("preferredVersion")), "version");
        if (found.remove(preferred)) {
            found.add(0, preferred);
        }
        return List.copyOf(found);
    }

    /** Request the kinds of a group and version by name; empty if it is not served. */
    private Map<String, ServedKind> requestKinds(String group, String version) {
        String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        List<Map<String, Object>> resources = list(document(path, "APIResourceList"), "resources").stream()
                .map(DiscoveryCache::map)
                .toList();
        Map<String, Set<String>> subresources = new HashMap<>();
        for (Map<String, Object> resource : resources) {
            String[] name = text(resource, "name").split("/", 2);
            if (name.length == 2) {
                subresources.computeIfAbsent(name[0], plural -> new HashSet<>()).add(name[1]);
            }
        }
        Map<String, ServedKind> found = new HashMap<>();
        for (Map<String, Object> resource : resources) {
            String plural = text(resource, "name");
            if (!plural.isBlank() && plural.indexOf('/') < 0) {
                String kind = text(resource, "kind");
                found.putIfAbsent(
                        kind,
                        new ServedKind(
                                new KindInfo(
                                        new KindName(group, version, kind),
                                        plural,
                                        Boolean.TRUE.equals(resource.get("namespaced"))),
                                subresources.getOrDefault(plural, Set.of()),
                                verbs(resource)));
            }
        }
        return Map.copyOf(found);
    }

    private static Set<String> verbs(Map<String, Object> resource) {
        return list(resource, "verbs").stream().map(String::valueOf).collect(Collectors.toSet());
    }

    private static String text(Map<String, Object> object, String name) {
        return object.get(name) instanceof String text ? text : "";
    }

    private static List<?> list(Map<String, Object> object, String name) {
        return object.get(name) instanceof List<?> list ? list : List.of();
    }

    @SuppressWarnings("unchecked") // objects of JSON have names as keys
    private static Map<String, Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /** Request a document. One of another kind, taken for an empty one, would mean that nothing is served. */
    private Map<String, Object> document(String path, String kind) {
        try {
            Map<String, Object> document = KubernetesJson.readMap(
                    connection.send(ApiRequest.of("discover", "GET", path)).body());
            if (kind.equals(document.get("kind"))) {
                return document;
            }
        } catch (NotFoundException e) {
            return Map.of();
        } catch (IOException e) {
            // Jackson's message quotes the content.
        }
        throw new UnexpectedResponseException("discover " + path + ": the response is not an " + kind);
    }

    /** What the server serves, and when it was requested. */
    private record CachedDiscovery<T>(T content, long requestedAt) {}

    /** The request for the version of the server. The thread that has sent it completes it; others wait for that. */
    private record VersionRequest(CompletableFuture<Integer> minor, long requestedAt) {

        boolean isOutdated(long now) {
            return minor.getNow(UNKNOWN) == FAILED && now - requestedAt >= RETRY_VERSION_AFTER;
        }

        int await() {
            try {
                return minor.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return FAILED;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e); // it never fails
            }
        }
    }

    /** Features of the API server that old versions of Kubernetes lack by default, and what happens instead. */
    private static final class MissingFeatures {

        private static final List<Feature> FEATURES = List.of(
                new Feature("selectable fields of custom resources (select them by labels)", minor -> minor < 31),
                new Feature("lists as streams (each list is one response)", minor -> minor < 32 || minor == 33),
                new Feature("pages from a snapshot (lists are not read in pages)", minor -> minor < 34),
                new Feature("MutatingAdmissionPolicy (use a Defaulter)", minor -> minor < 36),
                new Feature(
                        "StorageVersionMigration v1 (the operator rewrites stored objects itself)",
                        minor -> minor < 37));

        private record Feature(String text, IntPredicate isMissing) {}

        private MissingFeatures() {}

        /** Returns a sentence about what a minor version lacks, empty if it lacks nothing. */
        static String sentence(int minor) {
            String missing = FEATURES.stream()
                    .filter(feature -> feature.isMissing().test(minor))
                    .map(Feature::text)
                    .collect(Collectors.joining(", "));
            return missing.isEmpty()
                    ? ""
                    : "The API server has Kubernetes 1." + minor + ", which lacks by default: " + missing;
        }
    }
}
