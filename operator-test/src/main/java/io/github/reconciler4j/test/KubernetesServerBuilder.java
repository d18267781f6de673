package io.github.reconciler4j.test;

import io.github.reconciler4j.test.internal.auth.User;
import io.github.reconciler4j.test.standin.StandIn;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link KubernetesServer}. For one thread.
 *
 * @since 0.1.0
 */
public final class KubernetesServerBuilder {
    int port;
    boolean https = true;
    boolean http2 = true;
    int historySize = 10_000;
    int maxBodyBytes = 3 * 1024 * 1024;
    int workers = 4;
    int minorVersion = 33;
    boolean garbageCollection = true;
    boolean rbac;
    Set<StandIn> standIns = Set.of();
    int requestLogSize = 10_000;
    Clock clock = Clock.systemUTC();
    Duration bookmarkInterval = Duration.ofMinutes(1);

    KubernetesServerBuilder() {}

    /** Sets the port; default 0, which takes any free one. */
    public KubernetesServerBuilder port(int newPort) {
        port = newPort;
        return this;
    }

    /**
     * Sets whether connections are encrypted; default true. Without it requests need no token and act as the user who
     * may do everything, as {@code kubectl} sends no token over a plain connection.
     */
    public KubernetesServerBuilder https(boolean on) {
        https = on;
        return this;
    }

    /** Sets whether HTTP/2 is offered on encrypted connections; default true. */
    public KubernetesServerBuilder http2(boolean on) {
        http2 = on;
        return this;
    }

    /** Sets how many changes of each resource are kept for watches that resume; default 10,000. */
    public KubernetesServerBuilder historySize(int changes) {
        historySize = changes;
        return this;
    }

    /** Sets how many bytes the body of a request may have; default 3 MiB, as on the real server. */
    public KubernetesServerBuilder maxBodyBytes(int bytes) {
        maxBodyBytes = bytes;
        return this;
    }

    /** Sets how many requests are worked on at the same time, watches not counted; default 4. */
    public KubernetesServerBuilder workers(int threads) {
        workers = threads;
        return this;
    }

    /** Sets which minor version of Kubernetes 1 the server says it is; default 33. */
    public KubernetesServerBuilder minorVersion(int minor) {
        minorVersion = minor;
        return this;
    }

    /** Sets whether objects whose owners are gone are deleted; default true. */
    public KubernetesServerBuilder garbageCollection(boolean on) {
        garbageCollection = on;
        return this;
    }

    /** Sets which work of a cluster's controllers and nodes the server does by itself; default none. */
    public KubernetesServerBuilder standIns(StandIn... wanted) {
        standIns = Set.copyOf(Arrays.asList(wanted));
        return this;
    }

    /** Sets whether users need rights by roles and bindings, as on a real cluster; default false: all may do everything. */
    public KubernetesServerBuilder rbac(boolean on) {
        rbac = on;
        return this;
    }

    /** Sets how many requests {@link KubernetesServer#requests} keeps; default 10,000. */
    public KubernetesServerBuilder requestLogSize(int requests) {
        requestLogSize = requests;
        return this;
    }

    /** Sets the clock of timestamps and expiry; default the system's. Watches and delays run on real time. */
    public KubernetesServerBuilder clock(Clock newClock) {
        clock = Objects.requireNonNull(newClock, "clock");
        return this;
    }

    /** Sets the time between two bookmarks of a watch; default one minute. */
    public KubernetesServerBuilder bookmarkInterval(Duration interval) {
        bookmarkInterval = interval;
        return this;
    }

    /** Where rights count, a request without credentials is that of a user who may nearly nothing. */
    @Nullable
    User withoutCredentials(User admin) {
        if (!https) {
            return admin;
        }
        return rbac ? new User("system:anonymous", "", List.of(User.UNAUTHENTICATED)) : null;
    }

    /**
     * Starts the server.
     *
     * @throws IllegalStateException if the port is taken
     */
    public KubernetesServer start() {
        return new KubernetesServer(this);
    }
}
