package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.json.HeaderReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Objects as an API server writes them. */
public final class Json {

    private Json() {}

    public static String uid(int number) {
        String digits = Integer.toString(number);
        return "00000000-0000-4000-8000-" + "000000000000".substring(digits.length()) + digits;
    }

    /** The metadata of an object, with a label {@code app} unless it is empty. */
    public static MutableHeader header(String namespace, String name, int uid, String version, String app) {
        String metadata = "{\"name\":\"" + name + "\",\"namespace\":\"" + namespace + "\",\"uid\":\"" + uid(uid)
                + "\",\"resourceVersion\":\"" + version + "\""
                + (app.isEmpty() ? "" : ",\"labels\":{\"app\":\"" + app + "\"}") + "}";
        byte[] json = metadata.getBytes(StandardCharsets.UTF_8);
        try {
            return new HeaderReader(new StringInterner()).read(json, 0, json.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A config map with managed fields. */
    public static String configMap(String namespace, String name, int uid, long version, String value) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"" + namespace + "\",\"uid\":\"" + uid(uid)
                + "\",\"resourceVersion\":\"" + version + "\",\"creationTimestamp\":\"2026-11-21T08:00:00Z\","
                + "\"labels\":{\"app\":\"" + value
                + "\"},\"managedFields\":[{\"manager\":\"m{\\\"]\",\"fieldsV1\":{\"f:a\":{}}}]},"
                + "\"data\":{\"key\":\"" + value + "\"}}";
    }

    public static String list(long version, String next, String... items) {
        return "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version + "\""
                + (next.isEmpty() ? "" : ",\"continue\":\"" + next + "\"") + "},\"items\":[" + String.join(",", items)
                + "]}";
    }

    public static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    }

    public static String bookmark(long version, boolean end) {
        return event(
                "BOOKMARK",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version
                        + "\",\"creationTimestamp\":null"
                        + (end ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "") + "}}");
    }

    public static String error(int code, String reason) {
        return event(
                "ERROR",
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                        + reason + " it is\",\"reason\":\"" + reason + "\",\"code\":" + code + "}");
    }
}
