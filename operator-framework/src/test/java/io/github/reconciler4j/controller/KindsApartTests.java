package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A kind that is listed again, and an object that changes all the time, with a server inside the JVM. */
class KindsApartTests extends ControllerTestServerFixture {

    private static final int OTHERS = 1000;

    private ConfigMap configMap(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName(name)
                .endMetadata()
                .addToData("key", value)
                .build();
    }

    private String value(String name) {
        return client().get(ConfigMap.class, key(name)).orElseThrow().getData().get("key");
    }

    private Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void kindWhenItsNewListDoesNotComeDelaysNoOtherKindAndNoRead() {
        ControllerBuilder.forRequests("maps", Request.class)
                .reconciler(noting("map "))
                .watches(ConfigMap.class, map -> List.of(Request.of(map)))
                .addTo(manager());
        ControllerBuilder.forRequests("secrets", Request.class)
                .reconciler((request, context) -> {
                    seen().add("secret " + request.name() + " " + value("first"));
                    return Result.done();
                })
                .watches(Secret.class, secret -> List.of(Request.of(secret)))
                .addTo(manager());
        client().create(configMap("first", "known"));
        start();
        eventually("first", () -> seen().contains("map first"));
        eventually("the watch", () -> server.watches(RequestMatch.watches().kind("configmaps")) == 1);

        try (ActiveFault held = server.faults()
                .add(FaultRule.of(RequestMatch.verbs("list", "watch").kind("configmaps"), Fault.stall()))) {
            server.endWatches(RequestMatch.watches().kind("configmaps"), WatchEnd.EXPIRED);
            client().create(configMap("second", "new")); // the server ends a watch with its next event
            eventually("the list is held", () -> held.matched() > 0);
            for (int i = 0; i < 20; i++) {
                client().create(secret("s" + i));
            }
            eventually("all secrets", () -> seen().contains("secret s19 known"));

            assertThat(seen()).contains("secret s0 known", "secret s10 known").doesNotContain("map second");
        }
        eventually("second", () -> seen().contains("map second"));
    }

    @Test
    void objectWhenItChangesAllTheTimeDelaysEachOtherByTwoReconciliationsAtMost() throws InterruptedException {
        AtomicInteger hot = new AtomicInteger();
        Map<String, Integer> delivered = new ConcurrentHashMap<>();
        Map<String, Integer> delays = new ConcurrentHashMap<>();
        ControllerBuilder.forRequests("maps", Request.class)
                .reconciler((request, context) -> {
                    if (request.name().equals("hot")) {
                        hot.incrementAndGet();
                        seen().add(value("hot"));
                    } else {
                        delays.put(request.name(), hot.get() - delivered.get(request.name()));
                    }
                    return Result.done();
                })
                .watches(ConfigMap.class, map -> {
                    delivered.putIfAbsent(map.getMetadata().getName(), hot.get());
                    return List.of(Request.of(map));
                })
                .addTo(manager());
        client().create(configMap("hot", "0"));
        start();
        AtomicBoolean storm = new AtomicBoolean(true);
        AtomicInteger writes = new AtomicInteger();
        Thread writer = new Thread(() -> changeHotWhile(storm, writes));
        writer.start();
        for (int i = 0; i < OTHERS; i++) {
            client().create(configMap("other-" + i, "v"));
        }
        eventually("all others", () -> delays.size() == OTHERS);
        storm.set(false);
        writer.join();
        eventually("last state", () -> seen().contains("" + writes.get()));

        assertThat(delays.values())
                .as("hot reconciliations between event and reconciliation")
                .allMatch(delay -> delay <= 2);
    }

    private void changeHotWhile(AtomicBoolean storm, AtomicInteger writes) {
        while (storm.get() || writes.get() < OTHERS) {
            client().update(configMap("hot", "" + writes.incrementAndGet()));
        }
    }
}
