package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@link Discovery} that keeps what it was told. No lock is held while the server is asked.
 *
 * @since 0.1.0
 */
public final class DiscoveryCache implements Discovery {

    private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(2);

    private final DiscoveryRequests requests;
    private final LongSupplier nanoTime;
    private final Map<String, Answer<Map<String, ServedKind>>> kinds = new ConcurrentHashMap<>();
    private final Map<String, Answer<List<String>>> versions = new ConcurrentHashMap<>();

    /** Creates it; asks nothing yet. */
    public DiscoveryCache(ApiConnection connection) {
        this(connection, System::nanoTime);
    }

    DiscoveryCache(ApiConnection connection, LongSupplier nanoTime) {
        this.requests = new DiscoveryRequests(connection);
        this.nanoTime = nanoTime;
    }

    @Override
    public Optional<ServedKind> find(GroupVersionKind kind) {
        Answer<Map<String, ServedKind>> known = kinds.get(kind.apiVersion());
        if (!isGood(known, served -> served.containsKey(kind.kind()))) {
            known = new Answer<>(requests.kinds(kind.group(), kind.version()), nanoTime.getAsLong());
            kinds.put(kind.apiVersion(), known);
        }
        return known == null ? Optional.empty() : Optional.ofNullable(known.content.get(kind.kind()));
    }

    @Override
    public List<String> versions(String group) {
        Answer<List<String>> known = versions.get(group);
        if (known == null || !isGood(known, content -> !content.isEmpty())) {
            known = new Answer<>(requests.versions(group), nanoTime.getAsLong());
            versions.put(group, known);
        }
        return known.content;
    }

    /** Whether an answer can be used: it has what is wanted, or it is too young to be asked for again. */
    private <T> boolean isGood(@Nullable Answer<T> answer, Predicate<T> hasWanted) {
        return answer != null
                && (hasWanted.test(answer.content)
                        || nanoTime.getAsLong() - answer.askedAt < ASK_AGAIN_AFTER.toNanos());
    }

    @Override
    public Optional<ServedKind> findPreferred(String group, String kind) {
        for (String version : versions(group)) {
            Optional<ServedKind> served = find(new GroupVersionKind(group, version, kind));
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
                    + "': name that one in @Plural, or install the CustomResourceDefinition made from this class");
        }
        if (served.info().namespaced() != kind.namespaced()) {
            throw new KindMismatchException(kind.kind() + " is " + scope(kind) + " here, but "
                    + scope(served.info()) + " on the API server: "
                    + (kind.namespaced() ? "remove 'implements Namespaced'" : "add 'implements Namespaced'")
                    + ", or install the CustomResourceDefinition made from this class");
        }
        return served;
    }

    private static String scope(KindInfo kind) {
        return kind.namespaced() ? "namespaced" : "cluster-scoped";
    }

    private KindNotServedException notServed(KindInfo kind) {
        List<String> known = versions(kind.kind().group());
        String found = known.isEmpty()
                ? "it knows no group '" + kind.kind().group() + "'"
                : "of this group it has "
                        + known.stream()
                                .filter(v -> !v.equals(kind.kind().version()))
                                .toList() + " besides";
        return new KindNotServedException("The API server does not serve " + kind.kind() + " (" + found
                + "): install the CustomResourceDefinition " + kind.resource() + " with version "
                + kind.kind().version() + ", for instance with 'kubectl apply -f " + kind.resource()
                + "-v1.yml'");
    }

    @Override
    public void forget() {
        kinds.clear();
        versions.clear();
    }

    /** What the server said, and when. */
    private record Answer<T>(T content, long askedAt) {}
}
