package io.github.reconciler4j.reconcile;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.support.TimeSource;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sets standard status conditions in the list of an object's status by the rules of Kubernetes: one condition per type,
 * {@code observedGeneration} of the reconciled object, and a new {@code lastTransitionTime} only when the status of the
 * condition changes.
 *
 * <!-- snippet: RolloutReconciler -->
 * <pre>{@code
 * client.status()
 *         .edit(
 *                 bucket,
 *                 changed -> Conditions.of(changed.getStatus().getConditions(), changed)
 *                         .set("Ready", available, available ? "Available" : "NoReplicas", null));
 * }</pre>
 *
 * <p>Changes the list in place, so a status update needs no copy of it. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class Conditions {

    /** The reasons that the API server accepts. */
    private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]{0,1022}[A-Za-z0-9_])?");

    private static final Pattern TYPE =
            Pattern.compile("([-a-z0-9.]{1,253}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    /** The length of the longest message that the API server accepts. */
    private static final int MAX_MESSAGE = 32768;

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
     * Create an editor of the conditions of an object.
     *
     * @param conditions the list in the object's status; must be modifiable
     * @param object the reconciled object; its generation becomes {@code observedGeneration}
     */
    public static Conditions of(List<Condition> conditions, HasMetadata object) {
        return of(conditions, object, TimeSource.system().withZone(ZoneOffset.UTC));
    }

    /**
     * Create an editor of the conditions of an object with a clock.
     *
     * @param clock provides {@code lastTransitionTime}
     */
    public static Conditions of(List<Condition> conditions, HasMetadata object, Clock clock) {
        return new Conditions(conditions, object.getMetadata().getGeneration(), clock);
    }

    /**
     * Set a condition to {@code True}.
     *
     * @param reason one word such as {@code ReplicasReady}
     * @param message text for people; cut at 32,768 characters, null for none
     * @throws IllegalArgumentException if the type or the reason is not valid
     */
    public Conditions setTrue(String type, String reason, @Nullable String message) {
        return set(type, "True", reason, message);
    }

    /**
     * Set a condition to {@code False}.
     *
     * @param reason one word such as {@code ReplicasReady}
     * @param message text for people; cut at 32,768 characters, null for none
     * @throws IllegalArgumentException if the type or the reason is not valid
     */
    public Conditions setFalse(String type, String reason, @Nullable String message) {
        return set(type, "False", reason, message);
    }

    /**
     * Set a condition to {@code Unknown}.
     *
     * @param reason one word such as {@code ReplicasReady}
     * @param message text for people; cut at 32,768 characters, null for none
     * @throws IllegalArgumentException if the type or the reason is not valid
     */
    public Conditions setUnknown(String type, String reason, @Nullable String message) {
        return set(type, "Unknown", reason, message);
    }

    /**
     * Set a condition to {@code True} or {@code False}.
     *
     * @param reason one word such as {@code ReplicasReady}
     * @param message text for people; cut at 32,768 characters, null for none
     * @throws IllegalArgumentException if the type or the reason is not valid
     */
    public Conditions set(String type, boolean status, String reason, @Nullable String message) {
        return set(type, status ? "True" : "False", reason, message);
    }

    private Conditions set(String type, String status, String reason, @Nullable String message) {
        check(type, reason);
        Condition condition = find(type).orElse(null);
        if (condition == null) {
            condition = new Condition();
            condition.setType(type);
            conditions.add(condition);
        }
        String given = message == null ? "" : message;
        String text = given.length() <= MAX_MESSAGE ? given : given.substring(0, MAX_MESSAGE);
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

    /** Remove a condition. Does nothing if the list has no condition of that type. */
    public Conditions remove(String type) {
        if (conditions.removeIf(condition -> type.equals(condition.getType()))) {
            changed = true;
        }
        return this;
    }

    /** Return the condition of a type. */
    public Optional<Condition> find(String type) {
        return conditions.stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    /** Return whether there is a condition of that type with the status {@code True}. */
    public boolean isTrue(String type) {
        return find(type)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    /** Return whether this editor has changed the list. */
    public boolean isChanged() {
        return changed;
    }
}
