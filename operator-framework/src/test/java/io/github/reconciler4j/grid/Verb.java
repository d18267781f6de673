package io.github.reconciler4j.grid;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import java.nio.charset.StandardCharsets;

/**
 * A call of the public API, and the response that it needs.
 *
 * @param name the name of the test case
 * @param content what a correct response contains
 * @param expected the result of the call after a correct response
 * @param target the part of messages that names the target of the request
 * @param action makes the call
 */
record Verb(String name, Content content, String expected, String target, Action action) {

    /** Secret content: no message may contain it. */
    static final String SECRET = "hunter2";

    /** What a correct response contains. */
    enum Content {
        OBJECT("ConfigMap", Bodies.CONFIG_MAP),
        LIST("ConfigMap", Bodies.LIST),
        SCALE("Scale", Bodies.SCALE),
        DELETED("ConfigMap", Bodies.CONFIG_MAP),
        DELETED_ALL("ConfigMap", Bodies.LIST),
        RESOURCES("", Bodies.RESOURCES),
        GROUP("", Bodies.GROUP),
        EVENT("Event", Bodies.EVENT),
        LEASE("Lease", Bodies.LEASE),
        RAW("", Bodies.CONFIG_MAP),
        READY("", "ok"),
        WATCH("", Bodies.WATCH),
        STREAMED("", Bodies.STREAMED);

        final String kind;
        private final String body;

        Content(String kind, String body) {
            this.kind = kind;
            this.body = body;
        }

        byte[] body() {
            return body.getBytes(StandardCharsets.UTF_8);
        }

        boolean isList() {
            return this == LIST || this == DELETED_ALL;
        }

        /** Whether any body will do. */
        boolean isAny() {
            return this == RAW || this == READY;
        }
    }

    /** Whether a result is that of an object that does not exist. */
    static boolean isAbsent(String result) {
        return result.equals("absent") || result.equals("false");
    }

    @Override
    public String toString() {
        return name;
    }

    /** What a call needs. */
    record Setup(ApiConnection connection, Client client) {}

    /** Makes a call and returns its result in words. */
    interface Action {
        String call(Setup setup) throws Exception;
    }

    /** Correct responses. */
    private static final class Bodies {
        static final String CONFIG_MAP = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"foo\","
                + "\"namespace\":\"shop\",\"resourceVersion\":\"7\",\"uid\":\"u1\"},\"data\":{\"a\":\"" + SECRET
                + "\"}}";
        static final String LIST = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMapList\",\"metadata\":{"
                + "\"resourceVersion\":\"9\"},\"items\":[{\"metadata\":{\"name\":\"foo\",\"namespace\":\"shop\","
                + "\"resourceVersion\":\"7\",\"uid\":\"u1\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
                + "\"name\":\"owner\",\"uid\":\"u9\"}]},\"data\":{\"a\":\"" + SECRET + "\"}}]}";
        static final String WATCH =
                "{\"type\":\"MODIFIED\",\"object\":" + CONFIG_MAP.replace("\"7\"", "\"10\"") + "}\n";
        static final String STREAMED = "{\"type\":\"ADDED\",\"object\":" + CONFIG_MAP
                + "}\n{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{"
                + "\"resourceVersion\":\"9\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n";
        static final String SCALE =
                "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\",\"metadata\":{\"name\":\"foo\","
                        + "\"namespace\":\"shop\"},\"spec\":{\"replicas\":3},\"status\":{\"replicas\":3,\"selector\":\""
                        + SECRET
                        + "\"}}";
        static final String RESOURCES =
                "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"a.b/v1\","
                        + "\"resources\":[{\"name\":\"foos\",\"namespaced\":true,\"kind\":\"Foo\",\"verbs\":[\"get\"],"
                        + "\"shortNames\":[\"" + SECRET + "\"]}]}";
        static final String GROUP = "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"name\":\"a.b\",\"versions\":[{"
                + "\"groupVersion\":\"a.b/v1\",\"version\":\"v1\"}],\"preferredVersion\":{\"groupVersion\":\"a.b/v1\","
                + "\"version\":\"v1\"},\"serverAddressByClientCIDRs\":[{\"clientCIDR\":\"" + SECRET + "\"}]}";
        static final String EVENT =
                "{\"kind\":\"Event\",\"apiVersion\":\"events.k8s.io/v1\",\"metadata\":{\"name\":\"e\","
                        + "\"namespace\":\"shop\"},\"note\":\"" + SECRET + "\"}";
        static final String LEASE = "{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\",\"metadata\":{"
                + "\"name\":\"lock\",\"namespace\":\"shop\",\"resourceVersion\":\"7\",\"annotations\":{\"a\":\""
                + SECRET
                + "\"}},\"spec\":{\"holderIdentity\":\"me\",\"leaseDurationSeconds\":15,\"leaseTransitions\":1,"
                + "\"acquireTime\":\"2026-01-01T00:00:00.000000Z\",\"renewTime\":\"2026-01-01T00:00:00.000000Z\"}}";

        private Bodies() {}
    }
}
