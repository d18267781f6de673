package io.github.reconciler4j.client.connection;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigEnvironment;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigReader;
import io.github.reconciler4j.support.SupportedVersions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kubeconfigs, which mean here what they mean to {@code kubectl}: contexts of several files, tokens and token files, certificates,
 * passwords, exec plug-ins, impersonation and proxies, those of the environment included. fabric8's own methods leave out a part of
 * that, and run exec plug-ins in a shell.
 *
 * <!-- snippet: ConnectionUse -->
 * <pre>{@code
 * return Kubeconfig.ofFile(Path.of("/etc/fleet/east.yaml"))
 *         .withContext("admin")
 *         .read();
 * }</pre>
 *
 * <p>An exec plug-in runs when the first request is sent, when its credential has expired, and when the API server rejects the
 * credential. It has no terminal, and its standard error is never logged. If it fails, requests fail with a {@link
 * io.github.reconciler4j.client.error.ConnectionException} that names the command and the reason.
 *
 * <p>Immutable and thread-safe. No message contains the content of a kubeconfig.
 *
 * @since 0.1.0
 */
public final class Kubeconfig {

    private final KubeconfigReader reader;
    private final boolean isOfEnvironment;
    private final @Nullable String context;

    private Kubeconfig(KubeconfigReader reader, boolean isOfEnvironment, @Nullable String context) {
        this.reader = reader;
        this.isOfEnvironment = isOfEnvironment;
        this.context = context;
    }

    /** Return a kubeconfig in a file. Relative paths in it are relative to its folder. */
    public static Kubeconfig ofFile(Path file) {
        return ofFiles(List.of(file));
    }

    /**
     * Return several files, of which the first that has a context, cluster or user of a name decides, and the first that has a
     * current context. Files that do not exist are left out.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Kubeconfig ofFiles(List<Path> files) {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("'files' must not be empty");
        }
        return new Kubeconfig(KubeconfigReader.ofFiles(List.copyOf(files)), false, null);
    }

    /**
     * Return the kubeconfigs that the environment variable {@code KUBECONFIG} names, or else {@code ~/.kube/config}. Without a
     * file, the configuration is that of the service account of the pod. The variables and system properties of fabric8, such as
     * {@code KUBERNETES_MASTER}, take precedence over both.
     */
    public static Kubeconfig ofEnvironment() {
        return new Kubeconfig(KubeconfigReader.ofFiles(KubeconfigEnvironment.files()), true, null);
    }

    /**
     * Return a kubeconfig that another person has written, which must neither execute commands nor refer to files.
     *
     * @param subject the kubeconfig in messages, for example {@code The kubeconfig of Secret fleet/east}
     */
    public static Kubeconfig embedded(String subject, String content) {
        return new Kubeconfig(KubeconfigReader.ofText(subject, content), false, null);
    }

    /** Return a copy that reads another context than the current one. */
    public Kubeconfig withContext(String context) {
        return new Kubeconfig(reader, isOfEnvironment, context);
    }

    /**
     * Return a copy with another time limit of exec plug-ins than a minute. A plug-in that has not ended by then is ended.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Kubeconfig withPluginTimeout(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("'pluginTimeout' must be positive, was " + timeout);
        }
        return new Kubeconfig(reader.withPluginTimeout(timeout), isOfEnvironment, context);
    }

    /**
     * Return whether the kubeconfigs have a context.
     *
     * @throws InvalidKubeconfigException if they cannot be read
     */
    public boolean hasContext(String name) {
        return reader.hasContext(name);
    }

    /**
     * Read the kubeconfigs now. The configuration also works with fabric8's own client, without client certificates of exec
     * plug-ins.
     *
     * @throws InvalidKubeconfigException if they cannot be read, or cannot be followed
     * @throws io.github.reconciler4j.support.UnsupportedVersionException if fabric8 has a version that Reconciler4j does not work
     *     with
     */
    public Config read() {
        SupportedVersions.check();
        if (!isOfEnvironment) {
            return reader.read(context);
        }
        return KubeconfigEnvironment.read(reader, context);
    }

    @Override
    public String toString() {
        return "Kubeconfig[context=" + context + "]";
    }
}
