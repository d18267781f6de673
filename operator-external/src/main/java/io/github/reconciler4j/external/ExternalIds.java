package io.github.reconciler4j.external;

import io.github.reconciler4j.support.Texts;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The ids of providers: each is either stored as it is or refused. */
final class ExternalIds {

    static final int MAX_LENGTH = 10_000;

    private ExternalIds() {}

    /**
     * Return an id.
     *
     * @param name the sort of the resource
     * @throws IllegalStateException if it cannot be stored
     */
    static String checked(String name, @Nullable String id) {
        String problem = problem(id);
        if (id == null || !problem.isEmpty()) {
            String shown = id == null || id.length() > MAX_LENGTH ? "" : ", was '" + Texts.of(id) + "'";
            throw new IllegalStateException(
                    "idOf of resource '" + name + "' must return an id that " + problem + shown + " (R4J-283)");
        }
        return id;
    }

    private static String problem(@Nullable String id) {
        if (id == null || id.isBlank()) {
            return "is not blank";
        }
        if (id.length() > MAX_LENGTH) {
            return "has at most " + MAX_LENGTH + " characters, had " + id.length();
        }
        if (!id.equals(id.strip())) {
            return "neither starts nor ends with a blank";
        }
        return StandardCharsets.UTF_8.newEncoder().canEncode(id) ? "" : "has no half characters";
    }
}
