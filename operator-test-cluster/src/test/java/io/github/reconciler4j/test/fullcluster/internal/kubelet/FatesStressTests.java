package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests change rules while many threads of the kubelet read them. */
class FatesStressTests {

    private static final int THREADS = 6;
    private static final int PODS = 40;
    private static final int ROUNDS = 200;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Pod> pods =
            IntStream.range(0, PODS).mapToObj(FatesStressTests::pod).toList();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void ruleForTheFirstPodsWhenManyThreadsAskAppliesToAsManyAndAlwaysTheSame() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            int first = 1 + round % 7;
            Fates fates = new Fates();
            fates.add(Rule.exit(new Rule.Which("", Map.of(), "", first), 3));
            List<Set<String>> chosen = Collections.synchronizedList(new ArrayList<>());
            together(thread -> {
                List<Pod> order = new ArrayList<>(pods);
                Collections.shuffle(order, new Random(thread));
                Set<String> mine = ConcurrentHashMap.newKeySet();
                order.forEach(pod -> {
                    if (Objects.equals(fates.behavior(place(pod)).exitCode(), 3)) {
                        mine.add(pod.getMetadata().getUid());
                    }
                });
                chosen.add(mine);
            });
            assertThat(chosen)
                    .hasSize(THREADS)
                    .allSatisfy(one -> assertThat(one).hasSize(first).isEqualTo(chosen.get(0)));
        }
    }

    @Test
    void rulesWhenAddedAndRemovedByManyThreadsLeaveNothing() throws Exception {
        Fates fates = new Fates();
        pods.forEach(fates::arrived);
        together(thread -> {
            Random random = new Random(thread);
            for (int round = 0; round < ROUNDS; round++) {
                Rule rule = Rule.exit(
                        new Rule.Which("", Map.of("number", String.valueOf(thread)), "", Integer.MAX_VALUE), 7);
                fates.add(rule);
                // Only this thread has rules for this pod.
                assertThat(fates.behavior(place(pods.get(thread))).exitCode()).isEqualTo(7);
                fates.remove(rule);
                assertThat(fates.behavior(place(pods.get(thread))).exitCode()).isNull();
                Pod pod = pods.get(THREADS + random.nextInt(PODS - THREADS));
                fates.ready(pod, random.nextBoolean());
                fates.exit(pod, thread);
            }
        });

        pods.forEach(pod -> assertThat(fates.behavior(place(pod)).exitCode()).isNull());
        pods.forEach(pod -> assertThat(fates.left(ObjectKey.of(pod)))
                .isEqualTo(pod.getMetadata().getUid()));
        pods.forEach(pod -> assertThat(fates.exitCode(pod)).isNull());
        pods.forEach(pod -> assertThat(fates.behavior(place(pod))).isEqualTo(Behavior.RUNS));
    }

    @Test
    void exitWhenAnotherOneIsReportedAtTheSameTimeIsKept() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Fates fates = new Fates();
            Pod pod = pods.get(0);
            fates.exit(pod, 1);
            together(thread -> {
                if (thread == 0) {
                    fates.exit(pod, 2);
                } else {
                    fates.hasEnded(pod, 1);
                }
            });
            assertThat(fates.exitCode(pod)).isEqualTo(2);
        }
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private void together(Work work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            all.add(() -> {
                start.await();
                work.run(thread);
                return null;
            });
        }
        for (Future<Void> one : threads.invokeAll(all)) {
            one.get();
        }
    }

    private static ContainerPlace place(Pod pod) {
        return new ContainerPlace(pod, pod.getSpec().getContainers().get(0), false);
    }

    private static Pod pod(int number) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("p" + number)
                .withUid("uid-" + number)
                .addToLabels("number", String.valueOf(number))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("app:1")
                .endContainer()
                .endSpec()
                .build();
    }
}
