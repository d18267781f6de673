package io.github.reconciler4j.client.internal.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.github.reconciler4j.client.internal.kubeconfig.EnvironmentProxies;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A proxy. Immutable.
 *
 * @param scheme how it is spoken to
 * @param host the host, an IPv6 address without brackets
 * @param port the port
 * @param user the user, null for none
 * @param password the password, null for none
 * @param source what names it, {@code ""} if that is not known
 */
record ProxySettings(
        Scheme scheme,
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        String source) {

    /** How a proxy is spoken to. */
    enum Scheme {
        /** In plain text. */
        HTTP("http", 80),
        /** In TLS, before anything else is sent. */
        HTTPS("https", 443),
        /** By version 5 of SOCKS, which is given the name of the server and not its address. */
        SOCKS5("socks5", 1080);

        private final String text;
        private final int port;

        Scheme(String text, int port) {
            this.text = text;
            this.port = port;
        }
    }

    /**
     * Return the proxy that a configuration names for a server, null for none.
     *
     * @param proxyUrl the {@code proxy-url} of a kubeconfig, which is used for every server; null if the configuration decides
     * @throws IllegalArgumentException if it cannot be used; the message contains neither user nor password
     */
    static @Nullable ProxySettings of(Config config, ServerAddress server, @Nullable String proxyUrl) {
        if (proxyUrl != null) {
            return new Url(config, proxyUrl, "'proxy-url' of the kubeconfig").parse();
        }
        String url = server.secure() ? config.getHttpsProxy() : config.getHttpProxy();
        if (url == null || url.isEmpty()) {
            return null;
        }
        String variable = EnvironmentProxies.nameOf(url, server.secure());
        boolean isForOthers = variable != null
                && Boolean.TRUE.equals(config.getAutoConfigure())
                && EnvironmentProxies.isLoopback(server.host());
        List<String> excluded = config.getNoProxy() == null ? List.of() : Arrays.asList(config.getNoProxy());
        return isForOthers || NoProxy.of(excluded).matches(server.host(), server.port())
                ? null
                : new Url(config, url, variable == null ? "" : variable).parse();
    }

    /** Return the value of the {@code Proxy-Authorization} header, null for none. */
    @Nullable
    String authorization() {
        return user == null ? null : HttpClientUtils.basicCredentials(user, Objects.requireNonNullElse(password, ""));
    }

    /** The address without credentials, and what names it. */
    @Override
    public String toString() {
        String address = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return scheme.text + "://" + address + ":" + port + (source.isEmpty() ? "" : " (" + source + ")");
    }

    /** The URL of a proxy. As for Go, it needs no scheme and no port, and a user can contain any escaped byte. */
    private record Url(Config config, String text, String source) {

        ProxySettings parse() {
            int end = text.indexOf("://");
            Scheme scheme =
                    end < 0 ? Scheme.HTTP : scheme(text.substring(0, end).toLowerCase(Locale.ROOT));
            String authority =
                    text.substring(end < 0 ? 0 : end + "://".length()).split("[/?#]", 2)[0];
            int at = authority.lastIndexOf('@');
            String address = authority.substring(at + 1);
            int colon = address.startsWith("[") ? address.indexOf(':', address.indexOf(']')) : address.indexOf(':');
            String host = colon < 0 ? address : address.substring(0, colon);
            String[] login = login(at < 0 ? null : authority.substring(0, at));
            return new ProxySettings(
                    scheme,
                    host(host),
                    colon < 0 || colon == address.length() - 1 ? scheme.port : port(address.substring(colon + 1)),
                    login[0],
                    login[1],
                    source);
        }

        private Scheme scheme(String name) {
            return switch (name) {
                case "http" -> Scheme.HTTP;
                case "https" -> Scheme.HTTPS;
                case "socks5", "socks5h" -> Scheme.SOCKS5;
                default -> throw invalid("must start with http://, https:// or socks5://");
            };
        }

        private String host(String host) {
            String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
            boolean isValid = bare.chars().allMatch(c -> c > ' ' && c < 0x7f && "\"<>[]\\^`{|}@".indexOf(c) < 0)
                    && (bare.indexOf(':') < 0 || EnvironmentProxies.address(bare) != null && host.startsWith("["));
            if (bare.isEmpty() || !isValid) {
                throw invalid("must name a host");
            }
            return unescaped(bare);
        }

        private int port(String text) {
            if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 0xffff) {
                throw invalid("must name a port from 0 to 65535");
            }
            return Integer.parseInt(text);
        }

        private @Nullable String[] login(@Nullable String userInfo) {
            if (userInfo == null) {
                String user = config.getProxyUsername();
                return new @Nullable String[] {user, user == null ? null : config.getProxyPassword()};
            }
            int colon = userInfo.indexOf(':');
            String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
            return new @Nullable String[] {unescaped(user), colon < 0 ? null : unescaped(userInfo.substring(colon + 1))
            };
        }

        private String unescaped(String text) {
            if (text.indexOf('%') < 0) {
                return text;
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '%') {
                    if (!text.substring(i).matches("(?s)%[0-9A-Fa-f]{2}.*")) {
                        throw invalid("has a percent sign that starts no escape");
                    }
                    bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                    i += 2;
                } else {
                    bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                }
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }

        private IllegalArgumentException invalid(String problem) {
            return new IllegalArgumentException(
                    "The address of the proxy" + (source.isEmpty() ? "" : " in " + source) + " " + problem);
        }

        /** Nothing of the URL, which can have a password. */
        @Override
        public String toString() {
            return "Url";
        }
    }
}
