package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.cluster.ClusterProvider.Definition;
import java.nio.charset.StandardCharsets;
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
            return new Definition(Config.fromKubeconfig(content), checksum(content));
        } catch (RuntimeException e) {
            throw invalid(where, "cannot be used");
        }
    }

    /** Reads a trusted kubeconfig. */
    static Definition file(Path file, String content) {
        String where = "File " + file;
        parse(where, content);
        try {
            return new Definition(Config.fromKubeconfig(file.toFile()), checksum(content));
        } catch (RuntimeException e) {
            throw invalid(where, "cannot be used");
        }
    }

    /** Returns a kubeconfig whose current context has a server: without one, the client would take the home cluster. */
    private static io.fabric8.kubernetes.api.model.Config parse(String where, String content) {
        io.fabric8.kubernetes.api.model.Config parsed;
        try {
            parsed = Serialization.unmarshal(content, io.fabric8.kubernetes.api.model.Config.class);
        } catch (RuntimeException e) {
            throw invalid(where, "is not YAML of a kubeconfig");
        }
        require(parsed != null && server(parsed) != null, where, "has no current context with a server");
        return Objects.requireNonNull(parsed);
    }

    private static @Nullable String server(io.fabric8.kubernetes.api.model.Config config) {
        return config.getContexts().stream()
                .filter(context -> Objects.equals(context.getName(), config.getCurrentContext()))
                .filter(context -> context.getContext() != null)
                .flatMap(context -> config.getClusters().stream()
                        .filter(cluster -> Objects.equals(
                                cluster.getName(), context.getContext().getCluster())))
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

    private static IllegalArgumentException invalid(String where, String problem) {
        return new IllegalArgumentException("The kubeconfig of " + where + " " + problem);
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
