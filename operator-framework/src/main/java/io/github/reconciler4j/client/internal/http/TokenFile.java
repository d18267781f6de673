package io.github.reconciler4j.client.internal.http;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.utils.Utils;
import io.github.reconciler4j.support.TimeSource;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that contains a token and is replaced from time to time, as that of a service account. It is read every 10 seconds
 * while requests are sent, and after a 401. While it cannot be read, the previous token stays in use. Thread-safe.
 */
final class TokenFile {

    private static final Logger logger = LoggerFactory.getLogger(TokenFile.class);
    private static final long CHECK_INTERVAL = TimeUnit.SECONDS.toNanos(10);

    private final Path path;
    private final TimeSource time;
    private volatile String token;
    private volatile long nextRead;

    private TokenFile(Path path, TimeSource time) {
        this.path = path;
        this.time = time;
        this.token = "";
        this.nextRead = time.nanoTime();
    }

    /**
     * Return the token file of a configuration: that of the user in the kubeconfig, or that of the service account. A token
     * that was set in the program takes precedence.
     *
     * @return null if the file has no token
     */
    static @Nullable TokenFile of(Config config, TimeSource time) {
        if (config.getOauthTokenProvider() != null || config.getOauthToken() != null) {
            return null;
        }
        Path path = config.getCurrentContext() != null
                ? ofKubeconfig(config.getCurrentContext())
                : ofServiceAccount(config.getAutoOAuthToken());
        return path == null ? null : new TokenFile(path, time);
    }

    private static @Nullable Path ofKubeconfig(NamedContext context) {
        File kubeconfig = KubeConfigUtils.getFileWithNamedAuthInfo(context);
        if (kubeconfig == null || context.getContext() == null) {
            return null;
        }
        List<NamedAuthInfo> users;
        try {
            users = KubeConfigUtils.parseConfig(kubeconfig).getUsers();
        } catch (KubernetesClientException e) {
            return null; // it could be read a moment ago; then the token that was in it is used
        }
        for (NamedAuthInfo user : users == null ? List.<NamedAuthInfo>of() : users) {
            AuthInfo info = user.getUser();
            if (user.getName().equals(context.getContext().getUser())
                    && info != null
                    && !Utils.isNullOrEmpty(info.getTokenFile())) {
                return kubeconfig.toPath().toAbsolutePath().resolveSibling(info.getTokenFile());
            }
        }
        return null;
    }

    /** fabric8 keeps the content of the file, not its name. */
    private static @Nullable Path ofServiceAccount(@Nullable String token) {
        if (token == null) {
            return null;
        }
        Path path = Path.of(Utils.getSystemPropertyOrEnvVar(
                Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY,
                Config.KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH));
        try {
            return read(path).equals(token.strip()) ? path : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static String read(Path path) throws IOException {
        return Files.readString(path, StandardCharsets.UTF_8).strip();
    }

    /** Return the token. */
    String token() {
        return time.nanoTime() - nextRead < 0 ? token : readAgain();
    }

    /** Read the file and return the token. */
    String readAgain() {
        nextRead = time.nanoTime() + CHECK_INTERVAL;
        try {
            String found = read(path);
            if (!found.isEmpty()) { // a file that is being written
                token = found;
            }
        } catch (IOException e) {
            logger.warn("Could not read the token file {}, so the previous token stays in use: {}", path, e.toString());
        }
        return token;
    }
}
