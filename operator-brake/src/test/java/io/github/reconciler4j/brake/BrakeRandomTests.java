package io.github.reconciler4j.brake;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.scheme.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A controller deletes the objects that a list of what is wanted lacks, and the list is short for one of many reasons: never more than the
 * limit is lost. {@code -Dbrake.cases=1000} runs more, {@code -Dbrake.seed=7 -Dbrake.cases=1} one seed.
 */
class BrakeRandomTests extends BrakeFixture {

    private static final int CASES = Integer.getInteger("brake.cases", 12);
    private static final int FIRST = Integer.getInteger("brake.seed", 0);
    private static final int MOST = 60;

    /** Why the list of what is wanted is short. */
    enum Reason {
        PAGE_OF_A_PROXY,
        WRONG_SELECTOR,
        REPLACED_DEFINITION,
        FLIPPED_LABEL,
        WRONG_CLUSTER,
        TRANSFORMED_CACHE
    }

    /** How the controller deletes. */
    enum Way {
        ONE_BY_ONE,
        THREADS,
        ALL_BY_LABEL,
        MIXED
    }

    static Stream<Integer> seeds() {
        return Stream.iterate(FIRST, seed -> seed + 1).limit(CASES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shortListNeverLosesMoreThanTheLimit(int seed) throws Exception {
        Random random = new Random(seed);
        Reason reason = Reason.values()[seed % Reason.values().length];
        Way way = Way.values()[random.nextInt(Way.values().length)];
        int objects = 1 + random.nextInt(MOST);
        createAll(objects);

        Set<String> lost = unwanted(reason, objects, random);
        if (reason == Reason.FLIPPED_LABEL || way == Way.ALL_BY_LABEL || way == Way.MIXED) {
            lost.forEach(this::flip);
        }
        int restarts = random.nextInt(3);
        for (int round = 0; round <= restarts; round++) {
            delete(new ArrayList<>(lost), way);
            if (round < restarts && !brake().stops().isEmpty()) {
                restart(options());
            }
        }

        int limit = Math.max(10, objects / 2);
        assertThat(objects - left())
                .as("%s of %s lost, seed %s: %s, %s", lost.size(), objects, seed, reason, way)
                .isEqualTo(lost.size() <= limit ? lost.size() : objects - left())
                .isLessThanOrEqualTo(limit);
        assertThat(brake().stops().isEmpty()).isEqualTo(lost.size() <= limit);
    }

    private static Set<String> unwanted(Reason reason, int objects, Random random) {
        Set<String> names = new TreeSet<>();
        int from = reason == Reason.PAGE_OF_A_PROXY ? random.nextInt(objects + 1) : 0;
        boolean all = reason == Reason.REPLACED_DEFINITION || reason == Reason.WRONG_CLUSTER;
        int percent = random.nextInt(101);
        for (int each = from; each < objects; each++) {
            if (all || reason == Reason.PAGE_OF_A_PROXY || random.nextInt(100) < percent) {
                names.add("map-" + each);
            }
        }
        return names;
    }

    private void flip(String name) {
        ConfigMap map = user.live().get(ConfigMap.class, namespace, name).orElseThrow();
        user.edit(map, changed -> changed.getMetadata().getLabels().put("app", "other"));
    }

    private void delete(List<String> names, Way way) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        work(() -> {
            if (way == Way.ALL_BY_LABEL || way == Way.MIXED) {
                quietly(() -> manager.client()
                        .deleteAll(
                                Kind.of(ConfigMap.class),
                                Selection.inNamespace(namespace).withLabelSelector("app=other"),
                                DeletionOptions.defaults()));
            }
            if (way != Way.ALL_BY_LABEL) {
                names.forEach(name -> {
                    Runnable deletion = WorkScope.inherit(() -> quietly(() -> delete(name)));
                    if (way == Way.ONE_BY_ONE) {
                        deletion.run();
                    } else {
                        threads.add(new Thread(deletion));
                    }
                });
            }
        });
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void quietly(Runnable deletion) {
        try {
            deletion.run();
        } catch (BrakeException e) {
            // the next one is refused as well
        }
    }
}
