package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.definition.DefinitionChecks;
import io.github.reconciler4j.test.server.apimachinery.rules.ObjectRules;
import io.github.reconciler4j.test.server.apimachinery.schema.BuiltInRules;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds built-in kinds to the rules that tests of controllers meet. Stateless; safe for use by many threads. */
final class BuiltInChecks {
    private BuiltInChecks() {}

    /** What is wrong with an object beyond its metadata; {@code before} is null for a new one. */
    static List<FieldError> check(
            ResourceType type, String subresource, ObjectNode object, @Nullable ObjectNode before) {
        List<FieldError> errors = new ArrayList<>();
        if (subresource.isEmpty() && type.is("apiextensions.k8s.io", "customresourcedefinitions")) {
            errors.addAll(DefinitionChecks.check(object, before));
        }
        if (subresource.isEmpty()) {
            errors.addAll(BuiltInRules.check(type.apiVersion(), type.kind(), object));
            WorkloadChecks.check(type, object, errors);
            ObjectChecks.check(type.id().toString(), object, errors);
            ObjectRules.check(type.id().toString(), object, errors);
            if (before != null) {
                ImmutableChecks.check(type.id().toString(), object, before, errors);
            }
        }
        return errors.stream()
                .map(error -> new FieldError(error.path(), error.reason(), error.message()))
                .toList();
    }
}
