package io.github.reconciler4j.reconcile;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sets standard status conditions in a list, as Kubernetes wants them kept: one per type, {@code observedGeneration} of
 * the object that was looked at, and {@code lastTransitionTime} moved only when the status changes. Tells whether
 * anything changed, so that a status that is right already need not be written.
 *
 * <pre>{@code
 * Conditions conditions = Conditions.of(app.getStatus().getConditions(), app);
 * conditions.setTrue("Ready", "AllReplicasReady", "3 of 3 replicas are ready");
 * conditions.setFalse("Degraded", "AsExpected", "");
 * if (conditions.isChanged()) { ... }
 * }</pre>
 *
 * <p>Works on the list in place. For use by one thread.
 *
 * @since 0.1.0
 */
public final class Conditions {

    /** What the API server takes as a reason. */
    private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]{0,1022}[A-Za-z0-9_])?");

    private static final Pattern TYPE =
            Pattern.compile("([-a-z0-9.]{1,253}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    /** The longest message the API server takes. */
    private static final int LONGEST_MESSAGE = 32768;

    private final List<Condition> conditions;
    private final @Nullable Long generation;
    private final Clock clock;
    private boolean changed;

    private Conditions(List<Condition> conditions, @Nullable Long generation, Clock clock) {
        this.conditions = Objects.requireNonNull(conditions, "'conditions' must not be null");
        this.generation = generation;
        this.clock = clock;
    }

    /**
     * Works on the conditions of an object.
     *
     * @param conditions the list in the object's status; must be modifiable
     * @param object the object as it was read, for its generation
     */
    public static Conditions of(List<Condition> conditions, HasMetadata object) {
        return of(conditions, object, Clock.systemUTC());
    }

    /** The same with a clock of one's own. */
    public static Conditions of(List<Condition> conditions, HasMetadata object, Clock clock) {
        return new Conditions(conditions, object.getMetadata().getGeneration(), clock);
    }

    /** Sets a condition to {@code True}. */
    public Conditions setTrue(String type, String reason, String message) {
        return set(type, "True", reason, message);
    }

    /** Sets a condition to {@code False}. */
    public Conditions setFalse(String type, String reason, String message) {
        return set(type, "False", reason, message);
    }

    /** Sets a condition to {@code Unknown}. */
    public Conditions setUnknown(String type, String reason, String message) {
        return set(type, "Unknown", reason, message);
    }

    /** Sets a condition to {@code True} or {@code False}. */
    public Conditions set(String type, boolean status, String reason, String message) {
        return set(type, status ? "True" : "False", reason, message);
    }

    private Conditions set(String type, String status, String reason, String message) {
        check(type, reason);
        Condition condition = find(type).orElse(null);
        if (condition == null) {
            condition = new Condition();
            condition.setType(type);
            conditions.add(condition);
        }
        String text = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE);
        if (!status.equals(condition.getStatus())) {
            condition.setStatus(status);
            condition.setLastTransitionTime(
                    Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString());
        } else if (reason.equals(condition.getReason())
                && text.equals(condition.getMessage())
                && Objects.equals(generation, condition.getObservedGeneration())) {
            return this;
        }
        condition.setReason(reason);
        condition.setMessage(text);
        condition.setObservedGeneration(generation);
        changed = true;
        return this;
    }

    private static void check(String type, String reason) {
        if (!TYPE.matcher(type).matches()) {
            throw new IllegalArgumentException(
                    "'type' of a condition must be a name such as Ready, was '" + type + "'");
        }
        if (!REASON.matcher(reason).matches()) {
            throw new IllegalArgumentException(
                    "'reason' of a condition must be one word such as ReplicasReady, was '" + reason + "'");
        }
    }

    /** Removes a condition; does nothing if there is none of that type. */
    public Conditions remove(String type) {
        if (conditions.removeIf(condition -> type.equals(condition.getType()))) {
            changed = true;
        }
        return this;
    }

    /** The condition of a type. */
    public Optional<Condition> find(String type) {
        return conditions.stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    /** Whether there is a condition of that type and its status is {@code True}. */
    public boolean isTrue(String type) {
        return find(type)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    /** Whether anything was changed by this. */
    public boolean isChanged() {
        return changed;
    }
}
