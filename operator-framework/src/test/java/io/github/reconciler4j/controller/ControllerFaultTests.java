package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reconcilers, watches and writes that fail. */
class ControllerFaultTests extends ControllerTestServerFixture {

    /** Open when the reconcilers behave. */
    private final CountDownLatch released = new CountDownLatch(1);

    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> atOnce = new ConcurrentHashMap<>();

    @Override
    @AfterEach
    void close() {
        released.countDown();
        super.close();
    }

    private void misbehave(String name) throws InterruptedException {
        switch (name) {
            case "throws" -> throw new IllegalStateException("the reconciler throws");
            case "hangs" -> released.await();
            case "ignores" -> {
                while (released.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000); // ignores interrupts
                }
            }
            case "overflows" -> overflow(0);
            default -> {}
        }
    }

    /** Misbehaves until released, and records concurrent reconciliations of one object. */
    private @Nullable Result runAlone(String name) throws InterruptedException {
        AtomicInteger running = atOnce.computeIfAbsent(name, key -> new AtomicInteger());
        try {
            if (running.incrementAndGet() > 1) {
                seen.add(name + " ran concurrently");
            }
            if (released.getCount() > 0) {
                misbehave(name);
                if (name.equals("null")) {
                    return null;
                }
            }
            done.add(name);
            return Result.done();
        } finally {
            running.decrementAndGet();
        }
    }

    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    @Test
    void reconcilersThatMisbehaveDelayNoOtherRequestsAndAreRetried() {
        List<String> bad = List.of("throws", "hangs", "ignores", "overflows", "null");
        Controller<Request> controller = widgets()
                .customizeOptions(options -> options.withMaxConcurrentReconciles(3)
                        .withReconcileTimeout(Duration.ofMillis(100))
                        .withStuckAfter(Duration.ofMillis(100)))
                .reconciler((widget, context) -> runAlone(widget.getMetadata().getName()))
                .addTo(manager);
        start();
        bad.forEach(name -> client().create(Widget.of(namespace, name, 1)));
        eventually("all but the stuck one fail", () -> controller.operations().failingCount() == 4);
        eventually(
                "the stuck one is reported",
                () -> controller.healthChecks().get(0).check().details().get("stuck") instanceof List<?> stuck
                        && stuck.contains(namespace + "/ignores"));
        for (int i = 0; i < 20; i++) {
            client().create(Widget.of(namespace, "good-" + i, 1));
        }
        eventually("others are not delayed", () -> done.size() == 20);
        eventually(
                "only the bad ones fail",
                () -> controller.operations().failing(10).stream()
                        .map(failing -> failing.request().name())
                        .collect(Collectors.toSet())
                        .equals(Set.of("throws", "hangs", "overflows", "null")));
        released.countDown();
        bad.forEach(name -> controller.operations().requeue(new Request(namespace, name)));
        eventually("all are done in the end", () -> done.containsAll(bad));
        eventually("none fails", () -> controller.operations().failingCount() == 0);
        assertThat(seen).isEmpty();
    }

    @Test
    void watchesThatBreakWhileReconcilingLoseNoChange() {
        Map<String, Integer> latest = new ConcurrentHashMap<>();
        widgets()
                .customizeOptions(options -> options.withMaxConcurrentReconciles(2))
                .reconciler((widget, context) -> {
                    latest.put(widget.getMetadata().getName(), widget.getSpec().size);
                    return Result.done();
                })
                .addTo(manager);
        start();
        RequestMatch watches = RequestMatch.watches().kind("widgets");
        server.faults()
                .add(FaultRule.of(watches, Fault.endWatch(WatchEnd.CONNECTION_RESET))
                        .everyNth(5));
        server.faults()
                .add(FaultRule.of(watches, Fault.endWatch(WatchEnd.INSIDE_EVENT))
                        .everyNth(7));
        server.faults()
                .add(FaultRule.of(watches, Fault.endWatch(WatchEnd.EXPIRED)).everyNth(11));
        server.faults().add(FaultRule.of(watches, Fault.duplicateEvents()).everyNth(3));
        for (int i = 0; i < 10; i++) {
            client().create(Widget.of(namespace, "w" + i, 0));
        }
        for (int size = 1; size <= 5; size++) {
            for (int i = 0; i < 10; i++) {
                Widget widget = Widget.of(namespace, "w" + i, size);
                client().patch(widget, ObjectPatch.merge(Map.of("spec", Map.of("size", size))));
            }
            if (size == 3) {
                server.compactHistory();
                server.endWatches(watches, WatchEnd.CONNECTION_RESET);
            }
        }
        eventually(
                "every object was seen as it is",
                () -> latest.size() == 10 && latest.values().stream().allMatch(size -> size == 5));
    }

    @Test
    void writesThatFailAreRetriedUntilTheySucceed() {
        server.faults()
                .add(FaultRule.of(RequestMatch.writes().kind("widgets").subresource("status"), Fault.conflict())
                        .times(3));
        server.faults()
                .add(FaultRule.of(RequestMatch.writes().kind("widgets").subresource("status"), Fault.internalError())
                        .times(1));
        Controller<Request> controller = widgets()
                .reconciler((widget, context) -> {
                    seen.add("attempt " + context.attempt());
                    widget.setStatus(new Widget.Status());
                    widget.getStatus().size = widget.getSpec().size;
                    client().status().update(widget);
                    return Result.done();
                })
                .when(EventPredicates.generationChanged())
                .addTo(manager);
        start();
        client().create(Widget.of(namespace, "a", 5));
        eventually(
                "written",
                () -> client().live()
                        .get(Widget.class, key("a"))
                        .map(Widget::getStatus)
                        .filter(status -> status.size == 5)
                        .isPresent());
        eventually("none fails", () -> controller.operations().failingCount() == 0);
        assertThat(seen).hasSizeGreaterThanOrEqualTo(4).startsWith("attempt 1", "attempt 2", "attempt 3", "attempt 4");
    }
}
