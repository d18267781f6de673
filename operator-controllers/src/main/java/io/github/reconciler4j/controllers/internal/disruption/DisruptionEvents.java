package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides which budgets a change of a pod concerns. */
final class DisruptionEvents {

    private final Client client;
    private final EventRecorder events;
    private final Clock clock;

    DisruptionEvents(Client client, EventRecorder events, Clock clock) {
        this.client = client;
        this.events = events;
        this.clock = clock;
    }

    static void onBudget(ObjectEvent<?> event, RequestSink<DisruptionRequest> sink) {
        sink.add(new DisruptionRequest.OfBudget(event.snapshot().key()));
    }

    void onPod(ObjectEvent<? extends Pod> event, RequestSink<DisruptionRequest> sink) {
        ObjectHeader header = event.snapshot().header();
        List<ObjectKey> budgets = budgetsOf(header);
        Set<ObjectKey> concerned = new LinkedHashSet<>(budgets);
        if (event instanceof ObjectEvent.Updated<? extends Pod> update
                && !update.previous().header().labels().equals(header.labels())) {
            concerned.addAll(budgetsOf(update.previous().header()));
        }
        concerned.forEach(budget -> sink.add(new DisruptionRequest.OfBudget(budget)));
        if (event instanceof ObjectEvent.Deleted<?>) {
            return;
        }
        Pod pod = event.snapshot().object();
        if (budgets.size() > 1) {
            events.warning(
                    pod,
                    "MultiplePodDisruptionBudgets",
                    "Reconcile",
                    "Pod " + header.key() + " matches multiple PodDisruptionBudgets: " + budgets);
        }
        StaleConditions.timeLeft(pod, clock.instant())
                .ifPresent(left -> sink.addAfter(new DisruptionRequest.OfPod(header.key()), left));
    }

    private List<ObjectKey> budgetsOf(ObjectHeader pod) {
        return client.list(PodDisruptionBudget.class, pod.key().namespace()).stream()
                .filter(budget -> selects(budget, pod.labels()))
                .map(ObjectKey::of)
                .toList();
    }

    /** A selector without requirements selects all pods of the namespace, one that is absent or not valid selects none. */
    private static boolean selects(PodDisruptionBudget budget, Map<String, String> labels) {
        try {
            return Selectors.matches(budget.getSpec().getSelector(), labels);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
