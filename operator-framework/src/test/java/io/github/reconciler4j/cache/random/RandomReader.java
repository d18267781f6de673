package io.github.reconciler4j.cache.random;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reads while everything changes: what one reader sees never goes back, and lists and indexes agree with themselves. */
final class RandomReader {

    private static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

    private final Informer<HasMetadata> informer;
    private final ServerTruth truth;
    private final Random random;
    private final RandomSelection selection;
    private final RandomFaults faults;
    private final List<String> violations = new ArrayList<>();
    /** By key: the place in the server's history of what was seen last. */
    private final Map<ObjectKey, Integer> places = new HashMap<>();
    /** Objects that were seen, and then not. */
    private final Set<String> gone = new HashSet<>();

    private final Map<ObjectKey, String> present = new HashMap<>();
    private volatile boolean ended;

    RandomReader(
            Informer<HasMetadata> informer,
            ServerTruth truth,
            long seed,
            RandomSelection selection,
            RandomFaults faults) {
        this.informer = informer;
        this.truth = truth;
        this.random = new Random(seed);
        this.selection = selection;
        this.faults = faults;
    }

    void end() {
        ended = true;
    }

    List<String> violations() {
        return violations;
    }

    void run() {
        while (!ended && violations.isEmpty()) {
            try {
                readOne();
                readIndex();
                readNamespace();
                readSelected();
            } catch (ApiException | CacheSyncTimeoutException e) {
                continue; // what the cache cannot know it asks the server, which misbehaves
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    private static String any(List<String> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    private void readOne() {
        ObjectKey key = ObjectKey.of(any(RandomPlaces.NAMESPACES, random), any(RandomSelection.NAMES, random));
        ObjectHeader seen = informer.get(key).map(ObjectSnapshot::header).orElse(null);
        if (seen == null) {
            String was = present.remove(key);
            if (was != null) {
                gone.add(was);
            }
            return;
        }
        ServerTruth.Write write = truth.find(seen.uid(), seen.resourceVersion());
        int before = places.getOrDefault(key, -1);
        if (write == null || write.removal() || !selection.mayCover(write)) {
            violations.add("a reader saw " + key + " " + DeliveredEvents.state(seen) + ", which is " + write);
        } else if (write.place() < before && !faults.hasForgotten()) {
            violations.add("a reader saw " + key + " go back from " + before + " to " + write + " " + seen);
        } else if (gone.contains(seen.uid()) && !selection.isLoose() && !faults.hasForgotten()) {
            violations.add("a reader saw " + key + " " + DeliveredEvents.state(seen) + " come back from the dead");
        } else {
            places.put(key, write.place());
            present.put(key, seen.uid());
        }
    }

    private void readIndex() {
        String app = any(List.of("x", "y", "z", "none"), random);
        Set<ObjectKey> keys = new HashSet<>();
        for (ObjectSnapshot<HasMetadata> found : informer.byIndex("app", app)) {
            if (!found.header().labels().getOrDefault("app", "none").equals(app) || !keys.add(found.key())) {
                violations.add("the index of app " + app + " gave " + found.header());
            }
        }
    }

    private void readNamespace() {
        String namespace = any(RandomPlaces.NAMESPACES, random);
        Set<ObjectKey> keys = new HashSet<>();
        for (ObjectSnapshot<HasMetadata> found : informer.list(namespace)) {
            if (!found.key().namespace().equals(namespace) || !keys.add(found.key())) {
                violations.add("the list of " + namespace + " gave " + found.header());
            }
        }
    }

    private void readSelected() {
        String app = any(List.of("x", "y", "z"), random);
        Selection options = random.nextBoolean()
                ? Selection.all().withLabelSelector("app=" + app)
                : Selection.all().withFieldSelector("app=" + app + ",metadata.name!=b");
        ObjectKey before = ObjectKey.of("a", "a");
        for (ObjectSnapshot<HasMetadata> found : informer.list(options)) {
            boolean inOrder = ORDER.compare(before, found.key()) < 0;
            if (!app.equals(found.header().labels().get("app")) || !inOrder) {
                violations.add("the selection " + options + " gave " + found.header() + " after " + before);
            }
            before = found.key();
        }
    }
}
