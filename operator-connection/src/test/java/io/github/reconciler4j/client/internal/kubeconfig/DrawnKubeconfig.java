package io.github.reconciler4j.client.internal.kubeconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Draws kubeconfigs: how they authenticate and impersonate, what refers to files, plug-ins, and in how many files they are. */
final class DrawnKubeconfig {

    /** What drawn kubeconfigs are made of: a server that runs, and two of its users. */
    record Material(
            String server,
            String authorityPem,
            String token,
            String certificatePem,
            String keyPem,
            Map<String, Integer> proxies) {}

    private static final String API = "client.authentication.k8s.io/";

    private final Random random;
    private final Material material;
    private final Path folder;
    private final StringBuilder description = new StringBuilder();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<Path> files = new ArrayList<>();

    private final OddKubeconfig odd;

    private DrawnKubeconfig(Random random, Material material, Path folder, OddKubeconfig odd) {
        this.random = random;
        this.material = material;
        this.folder = folder;
        this.odd = odd;
        description.append(odd).append(odd.toString().isEmpty() ? "" : ": ");
    }

    static DrawnKubeconfig draw(Random random, Material material, Path folder, OddKubeconfig odd) throws IOException {
        DrawnKubeconfig drawn = new DrawnKubeconfig(random, material, folder, odd);
        Map<String, Object> cluster = drawn.cluster();
        Map<String, Object> user = drawn.user();
        odd.changeCluster(cluster);
        odd.changeUser(user);
        drawn.write(cluster, user);
        return drawn;
    }

    List<Path> files() {
        return files;
    }

    /** The variables of proxies. */
    Map<String, String> environment() {
        return environment;
    }

    /** What was drawn, without secrets. */
    @Override
    public String toString() {
        return description.toString();
    }

    /** Chooses one, most often one of the first. */
    private String choose(int common, String... all) {
        String chosen = all[random.nextInt(random.nextInt(10) > 0 ? common : all.length)];
        description.append(chosen).append(' ');
        return chosen;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private String file(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
        return random.nextBoolean() ? name : folder.resolve(name).toString();
    }

    private Map<String, Object> cluster() throws IOException {
        Map<String, Object> cluster = new LinkedHashMap<>();
        cluster.put("server", material.server);
        switch (choose(
                5,
                "ca-data",
                "ca-data",
                "ca-data",
                "ca-file",
                "ca-file",
                "insecure",
                "no-ca",
                "ca-both",
                "ca-insecure",
                "ca-missing")) {
            case "ca-data" -> cluster.put("certificate-authority-data", base64(material.authorityPem));
            case "ca-file" -> cluster.put("certificate-authority", file("ca.crt", material.authorityPem));
            case "insecure" -> cluster.put("insecure-skip-tls-verify", true);
            case "ca-both" -> {
                cluster.put("certificate-authority-data", base64(material.authorityPem));
                cluster.put("certificate-authority", file("ca.crt", material.authorityPem));
            }
            case "ca-insecure" -> {
                cluster.put("certificate-authority-data", base64(material.authorityPem));
                cluster.put("insecure-skip-tls-verify", true);
            }
            case "ca-missing" -> cluster.put("certificate-authority", "missing.crt");
            default -> description.append("(system) ");
        }
        proxy(cluster);
        return cluster;
    }

    private void proxy(Map<String, Object> cluster) {
        String kind = choose(
                7,
                "direct",
                "direct",
                "proxy-url",
                "proxy-url",
                "proxy-env",
                "proxy-env",
                "env-for-loopback",
                "dead-url",
                "odd-url");
        String scheme = List.of("http", "https", "socks5").get(random.nextInt(3));
        String proxy = scheme + "://" + (random.nextBoolean() ? "me:s%20e%40c@" : "") + "127.0.0.1:"
                + material.proxies.get(scheme);
        switch (kind) {
            case "proxy-url" -> {
                cluster.put("proxy-url", proxy);
                environment.put("HTTPS_PROXY", "http://127.0.0.1:1");
                environment.put("NO_PROXY", "*");
                elsewhere(cluster);
            }
            case "proxy-env" -> proxyOfEnvironment(cluster, proxy);
            case "dead-url" -> cluster.put("proxy-url", scheme + "://127.0.0.1:1");
            case "env-for-loopback" -> environment.put("HTTPS_PROXY", "http://127.0.0.1:1");
            case "odd-url" ->
                cluster.put(
                        "proxy-url", choose(4, "ftp://127.0.0.1:1", "127.0.0.1:1", "http://[", "http://127.0.0.1:x"));
            default -> environment.put("NO_PROXY", "127.0.0.1");
        }
    }

    private void proxyOfEnvironment(Map<String, Object> cluster, String proxy) {
        elsewhere(cluster);
        environment.put(random.nextBoolean() ? "HTTPS_PROXY" : "https_proxy", proxy);
        String exceptions = choose(
                2, "", "pi.example", ".example:443", "api.example", "*.example", "api.example:6443", "10.0.0.0/8");
        environment.put(random.nextBoolean() ? "NO_PROXY" : "no_proxy", exceptions);
    }

    /** A name that no DNS knows, so that only a proxy reaches it. */
    private void elsewhere(Map<String, Object> cluster) {
        cluster.put("server", "https://api.example:6443");
        cluster.put("tls-server-name", "localhost");
    }

    private Map<String, Object> user() throws IOException {
        Map<String, Object> user = new LinkedHashMap<>();
        switch (choose(
                11,
                "token",
                "token-file",
                "certificate",
                "certificate",
                "certificate-files",
                "exec",
                "exec",
                "exec",
                "exec",
                "mixed",
                "none")) {
            case "token" ->
                user.put("token", choose(2, "good", "good", "bad").equals("good") ? material.token : "no-such-token");
            case "token-file" -> tokenFile(user);
            case "certificate" -> certificate(user);
            case "certificate-files" -> {
                user.put("client-certificate", file("client.crt", material.certificatePem));
                user.put("client-key", file("client.key", material.keyPem));
            }
            case "exec" -> user.put("exec", exec());
            case "mixed" -> mixed(user);
            default -> description.append("(anonymous) ");
        }
        impersonate(user);
        return user;
    }

    private void certificate(Map<String, Object> user) {
        user.put("client-certificate-data", base64(material.certificatePem));
        user.put("client-key-data", base64(material.keyPem));
    }

    private void tokenFile(Map<String, Object> user) throws IOException {
        String token = material.token;
        String content = switch (choose(3, "plain", "newline", "spaces", "broken", "empty", "missing", "other")) {
            case "plain" -> token;
            case "newline" -> token + "\r\n";
            case "spaces" -> "  " + token + "\n\n";
            case "broken" -> token.substring(0, 5) + "\n" + token.substring(5);
            case "empty" -> "";
            case "missing" -> null;
            default -> "other";
        };
        user.put("tokenFile", content == null ? "missing" : file("token", content));
        if (choose(3, "alone", "alone", "and-token").equals("and-token")) {
            user.put("token", random.nextBoolean() ? token : "other");
        }
    }

    private void mixed(Map<String, Object> user) throws IOException {
        switch (choose(
                7,
                "password",
                "password-token",
                "cert-without-key",
                "cert-twice",
                "exec-token",
                "exec-cert",
                "cert-token")) {
            case "password" -> user.putAll(Map.of("username", "u", "password", "p"));
            case "password-token" -> user.putAll(Map.of("username", "u", "password", "p", "token", material.token));
            case "cert-without-key" -> user.put("client-certificate-data", base64(material.certificatePem));
            case "cert-twice" -> {
                certificate(user);
                user.put("client-certificate", file("client.crt", material.certificatePem));
            }
            case "exec-token" -> {
                user.put("exec", exec());
                user.put("token", material.token);
            }
            case "exec-cert" -> {
                user.put("exec", exec());
                certificate(user);
            }
            default -> {
                certificate(user);
                user.put("token", material.token);
            }
        }
    }

    private void impersonate(Map<String, Object> user) {
        String kind = choose(6, "myself", "myself", "as", "as-groups", "as-all", "as-odd", "groups-alone", "as-broken");
        if (kind.startsWith("as")) {
            user.put("as", kind.equals("as-broken") ? "a\nb" : kind.equals("as-odd") ? "jürgen ☃ x" : "jane");
        }
        if (kind.endsWith("groups") || kind.equals("as-all") || kind.equals("groups-alone")) {
            user.put("as-groups", List.of("g1", "g 2", "grüppe"));
        }
        if (kind.equals("as-all")) {
            user.put("as-uid", "uid-1");
            user.put("as-user-extra", Map.of("example.com/Scope x", List.of("one", "two"), "reason", List.of("ü")));
        }
    }

    private Map<String, Object> exec() throws IOException {
        Map<String, Object> exec = new LinkedHashMap<>();
        String version = choose(5, "v1", "v1", "v1beta1", "v1beta1", "v1beta1", "v1alpha1");
        exec.put("apiVersion", API + version);
        String mode = choose(5, "Never", "Never", "IfAvailable", "Never", "IfAvailable", "", "Always", "Sometimes");
        if (!mode.isEmpty()) {
            exec.put("interactiveMode", mode);
        }
        String script = "#!/bin/sh\n" + behavior(version);
        Path plugin =
                Files.writeString(Files.createDirectories(folder.resolve("bin")).resolve("plug in"), script);
        Files.setPosixFilePermissions(
                plugin, PosixFilePermissions.fromString(random.nextInt(25) > 0 ? "rwxr-xr-x" : "rw-r--r--"));
        exec.put(
                "command",
                choose(2, "relative", "absolute", "missing", "relative").equals("relative")
                        ? "./bin/plug in"
                        : description.toString().endsWith("missing ") ? "bin/missing" : plugin.toString());
        exec.put("args", List.of("$HOME", "`id`", "a b", "", "\"'"));
        exec.put(
                "env", List.of(Map.of("name", "GIVEN", "value", "$HOME `id`"), Map.of("name", "PAIR", "value", "a=b")));
        exec.put("provideClusterInfo", random.nextBoolean());
        exec.put("installHint", "install it");
        return exec;
    }

    private String behavior(String version) {
        String token = printed(version, Map.of("token", material.token));
        String kind = choose(
                5,
                "prints",
                "prints",
                "noise",
                "checks",
                "fails",
                "nothing",
                "garbage",
                "version",
                "kind",
                "no-status",
                "certificate",
                "half",
                "both",
                "expired",
                "yaml",
                "cluster",
                "bad-token",
                "bad-time");
        return switch (kind) {
            case "prints" -> token;
            case "noise" -> "echo warning >&2\n" + token + "\necho done >&2";
            case "checks" ->
                "[ \"$1|$2|$3|$4|$5|$GIVEN|$PAIR|$#\" = '$HOME|`id`|a b||\"'\"'\"'|$HOME `id`|a=b|5' ] || exit 9\n"
                        + token;
            case "fails" -> token + "\nexit 3";
            case "nothing" -> "true";
            case "garbage" -> "echo no json";
            case "version" -> printed(version.equals("v1") ? "v1beta1" : "v1", Map.of("token", material.token));
            case "kind" -> token.replace("ExecCredential", "Secret");
            case "no-status" -> printed(version, null);
            default -> otherBehavior(kind, version, token);
        };
    }

    private String otherBehavior(String kind, String version, String token) {
        return switch (kind) {
            case "certificate" ->
                printed(
                        version,
                        Map.of("clientCertificateData", material.certificatePem, "clientKeyData", material.keyPem));
            case "half" -> printed(version, Map.of("clientKeyData", material.keyPem));
            case "both" ->
                printed(
                        version,
                        Map.of(
                                "token",
                                material.token,
                                "clientCertificateData",
                                material.certificatePem,
                                "clientKeyData",
                                material.keyPem));
            case "expired" ->
                printed(version, Map.of("token", material.token, "expirationTimestamp", "2001-01-01T00:00:00Z"));
            case "yaml" ->
                "printf 'kind: ExecCredential\\napiVersion: " + API + version + "\\nstatus:\\n  token: "
                        + material.token + "\\n'";
            case "cluster" -> "case \"$KUBERNETES_EXEC_INFO\" in *'\"server\"'*) ;; *) exit 4;; esac\n" + token;
            case "bad-token" -> printed(version, Map.of("token", "a\nb"));
            default -> printed(version, Map.of("token", material.token, "expirationTimestamp", "tomorrow"));
        };
    }

    private static String printed(String version, Map<String, Object> status) {
        Map<String, Object> printed = new LinkedHashMap<>();
        printed.put("kind", "ExecCredential");
        printed.put("apiVersion", API + version);
        if (status != null) {
            printed.put("status", status);
        }
        return "cat <<'END'\n" + json(printed) + "\nEND";
    }

    private static String json(Object value) {
        try {
            return KubernetesJson.mapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Divides a kubeconfig among files, of which the first that has a name decides. */
    private void write(Map<String, Object> cluster, Map<String, Object> user) throws IOException {
        Map<String, Object> context = Map.of("cluster", "c", "user", choose(5, "u", "u", "u", "u", "u", "unknown"));
        Map<String, Object> clusters = Map.of("clusters", List.of(Map.of("name", "c", "cluster", cluster)));
        Map<String, Object> users = Map.of("users", List.of(Map.of("name", "u", "user", user)));
        Map<String, Object> contexts = Map.of("contexts", List.of(Map.of("name", "x", "context", context)));
        Map<String, Object> current =
                Map.of("current-context", choose(7, "x", "x", "x", "x", "x", "x", "x", "missing"));
        Map<String, Object> others = Map.of(
                "current-context", "y",
                "contexts", List.of(Map.of("name", "x", "context", Map.of("cluster", "c", "user", "other"))),
                "users", List.of(Map.of("name", "u", "user", Map.of("token", "of-the-last-file"))));
        if (choose(2, "one-file", "files").equals("one-file")) {
            write("config", List.of(clusters, users, contexts, current));
            return;
        }
        if (random.nextBoolean()) {
            files.add(folder.resolve("no-such-file"));
        }
        write("config-1", List.of(clusters, current));
        write("config-2", List.of(users, contexts));
        write("config-3", List.of(others));
    }

    private void write(String name, List<Map<String, Object>> parts) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>(Map.of("apiVersion", "v1", "kind", "Config"));
        parts.forEach(part -> all.putAll(odd.changePart(part)));
        files.add(Files.writeString(folder.resolve(name), odd.changeText(json(all))));
    }
}
