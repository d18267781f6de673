package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.support.KubernetesJson;

/** Decodes and encodes the objects in reviews. */
final class Decoding {

    private Decoding() {}

    /**
     * Decode an object.
     *
     * @throws UndecodableException if it does not fit its class
     */
    static <T> T decode(JsonNode tree, Class<T> type) throws UndecodableException {
        try {
            return KubernetesJson.mapper().treeToValue(tree, type);
        } catch (JsonMappingException e) {
            throw new UndecodableException(path(e), expectation(e));
        } catch (JsonProcessingException e) {
            throw new UndecodableException("", "");
        }
    }

    /** Encode an object. */
    static ObjectNode encode(Object object) {
        return KubernetesJson.mapper().valueToTree(object);
    }

    private static String path(JsonMappingException failure) {
        StringBuilder path = new StringBuilder();
        for (Reference reference : failure.getPath()) {
            if (reference.getFieldName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
            }
        }
        return path.toString();
    }

    /** Messages of Jackson contain values of the object. */
    private static String expectation(JsonMappingException failure) {
        return failure instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? mismatch.getTargetType().getSimpleName()
                : "";
    }

    /** An object does not fit its class. The message names the field and never a value. */
    static final class UndecodableException extends Exception {

        private static final long serialVersionUID = 1L;

        private final String field;

        UndecodableException(String field, String expected) {
            super(Texts.cut(field.isEmpty() ? "the object" : field, Texts.PATH) + ": cannot be decoded"
                    + (expected.isEmpty() ? "" : " as " + expected));
            this.field = Texts.cut(field, Texts.PATH);
        }

        String field() {
            return field;
        }
    }
}
