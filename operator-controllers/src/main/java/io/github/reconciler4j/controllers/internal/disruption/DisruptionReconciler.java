package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Writes into the status of each PodDisruptionBudget how many pods may be evicted, which the API server then does not exceed.
 *
 * <p>The API server counts evictions in the same status. So the status is written only if it has not changed since it was read.
 */
final class DisruptionReconciler implements RequestReconciler<DisruptionRequest> {

    private final Client client;
    private final EventRecorder events;
    private final Scales scales;
    private final Clock clock;

    DisruptionReconciler(Client client, EventRecorder events, Scales scales, Clock clock) {
        this.client = client;
        this.events = events;
        this.scales = scales;
        this.clock = clock;
    }

    @Override
    public Result reconcile(DisruptionRequest request, ReconcileContext context) {
        if (request instanceof DisruptionRequest.OfPod) {
            return client.get(Pod.class, request.key()).map(this::resetStale).orElse(Result.done());
        }
        Optional<PodDisruptionBudget> budget = client.get(PodDisruptionBudget.class, request.key());
        return budget.map(this::reconcile).orElse(Result.done());
    }

    private Result resetStale(Pod pod) {
        Optional<Duration> left = StaleConditions.timeLeft(pod, clock.instant());
        if (left.isPresent() && !left.get().isZero()) {
            return Result.requeueAfter(left.get());
        }
        if (left.isPresent()) {
            pod.getStatus().setConditions(StaleConditions.reset(pod, clock.instant()));
            client.status().update(pod);
        }
        return Result.done();
    }

    /** If the status cannot be determined, no eviction is safe. Only what comes from the API server is tried again. */
    private Result reconcile(PodDisruptionBudget budget) {
        try {
            return determine(budget);
        } catch (ConflictException e) {
            throw e;
        } catch (ApiException | IllegalStateException | IllegalArgumentException e) {
            write(budget, BudgetStatuses.failed(budget, String.valueOf(e.getMessage()), clock.instant()));
            if (e instanceof ApiException) {
                throw e;
            }
            return Result.done();
        }
    }

    private Result determine(PodDisruptionBudget budget) {
        Instant now = clock.instant();
        List<Pod> pods = client.list(Pod.class, budget.getMetadata().getNamespace()).stream()
                .filter(pod -> Selectors.matches(budget.getSpec().getSelector(), pod))
                .toList();
        if (pods.isEmpty()) {
            events.normal(budget, "NoPods", "Reconcile", "No matching pods found");
        }
        Expectation expected = expect(budget, pods);
        DisruptedPods disrupted = DisruptedPods.of(budget, pods, now);
        disrupted
                .overdue()
                .forEach(pod -> events.warning(
                        pod,
                        "NotDeleted",
                        "Reconcile",
                        "Pod was expected by PDB " + ObjectKey.of(budget) + " to be deleted but it wasn't"));
        PodDisruptionBudgetStatus status =
                BudgetStatuses.of(budget, expected, disrupted.countHealthy(pods, now), disrupted.waiting(), now);
        if (!BudgetStatuses.isUpToDate(budget.getStatus(), status)) {
            write(budget, status);
        }
        Duration untilNext = disrupted.untilNext();
        return untilNext == null ? Result.done() : Result.requeueAfter(untilNext.plusMillis(1));
    }

    private Expectation expect(PodDisruptionBudget budget, List<Pod> pods) {
        try {
            return Expectation.of(budget, pods.size(), () -> scale(budget, pods));
        } catch (ApiException | IllegalStateException | IllegalArgumentException e) {
            events.warning(
                    budget,
                    "CalculateExpectedPodCountFailed",
                    "Reconcile",
                    "Failed to calculate the number of expected pods: " + e.getMessage());
            throw e;
        }
    }

    private int scale(PodDisruptionBudget budget, List<Pod> pods) {
        Scales.Sum sum = scales.of(pods);
        if (!sum.unmanaged().isEmpty()) {
            events.warning(
                    budget,
                    "UnmanagedPods",
                    "Reconcile",
                    "Pods without a controller are selected, so the status may be wrong: set .spec.minAvailable to a number. "
                            + "The pods are " + sum.unmanaged());
        }
        return sum.pods();
    }

    private void write(PodDisruptionBudget budget, PodDisruptionBudgetStatus status) {
        budget.setStatus(status);
        client.status().update(budget);
    }
}
