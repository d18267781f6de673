package io.github.reconciler4j.test.server.internal.auth;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The bearer tokens that the server knows. Safe for use by multiple threads. */
public final class Tokens {
    private record Entry(User user, Instant expires) {}

    private static final int TOKEN_BYTES = 24;

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    public Tokens(Clock clock) {
        this.clock = clock;
    }

    /** Return a new token for the user that never expires. */
    public String issue(User user) {
        return issue(user, Instant.MAX);
    }

    /** Return a new token for the user that expires at the instant. */
    public String issue(User user, Instant expires) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        add(token, user, expires);
        return token;
    }

    /** Create a token of the caller's choice valid for the user until the instant. */
    public void add(String token, User user, Instant expires) {
        entries.put(token, new Entry(user, expires));
    }

    /** Create a token invalid at once. */
    public void revoke(String token) {
        entries.remove(token);
    }

    /** Return the user behind a token, or null when it is unknown or expired. */
    public @Nullable User find(String token) {
        Entry entry = entries.get(token);
        return entry != null && clock.instant().isBefore(entry.expires()) ? entry.user() : null;
    }
}
