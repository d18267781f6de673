package io.github.reconciler4j.test.server.internal.auth;

import java.util.List;

/**
 * Who sends a request.
 *
 * @param name the user name
 * @param uid the identity behind the name; may be empty
 * @param groups the groups it belongs to
 * @since 0.1.0
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

    /** Whether no rule can forbid it anything. */
    public boolean isMaster() {
        return groups.contains(MASTERS);
    }
}
