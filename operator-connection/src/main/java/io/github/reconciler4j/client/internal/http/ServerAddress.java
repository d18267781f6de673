package io.github.reconciler4j.client.internal.http;

import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address of the API server. User and password in the URL are kept apart from it, so that neither messages nor the
 * {@code Host} header contain them. Immutable.
 *
 * @param secure whether the server speaks TLS
 * @param host the host, an IPv6 address without brackets
 * @param port the port
 * @param authority the value of the {@code Host} header
 * @param prefix the path before all request paths, without a slash at the end
 * @param userInfo the value of the {@code Authorization} header that the user and password in the URL result in, or null
 */
record ServerAddress(
        boolean secure,
        String host,
        int port,
        String authority,
        String prefix,
        @Nullable String userInfo) {

    private static final String PLAIN_IN_PATH = "-._~!$&'()*+,;=:@/";
    private static final String PLAIN_IN_QUERY = "-._~/:,";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /**
     * Parse a URL.
     *
     * @throws IllegalArgumentException if it is not a URL of http or https; the message does not contain its password
     */
    static ServerAddress of(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The address of the API server is not a URL: " + e.getReason());
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (uri.getHost() == null || !List.of("http", "https").contains(scheme)) {
            throw new IllegalArgumentException(
                    "The address of the API server must start with https:// and name a host, was '" + withoutUser(url)
                            + "'");
        }
        boolean secure = scheme.equals("https");
        String bracketed = uri.getHost();
        String host = bracketed.startsWith("[") ? bracketed.substring(1, bracketed.length() - 1) : bracketed;
        String path = uri.getRawPath() == null ? "" : uri.normalize().getRawPath();
        String user = uri.getUserInfo();
        return new ServerAddress(
                secure,
                host,
                uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80,
                uri.getPort() >= 0 ? bracketed + ":" + uri.getPort() : bracketed,
                path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
                user == null ? null : HttpClientUtils.basicCredentials(user.contains(":") ? user : user + ":"));
    }

    private static String withoutUser(String url) {
        return url.substring(url.lastIndexOf('@') + 1);
    }

    /** {@code host:port}, with brackets around an IPv6 address. */
    String hostAndPort() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** Encode path and query of a request. */
    String target(String path, Map<String, List<String>> query) {
        StringBuilder target = new StringBuilder(prefix.length() + path.length() + 64).append(prefix);
        encode(path, PLAIN_IN_PATH, target);
        char separator = '?';
        for (Map.Entry<String, List<String>> parameter : query.entrySet()) {
            for (String value : parameter.getValue()) {
                target.append(separator);
                encode(parameter.getKey(), PLAIN_IN_QUERY, target);
                target.append('=');
                encode(value, PLAIN_IN_QUERY, target);
                separator = '&';
            }
        }
        return target.toString();
    }

    private static void encode(String text, String plain, StringBuilder to) {
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || plain.indexOf(c) >= 0) {
                to.append(c);
            } else {
                to.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
            }
        }
    }

    /** The address without user and password. */
    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority + prefix + "/";
    }
}
