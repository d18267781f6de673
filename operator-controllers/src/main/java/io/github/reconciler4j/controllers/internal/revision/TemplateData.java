package io.github.reconciler4j.controllers.internal.revision;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pod template in the form in which a ControllerRevision keeps it: a patch that replaces the template of the owner. It
 * has sorted members and no nulls, so that equal templates are equal texts, whichever controller wrote them. Immutable.
 *
 * @since 0.1.0
 */
public final class TemplateData {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private final JsonNode template;
    private final String text;

    private TemplateData(JsonNode template) {
        this.template = template;
        this.text = text(tree(template));
    }

    /** Return the data of a template. */
    public static TemplateData of(PodTemplateSpec template) {
        return new TemplateData(normalized(MAPPER.valueToTree(template)));
    }

    /** Return the data of a ControllerRevision; what its patch says beside the template does not count. */
    static TemplateData in(@Nullable Object data) {
        JsonNode tree = MAPPER.valueToTree(data);
        return new TemplateData(normalized(tree.path("spec").path("template").deepCopy()));
    }

    /** Members in alphabetical order, without nulls and without the mark of the patch. */
    private static JsonNode normalized(JsonNode node) {
        if (node instanceof ObjectNode object) {
            Map<String, JsonNode> members = new TreeMap<>();
            object.properties().forEach(member -> {
                if (!member.getValue().isNull() && !member.getKey().equals("$patch")) {
                    members.put(member.getKey(), normalized(member.getValue()));
                }
            });
            object.removeAll();
            object.setAll(members);
        } else if (node instanceof ArrayNode array) {
            array.forEach(TemplateData::normalized);
        }
        return node;
    }

    /** Return the template. */
    public PodTemplateSpec template() {
        return MAPPER.convertValue(template, PodTemplateSpec.class);
    }

    /**
     * Return the patch that a ControllerRevision keeps, to be written as it is: API servers compare its bytes, and write it
     * as Go does when they change something else.
     */
    Object patch() {
        return new RawValue(text);
    }

    private static JsonNode tree(JsonNode template) {
        ObjectNode marked = MAPPER.createObjectNode();
        marked.put("$patch", "replace");
        template.properties().forEach(member -> marked.set(member.getKey(), member.getValue()));
        ObjectNode tree = MAPPER.createObjectNode();
        tree.putObject("spec").set("template", marked);
        return tree;
    }

    /**
     * Return a short text that depends on the template and the collision count alone. It is the text of Kubernetes' own
     * StatefulSet controller, so that this one finds the revisions that the other has created.
     */
    String hash(@Nullable Integer collisionCount) {
        String salted = text + (collisionCount == null ? "" : collisionCount.toString());
        int hash = 0x811c9dc5; // FNV-1
        for (byte part : salted.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash * 0x01000193) ^ (part & 0xff);
        }
        StringBuilder encoded = new StringBuilder();
        for (char digit : Integer.toUnsignedString(hash).toCharArray()) {
            encoded.append(LETTERS.charAt(digit % LETTERS.length())); // no vowels: no words by accident
        }
        return encoded.toString();
    }

    /** The patch as Go writes it, which escapes what could be markup. */
    private static String text(JsonNode tree) {
        try {
            return MAPPER.writeValueAsString(tree)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026")
                    .replace("\u2028", "\\u2028")
                    .replace("\u2029", "\\u2029");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The template cannot be written as JSON", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TemplateData that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
