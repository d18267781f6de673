package io.github.reconciler4j.client.internal.kubeconfig;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One thing in a kubeconfig that programs write and people type, and that readers of kubeconfigs take in different ways. */
final class OddKubeconfig {

    /*
     * Not drawn, because the client differs: a blank in "as", which it refuses, while kubectl sends the request as the user itself; text
     * behind the last line of a certificate, which kubectl does not read then.
     */
    private static final List<String> ALL = List.of(
            "server-slash",
            "server-upper-case",
            "server-blank",
            "server-no-scheme",
            "server-path",
            "server-user",
            "server-query",
            "ca-wrapped",
            "ca-text",
            "ca-no-base64",
            "ca-empty",
            "name-of-another-server",
            "token-number",
            "token-blank",
            "token-null",
            "provider-unknown",
            "extra-empty",
            "extra-null",
            "extra-upper-case",
            "extra-twice",
            "extra-text",
            "groups-null",
            "groups-text",
            "groups-twice",
            "uid-alone",
            "exec-null",
            "exec-no-version",
            "exec-no-command",
            "exec-number",
            "exec-variable-twice",
            "exec-variable-empty",
            "cluster-twice",
            "user-twice",
            "context-twice",
            "context-null",
            "context-no-cluster",
            "context-no-user",
            "other-kind",
            "other-version",
            "no-kind",
            "upper-case-fields",
            "byte-order-mark",
            "end-of-lines",
            "two-documents",
            "key-twice");

    private final String kind;

    private OddKubeconfig(String kind) {
        this.kind = kind;
    }

    /** Return the oddity of a case: none for every other one, and all in turn. */
    static OddKubeconfig ofCase(long number) {
        return new OddKubeconfig(number % 2 == 0 ? "" : ALL.get((int) Math.floorMod(number / 2, (long) ALL.size())));
    }

    @Override
    public String toString() {
        return kind;
    }

    void changeCluster(Map<String, Object> cluster) {
        String server = (String) cluster.get("server");
        String data = (String) cluster.get("certificate-authority-data");
        switch (kind) {
            case "server-slash" -> cluster.put("server", server + "//");
            case "server-upper-case" -> cluster.put("server", server.replace("https", "HTTPS"));
            case "server-path" -> cluster.put("server", server + "/k8s/clusters/c-1");
            case "server-blank" -> cluster.put("server", " " + server + "\n");
            case "server-user" -> cluster.put("server", server.replace("://", "://me:s3cr3t@"));
            case "server-query" -> cluster.put("server", server + "?a=b#c");
            case "server-no-scheme" -> cluster.put("server", server.substring(server.indexOf("://") + 3));
            case "ca-wrapped" -> {
                if (data != null) {
                    cluster.put("certificate-authority-data", data.replaceAll("(.{64})", "$1\n"));
                }
            }
            case "ca-text" -> {
                if (data != null) {
                    String pem = new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
                    cluster.put(
                            "certificate-authority-data",
                            encoded("issued by us\r\n" + pem.replace("\n", "\r\n") + "\r\nbye"));
                }
            }
            case "ca-no-base64" -> cluster.put("certificate-authority-data", "-----BEGIN CERTIFICATE-----");
            case "ca-empty" -> cluster.put("certificate-authority-data", encoded("no certificate"));
            case "name-of-another-server" -> cluster.put("tls-server-name", "other.example");
            default -> {}
        }
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    void changeUser(Map<String, Object> user) {
        switch (kind) {
            case "token-number" -> user.put("token", 12345);
            case "token-blank" -> user.computeIfPresent("token", (name, token) -> " " + token + " ");
            case "token-null" -> user.put("token", null);
            case "extra-empty" -> extra(user, "scopes", List.of());
            case "extra-null" -> extra(user, "scopes", null);
            case "extra-upper-case" -> extra(user, "Example.COM/Scopes", List.of("A"));
            case "extra-twice" -> extra(user, "scopes", List.of("a", "a", "b, c", ""));
            case "extra-text" -> extra(user, "scopes", "a");
            case "groups-null" -> groups(user, Arrays.asList(null, "g"));
            case "groups-text" -> groups(user, "g");
            case "groups-twice" -> groups(user, List.of("g", "g", "system:masters"));
            case "uid-alone" -> {
                user.remove("as");
                user.put("as-uid", "1");
            }
            case "provider-unknown" -> user.put("auth-provider", Map.of("name", "gone"));
            default -> changeExec(user);
        }
    }

    private static void extra(Map<String, Object> user, String name, Object values) {
        user.put("as", "jane");
        Map<String, Object> extra = new LinkedHashMap<>();
        extra.put(name, values);
        user.put("as-user-extra", extra);
    }

    private static void groups(Map<String, Object> user, Object groups) {
        user.put("as", "jane");
        user.put("as-groups", groups);
    }

    @SuppressWarnings("unchecked")
    private void changeExec(Map<String, Object> user) {
        if (kind.equals("exec-null")) {
            user.put("exec", null);
        }
        if (!(user.get("exec") instanceof Map<?, ?> given)) {
            return;
        }
        Map<String, Object> exec = (Map<String, Object>) given;
        switch (kind) {
            case "exec-no-version" -> exec.remove("apiVersion");
            case "exec-no-command" -> exec.put("command", "");
            case "exec-number" -> exec.put("args", List.of(1));
            case "exec-variable-twice" ->
                exec.put(
                        "env",
                        List.of(
                                Map.of("name", "GIVEN", "value", "first"),
                                Map.of("name", "GIVEN", "value", "$HOME `id`"),
                                Map.of("name", "PAIR", "value", "a=b")));
            case "exec-variable-empty" ->
                exec.put("env", List.of(Map.of("name", "", "value", "x"), Map.of("name", "GIVEN")));
            default -> {}
        }
    }

    /** Change a part of a kubeconfig, such as its list of users. */
    Map<String, Object> changePart(Map<String, Object> part) {
        Map<String, Object> changed = new LinkedHashMap<>(part);
        switch (kind) {
            case "cluster-twice" -> again(changed, "clusters", Map.of("server", "https://127.0.0.1:1"), "cluster");
            case "user-twice" -> again(changed, "users", Map.of("token", "other"), "user");
            case "context-twice" -> again(changed, "contexts", Map.of("cluster", "other"), "context");
            case "context-null" -> context(changed, null);
            case "context-no-cluster" -> context(changed, Map.of("user", "u"));
            case "context-no-user" -> context(changed, Map.of("cluster", "c"));
            default -> {}
        }
        return changed;
    }

    private static void again(Map<String, Object> part, String list, Map<String, Object> content, String field) {
        if (part.get(list) instanceof List<?> entries) {
            List<Object> all = new ArrayList<>(entries);
            all.add(Map.of("name", ((Map<?, ?>) entries.get(0)).get("name"), field, content));
            part.put(list, all);
        }
    }

    private static void context(Map<String, Object> part, Object context) {
        if (part.get("contexts") instanceof List<?>) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", "x");
            entry.put("context", context);
            part.put("contexts", List.of(entry));
        }
    }

    /** Change the text of a kubeconfig in JSON. */
    String changeText(String json) {
        return switch (kind) {
            case "other-kind" -> json.replace("\"kind\":\"Config\"", "\"kind\":\"Secret\"");
            case "other-version" -> json.replace("\"apiVersion\":\"v1\"", "\"apiVersion\":\"v2\"");
            case "no-kind" -> json.replace("\"kind\":\"Config\"", "\"preferences\":{}");
            case "upper-case-fields" -> json.replace("\"users\"", "\"Users\"").replace("\"token\"", "\"Token\"");
            case "byte-order-mark" -> "\ufeff" + json;
            case "end-of-lines" -> json.replace(",", ",\r\n") + "\r\n";
            case "two-documents" -> "---\n" + json + "\n---\ncurrent-context: z\n";
            case "key-twice" -> json.replace("\"current-context\"", "\"current-context\":\"z\",\"current-context\"");
            default -> json;
        };
    }
}
