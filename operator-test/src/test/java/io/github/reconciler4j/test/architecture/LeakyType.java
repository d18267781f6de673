package io.github.reconciler4j.test.architecture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.util.List;
import java.util.Map;

/** Shows types of a JSON library in each way there is, and uses the internals of a library, as no class may. */
public final class LeakyType {

    private final TextNode hidden = TextNode.valueOf("");

    private LeakyType() {}

    /** Shows the type in a type argument. */
    public static Map<String, List<ObjectNode>> trees() {
        return Map.of();
    }

    /** Shows an array of the type. */
    public static void accept(JsonNode[] nodes) {}

    /** Shows no such type, and uses one. */
    public static String text() {
        return new LeakyType().hidden + SSLUtils.class.getName();
    }

    /** Extends such a type, but is hidden. */
    static final class Hidden extends com.fasterxml.jackson.databind.module.SimpleModule {
        private static final long serialVersionUID = 1;
    }

    /** Extends such a type. */
    public static class Shown extends com.fasterxml.jackson.databind.module.SimpleModule {
        private static final long serialVersionUID = 1;
    }
}
