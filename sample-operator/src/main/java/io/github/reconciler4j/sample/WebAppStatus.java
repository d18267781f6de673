package io.github.reconciler4j.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The actual state of a {@link WebApp}, as the operator observed it.
 *
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public class WebAppStatus {

    @JsonPropertyDescription("Generation of the spec that this status refers to.")
    private @Nullable Long observedGeneration;

    @StatusReplicas
    @PrinterColumn(name = "Available")
    @JsonPropertyDescription("Pods that are available.")
    private @Nullable Integer replicas;

    @LabelSelector
    @JsonPropertyDescription("Label selector of the pods, for the scale subresource.")
    private @Nullable String selector;

    @PrinterColumn(name = "URL")
    @JsonPropertyDescription("URL of the application.")
    private @Nullable String url;

    @JsonPropertyDescription("Ready, Progressing and Degraded, as Kubernetes conditions.")
    private List<Condition> conditions = new ArrayList<>();

    /** Create an empty status. */
    public WebAppStatus() {}

    /** Return the generation of the spec that this status refers to, null before the first reconciliation. */
    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    /** Set the generation of the spec that this status refers to. */
    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    /** Return the number of available pods, null before the first reconciliation. */
    public @Nullable Integer getReplicas() {
        return replicas;
    }

    /** Set the number of available pods. */
    public void setReplicas(@Nullable Integer replicas) {
        this.replicas = replicas;
    }

    /** Return the label selector of the pods. */
    public @Nullable String getSelector() {
        return selector;
    }

    /** Set the label selector of the pods. */
    public void setSelector(@Nullable String selector) {
        this.selector = selector;
    }

    /** Return the URL of the application. */
    public @Nullable String getUrl() {
        return url;
    }

    /** Set the URL of the application. */
    public void setUrl(@Nullable String url) {
        this.url = url;
    }

    /** Return the conditions Ready, Progressing and Degraded. */
    public List<Condition> getConditions() {
        return conditions;
    }

    /** Set the conditions. */
    public void setConditions(List<Condition> conditions) {
        this.conditions = conditions;
    }
}
