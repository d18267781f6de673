package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A provider with a time of its own: requests arrive late, and what they did is seen late. Calls only do what happens at the provider;
 * what happens on the way is up to a {@link ProviderClient}. Not thread-safe.
 */
final class FakeProvider {

    final Creation creation;
    final ManualTimeSource time;
    private final List<Thing> things = new ArrayList<>();
    private final List<Late> underWay = new ArrayList<>();
    private int number;

    FakeProvider(Creation creation, ManualTimeSource time) {
        this.creation = creation;
        this.time = time;
    }

    /** A resource. */
    static final class Thing {
        final String id;
        final String key;
        final String uid;
        final String variant;
        String value;
        long visibleAt;
        boolean deleted;
        boolean orphan;

        Thing(String id, String key, String uid, ConfigMap owner) {
            this.id = id;
            this.key = key;
            this.uid = uid;
            this.variant = data(owner, "variant");
            this.value = data(owner, "value");
        }

        @Override
        public String toString() {
            return id + "[" + key + " " + value + (deleted ? " deleted" : "") + (orphan ? " orphan" : "") + "]";
        }
    }

    private record Late(long at, Runnable request) {}

    static String data(ConfigMap owner, String key) {
        return owner.getData() == null ? "" : owner.getData().getOrDefault(key, "");
    }

    /** Carry out a creation that has arrived. */
    Thing create(ConfigMap owner, ExternalId id, long lag) {
        Optional<Thing> existing = creation == Creation.IDEMPOTENT
                ? find(each -> !each.deleted && each.key.equals(id.key()))
                : Optional.empty();
        if (existing.isPresent()) {
            return existing.get();
        }
        Thing thing =
                new Thing("thing-" + ++number, id.key(), owner.getMetadata().getUid(), owner);
        thing.visibleAt = time.nanoTime() + lag;
        things.add(thing);
        return thing;
    }

    /** Carry out a request later. */
    void later(long delay, Runnable request) {
        underWay.add(new Late(time.nanoTime() + delay, request));
    }

    /** Carry out what has arrived by now. */
    void arrive() {
        for (Late late : List.copyOf(underWay)) {
            if (late.at <= time.nanoTime() && underWay.remove(late)) {
                late.request.run();
            }
        }
    }

    boolean isQuiet() {
        return underWay.isEmpty() && things.stream().allMatch(each -> each.visibleAt <= time.nanoTime());
    }

    Optional<Thing> observe(ExternalId id) {
        if (id.isKnown()) {
            return find(each -> isVisible(each) && each.id.equals(id.id()));
        }
        return creation == Creation.UNKNOWN
                ? Optional.empty()
                : find(each -> isVisible(each) && each.key.equals(id.key()));
    }

    private boolean isVisible(Thing thing) {
        return !thing.deleted && thing.visibleAt <= time.nanoTime();
    }

    private Optional<Thing> find(Predicate<Thing> test) {
        return things.stream().filter(test).findFirst();
    }

    List<Thing> live() {
        return things.stream().filter(each -> !each.deleted).toList();
    }

    int created() {
        return number;
    }
}
