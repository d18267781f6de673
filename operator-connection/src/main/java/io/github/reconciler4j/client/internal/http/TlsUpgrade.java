package io.github.reconciler4j.client.internal.http;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts a connection. As in Go, one name is both sent to the server (SNI) and looked up in its certificate: the
 * {@code tls-server-name} of the kubeconfig, or the host. An address is looked up among the addresses of the certificate and
 * not sent.
 */
final class TlsUpgrade implements TlsSocketStrategy {

    /**
     * The group of the first handshakes. The JDK makes a key for this one and for the first of the groups of NIST, whose tables take
     * a tenth of the processor time of a start, and servers choose this one.
     */
    private static final String[] ONE_GROUP = {"x25519"};

    /** Later versions prefer a group that resists quantum computers, which must not be left out. */
    private static final int LAST_JAVA_WITHOUT_HYBRID_GROUPS = 26;

    /** {@code SSLParameters.setNamedGroups}, since Java 20. */
    private static final @Nullable Method NAMED_GROUPS = namedGroups();

    /** A handshake has failed that offered one group. The next one offers all that the JVM has. */
    static final class OneGroupException extends IOException {

        private static final long serialVersionUID = 1L;

        private OneGroupException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private final TlsMaterial material;
    private final String serverName;
    private final @Nullable SNIServerName sentName;
    private final boolean verifiesName;
    private final String @Nullable [] versions;

    /** Whether the server may not accept the group that is offered alone. */
    private volatile boolean offersAllGroups =
            NAMED_GROUPS == null || System.getProperty("jdk.tls.namedGroups") != null;

    /**
     * Create it.
     *
     * @param serverName the name or address that the certificate of the server must have
     * @param versions the versions of the protocol, null for those of the JVM
     */
    TlsUpgrade(TlsMaterial material, String serverName, boolean verifiesName, String @Nullable [] versions) {
        this.material = material;
        this.serverName = normalized(serverName);
        this.sentName = sentName(this.serverName);
        this.verifiesName = verifiesName;
        this.versions = versions;
    }

    private static @Nullable Method namedGroups() {
        if (Runtime.version().feature() > LAST_JAVA_WITHOUT_HYBRID_GROUPS) {
            return null;
        }
        try {
            return SSLParameters.class.getMethod("setNamedGroups", String[].class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Drop what is no part of the name: brackets and zone of an IPv6 address, a dot at the end. */
    private static String normalized(String name) {
        String bare = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        int zone = bare.indexOf('%');
        bare = zone < 0 ? bare : bare.substring(0, zone);
        return bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
    }

    /** The JDK on its own sends no names without a dot. */
    private static @Nullable SNIServerName sentName(String name) {
        try {
            return HostAddresses.isAddress(name) ? null : new SNIHostName(name);
        } catch (IllegalArgumentException e) {
            return null; // not a host name, so no server can expect it
        }
    }

    @Override
    public SSLSocket upgrade(Socket socket, String host, int port, @Nullable Object attachment, HttpContext context)
            throws IOException {
        // The name that is given here is the one that the JDK sends and verifies.
        SSLSocket encrypted =
                (SSLSocket) material.context().getSocketFactory().createSocket(socket, serverName, port, true);
        SSLParameters parameters = encrypted.getSSLParameters();
        if (verifiesName) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (sentName != null) {
            parameters.setServerNames(List.of(sentName));
        }
        if (versions != null) {
            parameters.setProtocols(versions);
        }
        parameters.setCipherSuites(ordered(parameters.getCipherSuites(), System.getProperty("java.vm.info", "")));
        boolean offersOneGroup = !offersAllGroups;
        if (offersOneGroup) {
            offerOneGroup(parameters);
        }
        encrypted.setSSLParameters(parameters);
        try {
            encrypted.startHandshake();
        } catch (IOException e) {
            offersAllGroups = true;
            material.recheck();
            throw offersOneGroup && e instanceof SSLException ? new OneGroupException(e) : e;
        }
        return encrypted;
    }

    private static void offerOneGroup(SSLParameters parameters) {
        try {
            Objects.requireNonNull(NAMED_GROUPS).invoke(parameters, (Object) ONE_GROUP);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Order the enabled cipher suites. AES with GCM is fast only in code of the second compiler. In a JVM without it, 1 MB
     * takes 20 ms of processor time, with ChaCha20 5 ms.
     *
     * @param mode the {@code java.vm.info} of the JVM, which calls the first compiler alone an emulated client
     */
    static String[] ordered(String[] enabled, String mode) {
        if (!mode.contains("emulated-client") && !mode.contains("interpreted")) {
            return enabled;
        }
        List<String> ordered = new ArrayList<>(List.of(enabled));
        ordered.sort((left, right) -> Boolean.compare(right.contains("CHACHA20"), left.contains("CHACHA20")));
        return ordered.toArray(String[]::new);
    }
}
