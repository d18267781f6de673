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

/** Writes {@code events.k8s.io/v1} events. Passes no write gate: what happened may be told after the lease is lost. */
final class ApiEventSink implements EventSink {

    private static final KindInfo EVENT =
            new KindInfo(new GroupVersionKind("events.k8s.io", "v1", "Event"), "events", true);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int LONGEST_NAME_BEGINNING = 200;
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ApiConnection connection;
    private final String reportingInstance;

    ApiEventSink(ApiConnection connection, String reportingInstance) {
        this.connection = connection;
        this.reportingInstance =
                reportingInstance.length() <= 128 ? reportingInstance : reportingInstance.substring(0, 128);
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

    private static void put(ObjectNode json, ObjectRef object) {
        putUnlessEmpty(json, "apiVersion", object.apiVersion());
        putUnlessEmpty(json, "kind", object.kind());
        putUnlessEmpty(json, "namespace", object.namespace());
        putUnlessEmpty(json, "name", object.name());
        putUnlessEmpty(json, "uid", object.uid());
        putUnlessEmpty(json, "resourceVersion", object.resourceVersion());
    }

    private static void putUnlessEmpty(ObjectNode json, String field, String value) {
        if (!value.isEmpty()) {
            json.put(field, value);
        }
    }

    /** The server wants events about objects without a namespace in this one. */
    private static String namespace(PendingEvent event) {
        String namespace = event.regarding().namespace();
        return namespace.isEmpty() ? "default" : namespace;
    }

    /** The object's name, as far as an event may have it, and something unique. */
    private static String name(PendingEvent event) {
        String begin = event.regarding().name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        String cut = begin.length() > LONGEST_NAME_BEGINNING ? begin.substring(0, LONGEST_NAME_BEGINNING) : begin;
        String letters = cut.replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "").replaceAll("[.-]*\\.[.-]*", ".");
        long unique = ThreadLocalRandom.current().nextLong();
        return (letters.isEmpty() ? "event" : letters) + "." + String.format(Locale.ROOT, "%016x", unique);
    }

    private byte[] bytes(ObjectNode json) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
