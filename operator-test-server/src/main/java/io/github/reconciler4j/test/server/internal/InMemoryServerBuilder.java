package io.github.reconciler4j.test.server.internal;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.registry.ServedVersions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of a server. For use by one thread. */
final class InMemoryServerBuilder implements KubernetesServerBuilder {
    int port;
    boolean https = true;
    boolean http2 = true;
    int historySize = 10_000;
    int maxBodyBytes = 3 * 1024 * 1024;
    int workers = 16;
    int minorVersion = 37;
    boolean garbageCollection = true;
    boolean namespaceDeletion = true;
    boolean rbac;
    int requestLogSize = 10_000;
    Clock clock = Clock.systemUTC();
    Duration bookmarkInterval = Duration.ofMinutes(1);
    Duration namespaceDeletionDelay = Duration.ofSeconds(5);

    InMemoryServerBuilder() {}

    @Override
    public InMemoryServerBuilder port(int newPort) {
        port = newPort;
        return this;
    }

    @Override
    public InMemoryServerBuilder https(boolean on) {
        https = on;
        return this;
    }

    @Override
    public InMemoryServerBuilder http2(boolean on) {
        http2 = on;
        return this;
    }

    @Override
    public InMemoryServerBuilder historySize(int changes) {
        historySize = changes;
        return this;
    }

    @Override
    public InMemoryServerBuilder maxBodyBytes(int bytes) {
        maxBodyBytes = bytes;
        return this;
    }

    @Override
    public InMemoryServerBuilder workers(int threads) {
        workers = threads;
        return this;
    }

    @Override
    public InMemoryServerBuilder minorVersion(int minor) {
        ServedVersions.of(minor);
        minorVersion = minor;
        return this;
    }

    @Override
    public InMemoryServerBuilder garbageCollection(boolean on) {
        garbageCollection = on;
        return this;
    }

    @Override
    public InMemoryServerBuilder rbac(boolean on) {
        rbac = on;
        return this;
    }

    @Override
    public InMemoryServerBuilder requestLogSize(int requests) {
        requestLogSize = requests;
        return this;
    }

    @Override
    public InMemoryServerBuilder clock(Clock newClock) {
        clock = Objects.requireNonNull(newClock, "clock");
        return this;
    }

    @Override
    public InMemoryServerBuilder namespaceDeletionDelay(Duration delay) {
        namespaceDeletionDelay = delay;
        return this;
    }

    @Override
    public InMemoryServerBuilder namespaceDeletion(boolean on) {
        namespaceDeletion = on;
        return this;
    }

    @Override
    public InMemoryServerBuilder bookmarkInterval(Duration interval) {
        bookmarkInterval = interval;
        return this;
    }

    /** With RBAC, a request without credentials is from a user with hardly any permissions. */
    @Nullable
    User withoutCredentials(User admin) {
        if (!https) {
            return admin;
        }
        return rbac ? new User("system:anonymous", "", List.of(User.UNAUTHENTICATED)) : null;
    }

    @Override
    public KubernetesServer start() {
        return new InMemoryServer(this);
    }
}
