package io.github.reconciler4j.test.server.internal.auth;

import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Authenticates requests. Safe for use by multiple threads. */
public final class Authentication {
    private static final String BEARER = "bearer ";
    private static final String ACCOUNT = "system:serviceaccount:";

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
     * @param authorizer decides whom the sender may impersonate
     * @throws StatusException 401 when the credentials are wrong or missing, 403 if the sender may not impersonate the user
     */
    public User authenticate(ApiRequest request, Authorizer authorizer) {
        String header = request.header("authorization");
        if (header.isEmpty() && withoutCredentials != null) {
            return spokenFor(withoutCredentials, request, authorizer);
        }
        if (header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            User user = tokens.find(header.substring(BEARER.length()).trim());
            if (user != null) {
                return spokenFor(user, request, authorizer);
            }
        }
        throw StatusException.unauthorized();
    }

    private static User spokenFor(User sender, ApiRequest request, Authorizer authorizer) {
        String name = request.header("impersonate-user");
        if (name.isEmpty()) {
            return sender;
        }
        List<String> groups = new ArrayList<>();
        for (String group : request.header("impersonate-group").split(",")) {
            if (!group.isBlank()) {
                groups.add(group.trim());
            }
        }
        String[] account =
                name.startsWith(ACCOUNT) ? name.substring(ACCOUNT.length()).split(":", 2) : new String[0];
        if (account.length == 2) {
            check(sender, "serviceaccounts", account[0], account[1], authorizer);
        } else {
            check(sender, "users", "", name, authorizer);
        }
        groups.forEach(group -> check(sender, "groups", "", group, authorizer));
        if (account.length == 2 && groups.isEmpty()) {
            groups.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account[0]));
        }
        groups.add(User.AUTHENTICATED);
        return new User(name, request.header("impersonate-uid"), List.copyOf(groups));
    }

    private static void check(User sender, String resource, String namespace, String name, Authorizer authorizer) {
        AccessRequest wanted = new AccessRequest(sender, "impersonate", true, "", resource, "", namespace, name, "");
        if (!authorizer.allows(wanted)) {
            throw wanted.toForbidden();
        }
    }
}
