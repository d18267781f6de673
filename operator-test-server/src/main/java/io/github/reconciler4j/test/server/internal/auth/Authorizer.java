package io.github.reconciler4j.test.server.internal.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Decides who may do what. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Authorizer {
    /** Whether it is allowed. */
    boolean allows(AccessRequest request);

    /** The rules that apply to a user in a namespace, as roles spell them. */
    List<JsonNode> rules(User user, String namespace);

    /** Allows everything to everybody. */
    static Authorizer everything() {
        return new AllowEverything();
    }
}
