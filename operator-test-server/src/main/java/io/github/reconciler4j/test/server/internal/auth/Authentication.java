package io.github.reconciler4j.test.server.internal.auth;

import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Authenticates requests. Safe for use by multiple threads. */
public final class Authentication {
    private static final String BEARER = "bearer ";

    private final Tokens tokens;
    private final @Nullable User withoutCredentials;

    /** Knows the users of the tokens; requests without credentials are those of the given user, if there is one. */
    public Authentication(Tokens tokens, @Nullable User withoutCredentials) {
        this.tokens = tokens;
        this.withoutCredentials = withoutCredentials;
    }

    /**
     * Return the user of a request, or the user that it impersonates.
     *
     * @throws StatusException 401 when the credentials are wrong or missing
     */
    public User authenticate(ApiRequest request) {
        String header = request.header("authorization");
        if (header.isEmpty() && withoutCredentials != null) {
            return spokenFor(withoutCredentials, request);
        }
        if (header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            User user = tokens.find(header.substring(BEARER.length()).trim());
            if (user != null) {
                return spokenFor(user, request);
            }
        }
        throw StatusException.unauthorized();
    }

    private static User spokenFor(User sender, ApiRequest request) {
        String name = request.header("impersonate-user");
        if (name.isEmpty()) {
            return sender;
        }
        if (!sender.isMaster()) {
            throw StatusException.forbidden(
                    "",
                    "users",
                    name,
                    "User " + FieldError.quoted(sender.name()) + " cannot impersonate resource \"users\"");
        }
        List<String> groups = new ArrayList<>();
        for (String group : request.header("impersonate-group").split(",")) {
            if (!group.isBlank()) {
                groups.add(group.trim());
            }
        }
        groups.add(User.AUTHENTICATED);
        return new User(name, request.header("impersonate-uid"), List.copyOf(groups));
    }
}
