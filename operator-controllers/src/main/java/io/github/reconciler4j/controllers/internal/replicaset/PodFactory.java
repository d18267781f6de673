package io.github.reconciler4j.controllers.internal.replicaset;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.client.OwnerReferences;
import java.util.Map;
import java.util.Objects;

/** Makes pods from the template of a ReplicaSet. */
final class PodFactory {

    private static final int MAX_NAME_LENGTH = 253;

    private PodFactory() {}

    static Pod podFor(ReplicaSet set) {
        PodTemplateSpec template = set.getSpec().getTemplate();
        ObjectMeta metadata = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(set.getMetadata().getNamespace())
                .withGenerateName(namePrefix(set.getMetadata().getName()))
                .withLabels(Objects.requireNonNullElse(metadata.getLabels(), Map.of()))
                .withAnnotations(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()))
                .withFinalizers(metadata.getFinalizers())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
        OwnerReferences.setController(pod, set);
        return pod;
    }

    /** A name and a dash; without the dash if there is no room for it. */
    private static String namePrefix(String name) {
        return name.length() < MAX_NAME_LENGTH ? name + "-" : name;
    }
}
