package io.github.reconciler4j.test.server.internal;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What clients need to reach a server: client configurations and kubeconfig files. */
final class ClientConfigs {
    private ClientConfigs() {}

    /** A configuration that takes nothing from the environment. */
    static Config config(String url, String token, @Nullable String authority) {
        ConfigBuilder builder = new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withOauthToken(token)
                .withNamespace("default")
                .withTrustCerts(false);
        if (authority != null) {
            builder.withCaCertData(encoded(authority));
        }
        return builder.build();
    }

    static void writeKubeconfig(Path file, String url, String token, @Nullable String authority) {
        String trust = authority == null ? "" : "\n    certificate-authority-data: " + encoded(authority);
        String text = """
                apiVersion: v1
                kind: Config
                clusters:
                - name: reconciler4j
                  cluster:
                    server: %s%s
                users:
                - name: admin
                  user:
                    token: %s
                contexts:
                - name: reconciler4j
                  context:
                    cluster: reconciler4j
                    user: admin
                    namespace: default
                current-context: reconciler4j
                """.formatted(url, trust, token);
        try {
            Files.deleteIfExists(file);
            create(file);
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(Path file) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(file);
        }
    }

    private static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
    }
}
