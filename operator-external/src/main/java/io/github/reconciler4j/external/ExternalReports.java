package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.Texts;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Counts the calls to the provider, and records events of the owner. Thread-safe. */
final class ExternalReports {

    private static final String METRIC = "reconciler4j_external_calls_total";

    private final String name;
    private final @Nullable EventRecorder recorder;
    private final Map<Verb, Counter> successes = new EnumMap<>(Verb.class);
    private final Map<Verb, Counter> failures = new EnumMap<>(Verb.class);
    private final Counter orphans;

    /** What can be called. */
    enum Verb {
        OBSERVE("observe", "Observ"),
        CREATE("create", "Creat"),
        UPDATE("update", "Updat"),
        DELETE("delete", "Delet");

        private final String label;
        private final String stem;

        Verb(String label, String stem) {
            this.label = label;
            this.stem = stem;
        }

        private String failed() {
            return switch (this) {
                case OBSERVE -> "ObservationFailed";
                case CREATE -> "CreationFailed";
                case UPDATE -> "UpdateFailed";
                case DELETE -> "DeletionFailed";
            };
        }
    }

    /** A call to the provider. */
    @FunctionalInterface
    interface Call<R> {
        R run() throws Exception;
    }

    ExternalReports(String name, ExternalOptions options) {
        this.name = name;
        this.recorder = options.recorder().orElse(null);
        OperatorMetrics metrics = OperatorMetrics.guarded(options.metrics());
        for (Verb verb : Verb.values()) {
            successes.put(verb, counter(metrics, verb, "success"));
            failures.put(verb, counter(metrics, verb, "error"));
        }
        this.orphans = metrics.counter(
                "reconciler4j_external_orphans_total",
                "Number of external resources that stayed at the provider without an owner",
                "resource",
                name);
    }

    private Counter counter(OperatorMetrics metrics, Verb verb, String result) {
        return metrics.counter(
                METRIC,
                "Number of calls to the provider of external resources",
                "resource",
                name,
                "call",
                verb.label,
                "result",
                result);
    }

    /** Count a call, and record an event if it fails. Throws what the call throws. */
    <R> R call(Verb verb, HasMetadata owner, Call<R> call) throws Exception {
        R result;
        try {
            result = call.run();
        } catch (InterruptedException e) { // the process stops, or leads no more
            throw e;
        } catch (Throwable e) {
            Objects.requireNonNull(failures.get(verb)).increment();
            failed(verb, owner, e);
            throw e;
        }
        Objects.requireNonNull(successes.get(verb)).increment();
        return result;
    }

    private void failed(Verb verb, HasMetadata owner, Throwable failure) {
        if (recorder != null) {
            recorder.warning(
                    owner,
                    verb.failed(),
                    verb.stem + "e",
                    verb.stem + "ing the " + name + " failed: " + Texts.inOneLine(Causes.message(failure)));
        }
    }

    /** A resource was created. */
    void created(HasMetadata owner, String id) {
        normal(owner, "Created", "Create", "Created " + name + " " + Texts.of(id));
    }

    /** The provider has confirmed that a resource is gone. */
    void deleted(HasMetadata owner, String id) {
        normal(owner, "Deleted", "Delete", "Deleted " + name + " " + Texts.of(id));
    }

    /** A resource stays without its owner. */
    void orphaned(HasMetadata owner, String id) {
        orphans.increment();
        normal(owner, "Orphaned", "Delete", name + " " + Texts.of(id) + " stays at the provider");
    }

    private void normal(HasMetadata owner, String reason, String action, String note) {
        if (recorder != null) {
            recorder.normal(owner, reason, action, note);
        }
    }
}
