package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends each kind of write to each kind of object with the token of an account, and returns what the API server says. */
final class WriteGrid implements AutoCloseable {

    private static final Pattern UID = Pattern.compile("\"uid\":\\s*\"([-0-9a-f]+)\"");
    private static final Pattern VERSION = Pattern.compile("\"resourceVersion\":\\s*\"(\\d+)\"");
    private static final Pattern REFERENCES = Pattern.compile("\"ownerReferences\": (\\[.*?])");
    private static final String JSON = "application/json";

    /** The field manager of the controller, which does not help. */
    private static final String MANAGER = "?fieldManager=webapp";

    enum Verb {
        CREATE("create"),
        GENERATE("generate name"),
        UPDATE("update"),
        MERGE("merge patch"),
        JSON_PATCH("JSON patch"),
        STRATEGIC("strategic patch"),
        APPLY("apply"),
        FORCE("apply with force"),
        STATUS("update status"),
        SCALE("scale"),
        DELETE("delete"),
        COLLECTION("delete collection"),
        EVICT("evict a pod");

        private final String title;

        Verb(String title) {
            this.title = title;
        }
    }

    enum Subject {
        OWN_KIND("own kind"),
        OWNED("owned"),
        FOREIGN("foreign"),
        FRAMEWORK("framework"),
        /** A foreign object, and a request that adds an owner reference. */
        FORGED("forged");

        private final String title;

        Subject(String title) {
            this.title = title;
        }
    }

    private final KubernetesClient admin;
    private final KubernetesClient account;
    private final String namespace;
    private final String owner;
    private int count;

    WriteGrid(Config admin, Config account, String namespace) {
        this.admin = new KubernetesClientBuilder().withConfig(admin).build();
        this.account = new KubernetesClientBuilder().withConfig(account).build();
        this.namespace = namespace;
        String created = body(send(
                this.admin,
                "POST",
                path("apps.reconciler4j.io/v1", "webapps", ""),
                JSON,
                object("owner", "", true, 1)));
        owner = find(UID, created);
    }

    String table() {
        StringBuilder table = new StringBuilder(String.format("%-22s", "verb"));
        for (Subject subject : Subject.values()) {
            table.append(String.format("%-10s", subject.title));
        }
        for (Verb verb : Verb.values()) {
            table.append('\n').append(String.format("%-22s", verb.title));
            for (Subject subject : Subject.values()) {
                table.append(String.format("%-10s", verdict(verb, subject)));
            }
        }
        return table.append('\n').toString().replaceAll("(?m) +$", "");
    }

    String verdict(Verb verb, Subject subject) {
        return verdict(response(verb, subject));
    }

    String message(Verb verb, Subject subject) {
        return body(response(verb, subject));
    }

    String verdict(String method, String path, String body) {
        return verdict(send(account, method, path, JSON, body));
    }

    /** Creates an object as an administrator. */
    void create(String apiVersion, String plural, String body) {
        HttpResponse<String> response = send(admin, "POST", path(apiVersion, plural, ""), JSON, body);
        if (response.code() >= 300) {
            throw new IllegalStateException(body(response));
        }
    }

    /** Deletes an object as an administrator, if it exists. */
    void delete(String path) {
        send(admin, "DELETE", path, JSON, "");
    }

    private static String verdict(HttpResponse<String> response) {
        if (response.code() < 300) {
            return "allowed";
        }
        if (body(response).contains("-own-only' denied request")) {
            return "denied";
        }
        return switch (response.code()) {
            case 404, 405, 415 -> "-";
            default -> response.code() + " " + body(response);
        };
    }

    private HttpResponse<String> response(Verb verb, Subject subject) {
        String name = subject == Subject.FRAMEWORK ? "demo-sample-operator" : "object-" + ++count;
        boolean own = subject == Subject.OWN_KIND;
        String all = subject == Subject.FRAMEWORK
                ? "/apis/coordination.k8s.io/v1/namespaces/" + InstalledChart.NAMESPACE + "/leases"
                : own ? path("apps.reconciler4j.io/v1", "webapps", "") : path("apps/v1", "deployments", "");
        if (verb == Verb.EVICT) {
            return evict(subject, name);
        }
        String before = subject == Subject.FRAMEWORK ? lease(name) : object(name, referenced(subject, false), own, 1);
        String after = subject == Subject.FRAMEWORK ? lease(name) : object(name, referenced(subject, true), own, 2);
        send(admin, "DELETE", all + "/" + name, JSON, "");
        if (verb == Verb.CREATE || verb == Verb.GENERATE) {
            return send(
                    account,
                    "POST",
                    all,
                    JSON,
                    verb == Verb.CREATE ? after : after.replaceFirst("\"name\"", "\"generateName\""));
        }
        HttpResponse<String> created = send(admin, "POST", all, JSON, before);
        if (created.code() >= 300) {
            throw new IllegalStateException(body(created));
        }
        HttpResponse<String> response = write(verb, all, name, after);
        if (verdict(response).equals("denied")) {
            checkUnchanged(all + "/" + name, body(created));
        }
        return response;
    }

    /** Controllers write the status, but neither the spec nor the owners. */
    private void checkUnchanged(String path, String created) {
        String now = body(send(admin, "GET", path, JSON, ""));
        if (!find(UID, now).equals(find(UID, created)) || now.contains("\"replicas\":2")) {
            throw new IllegalStateException("A denied request has changed " + path);
        }
    }

    private String referenced(Subject subject, boolean after) {
        return subject == Subject.OWNED || subject == Subject.FORGED && after ? """
                , "ownerReferences": [{"apiVersion": "apps.reconciler4j.io/v1", "kind": "WebApp", "name": "owner", "uid": "%s"}]\
                """.formatted(owner) : "";
    }

    private HttpResponse<String> write(Verb verb, String all, String name, String after) {
        String path = all + "/" + name;
        String fresh = after.replaceFirst("\"name\"", "\"resourceVersion\": \"" + version(path) + "\", \"name\"");
        return switch (verb) {
            case UPDATE -> send(account, "PUT", path + MANAGER, JSON, fresh);
            case STATUS -> send(account, "PUT", path + "/status" + MANAGER, JSON, fresh);
            case SCALE ->
                send(account, "PUT", path + "/scale" + MANAGER, JSON, """
                        {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": %s, "spec": {"replicas": 2}}
                        """.formatted(
                                metadata(after).replaceFirst("}$", ", \"namespace\": \"" + namespace + "\"}")));
            case DELETE -> send(account, "DELETE", path, JSON, "");
            case COLLECTION -> send(account, "DELETE", all + "?labelSelector=cell%3D" + name, JSON, "");
            default -> patch(verb, path + MANAGER, after);
        };
    }

    private HttpResponse<String> patch(Verb verb, String path, String after) {
        String metadata = "{\"metadata\": " + metadata(after) + "}";
        return switch (verb) {
            case MERGE -> send(account, "PATCH", path, "application/merge-patch+json", metadata);
            case JSON_PATCH -> send(account, "PATCH", path, "application/json-patch+json", operations(after));
            case STRATEGIC -> send(account, "PATCH", path, "application/strategic-merge-patch+json", metadata);
            case APPLY -> send(account, "PATCH", path, "application/apply-patch+yaml", metadataOf(after));
            case FORCE -> send(account, "PATCH", path + "&force=true", "application/apply-patch+yaml", after);
            default -> throw new IllegalArgumentException(verb.title);
        };
    }

    private static String metadata(String object) {
        return object.replaceAll("(?s)^.*?\"metadata\": (\\{.*?}]?}).*$", "$1");
    }

    private static String operations(String after) {
        Matcher references = REFERENCES.matcher(after);
        String owners = references.find()
                ? ", {\"op\": \"add\", \"path\": \"/metadata/ownerReferences\", \"value\": " + references.group(1) + "}"
                : "";
        return "[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"a\": \"b\"}}" + owners + "]";
    }

    /** The part of an object that conflicts with no other. */
    private static String metadataOf(String object) {
        return object.replaceAll("(?s)^(\\{\"apiVersion\": \"[^\"]+\", \"kind\": \"[^\"]+\").*$", "$1")
                + ", \"metadata\": " + metadata(object) + "}";
    }

    private HttpResponse<String> evict(Subject subject, String name) {
        if (subject == Subject.OWN_KIND || subject == Subject.FRAMEWORK) {
            return send(account, "POST", path("apps/v1", "deployments", name + "/eviction"), JSON, eviction(name, ""));
        }
        String pod = """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"%s},
                "spec": {"containers": [{"name": "a", "image": "a"}]}}
                """.formatted(name, referenced(subject, false));
        HttpResponse<String> created = send(admin, "POST", path("v1", "pods", ""), JSON, pod);
        if (created.code() >= 300) {
            throw new IllegalStateException(body(created));
        }
        return send(
                account,
                "POST",
                path("v1", "pods", name + "/eviction"),
                JSON,
                eviction(name, referenced(subject, true)));
    }

    private static String eviction(String name, String owners) {
        return "{\"apiVersion\": \"policy/v1\", \"kind\": \"Eviction\", \"metadata\": {\"name\": \"" + name + "\""
                + owners + "}}";
    }

    String version(String path) {
        return find(VERSION, body(send(admin, "GET", path, JSON, "")));
    }

    String path(String apiVersion, String plural, String name) {
        return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion + "/namespaces/" + namespace + "/" + plural
                + (name.isEmpty() ? "" : "/" + name);
    }

    private static String lease(String name) {
        return """
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%s",
                "labels": {"cell": "%s"}}, "spec": {"holderIdentity": "%s"}}
                """.formatted(name, name, UUID.randomUUID());
    }

    private static String object(String name, String owners, boolean own, int replicas) {
        return own ? """
                {"apiVersion": "apps.reconciler4j.io/v1", "kind": "WebApp", "metadata": {"name": "%s",
                "labels": {"cell": "%s"}%s}, "spec": {"image": "web:1", "replicas": %d}}
                """.formatted(name, name, owners, replicas) : """
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "%s", "labels": {"cell": "%s"}%s},
                "spec": {"replicas": %d, "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata":
                {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}}}
                """.formatted(name, name, owners, replicas);
    }

    private static HttpResponse<String> send(
            KubernetesClient client, String method, String path, String type, String body) {
        HttpClient http = client.getHttpClient();
        try {
            return http.sendAsync(
                            http.newHttpRequestBuilder()
                                    .uri(URI.create(
                                            client.getMasterUrl().toString().replaceFirst("/$", "") + path))
                                    .method(method, type, body.isEmpty() ? null : body)
                                    .build(),
                            String.class)
                    .get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(method.toLowerCase(Locale.ROOT) + " of " + path + " failed", e);
        }
    }

    private static String body(HttpResponse<String> response) {
        return response.body() == null ? "" : response.body();
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("No " + pattern + " in " + text);
        }
        return matcher.group(1);
    }

    @Override
    public void close() {
        admin.close();
        account.close();
    }
}
