package io.github.reconciler4j.client.internal.kubeconfig;

import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigTree.Entry;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigTree.Selection;
import io.github.reconciler4j.support.TimeSource;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a connection authenticates, as far as the fields of its configuration do not say it. A configuration that fabric8 has read
 * from kubeconfigs names their files, so that what fabric8 does not take from them is read here; what a program has set in the
 * configuration takes precedence.
 *
 * @param credentials the credentials that can change, null if those of the configuration are used
 * @param user the user to impersonate, {@code ""} for none
 * @param groups the groups of that user
 * @param extra what else is known of that user
 * @param uid the uid of that user, {@code ""} for none
 * @param proxy the {@code proxy-url} of the cluster, null if that of the configuration is used
 * @since 0.1.0
 */
public record Login(
        @Nullable RenewableCredentials credentials,
        String user,
        List<String> groups,
        Map<String, List<String>> extra,
        String uid,
        @Nullable String proxy) {

    private static final Login OF_CONFIG = new Login(null, "", List.of(), Map.of(), "", null);

    /**
     * Return how a connection with a configuration authenticates.
     *
     * @throws InvalidKubeconfigException if the kubeconfig that fabric8 has read cannot be followed
     */
    public static Login of(Config config, TimeSource time) {
        boolean isGiven = config.getOauthToken() != null;
        if (config.getOauthTokenProvider() != null) {
            boolean isOurs = config.getOauthTokenProvider() instanceof RenewableCredentials;
            return isOurs && !isGiven
                    ? OF_CONFIG.with((RenewableCredentials) config.getOauthTokenProvider())
                    : OF_CONFIG;
        }
        NamedContext context = config.getCurrentContext();
        if (context == null || context.getContext() == null) {
            Path path = isGiven ? null : serviceAccount(config.getAutoOAuthToken());
            return path == null ? OF_CONFIG : OF_CONFIG.with(new TokenFile(path, config.getAutoOAuthToken(), time));
        }
        return ofFabric8(config, context.getName(), context.getContext(), time);
    }

    private Login with(@Nullable RenewableCredentials newCredentials) {
        return new Login(newCredentials, user, groups, extra, uid, proxy);
    }

    /** fabric8 keeps the content of the file, not its name. */
    private static @Nullable Path serviceAccount(@Nullable String token) {
        if (token == null) {
            return null;
        }
        Path path = Path.of(Utils.getSystemPropertyOrEnvVar(
                Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY,
                Config.KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH));
        try {
            return TokenFile.read(path).equals(token.strip()) ? path : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static Login ofFabric8(Config config, @Nullable String name, Context context, TimeSource time) {
        File userFile = config.getFileWithAuthInfo();
        File clusterFile = config.getFileWithCluster();
        if (userFile == null && clusterFile == null) {
            return OF_CONFIG; // read by this package, or from a text
        }
        Entry nothing = new Entry(new Fields("The kubeconfig", "", Map.of()), null);
        Supplier<Entry> users = () -> entry(userFile, nothing, tree -> tree.user(String.valueOf(context.getUser())));
        Entry user = users.get();
        Entry cluster = entry(clusterFile, nothing, tree -> tree.cluster(String.valueOf(context.getCluster())));
        KubeconfigReader reader = KubeconfigReader.ofFiles(userFile == null ? List.of() : List.of(userFile.toPath()))
                .withTime(time);
        Selection selection = new Selection(String.valueOf(name), nothing, cluster, user);
        RenewableCredentials credentials = isSetByProgram(config)
                ? null
                : reader.credentials(selection, () -> users.get().fields().text("token"));
        String as = user.fields().text("as");
        return new Login(
                credentials,
                as,
                as.isEmpty() ? List.of() : user.fields().texts("as-groups"),
                as.isEmpty() ? Map.of() : user.fields().lists("as-user-extra"),
                as.isEmpty() ? "" : user.fields().text("as-uid"),
                KubeconfigReader.emptyAsNull(cluster.fields().text("proxy-url")));
    }

    private static Entry entry(@Nullable File file, Entry otherwise, Function<KubeconfigTree, @Nullable Entry> find) {
        if (file == null) {
            return otherwise;
        }
        Entry found;
        try {
            found = find.apply(KubeconfigTree.of(List.of(file.toPath())));
        } catch (InvalidKubeconfigException e) {
            return otherwise; // it could be read a moment ago; then what was in it is used
        }
        return found == null ? otherwise : found;
    }

    private static boolean isSetByProgram(Config config) {
        boolean hasPassword =
                Utils.isNotNullOrEmpty(config.getUsername()) && Utils.isNotNullOrEmpty(config.getPassword());
        String token = Boolean.TRUE.equals(config.getAutoConfigure())
                ? Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_OAUTH_TOKEN_SYSTEM_PROPERTY)
                : null;
        return config.getOauthToken() != null
                || hasPassword
                || Utils.isNotNullOrEmpty(token)
                || config.getAuthProvider() != null;
    }
}
