package io.github.reconciler4j.cache.random;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a cache under test watches and keeps, and the same as predicates. Namespaces can be changed meanwhile; then
 * everything that was ever watched may be visible. One thread changes it, all threads may read it.
 */
final class RandomSelection {

    static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

    final RandomKind kind;
    final StorageForm storage;
    /** Whether the kind is released, and namespaces are changed, during the run. */
    final boolean releases;

    final boolean moves;
    private final RandomSelector usual;
    private final RandomTransform transform;
    private final boolean lastApplied;
    private final List<RandomPlaces> places = new CopyOnWriteArrayList<>();

    RandomSelection(Random random) {
        kind = random.nextInt(3) == 0 ? RandomKind.WIDGETS : RandomKind.CONFIG_MAPS;
        storage = StorageForm.values()[random.nextInt(StorageForm.values().length)];
        usual = RandomSelector.next(random);
        transform = transform(random);
        lastApplied = random.nextBoolean();
        places.add(RandomPlaces.next(random));
        moves = random.nextInt(4) == 0;
        releases = random.nextInt(5) == 0;
    }

    private RandomTransform transform(Random random) {
        RandomTransform[] all = RandomTransform.values();
        RandomTransform drawn = random.nextBoolean() ? RandomTransform.NONE : all[random.nextInt(all.length)];
        return drawn == RandomTransform.CONTENT && storage == StorageForm.METADATA ? RandomTransform.NONE : drawn;
    }

    /** Where it watches now. */
    RandomPlaces places() {
        return places.get(places.size() - 1);
    }

    /** Other namespaces from now on. */
    RandomPlaces move(Random random) {
        RandomPlaces next = RandomPlaces.next(random);
        places.add(next);
        return next;
    }

    /** Whether which namespaces are watched, or whether any are, changes meanwhile. */
    boolean isUnsteady() {
        return moves || releases || places().asked().isFollowed();
    }

    /** Whether objects may come into sight and leave it without being created or deleted. */
    boolean isLoose() {
        return isUnsteady()
                || usual.isByLabel()
                || places().own().values().stream().anyMatch(RandomSelector::isByLabel);
    }

    /** Whether one list contains all initial objects. */
    boolean isOneList() {
        return !isUnsteady() && places().isOneWatch();
    }

    boolean mayWatch(String namespace) {
        return places.stream().anyMatch(place -> place.mayCover(namespace));
    }

    /** Whether a state of an object may be seen. */
    boolean mayCover(ServerTruth.Write write) {
        return places.stream().anyMatch(place -> place.mayCover(write.namespace()) && selects(place, write));
    }

    /** Whether an object may leave by this state, without being removed. */
    boolean mayLeave(ServerTruth.Write write) {
        return isLoose() && !places.stream().allMatch(place -> selects(place, write));
    }

    private boolean selects(RandomPlaces place, ServerTruth.Write write) {
        return place.selector(write.namespace(), usual).covers(write.name(), write.uid(), write.labels());
    }

    /** Whether an object is to be seen now, with everything at rest. */
    boolean covers(JsonNode object, Map<String, String> labelsOfNamespace) {
        JsonNode metadata = object.path("metadata");
        String namespace = metadata.path("namespace").asText();
        return places().covers(namespace, labelsOfNamespace)
                && places().selector(namespace, usual)
                        .covers(
                                metadata.path("name").asText(),
                                metadata.path("uid").asText(),
                                ServerTruth.labels(object));
    }

    /** What is to be kept of an object of the server. */
    JsonNode keeps(JsonNode object) {
        return transform.keeps(object, lastApplied);
    }

    KindCacheOptions options() {
        KindCacheOptions options = KindCacheOptions.defaults()
                .withNamespaces(places().asked())
                .withSelector(usual.asked())
                .withDropLastApplied(!lastApplied)
                .withStorage(storage);
        return transform.transform().map(options::withTransform).orElse(options);
    }

    @Override
    public String toString() {
        return kind + " " + storage + " " + transform + " " + usual + " in " + places() + (moves ? ", moves" : "")
                + (releases ? ", releases" : "") + (lastApplied ? "" : ", drops last applied");
    }
}
