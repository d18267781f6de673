package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.internal.kubeconfig.EnvironmentProxies;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that need no proxy, in the syntax of {@code NO_PROXY} that Go has: addresses and networks, names and domains, each but
 * networks with a port if necessary, and {@code *} for all. A domain ends a name at a dot only. Other entries are ignored.
 */
final class NoProxy {

    private final List<Entry> entries;

    private NoProxy(List<Entry> entries) {
        this.entries = entries;
    }

    /** Read a list. */
    static NoProxy of(Collection<String> list) {
        List<Entry> entries = new ArrayList<>();
        for (String text : list) {
            Entry entry = entry(text.strip().toLowerCase(Locale.ROOT));
            if (entry != null) {
                entries.add(entry);
            }
        }
        return new NoProxy(entries);
    }

    /** Return whether a server needs no proxy. */
    boolean matches(String host, int port) {
        InetAddress address = EnvironmentProxies.address(host);
        String name = host.strip().toLowerCase(Locale.ROOT);
        return entries.stream().anyMatch(entry -> entry.matches(name, address, port));
    }

    private static @Nullable Entry entry(String text) {
        if (text.equals("*")) {
            return (name, address, port) -> true;
        }
        int slash = text.indexOf('/');
        Network network = slash < 0 ? null : Network.of(text.substring(0, slash), text.substring(slash + 1));
        if (network != null) {
            return network;
        }
        String host = text;
        String port = "";
        if (hasPort(text)) {
            int colon = text.lastIndexOf(':');
            host = text.substring(0, colon);
            port = text.substring(colon + 1);
            host = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        }
        InetAddress address = EnvironmentProxies.address(host);
        if (address != null && host.indexOf('%') < 0) {
            return new Address(address, port);
        }
        return host.isEmpty() ? null : domain(host, port);
    }

    /** Return whether a text is a host, one colon and a port, perhaps an empty one. */
    private static boolean hasPort(String text) {
        int colon = text.lastIndexOf(':');
        if (text.startsWith("[")) {
            return colon > 0 && text.indexOf(']') == colon - 1;
        }
        return colon >= 0 && text.indexOf(':') == colon && text.indexOf('[') < 0 && text.indexOf(']') < 0;
    }

    private static Entry domain(String host, String port) {
        String name = host.startsWith("*.") ? host.substring(1) : host;
        return name.startsWith(".") ? new Domain(name, false, port) : new Domain("." + name, true, port);
    }

    private static boolean hasPort(String expected, int port) {
        return expected.isEmpty() || expected.equals(Integer.toString(port));
    }

    private interface Entry {

        boolean matches(String name, @Nullable InetAddress address, int port);
    }

    private record Address(InetAddress own, String port) implements Entry {

        @Override
        public boolean matches(String name, @Nullable InetAddress address, int actual) {
            return own.equals(address) && hasPort(port, actual);
        }
    }

    /** A domain, which starts with a dot. */
    private record Domain(String suffix, boolean includesItself, String port) implements Entry {

        @Override
        public boolean matches(String name, @Nullable InetAddress address, int actual) {
            boolean isIn = name.endsWith(suffix) || includesItself && name.equals(suffix.substring(1));
            return address == null && isIn && hasPort(port, actual);
        }
    }

    private record Network(byte[] start, int bits) implements Entry {

        static @Nullable Network of(String start, String bits) {
            InetAddress address = EnvironmentProxies.address(start);
            if (address == null || !bits.matches("\\d{1,3}")) {
                return null;
            }
            byte[] bytes = address.getAddress();
            boolean isMapped = bytes.length == 4 && start.indexOf(':') >= 0;
            int length = Integer.parseInt(bits) - (isMapped ? 96 : 0);
            return length < 0 || length > bytes.length * 8 ? null : new Network(bytes, length);
        }

        @Override
        public boolean matches(String name, @Nullable InetAddress address, int actual) {
            byte[] other = address == null ? new byte[0] : address.getAddress();
            boolean isSame = other.length == start.length;
            for (int bit = 0; isSame && bit < bits; bit++) {
                int mask = 0x80 >> bit % 8;
                isSame = (other[bit / 8] & mask) == (start[bit / 8] & mask);
            }
            return isSame;
        }
    }
}
