package io.github.reconciler4j.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the operator found and did about a {@link WebApp}.
 *
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public class WebAppStatus {

    /** Generation of the spec that this status refers to. */
    private @Nullable Long observedGeneration;

    /** Pods that are available. */
    @StatusReplicas
    @PrinterColumn(name = "Available")
    private @Nullable Integer replicas;

    /** Label selector of the pods, for the scale subresource. */
    @LabelSelector
    private @Nullable String selector;

    /** URL of the application. */
    @PrinterColumn(name = "URL")
    private @Nullable String url;

    /** Ready and Stalled, as Kubernetes conditions. */
    private List<Condition> conditions = new ArrayList<>();

    /** Creates an empty status. */
    public WebAppStatus() {}

    /** The generation of the spec that this status refers to, null before the first reconcile. */
    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    /** Sets the generation of the spec that this status refers to. */
    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    /** How many pods are available, null before the first reconcile. */
    public @Nullable Integer getReplicas() {
        return replicas;
    }

    /** Sets how many pods are available. */
    public void setReplicas(@Nullable Integer replicas) {
        this.replicas = replicas;
    }

    /** The label selector of the pods. */
    public @Nullable String getSelector() {
        return selector;
    }

    /** Sets the label selector of the pods. */
    public void setSelector(@Nullable String selector) {
        this.selector = selector;
    }

    /** URL of the application. */
    public @Nullable String getUrl() {
        return url;
    }

    /** Sets where the application is reached. */
    public void setUrl(@Nullable String url) {
        this.url = url;
    }

    /** Ready and Stalled. */
    public List<Condition> getConditions() {
        return conditions;
    }

    /** Sets the conditions. */
    public void setConditions(List<Condition> conditions) {
        this.conditions = conditions;
    }
}
