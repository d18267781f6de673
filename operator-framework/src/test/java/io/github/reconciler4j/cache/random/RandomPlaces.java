package io.github.reconciler4j.cache.random;

import io.github.reconciler4j.cache.CachedNamespaces;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * In which namespaces a cache under test watches.
 *
 * @param asked the namespaces that the cache is asked to watch
 * @param own what is watched in a namespace that has a selector of its own
 */
record RandomPlaces(CachedNamespaces asked, Map<String, RandomSelector> own) {

    /** Of these the last one comes and goes. */
    static final List<String> NAMESPACES = List.of("default", "kube-public", "kube-system", "passing");

    static RandomPlaces next(Random random) {
        Set<String> two = Set.copyOf(NAMESPACES.subList(0, 2));
        CachedNamespaces labeled = CachedNamespaces.matchingLabels("team=a");
        return switch (random.nextInt(9)) {
            case 0 -> of(CachedNamespaces.only(two));
            case 1 -> of(CachedNamespaces.allExcept(two));
            case 2 -> of(labeled);
            case 3 -> of(labeled.without(Set.of("kube-system")));
            case 4 -> withOwn(CachedNamespaces.only(two), "default", random);
            case 5 -> withOwn(labeled, "passing", random);
            case 6 -> withOwn(CachedNamespaces.all(), "kube-system", random);
            default -> of(CachedNamespaces.all());
        };
    }

    private static RandomPlaces of(CachedNamespaces asked) {
        return new RandomPlaces(asked, Map.of());
    }

    private static RandomPlaces withOwn(CachedNamespaces others, String namespace, Random random) {
        RandomSelector own = RandomSelector.next(random);
        return new RandomPlaces(others.with(namespace, own.asked()), Map.of(namespace, own));
    }

    RandomSelector selector(String namespace, RandomSelector usual) {
        return own.getOrDefault(namespace, usual);
    }

    /** Whether a namespace is watched if it has the right label. */
    boolean mayCover(String namespace) {
        return !asked.excluded().contains(namespace)
                && (asked.others() || asked.isFollowed() || asked.named().contains(namespace));
    }

    /** Whether a namespace with these labels is watched. */
    boolean covers(String namespace, Map<String, String> labels) {
        boolean chosen = asked.others() || asked.named().contains(namespace) || "a".equals(labels.get("team"));
        return mayCover(namespace) && chosen;
    }

    /** Whether there is one watch, for all namespaces. */
    boolean isOneWatch() {
        return asked.others() && asked.named().isEmpty();
    }

    @Override
    public String toString() {
        return asked.toString().replace("CachedNamespaces", "");
    }
}
