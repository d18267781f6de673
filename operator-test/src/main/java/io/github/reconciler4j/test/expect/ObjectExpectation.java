package io.github.reconciler4j.test.expect;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Expectations of one object. Each {@code to...} method reads the object until the expectation is met and returns
 * it as it then was; it fails with an {@link AssertionError} when the time is over. The error shows the metadata and
 * conditions that were last seen, and for {@link #toHave} the value, but nothing of a Secret. While reading fails, for
 * example because the server is down, it is tried again. Immutable, safe for use by multiple threads.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * cluster.expect(Bucket.class, namespace, "photos")
 *         .within(Duration.ofSeconds(30))
 *         .toHaveCondition("Ready", "True");
 * }</pre>
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
public final class ObjectExpectation<T extends HasMetadata> {
    /** Default time that an expectation waits: 30 seconds. */
    public static final Duration DEFAULT_WITHIN = Duration.ofSeconds(30);

    private final KubernetesClient client;
    private final Class<T> type;
    private final @Nullable String namespace;
    private final String name;
    private final Duration within;

    /** Expect something of an object; {@code namespace} is null for objects of the cluster. */
    public ObjectExpectation(KubernetesClient client, Class<T> type, @Nullable String namespace, String name) {
        this(client, type, namespace, name, DEFAULT_WITHIN);
    }

    private ObjectExpectation(
            KubernetesClient client, Class<T> type, @Nullable String namespace, String name, Duration within) {
        this.client = client;
        this.type = type;
        this.namespace = namespace;
        this.name = name;
        this.within = within;
    }

    /** Return the same expectation with another time to wait; default 30 seconds. */
    public ObjectExpectation<T> within(Duration time) {
        return new ObjectExpectation<>(client, type, namespace, name, time);
    }

    /** Expect the object to exist. */
    public T toExist() {
        return toMatch("exists", object -> true);
    }

    /** Expect the object not to exist. */
    public void toBeGone() {
        Poll.<@Nullable T>until(
                "Expected that " + subject() + " is gone", within, this::read, Objects::isNull, this::describe);
    }

    /**
     * Expect a condition in the object's status. A condition that was observed at an earlier generation than the
     * object's does not count.
     *
     * @param conditionType such as {@code Ready}
     * @param status {@code True}, {@code False} or {@code Unknown}
     */
    public T toHaveCondition(String conditionType, String status) {
        return await("has the condition " + conditionType + "=" + status, observed -> {
            JsonNode condition = observed.currentCondition(conditionType);
            return condition != null && condition.path("status").asText().equals(status);
        });
    }

    /** Expect a condition as {@link #toHaveCondition(String, String)} does, with a reason. */
    public T toHaveCondition(String conditionType, String status, String reason) {
        return await("has the condition " + conditionType + "=" + status + " (" + reason + ")", observed -> {
            JsonNode condition = observed.currentCondition(conditionType);
            return condition != null
                    && condition.path("status").asText().equals(status)
                    && condition.path("reason").asText().equals(reason);
        });
    }

    /**
     * Expect a value in the object.
     *
     * @param pointer the JSON pointer of the field, such as {@code /spec/replicas}
     * @param value what is to be there: a text, number, boolean, list or map; null for nothing
     */
    public T toHave(String pointer, @Nullable Object value) {
        JsonNode wanted = serialization().convertValue(value, JsonNode.class);
        Predicate<JsonNode> isWanted = value == null
                ? found -> found.isMissingNode() || found.isNull()
                : found -> found.toString().equals(wanted.toString());
        Function<@Nullable T, String> describe = object -> describe(object)
                + (object == null || observed(object).isSecret()
                        ? ""
                        : ", " + pointer + " is " + observed(object).at(pointer));
        String shown = type.getSimpleName().equals("Secret") ? "the wanted value" : String.valueOf(wanted);
        return await("has " + shown + " at " + pointer, observed -> isWanted.test(observed.at(pointer)), describe);
    }

    /**
     * Expect something of the object that exists.
     *
     * @param description completes the sentence "Expected that the object ...", for the error, such as {@code "has rolled out"}
     * @param condition called in the calling thread, each time with the object as it then is
     */
    public T toMatch(String description, Predicate<? super T> condition) {
        String expected = "Expected that " + subject() + " " + description;
        return Objects.requireNonNull(Poll.<@Nullable T>until(
                expected, within, this::read, object -> object != null && condition.test(object), this::describe));
    }

    /**
     * Expect something to be so from now on, for the whole of a time.
     *
     * @param description completes the sentence "Expected that the object ...", for the error, such as {@code "has rolled out"}
     * @param time how long to watch it
     */
    public T toStay(String description, Predicate<? super T> condition, Duration time) {
        return Objects.requireNonNull(Poll.<@Nullable T>during(
                "Expected that " + subject() + " " + description,
                time,
                this::read,
                object -> object != null && condition.test(object),
                this::describe));
    }

    private T await(String description, Predicate<ObservedObject> condition) {
        return await(description, condition, this::describe);
    }

    private T await(String description, Predicate<ObservedObject> condition, Function<@Nullable T, String> describe) {
        return Objects.requireNonNull(Poll.<@Nullable T>until(
                "Expected that " + subject() + " " + description,
                within,
                this::read,
                object -> object != null && condition.test(observed(object)),
                describe));
    }

    private @Nullable T read() {
        return namespace == null
                ? client.resources(type).withName(name).get()
                : client.resources(type).inNamespace(namespace).withName(name).get();
    }

    private String describe(@Nullable T object) {
        return object == null ? "no such object" : observed(object).describe();
    }

    private ObservedObject observed(T object) {
        return ObservedObject.of(object, serialization());
    }

    private KubernetesSerialization serialization() {
        return client.getKubernetesSerialization();
    }

    private String subject() {
        return HasMetadata.getKind(type) + " " + (namespace == null ? name : namespace + "/" + name);
    }

    /** An observed object: its tree, and a line with its metadata and conditions but without its content. */
    private static final class ObservedObject {
        private static final String STATUS = "status";

        private final JsonNode tree;

        private ObservedObject(JsonNode tree) {
            this.tree = tree;
        }

        static ObservedObject of(HasMetadata object, KubernetesSerialization serialization) {
            return new ObservedObject(serialization.convertValue(object, JsonNode.class));
        }

        JsonNode at(String pointer) {
            return tree.at(pointer);
        }

        boolean isSecret() {
            return tree.path("kind").asText().equals("Secret");
        }

        /** Return the condition of a type, unless it is about an earlier generation of the object. */
        @Nullable
        JsonNode currentCondition(String type) {
            for (JsonNode condition : tree.at("/status/conditions")) {
                if (condition.path("type").asText().equals(type)) {
                    return isCurrent(condition) ? condition : null;
                }
            }
            return null;
        }

        private boolean isCurrent(JsonNode condition) {
            JsonNode own = condition.path("observedGeneration");
            JsonNode observed = own.isMissingNode() ? tree.at("/status/observedGeneration") : own;
            return !observed.isNumber()
                    || observed.asLong() >= tree.at("/metadata/generation").asLong();
        }

        String describe() {
            JsonNode metadata = tree.path("metadata");
            List<String> parts = new ArrayList<>();
            parts.add("resourceVersion " + metadata.path("resourceVersion").asText());
            if (metadata.has("generation")) {
                parts.add("generation " + metadata.path("generation").asText());
            }
            if (tree.path(STATUS).has("observedGeneration")) {
                parts.add("observed "
                        + tree.path(STATUS).path("observedGeneration").asText());
            }
            if (metadata.has("deletionTimestamp")) {
                parts.add("being deleted, finalizers " + metadata.path("finalizers"));
            }
            List<String> conditions = new ArrayList<>();
            tree.at("/status/conditions").forEach(condition -> conditions.add(text(condition)));
            parts.add(conditions.isEmpty() ? "no conditions" : "conditions " + conditions);
            return String.join(", ", parts);
        }

        private static String text(JsonNode condition) {
            String text = condition.path("type").asText() + "="
                    + condition.path(STATUS).asText();
            String reason = condition.path("reason").asText();
            String message = condition.path("message").asText();
            return text + (reason.isEmpty() ? "" : " (" + reason + (message.isEmpty() ? "" : ": " + message) + ")");
        }
    }
}
