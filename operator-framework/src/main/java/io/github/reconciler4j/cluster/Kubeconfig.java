package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cluster.ClusterProvider.Definition;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads kubeconfigs. No exception has a cause or a message with content, which would be logged. */
final class Kubeconfig {

    private Kubeconfig() {}

    /** Reads a kubeconfig that must neither execute commands nor refer to files. */
    static Definition embedded(String where, String content) {
        io.fabric8.kubernetes.api.model.Config parsed = parse(where, content);
        parsed.getUsers().stream()
                .map(NamedAuthInfo::getUser)
                .filter(Objects::nonNull)
                .forEach(user -> {
                    require(
                            user.getExec() == null && user.getAuthProvider() == null,
                            where,
                            "must not execute commands");
                    require(!refersToFiles(user), where, "must not refer to files: embed credentials and certificates");
                });
        require(
                parsed.getClusters().stream()
                        .map(NamedCluster::getCluster)
                        .allMatch(cluster -> cluster == null || isBlank(cluster.getCertificateAuthority())),
                where,
                "must not refer to files: embed the certificate authority");
        try {
            return new Definition(completed(Config.fromKubeconfig(content), where, parsed, null), checksum(content));
        } catch (InvalidException e) {
            throw e;
        } catch (RuntimeException e) {
            throw invalid(where, "cannot be used");
        }
    }

    /** Reads a trusted kubeconfig. */
    static Definition file(Path file, String content) {
        String where = "the file " + file;
        io.fabric8.kubernetes.api.model.Config parsed = parse(where, content);
        try {
            Config config = completed(Config.fromKubeconfig(file.toFile()), where, parsed, file);
            return new Definition(config, checksum(content));
        } catch (InvalidException e) {
            throw e;
        } catch (RuntimeException e) {
            throw invalid(where, "cannot be used");
        }
    }

    /**
     * Adds what fabric8 does not take from a kubeconfig, and rejects what cannot be followed: a cluster that is reached in another
     * way, or as another user, than kubectl does is worse than none.
     *
     * @param file the file, null if the kubeconfig refers to no others
     */
    private static Config completed(
            Config config, String where, io.fabric8.kubernetes.api.model.Config parsed, @Nullable Path file) {
        Context current = Objects.requireNonNull(context(parsed));
        parsed.getClusters().stream()
                .filter(each -> Objects.equals(each.getName(), current.getCluster()))
                .findFirst()
                .ifPresent(
                        cluster -> setProxy(config, where, cluster.getCluster().getProxyUrl()));
        parsed.getUsers().stream()
                .filter(each -> Objects.equals(each.getName(), current.getUser()) && each.getUser() != null)
                .findFirst()
                .ifPresent(user -> setUser(config, where, user.getUser(), file));
        return config;
    }

    /** fabric8 takes the proxy for addresses with the scheme of the proxy. */
    private static void setProxy(Config config, String where, @Nullable String url) {
        if (url != null && !url.isBlank()) {
            require(url.startsWith("http://"), where, "has a 'proxy-url' that does not start with 'http://'");
            config.setHttpProxy(url);
            config.setHttpsProxy(url);
        }
    }

    private static void setUser(Config config, String where, AuthInfo user, @Nullable Path file) {
        require(isBlank(user.getAsUid()), where, "has the field 'as-uid', which is not supported");
        require(
                user.getExec() == null || !Boolean.TRUE.equals(user.getExec().getProvideClusterInfo()),
                where,
                "has the field 'provideClusterInfo', which is not supported");
        if (!isBlank(user.getAs())) {
            config.setImpersonateUsername(user.getAs());
            config.setImpersonateGroups(user.getAsGroups().toArray(String[]::new));
            config.setImpersonateExtras(user.getAsUserExtra());
        }
        if (!isBlank(user.getTokenFile()) && file != null) {
            Path token = file.resolveSibling(user.getTokenFile());
            config.setOauthTokenProvider(() -> {
                try {
                    return Files.readString(token).strip();
                } catch (IOException e) {
                    throw new UncheckedIOException("The token file of " + where + " cannot be read", e);
                }
            });
        }
    }

    private static @Nullable Context context(io.fabric8.kubernetes.api.model.Config config) {
        return config.getContexts().stream()
                .filter(context -> Objects.equals(context.getName(), config.getCurrentContext()))
                .map(NamedContext::getContext)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns a kubeconfig whose current context has a server: without one, the client would take the home cluster. */
    private static io.fabric8.kubernetes.api.model.Config parse(String where, String content) {
        io.fabric8.kubernetes.api.model.Config parsed;
        try {
            parsed = KubernetesJson.readYaml(content, io.fabric8.kubernetes.api.model.Config.class);
        } catch (RuntimeException | StackOverflowError e) { // an alias of YAML can contain itself
            throw invalid(where, "is not YAML of a kubeconfig");
        }
        require(
                parsed != null && isComplete(parsed) && server(parsed) != null,
                where,
                "has no current context with a server");
        return Objects.requireNonNull(parsed);
    }

    /** Returns whether no list is null or has null in it. */
    private static boolean isComplete(io.fabric8.kubernetes.api.model.Config config) {
        return Stream.of(config.getContexts(), config.getClusters(), config.getUsers())
                .allMatch(list -> list != null && list.stream().allMatch(Objects::nonNull));
    }

    private static @Nullable String server(io.fabric8.kubernetes.api.model.Config config) {
        Context current = context(config);
        return config.getClusters().stream()
                .filter(cluster -> current != null && Objects.equals(cluster.getName(), current.getCluster()))
                .filter(cluster -> cluster.getCluster() != null
                        && !isBlank(cluster.getCluster().getServer()))
                .map(cluster -> cluster.getCluster().getServer())
                .findFirst()
                .orElse(null);
    }

    private static boolean refersToFiles(AuthInfo user) {
        return Stream.of(user.getTokenFile(), user.getClientCertificate(), user.getClientKey())
                .anyMatch(path -> !isBlank(path));
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    private static void require(boolean condition, String where, String problem) {
        if (!condition) {
            throw invalid(where, problem);
        }
    }

    private static InvalidException invalid(String where, String problem) {
        return new InvalidException("The kubeconfig of " + where + " " + problem);
    }

    /** Says what is wrong without content, and where, so that a stack trace adds nothing. */
    private static final class InvalidException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        InvalidException(String message) {
            super(message);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** Returns a hash, which differs between contents and does not reveal them. */
    static String checksum(String content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
