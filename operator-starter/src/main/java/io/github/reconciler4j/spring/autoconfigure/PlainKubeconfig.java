package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.Preferences;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a kubeconfig of the usual fields without data binding, whose preparation for these classes takes longer than all else that
 * is done with the file. One with other fields, or with values of other types, is left to data binding.
 */
final class PlainKubeconfig {

    private static final String NAME = "name";

    private PlainKubeconfig() {}

    /** Return the kubeconfig, or null if it has other fields or types. */
    static @Nullable Config of(Map<?, ?> tree) {
        try {
            return config(new Fields(
                    tree, "apiVersion", "kind", "preferences", "current-context", "clusters", "contexts", "users"));
        } catch (UnusualException e) {
            return null;
        }
    }

    private static Config config(Fields fields) {
        Config config = new Config();
        Map<?, ?> preferences = fields.value("preferences", Map.class);
        if (preferences != null) {
            if (!preferences.isEmpty()) {
                throw new UnusualException();
            }
            config.setPreferences(new Preferences());
        }
        config.setApiVersion(fields.text("apiVersion"));
        config.setKind(fields.text("kind"));
        config.setCurrentContext(fields.text("current-context"));
        config.setClusters(fields.named("clusters", "cluster", (name, each) -> new NamedCluster(cluster(each), name)));
        config.setContexts(fields.named("contexts", "context", (name, each) -> new NamedContext(context(each), name)));
        config.setUsers(fields.named("users", "user", (name, each) -> new NamedAuthInfo(name, user(each))));
        return config;
    }

    private static Cluster cluster(Map<?, ?> tree) {
        Fields fields = new Fields(
                tree,
                "server",
                "certificate-authority",
                "certificate-authority-data",
                "insecure-skip-tls-verify",
                "tls-server-name",
                "proxy-url");
        Cluster cluster = new Cluster();
        cluster.setServer(fields.text("server"));
        cluster.setCertificateAuthority(fields.text("certificate-authority"));
        cluster.setCertificateAuthorityData(fields.text("certificate-authority-data"));
        cluster.setInsecureSkipTlsVerify(fields.value("insecure-skip-tls-verify", Boolean.class));
        cluster.setTlsServerName(fields.text("tls-server-name"));
        cluster.setProxyUrl(fields.text("proxy-url"));
        return cluster;
    }

    private static Context context(Map<?, ?> tree) {
        Fields fields = new Fields(tree, "cluster", "user", "namespace");
        Context context = new Context();
        context.setCluster(fields.text("cluster"));
        context.setUser(fields.text("user"));
        context.setNamespace(fields.text("namespace"));
        return context;
    }

    private static AuthInfo user(Map<?, ?> tree) {
        Fields fields = new Fields(tree, "token", "client-certificate-data", "client-key-data", "username", "password");
        AuthInfo user = new AuthInfo();
        user.setToken(fields.text("token"));
        user.setClientCertificateData(fields.text("client-certificate-data"));
        user.setClientKeyData(fields.text("client-key-data"));
        user.setUsername(fields.text("username"));
        user.setPassword(fields.text("password"));
        return user;
    }

    /** An object of which only known fields may be set. */
    private record Fields(Map<?, ?> tree) {

        Fields(Map<?, ?> tree, String... known) {
            this(tree);
            if (!Set.of(known).containsAll(tree.keySet())) {
                throw new UnusualException();
            }
        }

        <T> @Nullable T value(String name, Class<T> type) {
            Object value = tree.get(name);
            if (value != null && !type.isInstance(value)) {
                throw new UnusualException();
            }
            return type.cast(value);
        }

        @Nullable
        String text(String name) {
            return value(name, String.class);
        }

        <T> List<T> named(String name, String content, BiFunction<String, Map<?, ?>, T> parse) {
            List<T> all = new ArrayList<>();
            List<?> elements = value(name, List.class);
            for (Object element : elements == null ? List.of() : elements) {
                if (!(element instanceof Map<?, ?> object)) {
                    throw new UnusualException();
                }
                Fields fields = new Fields(object, NAME, content);
                String itsName = fields.text(NAME);
                Map<?, ?> itsContent = fields.value(content, Map.class);
                if (itsName == null || itsContent == null) {
                    throw new UnusualException();
                }
                all.add(parse.apply(itsName, itsContent));
            }
            return all;
        }
    }

    /** The kubeconfig is left to data binding. */
    private static final class UnusualException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnusualException() {
            super(null, null, false, false);
        }
    }
}
