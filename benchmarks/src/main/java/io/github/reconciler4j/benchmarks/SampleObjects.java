package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Objects as an API server writes them, with the variety of real ones: names with random suffixes, uids, hashes,
 * addresses, times, and optional parts that only some have. The same seed gives the same objects. To be used by one
 * thread.
 */
final class SampleObjects {

    private static final String[] WORDS = {
        "billing",
        "search",
        "cart",
        "checkout",
        "ledger",
        "mailer",
        "profile",
        "gateway",
        "catalog",
        "pricing",
        "stock",
        "review",
        "audit",
        "export",
        "import",
        "session",
        "token",
        "image",
        "video",
        "report",
        "alert",
        "quota",
        "tenant"
    };
    private static final String[] REGISTRIES = {"registry.example/shop", "registry.example/base", "images.internal/core"
    };
    private static final String HEX = "0123456789abcdef";
    private static final String SUFFIX = "bcdfghjklmnpqrstvwxz2456789";
    static final int NAMESPACES = Integer.getInteger("namespaces", 40);

    private final Random random;
    private long version = 1_000_000;

    SampleObjects(long seed) {
        random = new Random(seed);
    }

    /** One kind of object. */
    enum Kind {
        CUSTOM("apps.example.io/v1", "WebApp", "webapps"),
        CONFIG_MAP("v1", "ConfigMap", "configmaps"),
        POD("v1", "Pod", "pods");

        private final KindInfo info;

        Kind(String apiVersion, String kind, String plural) {
            info = new KindInfo(KindName.of(apiVersion, kind), plural, true);
        }

        KindInfo info() {
            return info;
        }

        /** The start of a list, up to its first item. */
        byte[] listStart() {
            return ("{\"kind\":\"" + info.kind().kind() + "List\",\"apiVersion\":\""
                            + info.kind().apiVersion()
                            + "\",\"metadata\":{\"resourceVersion\":\"99999999\"},\"items\":[")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The object of a number. */
    byte[] next(Kind kind, int number) {
        String json = switch (kind) {
            case CUSTOM -> custom(number);
            case CONFIG_MAP -> configMap(number);
            case POD -> pod(number);
        };
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** The answer to a list request with so many objects. */
    byte[] list(Kind kind, int count) {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream(count * 4096);
        out.writeBytes(kind.listStart());
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(next(kind, i));
        }
        out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private String word() {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private String pick(String alphabet, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private String uid() {
        return pick(HEX, 8) + "-" + pick(HEX, 4) + "-4" + pick(HEX, 3) + "-a" + pick(HEX, 3) + "-" + pick(HEX, 12);
    }

    private String time() {
        return String.format(
                "2026-%02d-%02dT%02d:%02d:%02dZ",
                1 + random.nextInt(11),
                1 + random.nextInt(28),
                random.nextInt(24),
                random.nextInt(60),
                random.nextInt(60));
    }

    private String metadata(int number, String name, String app, String more) {
        version += 1 + random.nextInt(40);
        return "\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"team-" + number % NAMESPACES + "\",\"uid\":\""
                + uid() + "\",\"resourceVersion\":\"" + version + "\",\"generation\":" + (1 + random.nextInt(9))
                + ",\"creationTimestamp\":\"" + time() + "\",\"labels\":{\"app.kubernetes.io/name\":\"" + app
                + "\",\"app.kubernetes.io/instance\":\"" + app + "-" + number % 97 + "\",\"tier\":\""
                + (random.nextBoolean() ? "front" : "back") + "\"}" + more + ",\"managedFields\":" + managedFields()
                + "}";
    }

    private String managedFields() {
        StringBuilder text = new StringBuilder("[{\"manager\":\"kube-controller-manager\",\"operation\":\"Update\","
                + "\"apiVersion\":\"v1\",\"time\":\"" + time()
                + "\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:metadata\":{");
        for (String word : WORDS) {
            text.append("\"f:").append(word).append("\":{\".\":{},\"f:value\":{}},");
        }
        return text.append("\"f:end\":{}}}}]").toString();
    }

    private String owner(String kind, String name) {
        return ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"" + kind + "\",\"name\":\"" + name
                + "\",\"uid\":\"" + uid() + "\",\"controller\":true,\"blockOwnerDeletion\":true}]";
    }

    private String environment(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"")
                    .append(word().toUpperCase(java.util.Locale.ROOT))
                    .append("_URL\",\"value\":\"https://")
                    .append(word())
                    .append(".team-")
                    .append(random.nextInt(NAMESPACES))
                    .append(".svc:")
                    .append(8000 + random.nextInt(999))
                    .append("/")
                    .append(word())
                    .append("\"}");
        }
        return text.toString();
    }

    private String condition(String type, boolean holds) {
        return "{\"type\":\"" + type + "\",\"status\":\"" + (holds ? "True" : "False") + "\",\"lastTransitionTime\":\""
                + time() + "\",\"reason\":\"" + (holds ? "AsExpected" : "Waiting") + "\",\"message\":\""
                + (holds ? "" : "waiting for " + word() + " of " + word() + "-" + pick(SUFFIX, 5)) + "\"}";
    }

    private String custom(int number) {
        String app = word();
        StringBuilder text = new StringBuilder("{\"apiVersion\":\"apps.example.io/v1\",\"kind\":\"WebApp\",");
        text.append(metadata(number, app + "-" + number, app, ",\"finalizers\":[\"apps.example.io/cleanup\"]"));
        text.append(",\"spec\":{\"image\":\"")
                .append(REGISTRIES[random.nextInt(REGISTRIES.length)])
                .append('/')
                .append(app)
                .append('@')
                .append("sha256:")
                .append(pick(HEX, 64))
                .append("\",\"replicas\":")
                .append(1 + random.nextInt(20))
                .append(",\"env\":[")
                .append(environment(10 + random.nextInt(8)))
                .append("],\"files\":{\"application.yaml\":\"server:\\n  port: ")
                .append(8000 + random.nextInt(999))
                .append("\\n  name: ")
                .append(word())
                .append("\\nlogging:\\n  level: ")
                .append(random.nextBoolean() ? "info" : "debug")
                .append("\\n  file: /var/log/")
                .append(app)
                .append(".log\\n\"}");
        if (random.nextInt(3) == 0) {
            text.append(",\"host\":\"").append(app).append(number).append(".shop.example\"");
        }
        text.append("},\"status\":{\"observedGeneration\":")
                .append(1 + random.nextInt(9))
                .append(",\"replicas\":")
                .append(random.nextInt(20))
                .append(",\"conditions\":[")
                .append(condition("Ready", random.nextInt(10) > 0))
                .append(',')
                .append(condition("Progressing", random.nextBoolean()))
                .append(',')
                .append(condition("Degraded", random.nextInt(10) == 0))
                .append("]}}");
        return text.toString();
    }

    private String configMap(int number) {
        String app = word();
        StringBuilder text = new StringBuilder("{");
        text.append(metadata(number, app + "-config-" + number, app, owner("WebApp", app + "-" + number)));
        text.append(",\"data\":{\"settings.properties\":\"");
        int lines = 22 + random.nextInt(16);
        for (int i = 0; i < lines; i++) {
            text.append(word())
                    .append('.')
                    .append(word())
                    .append('.')
                    .append(random.nextBoolean() ? "timeout" : "limit")
                    .append('=')
                    .append(random.nextInt(100_000))
                    .append("\\n");
        }
        return text.append("\"}}").toString();
    }

    private String pod(int number) {
        String app = word();
        String set = app + "-" + pick(SUFFIX, 10);
        StringBuilder text = new StringBuilder("{");
        text.append(metadata(number, set + "-" + pick(SUFFIX, 5), app, owner("ReplicaSet", set)));
        String access = "kube-api-access-" + pick(SUFFIX, 5);
        text.append(",\"spec\":{\"volumes\":[{\"name\":\"")
                .append(access)
                .append(
                        "\",\"projected\":{\"sources\":[{\"serviceAccountToken\":{\"expirationSeconds\":3607,\"path\":\"token\"}},"
                                + "{\"configMap\":{\"name\":\"kube-root-ca.crt\",\"items\":[{\"key\":\"ca.crt\",\"path\":\"ca.crt\"}]}}],"
                                + "\"defaultMode\":420}}],\"containers\":[");
        int containers = 1 + random.nextInt(2);
        for (int i = 0; i < containers; i++) {
            text.append(i == 0 ? "" : ",").append(container(i == 0 ? app : app + "-proxy", access));
        }
        text.append(
                        "],\"restartPolicy\":\"Always\",\"terminationGracePeriodSeconds\":30,\"dnsPolicy\":\"ClusterFirst\","
                                + "\"serviceAccountName\":\"default\",\"nodeName\":\"node-")
                .append(random.nextInt(200))
                .append("\",\"securityContext\":{},\"schedulerName\":\"default-scheduler\",\"tolerations\":[{\"key\":"
                        + "\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\",\"effect\":\"NoExecute\",\"tolerationSeconds\":300},"
                        + "{\"key\":\"node.kubernetes.io/unreachable\",\"operator\":\"Exists\",\"effect\":\"NoExecute\","
                        + "\"tolerationSeconds\":300}],\"priority\":0,\"enableServiceLinks\":true},\"status\":{\"phase\":\"Running\","
                        + "\"conditions\":[");
        return text.append(podStatus()).toString();
    }

    private String podStatus() {
        StringBuilder text = new StringBuilder();
        for (String type : new String[] {"Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
            text.append(type.equals("Initialized") ? "" : ",").append(condition(type, random.nextInt(20) > 0));
        }
        return text.append("],\"hostIP\":\"10.0.")
                .append(random.nextInt(256))
                .append('.')
                .append(random.nextInt(256))
                .append("\",\"podIP\":\"10.244.")
                .append(random.nextInt(256))
                .append('.')
                .append(random.nextInt(256))
                .append("\",\"startTime\":\"")
                .append(time())
                .append("\",\"qosClass\":\"Burstable\"}}")
                .toString();
    }

    private String container(String app, String access) {
        return "{\"name\":\"" + app + "\",\"image\":\"" + REGISTRIES[random.nextInt(REGISTRIES.length)] + "/" + app
                + ":v"
                + random.nextInt(5) + "." + random.nextInt(30) + "." + random.nextInt(9)
                + "\",\"ports\":[{\"name\":\"http\",\"containerPort\":" + (8000 + random.nextInt(100))
                + ",\"protocol\":\"TCP\"}],\"env\":[" + environment(3 + random.nextInt(6))
                + "],\"resources\":{\"limits\":{\"memory\":\"" + 128 * (1 + random.nextInt(8))
                + "Mi\"},\"requests\":{\"cpu\":\"" + 50 * (1 + random.nextInt(10)) + "m\",\"memory\":\"128Mi\"}},"
                + "\"volumeMounts\":[{\"name\":\"" + access + "\",\"readOnly\":true,\"mountPath\":"
                + "\"/var/run/secrets/kubernetes.io/serviceaccount\"}],\"livenessProbe\":{\"httpGet\":{\"path\":\"/live\",\"port\":"
                + "8081,\"scheme\":\"HTTP\"},\"timeoutSeconds\":1,\"periodSeconds\":10,\"successThreshold\":1,"
                + "\"failureThreshold\":3},\"terminationMessagePath\":\"/dev/termination-log\",\"terminationMessagePolicy\":\"File\","
                + "\"imagePullPolicy\":\"IfNotPresent\"}";
    }
}
