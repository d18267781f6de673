package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The result of an apply.
 *
 * @param object the object, with its {@code managedFields}; fields that lost their last item may be null, as they are on
 *     the server before it decodes the result
 * @param changed whether it differs from the live object; always true for a new one
 */
public record ApplyResult(JsonNode object, boolean changed) {}
