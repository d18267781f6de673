package io.github.reconciler4j.client.internal.kubeconfig;

import io.fabric8.kubernetes.api.model.AuthProviderConfig;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigTree.Entry;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigTree.Selection;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns a context of kubeconfigs into a configuration of fabric8, which means what the kubeconfigs mean to kubectl. What fabric8's
 * configuration has no field for, it carries in others: credentials that change as the token provider, the uid of an impersonated
 * user as a header.
 *
 * @param source reads the kubeconfigs
 * @param isEmbedded whether they are in no file, so that another one is never read
 * @param pluginTimeout how long an exec plug-in may run
 * @param environment the variables of this process
 */
public record KubeconfigReader(
        Supplier<KubeconfigTree> source,
        boolean isEmbedded,
        Duration pluginTimeout,
        UnaryOperator<@Nullable String> environment,
        TimeSource time) {

    /** The header that carries the uid of an impersonated user. */
    public static final String UID_HEADER = "Impersonate-Uid";

    /** How long an exec plug-in may run unless an option says otherwise. */
    public static final Duration PLUGIN_TIMEOUT = Duration.ofMinutes(1);

    /** Return a reader of files; the first that has something decides. */
    public static KubeconfigReader ofFiles(List<Path> files) {
        return new KubeconfigReader(
                () -> KubeconfigTree.of(files), false, PLUGIN_TIMEOUT, System::getenv, TimeSource.system());
    }

    /**
     * Return a reader of a text, which must neither execute commands nor refer to files.
     *
     * @param subject the kubeconfig in messages
     */
    public static KubeconfigReader ofText(String subject, String content) {
        return new KubeconfigReader(
                () -> Embedded.checked(KubeconfigTree.of(subject, content)),
                true,
                PLUGIN_TIMEOUT,
                System::getenv,
                TimeSource.system());
    }

    KubeconfigReader withEnvironment(UnaryOperator<@Nullable String> newEnvironment) {
        return new KubeconfigReader(source, isEmbedded, pluginTimeout, newEnvironment, time);
    }

    KubeconfigReader withTime(TimeSource newTime) {
        return new KubeconfigReader(source, isEmbedded, pluginTimeout, environment, newTime);
    }

    /** Return a copy of this reader with another time limit of exec plug-ins. */
    public KubeconfigReader withPluginTimeout(Duration newTimeout) {
        return new KubeconfigReader(source, isEmbedded, newTimeout, environment, time);
    }

    /** Return whether the kubeconfigs have a context. */
    public boolean hasContext(String name) {
        return source.get().hasContext(name);
    }

    /**
     * Read the kubeconfigs.
     *
     * @param context the context, null for the current one
     * @throws io.github.reconciler4j.client.connection.InvalidKubeconfigException if they cannot be used
     */
    public Config read(@Nullable String context) {
        KubeconfigTree tree = source.get();
        Selection selection = tree.select(context);
        Config config = Config.empty();
        setContexts(config, tree, selection);
        setCluster(config, selection.cluster());
        setUser(config, selection);
        setImpersonation(config, selection.user().fields());
        return config;
    }

    private static void setContexts(Config config, KubeconfigTree tree, Selection selection) {
        List<NamedContext> contexts = new ArrayList<>();
        tree.contexts().forEach((name, entry) -> contexts.add(new NamedContext(context(entry.fields()), name)));
        config.setContexts(contexts);
        config.setCurrentContext(new NamedContext(context(selection.context().fields()), selection.name()));
        config.setNamespace(emptyAsNull(selection.context().fields().text("namespace")));
    }

    private static Context context(Fields fields) {
        Context context = new Context();
        context.setCluster(fields.text("cluster"));
        context.setUser(fields.text("user"));
        context.setNamespace(fields.text("namespace"));
        return context;
    }

    private void setCluster(Config config, Entry cluster) {
        Fields fields = cluster.fields();
        String server = fields.text("server");
        fields.require(server.equals(server.strip()), "has a 'server' with white space around it: remove it");
        config.setMasterUrl(server.contains("://") ? server : "https://" + server);
        String data = fields.text("certificate-authority-data");
        boolean isInsecure = fields.flag("insecure-skip-tls-verify");
        exclude(fields, "certificate-authority", "certificate-authority-data");
        fields.require(
                !isInsecure
                        || data.isEmpty()
                                && fields.text("certificate-authority").isEmpty(),
                "has both a certificate authority and 'insecure-skip-tls-verify'");
        config.setCaCertData(emptyAsNull(data));
        config.setCaCertFile(emptyAsNull(cluster.path("certificate-authority")));
        config.setTrustCerts(isInsecure);
        config.setDisableHostnameVerification(isInsecure);
        TlsServerName.set(config, emptyAsNull(fields.text("tls-server-name")));
        String proxy = fields.text("proxy-url");
        if (!proxy.isEmpty()) {
            fields.require(isProxy(proxy), "has a 'proxy-url' that does not start with http://, https:// or socks5://");
            config.setHttpProxy(proxy);
            config.setHttpsProxy(proxy);
        } else if (!EnvironmentProxies.isLoopback(host(config.getMasterUrl()))) {
            EnvironmentProxies.apply(config, environment);
        }
    }

    /** As for Go, other schemes and none at all are errors here, unlike in the environment. */
    private static boolean isProxy(String url) {
        return Stream.of("http://", "https://", "socks5://")
                .anyMatch(scheme -> url.regionMatches(true, 0, scheme, 0, scheme.length()));
    }

    /** Return the host of a URL without brackets. */
    static String host(String url) {
        String authority = url.substring(url.indexOf("://") + "://".length()).split("[/?#]", 2)[0];
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        return host.startsWith("[") ? host.substring(1).split("]", 2)[0] : host.split(":", 2)[0];
    }

    private void setUser(Config config, Selection selection) {
        Entry user = selection.user();
        Fields fields = user.fields();
        exclude(fields, "client-certificate", "client-certificate-data");
        boolean hasCertificate = !fields.text("client-certificate").isEmpty()
                || !fields.text("client-certificate-data").isEmpty();
        boolean hasKey = !fields.text("client-key").isEmpty()
                || !fields.text("client-key-data").isEmpty();
        if (hasCertificate) {
            exclude(fields, "client-key", "client-key-data");
            fields.require(hasKey, "has a client certificate without a key");
            config.setClientCertFile(emptyAsNull(user.path("client-certificate")));
            config.setClientCertData(emptyAsNull(fields.text("client-certificate-data")));
            config.setClientKeyFile(emptyAsNull(user.path("client-key")));
            config.setClientKeyData(emptyAsNull(fields.text("client-key-data")));
            config.setClientKeyAlgo(key(config).contains("-----BEGIN EC ") ? "EC" : "RSA");
        }
        String username = fields.text("username");
        if (!username.isEmpty()) {
            fields.require(
                    fields.text("token").isEmpty() && fields.text("tokenFile").isEmpty(),
                    "has both a password and a token for one user");
            config.setUsername(username);
            config.setPassword(fields.text("password"));
        }
        config.setAutoOAuthToken(emptyAsNull(fields.text("token")));
        Fields provider = fields.object("auth-provider");
        if (provider != null) {
            fields.require(
                    fields.object("exec") == null, "has both an exec plug-in and an 'auth-provider' for one user");
            AuthProviders.set(config, provider);
        }
        config.setOauthTokenProvider(credentials(
                selection,
                () -> source.get().select(selection.name()).user().fields().text("token")));
    }

    private static String key(Config config) {
        try {
            String data = config.getClientKeyData();
            byte[] key = data != null
                    ? Base64.getMimeDecoder().decode(data)
                    : Files.readAllBytes(Path.of(config.getClientKeyFile()));
            return new String(key, StandardCharsets.ISO_8859_1);
        } catch (IOException | IllegalArgumentException e) {
            return ""; // is reported when the connection is opened
        }
    }

    /**
     * Return the credentials of a user that can change, null if there are none.
     *
     * @param tokenReader reads the token in the kubeconfig again
     */
    @Nullable
    RenewableCredentials credentials(Selection selection, Supplier<String> tokenReader) {
        Entry user = selection.user();
        Fields fields = user.fields();
        String token = fields.text("token");
        String tokenFile = user.path("tokenFile");
        Fields exec = fields.object("exec");
        ExecSettings settings = exec == null
                ? null
                : ExecSettings.of(exec, user.folder(), new ExecCluster(selection.cluster()).describe(), pluginTimeout);
        if (!fields.text("username").isEmpty()) {
            return null;
        }
        if (!tokenFile.isEmpty()) {
            return new TokenFile(path(fields, tokenFile), token, time);
        }
        if (!token.isEmpty()) {
            return isEmbedded ? null : new KubeconfigToken(tokenReader, token, time);
        }
        boolean hasCertificate = !fields.text("client-certificate").isEmpty()
                || !fields.text("client-certificate-data").isEmpty();
        if (exec == null || settings == null || hasCertificate) {
            return null;
        }
        ExecSettings.checkRunsAlone(exec);
        return new ExecPlugin(settings, time);
    }

    private static Path path(Fields fields, String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw fields.invalid("has a 'tokenFile' that is no path");
        }
    }

    private static void setImpersonation(Config config, Fields user) {
        String uid = user.text("as-uid");
        List<String> groups = user.texts("as-groups");
        Map<String, List<String>> extra = user.lists("as-user-extra");
        if (user.text("as").isEmpty()) {
            user.require(
                    uid.isEmpty() && groups.isEmpty() && extra.isEmpty(),
                    "has 'as-uid', 'as-groups' or 'as-user-extra' without 'as'");
            return;
        }
        config.setImpersonateUsername(user.text("as"));
        config.setImpersonateGroups(groups.toArray(String[]::new));
        config.setImpersonateExtras(extra);
        if (!uid.isEmpty()) {
            config.setCustomHeaders(new LinkedHashMap<>(Map.of(UID_HEADER, uid)));
        }
    }

    private static void exclude(Fields fields, String one, String other) {
        fields.require(
                fields.text(one).isEmpty() || fields.text(other).isEmpty(),
                "has both '" + one + "' and '" + other + "'");
    }

    static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The plug-ins that are part of client-go, of which fabric8 knows OpenID Connect. */
    private static final class AuthProviders {

        static void set(Config config, Fields provider) {
            provider.require(
                    provider.text("name").equals("oidc"),
                    "has an 'auth-provider' that is not named 'oidc': use an exec plug-in");
            Fields settings = provider.object("config");
            if (settings == null) {
                return;
            }
            Map<String, String> values = new LinkedHashMap<>();
            settings.tree()
                    .keySet()
                    .forEach(key -> values.put(String.valueOf(key), settings.text(String.valueOf(key))));
            config.setAuthProvider(new AuthProviderConfig(values, provider.text("name")));
            if (config.getAutoOAuthToken() == null) {
                Stream.of("access-token", "id-token")
                        .map(name -> values.getOrDefault(name, ""))
                        .filter(token -> !token.isEmpty())
                        .findFirst()
                        .ifPresent(config::setAutoOAuthToken);
            }
        }
    }

    /** What a plug-in learns about the cluster. */
    private record ExecCluster(Entry cluster) {

        private static final String EXTENSION = "client.authentication.k8s.io/exec";

        Map<String, Object> describe() {
            Fields fields = cluster.fields();
            Map<String, Object> description = new LinkedHashMap<>();
            description.put("server", fields.text("server"));
            put(description, "tls-server-name", fields.text("tls-server-name"));
            for (String flag : List.of("insecure-skip-tls-verify", "disable-compression")) {
                if (fields.flag(flag)) {
                    description.put(flag, true);
                }
            }
            put(description, "certificate-authority-data", authority());
            put(description, "proxy-url", fields.text("proxy-url"));
            for (Fields extension : fields.objects("extensions")) {
                if (extension.tree().get("name") instanceof String name && name.equals(EXTENSION)) {
                    Object content = extension.tree().get("extension");
                    if (content != null) {
                        description.put("config", content);
                    }
                }
            }
            return description;
        }

        private static void put(Map<String, Object> description, String name, String value) {
            if (!value.isEmpty()) {
                description.put(name, value);
            }
        }

        private String authority() {
            String data = cluster.fields().text("certificate-authority-data");
            String file = cluster.path("certificate-authority");
            if (!data.isEmpty() || file.isEmpty()) {
                return data;
            }
            try {
                return Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file)));
            } catch (IOException | InvalidPathException e) {
                return ""; // is reported when the connection is opened
            }
        }
    }

    /** Refuses what gives the author of a kubeconfig the rights of this process. */
    private static final class Embedded {

        static KubeconfigTree checked(KubeconfigTree tree) {
            for (Entry entry : tree.usersAndClusters()) {
                Fields fields = entry.fields();
                fields.require(
                        fields.tree().get("exec") == null && fields.tree().get("auth-provider") == null,
                        "must not execute commands");
                fields.require(
                        Stream.of("tokenFile", "client-certificate", "client-key")
                                .allMatch(name -> isEmpty(fields, name)),
                        "must not refer to files: embed credentials and certificates");
                fields.require(
                        isEmpty(fields, "certificate-authority"),
                        "must not refer to files: embed the certificate authority");
            }
            return tree;
        }

        private static boolean isEmpty(Fields fields, String name) {
            Object value = fields.tree().get(name);
            return value == null || value instanceof String text && text.isBlank();
        }
    }
}
