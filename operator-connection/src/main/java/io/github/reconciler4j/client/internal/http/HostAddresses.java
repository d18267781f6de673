package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Looks host names up. The system call knows neither time limit nor interrupt, so names get a thread of their own. */
final class HostAddresses {

    private final Lookup lookup;

    HostAddresses(Lookup lookup) {
        this.lookup = lookup;
    }

    /**
     * The addresses of a host.
     *
     * @param host a name or an address, an IPv6 one without brackets
     * @param limit when to give up, in {@link System#nanoTime}
     */
    InetAddress[] of(String host, long limit) throws IOException {
        try {
            return isAddress(host) ? lookup.all(host) : inTime(host, limit);
        } catch (UnknownHostException e) {
            throw new TransportException(Problem.UNKNOWN_HOST, "Unknown host " + host, e);
        }
    }

    /** Return whether a text is an address and not a name. */
    static boolean isAddress(String host) {
        boolean digits = true;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c == ':') {
                return true;
            }
            digits &= c >= '0' && c <= '9' || c == '.';
        }
        return digits;
    }

    /** Return the bytes of an address, or null if it is not an address. */
    static byte @Nullable [] literal(String address) {
        try {
            return InetAddress.getByName(address).getAddress(); // nothing is looked up
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private InetAddress[] inTime(String host, long limit) throws IOException {
        FutureTask<InetAddress[]> task = new FutureTask<>(() -> lookup.all(host));
        Threads.daemon("client-lookup", task).start();
        try {
            return task.get(Math.max(0, limit - TimeSource.system().nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for the addresses of " + host);
        } catch (TimeoutException e) {
            throw new TransportException(Problem.CONNECT_TIMEOUT, "No addresses of " + host + " in time", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
    }

    /** Looks up the addresses of hosts. */
    interface Lookup {

        /** All addresses of a host, at least one. */
        InetAddress[] all(String host) throws UnknownHostException;
    }
}
