package io.github.reconciler4j.client.internal.kubeconfig;

import io.fabric8.kubernetes.client.Config;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that the environment names, as Go reads them: lower case first, and never for this machine. Of fabric8, the system
 * properties {@code http.proxy}, {@code https.proxy} and {@code no.proxy} come before them.
 *
 * @since 0.1.0
 */
public final class EnvironmentProxies {

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private EnvironmentProxies() {}

    /** Return the value of a variable such as {@code HTTPS_PROXY}, in the case and place that comes first; null for none. */
    static @Nullable String value(String name, UnaryOperator<@Nullable String> environment) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String value : new @Nullable String[] {
            System.getProperty(lower.replace('_', '.')), environment.apply(lower), environment.apply(name)
        }) {
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return null;
    }

    /** Return the variable of this process that names a proxy for a scheme, null if none names it. */
    public static @Nullable String nameOf(String proxy, boolean secure) {
        String name = secure ? "HTTPS_PROXY" : "HTTP_PROXY";
        return proxy.equals(value(name, System::getenv)) ? name : null;
    }

    /** Let a configuration use the proxies of the environment. */
    static void apply(Config config, UnaryOperator<@Nullable String> environment) {
        config.setHttpProxy(value("HTTP_PROXY", environment));
        config.setHttpsProxy(value("HTTPS_PROXY", environment));
        String excluded = value("NO_PROXY", environment);
        config.setNoProxy(excluded == null ? null : excluded.split(","));
    }

    /** Return whether a host is this machine, which no proxy of the environment is used for. */
    public static boolean isLoopback(String host) {
        InetAddress address = address(host);
        return address == null ? host.equals("localhost") : address.isLoopbackAddress();
    }

    /** Return the address that a text is, without brackets; null if it is a name. */
    public static @Nullable InetAddress address(String host) {
        int zone = host.indexOf('%');
        String bare = zone < 0 ? host : host.substring(0, zone);
        boolean isIpv4 = IPV4.matcher(bare).matches()
                && List.of(bare.split("\\.")).stream().allMatch(EnvironmentProxies::isOctet);
        if (!isIpv4 && bare.indexOf(':') < 0) {
            return null;
        }
        try {
            return InetAddress.getByName(bare); // an address, so nothing is looked up
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static boolean isOctet(String text) {
        return Integer.parseInt(text) <= 255 && (text.length() == 1 || text.charAt(0) != '0');
    }
}
