package io.github.reconciler4j.generator.crd;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.LocalServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Offers definitions to an API server inside this JVM, which checks what a real one checks: that schemas are structural,
 * that defaults are valid, and that rules compile. Examples must be valid, too; the server knows no examples, so they are
 * offered as defaults.
 */
final class CrdVerifier implements AutoCloseable {

    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";

    private final LocalServer server = new LocalServer();

    /**
     * Verify a definition.
     *
     * @throws GeneratorException with every cause that the server names
     */
    void verify(Map<String, Object> definition) {
        offer(definition, "is refused by an API server");
        if (hasExample(definition)) {
            offer(examplesAsDefaults(definition), "has an invalid example (in this message a default)");
        }
    }

    private void offer(Map<String, Object> definition, String problem) {
        LocalServer.Answer answer = server.create(PATH, definition);
        if (answer.code() >= 300) {
            throw new GeneratorException(
                    "The definition " + name(definition) + " " + problem + ":" + causes(answer.body()));
        }
    }

    private static Object name(Map<String, Object> definition) {
        return Objects.requireNonNull(
                Objects.requireNonNull((Map<?, ?>) definition.get("metadata")).get("name"));
    }

    private static String causes(Map<String, Object> status) {
        List<String> lines = new ArrayList<>();
        if (status.get("details") instanceof Map<?, ?> details && details.get("causes") instanceof List<?> causes) {
            causes.forEach(
                    cause -> lines.add(((Map<?, ?>) cause).get("field") + ": " + ((Map<?, ?>) cause).get("message")));
        }
        if (lines.isEmpty()) {
            lines.add(String.valueOf(status.get("message")));
        }
        if (status.toString().contains("uncorrelatable")) {
            lines.add("(@Immutable and rules with 'oldSelf' inside of a list need @ListType(MAP) on that list)");
        }
        if (status.toString().contains("exceeds budget")) {
            lines.add("(limit the texts, lists and maps that the rule reads or is inside of with @Size(max = ...))");
        }
        return "\n  " + String.join("\n  ", lines);
    }

    private static boolean hasExample(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            return isSchema(map) && map.containsKey("example")
                    || map.values().stream().anyMatch(CrdVerifier::hasExample);
        }
        return tree instanceof List<?> list && list.stream().anyMatch(CrdVerifier::hasExample);
    }

    /** A property may be called {@code example}, too; only a schema has a type or one of the extensions. */
    private static boolean isSchema(Map<?, ?> map) {
        return map.get("type") instanceof String
                || map.get("x-kubernetes-int-or-string") instanceof Boolean
                || map.get("x-kubernetes-preserve-unknown-fields") instanceof Boolean;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> examplesAsDefaults(Map<String, Object> definition) {
        return (Map<String, Object>) withDefaults(definition);
    }

    private static Object withDefaults(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(String.valueOf(key), withDefaults(value)));
            if (isSchema(map) && map.containsKey("example")) {
                copy.put("default", copy.remove("example"));
            }
            return copy;
        }
        return tree instanceof List<?> list
                ? list.stream().map(CrdVerifier::withDefaults).toList()
                : tree;
    }

    @Override
    public void close() {
        server.close();
    }
}
