package io.github.reconciler4j.cache.internal;

/** Objects as an API server writes them. */
final class Json {

    private Json() {}

    static String uid(int number) {
        String digits = Integer.toString(number);
        return "00000000-0000-4000-8000-" + "000000000000".substring(digits.length()) + digits;
    }

    /** A config map with managed fields. */
    static String configMap(String namespace, String name, int uid, long version, String value) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"" + namespace + "\",\"uid\":\"" + uid(uid)
                + "\",\"resourceVersion\":\"" + version + "\",\"creationTimestamp\":\"2026-11-21T08:00:00Z\","
                + "\"labels\":{\"app\":\"" + value
                + "\"},\"managedFields\":[{\"manager\":\"m{\\\"]\",\"fieldsV1\":{\"f:a\":{}}}]},"
                + "\"data\":{\"key\":\"" + value + "\"}}";
    }

    static String list(long version, String next, String... items) {
        return "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version + "\""
                + (next.isEmpty() ? "" : ",\"continue\":\"" + next + "\"") + "},\"items\":[" + String.join(",", items)
                + "]}";
    }

    static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    }

    static String bookmark(long version, boolean end) {
        return event(
                "BOOKMARK",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version
                        + "\",\"creationTimestamp\":null"
                        + (end ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "") + "}}");
    }

    static String error(int code, String reason) {
        return event(
                "ERROR",
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                        + reason + " it is\",\"reason\":\"" + reason + "\",\"code\":" + code + "}");
    }
}
