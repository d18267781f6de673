package io.github.reconciler4j.builder;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.recorder.EventEntry;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on an object that its attempts are exhausted: with the condition {@code Stalled}, as kstatus knows it, and with an event.
 * The condition goes with the next success. Thread-safe.
 *
 * @param <T> the class of the objects
 */
final class StalledObjects<T extends HasMetadata> {

    /** The type of the condition. */
    static final String STALLED = "Stalled";

    /** The reason of the condition and of the event. */
    static final String EXHAUSTED = "AttemptsExhausted";

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private static final String CONDITIONS = "conditions";
    private static final String STATUS = "status";
    private static final int MAX_ERROR = 500;

    private final BuildTarget site;
    private final EventRecorder recorder;
    private final int maxAttempts;
    private final LogLimiter failures;

    StalledObjects(BuildTarget site, EventRecorder recorder, int maxAttempts, LogLimiter failures) {
        this.site = site;
        this.recorder = recorder;
        this.maxAttempts = maxAttempts;
        this.failures = failures;
    }

    private static final ClassValue<Boolean> HAVE_CONDITIONS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return haveConditions(type);
        }
    };

    /** Return whether the class of a kind has conditions in its status. Those of a generic kind are known from objects alone. */
    static boolean haveConditions(Class<?> type) {
        ObjectMapper mapper = KubernetesJson.mapper();
        return property(mapper, mapper.constructType(type), STATUS)
                .flatMap(status -> property(mapper, status, CONDITIONS))
                .filter(JavaType::isCollectionLikeType)
                .isPresent();
    }

    private static Optional<JavaType> property(ObjectMapper mapper, JavaType type, String name) {
        BeanDescription bean = mapper.getSerializationConfig().introspect(type);
        return bean.findProperties().stream()
                .filter(property -> property.getName().equals(name))
                .map(BeanPropertyDefinition::getPrimaryType)
                .findFirst();
    }

    /** Report that the last attempt has failed. Never throws. */
    void report(T object, Throwable failure) {
        String error = Causes.message(failure);
        String shortened = error.length() <= MAX_ERROR ? error : error.substring(0, MAX_ERROR) + "...";
        String text = "Failed " + maxAttempts + " times in a row and is not retried until something changes (R4J-107): "
                + shortened;
        recorder.record(EventEntry.of(EventEntry.WARNING, object, EXHAUSTED, "Reconcile", text));
        if (hasConditions(object)) {
            // Not written again for the same generation: with ReconcileOn.ANY_CHANGE, each write leads to attempts.
            edit(object, conditions -> {
                Optional<Condition> known = conditions.find(STALLED).filter(StalledObjects::isOurs);
                if (known.isEmpty() || !isOf(known.get(), object)) {
                    conditions.setTrue(STALLED, EXHAUSTED, text);
                }
            });
        }
    }

    /** Remove the condition after a success. Never throws. */
    void succeeded(T object) {
        if (hasConditions(object)
                && conditions(status(object)).stream()
                        .anyMatch(condition -> STALLED.equals(condition.getType()) && isOurs(condition))) {
            edit(
                    object,
                    conditions -> conditions
                            .find(STALLED)
                            .filter(StalledObjects::isOurs)
                            .ifPresent(ours -> conditions.remove(STALLED)));
        }
    }

    private static boolean hasConditions(HasMetadata object) {
        return object instanceof GenericKubernetesResource
                ? status(object).path(CONDITIONS).isArray()
                : HAVE_CONDITIONS.get(object.getClass());
    }

    private static JsonNode status(HasMetadata object) {
        return KubernetesJson.mapper().<JsonNode>valueToTree(object).path(STATUS);
    }

    private static List<Condition> conditions(JsonNode status) {
        List<Condition> conditions = new ArrayList<>();
        for (JsonNode each : status.path(CONDITIONS)) {
            conditions.add(KubernetesJson.mapper().convertValue(each, Condition.class));
        }
        return conditions;
    }

    private void edit(T object, Consumer<Conditions> change) {
        try {
            site.client().status().edit(object, changed -> edit(changed, object, change));
        } catch (NotFoundException e) {
            LOG.debug("The object {} was deleted before its condition {} was written", Request.of(object), STALLED);
        } catch (RuntimeException e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "The condition {} of {} could not be written: {}{}",
                            STALLED,
                            Request.of(object),
                            Texts.of(e),
                            occurrence.suffix()));
        }
    }

    private static void edit(HasMetadata changed, HasMetadata object, Consumer<Conditions> change) {
        ObjectMapper mapper = KubernetesJson.mapper();
        ObjectNode status = status(changed) instanceof ObjectNode known ? known : mapper.createObjectNode();
        List<Condition> list = conditions(status);
        Conditions conditions = Conditions.of(list, object);
        change.accept(conditions);
        if (!conditions.isChanged()) {
            return;
        }
        status.set(CONDITIONS, mapper.valueToTree(list));
        try {
            JsonNode update = mapper.createObjectNode().set(STATUS, status);
            mapper.readerForUpdating(changed).readValue(update);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Condition condition) {
        return EXHAUSTED.equals(condition.getReason()) && "True".equals(condition.getStatus());
    }

    private static boolean isOf(Condition condition, HasMetadata object) {
        Long observed = condition.getObservedGeneration();
        return observed == null || observed.equals(object.getMetadata().getGeneration());
    }
}
