package io.github.reconciler4j.recorder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes events of {@code events.k8s.io/v1}. They do not pass the write gate: a replica that has lost its lease may still report
 * what happened.
 */
final class ApiEventSink implements EventSink {

    private static final KindInfo EVENT =
            new KindInfo(new GroupVersionKind("events.k8s.io", "v1", "Event"), "events", true);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_NAME_PREFIX = 200;
    private static final int MAX_INSTANCE_LENGTH = 128;
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ApiConnection connection;
    private final String reportingInstance;

    ApiEventSink(ApiConnection connection, String reportingInstance) {
        this.connection = connection;
        this.reportingInstance =
                reportingInstance.substring(0, Math.min(reportingInstance.length(), MAX_INSTANCE_LENGTH));
    }

    @Override
    public String create(EventSeries series) {
        PendingEvent event = series.first();
        String namespace = namespace(event);
        String name = name(event);
        ObjectNode json = KubernetesJson.mapper().createObjectNode();
        json.put("apiVersion", EVENT.kind().apiVersion()).put("kind", "Event");
        ObjectNode metadata =
                json.putObject("metadata").put("namespace", namespace).put("name", name);
        if (!event.annotations().isEmpty()) {
            event.annotations().forEach(metadata.putObject("annotations")::put);
        }
        json.put("eventTime", MICRO_TIME.format(event.time()));
        json.put("reportingController", event.reportingController()).put("reportingInstance", reportingInstance);
        json.put("type", event.type()).put("reason", event.reason()).put("action", event.action());
        json.put("note", event.note());
        put(json.putObject("regarding"), event.regarding());
        if (event.related() != null) {
            put(json.putObject("related"), event.related());
        }
        if (series.count() > 1) {
            putSeries(json, series);
        }
        connection.send(ApiRequest.of("create", "POST", EVENT.path(namespace))
                .withBody(ApiRequest.JSON, bytes(json))
                .withTimeout(TIMEOUT));
        return name;
    }

    @Override
    public void update(EventSeries series) {
        ObjectNode json = KubernetesJson.mapper().createObjectNode();
        putSeries(json, series);
        ObjectKey key = new ObjectKey(namespace(series.first()), series.eventName());
        connection.send(ApiRequest.of("patch", "PATCH", EVENT.path(key))
                .withBody("application/merge-patch+json", bytes(json))
                .withTimeout(TIMEOUT));
    }

    private static void putSeries(ObjectNode json, EventSeries series) {
        json.putObject("series").put("count", series.count()).put("lastObservedTime", time(series.lastSeen()));
    }

    private static String time(Instant instant) {
        return MICRO_TIME.format(instant);
    }

    private static void put(ObjectNode json, PendingEvent.ObjectRef object) {
        putIfNotEmpty(json, "apiVersion", object.apiVersion());
        putIfNotEmpty(json, "kind", object.kind());
        putIfNotEmpty(json, "namespace", object.namespace());
        putIfNotEmpty(json, "name", object.name());
        putIfNotEmpty(json, "uid", object.uid());
        putIfNotEmpty(json, "resourceVersion", object.resourceVersion());
    }

    private static void putIfNotEmpty(ObjectNode json, String field, String value) {
        if (!value.isEmpty()) {
            json.put(field, value);
        }
    }

    /** Events about cluster-scoped objects belong to the namespace {@code default}. */
    private static String namespace(PendingEvent event) {
        String namespace = event.regarding().namespace();
        return namespace.isEmpty() ? "default" : namespace;
    }

    /** The name of the object, as far as the name of an event allows it, and a unique suffix. */
    private static String name(PendingEvent event) {
        String prefix = event.regarding().name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        String cut = prefix.length() > MAX_NAME_PREFIX ? prefix.substring(0, MAX_NAME_PREFIX) : prefix;
        String valid = cut.replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "").replaceAll("[.-]*\\.[.-]*", ".");
        long unique = ThreadLocalRandom.current().nextLong();
        return (valid.isEmpty() ? "event" : valid) + "." + String.format(Locale.ROOT, "%016x", unique);
    }

    private byte[] bytes(ObjectNode json) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
