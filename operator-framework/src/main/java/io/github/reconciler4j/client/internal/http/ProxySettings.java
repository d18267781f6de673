package io.github.reconciler4j.client.internal.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.IpAddressMatcher;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy. Immutable.
 *
 * @param host the host, an IPv6 address without brackets
 * @param port the port
 * @param authorization the value of the {@code Proxy-Authorization} header, null for none
 */
record ProxySettings(String host, int port, @Nullable String authorization) {

    /**
     * Return the proxy that a configuration names for a server, null for none.
     *
     * @throws IllegalArgumentException if it cannot be used
     */
    static @Nullable ProxySettings of(Config config, ServerAddress server) {
        String url = server.secure() ? config.getHttpsProxy() : config.getHttpProxy();
        if (url == null || url.isEmpty() || isExcluded(server.host(), config.getNoProxy())) {
            return null;
        }
        URI proxy;
        try {
            proxy = new URI(url.contains("://") ? url : "http://" + url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The address of the proxy is not a URL: " + e.getReason());
        }
        String scheme = proxy.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("Only HTTP proxies are supported, not '" + scheme + "'");
        }
        if (proxy.getHost() == null || proxy.getPort() < 0) {
            throw new IllegalArgumentException("The address of the proxy must name a host and a port");
        }
        String host = proxy.getHost();
        return new ProxySettings(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                proxy.getPort(),
                authorization(config, proxy));
    }

    private static @Nullable String authorization(Config config, URI proxy) {
        if (proxy.getUserInfo() != null) {
            return HttpClientUtils.basicCredentials(proxy.getUserInfo());
        }
        return config.getProxyUsername() == null
                ? null
                : HttpClientUtils.basicCredentials(config.getProxyUsername(), config.getProxyPassword());
    }

    /** Return whether a host is in the list of {@code NO_PROXY}: addresses, networks, and ends of host names. */
    private static boolean isExcluded(String host, String @Nullable [] excluded) {
        for (String entry : excluded == null ? new String[0] : excluded) {
            String network = entry.strip();
            if (network.isEmpty()) {
                continue;
            }
            boolean isNetwork = HostAddresses.isAddress(network.replaceFirst("/\\d+$", ""));
            if (isNetwork
                    ? HostAddresses.isAddress(host) && new IpAddressMatcher(network).matches(host)
                    : host.endsWith(network)) {
                return true;
            }
        }
        return false;
    }

    /** The address without credentials. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
