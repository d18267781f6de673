package io.github.reconciler4j.client.internal.kubeconfig;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The name in the certificate of the API server, if it is not the host: {@code tls-server-name} of a kubeconfig. Newer versions of
 * fabric8 have a field for it. With older ones, the current context of the configuration carries it, and copies of the
 * configuration keep it.
 *
 * @since 0.1.0
 */
public final class TlsServerName {

    private static final String CARRIED = "reconciler4j.io/tls-server-name";

    private static final @Nullable Method GETTER = method("getTlsServerName");
    private static final @Nullable Method SETTER = method("setTlsServerName", String.class);

    private TlsServerName() {}

    private static @Nullable Method method(String name, Class<?>... parameters) {
        try {
            return Config.class.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Return the name, null if it is the host. */
    public static @Nullable String of(Config config) {
        Object name = GETTER != null ? call(GETTER, config) : carried(config.getCurrentContext());
        return name == null ? null : name.toString();
    }

    private static @Nullable Object carried(@Nullable NamedContext current) {
        return current == null || current.getContext() == null
                ? null
                : current.getContext().getAdditionalProperties().get(CARRIED);
    }

    /** Set the name of a configuration that has a current context. */
    static void set(Config config, @Nullable String name) {
        if (SETTER != null) {
            call(SETTER, config, name);
        } else if (name != null) {
            config.getCurrentContext().getContext().setAdditionalProperty(CARRIED, name);
        }
    }

    private static @Nullable Object call(Method method, Config config, @Nullable Object... arguments) {
        try {
            return method.invoke(config, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("fabric8's Config does not answer " + method.getName(), e);
        }
    }
}
