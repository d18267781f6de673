package io.github.reconciler4j.test.server.internal.auth;

import java.util.List;

/**
 * The user that sends a request.
 *
 * @param uid the identity behind the name; may be empty
 * @param groups the groups it belongs to
 */
public record User(String name, String uid, List<String> groups) {
    /** The group whose members may do everything. */
    public static final String MASTERS = "system:masters";

    /** The group of everybody without credentials. */
    public static final String UNAUTHENTICATED = "system:unauthenticated";

    /** The group of everybody with valid credentials. */
    public static final String AUTHENTICATED = "system:authenticated";

    /** The server itself. */
    public static final User SERVER = new User("system:apiserver", "", List.of(MASTERS));

    /** Return whether no rule can forbid it anything. */
    public boolean isMaster() {
        return groups.contains(MASTERS);
    }
}
