package io.github.reconciler4j.controllers.internal.services;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.Service;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a change of a pod means to the Services in its namespace. Most changes of pods mean nothing to them.
 *
 * @param before the labels before; {@code null} if there was no pod, or if they are the same
 * @param after the labels now, or at last
 * @param addressChanged whether the pod itself changed in a way that shows in endpoints
 * @since 0.1.0
 */
public record PodChange(@Nullable Map<String, String> before, Map<String, String> after, boolean addressChanged) {

    /** Compare a pod with what it was; one of the two may be missing. */
    public static PodChange between(@Nullable Pod before, @Nullable Pod after) {
        if (before == null || after == null) {
            return new PodChange(null, labels(before == null ? Objects.requireNonNull(after) : before), true);
        }
        boolean relabeled = !labels(before).equals(labels(after)) || !sameHostname(before, after);
        return new PodChange(relabeled ? labels(before) : null, labels(after), addressChanged(before, after));
    }

    /** Return whether any Service has to be looked at. */
    public boolean isRelevant() {
        return addressChanged || before != null;
    }

    /** Return those of the Services in the pod's namespace that have to be looked at. */
    public List<Service> affected(Collection<Service> services) {
        return services.stream().filter(this::affects).toList();
    }

    private boolean affects(Service service) {
        boolean selectedNow = ServicePods.selects(service, after);
        if (before == null) {
            return selectedNow;
        }
        boolean selectedBefore = ServicePods.selects(service, before);
        return addressChanged ? selectedNow || selectedBefore : selectedNow != selectedBefore;
    }

    private static boolean addressChanged(Pod before, Pod after) {
        return !Objects.equals(
                        before.getMetadata().getDeletionTimestamp(),
                        after.getMetadata().getDeletionTimestamp())
                || Pods.isReady(before) != Pods.isReady(after)
                || !addresses(before).equals(addresses(after));
    }

    private static boolean sameHostname(Pod before, Pod after) {
        return before.getSpec() == after.getSpec()
                || (Objects.equals(
                                before.getSpec().getHostname(), after.getSpec().getHostname())
                        && Objects.equals(
                                before.getSpec().getSubdomain(), after.getSpec().getSubdomain()));
    }

    private static Map<String, String> labels(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    private static List<String> addresses(Pod pod) {
        return pod.getStatus() == null
                ? List.of()
                : pod.getStatus().getPodIPs().stream().map(PodIP::getIp).toList();
    }
}
