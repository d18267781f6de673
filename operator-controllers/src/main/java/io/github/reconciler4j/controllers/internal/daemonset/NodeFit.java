package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a node is one of those that a DaemonSet runs on.
 *
 * @param run whether a pod is to be created there
 * @param stay whether a pod that is there already may stay
 */
record NodeFit(boolean run, boolean stay) {

    private static final NodeFit NO = new NodeFit(false, false);

    static NodeFit of(DaemonSet set, Node node) {
        PodSpec spec = set.getSpec().getTemplate().getSpec();
        String name = spec.getNodeName();
        if (name != null && !name.isEmpty() && !name.equals(node.getMetadata().getName())) {
            return NO;
        }
        if (!NodeSelection.selects(spec, node)) {
            return NO;
        }
        List<Toleration> tolerations = Tolerance.of(spec);
        List<Taint> taints = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        return new NodeFit(
                Tolerance.covers(tolerations, taints, Set.of("NoExecute", "NoSchedule")),
                Tolerance.covers(tolerations, taints, Set.of("NoExecute")));
    }
}
