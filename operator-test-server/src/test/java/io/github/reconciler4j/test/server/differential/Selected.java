package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The part of an answer that a transcript wants to compare. */
final class Selected {
    private Selected() {}

    /** Keeps what the step's {@code only} names in the body, and leaves out what {@code ignore} names. */
    static JsonNode of(Step step, JsonNode seen) {
        JsonNode body = seen.path("body");
        if (!(seen instanceof ObjectNode outcome) || body.isMissingNode()) {
            return seen;
        }
        List<String> only = step.texts("only");
        if (!only.isEmpty()) {
            ObjectNode kept = JsonNodeFactory.instance.objectNode();
            only.forEach(pointer -> kept.set(pointer, body.at(pointer)));
            outcome.set("body", kept);
        }
        for (String text : step.texts("ignore")) {
            JsonPointer pointer = JsonPointer.compile(text);
            if (body.at(pointer.head()) instanceof ObjectNode parent) {
                parent.remove(pointer.last().getMatchingProperty());
            }
        }
        return outcome;
    }
}
