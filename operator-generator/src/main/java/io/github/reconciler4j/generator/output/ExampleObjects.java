package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.LocalServer;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An object of each version of each kind, for users to start from. It is one from a folder of examples, or follows
 * from the schema: examples, required fields, and the smallest values for these. An API server inside this JVM accepts all.
 * Immutable.
 *
 * @since 0.1.0
 */
public final class ExampleObjects {

    private final List<Map<String, Object>> given;

    /**
     * Create it with the examples from the YAML files of a folder.
     *
     * @param folder null for none
     * @throws GeneratorException if a file cannot be read
     */
    public ExampleObjects(@Nullable Path folder) {
        given = folder == null ? List.of() : read(folder);
    }

    private static List<Map<String, Object>> read(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Map<String, Object>> objects = new ArrayList<>();
            for (Path file : files.filter(file -> file.toString().matches(".*\\.ya?ml"))
                    .sorted()
                    .toList()) {
                objects.addAll(Yaml.readAll(Files.readString(file), file.toString()));
            }
            return objects;
        } catch (IOException e) {
            throw new GeneratorException("Cannot read the examples in " + folder + ": " + e.getMessage(), e);
        }
    }

    /**
     * Return the examples in the order of the definitions and their versions.
     *
     * @throws GeneratorException if an API server would refuse an example
     */
    public List<Map<String, Object>> of(Collection<Map<String, Object>> definitions) {
        List<Map<String, Object>> examples = new ArrayList<>();
        if (definitions.isEmpty()) {
            return examples;
        }
        try (LocalServer server = new LocalServer()) {
            for (Map<String, Object> definition : definitions) {
                Map<?, ?> spec = at(definition, "spec");
                install(server, definition);
                for (Object version : (List<?>) Objects.requireNonNull(spec.get("versions"))) {
                    for (Map<String, Object> example : examples(spec, (Map<?, ?>) version)) {
                        check(server, spec, example);
                        examples.add(example);
                    }
                }
            }
        }
        return examples;
    }

    /**
     * Return a sentence for each object of the folder that an API server with the definitions would refuse. Webhooks of the operator
     * are not called, so an object that needs one is refused too.
     */
    public List<String> refused(Collection<Map<String, Object>> definitions) {
        if (given.size() == ofOtherKinds(definitions).size()) {
            return List.of();
        }
        List<String> refused = new ArrayList<>();
        try (LocalServer server = new LocalServer()) {
            for (Map<String, Object> definition : definitions) {
                Map<?, ?> spec = at(definition, "spec");
                install(server, definition);
                for (Map<String, Object> example : given) {
                    if (isOf(spec, example)) {
                        Optional<String> refusal = hasVersion(spec, example)
                                ? refusal(server, spec, example)
                                : Optional.of(subject(example) + ": the definition has no such version");
                        refusal.ifPresent(refused::add);
                    }
                }
            }
        }
        return refused;
    }

    private static boolean isOf(Map<?, ?> spec, Map<String, Object> object) {
        return String.valueOf(object.get("apiVersion")).startsWith(spec.get("group") + "/")
                && Objects.equals(at(spec, "names").get("kind"), object.get("kind"));
    }

    private static boolean hasVersion(Map<?, ?> spec, Map<String, Object> object) {
        return ((List<?>) Objects.requireNonNull(spec.get("versions")))
                .stream()
                        .anyMatch(version -> (spec.get("group") + "/" + ((Map<?, ?>) version).get("name"))
                                .equals(object.get("apiVersion")));
    }

    /** Return the objects of the folder whose kinds have none of these definitions, for instance ConfigMaps. */
    public List<Map<String, Object>> ofOtherKinds(Collection<Map<String, Object>> definitions) {
        Set<String> defined = new HashSet<>();
        for (Map<String, Object> definition : definitions) {
            Map<?, ?> spec = at(definition, "spec");
            defined.add(spec.get("group") + "/" + at(spec, "names").get("kind"));
        }
        return given.stream()
                .filter(object -> !defined.contains(
                        String.valueOf(object.get("apiVersion")).replaceFirst("/.*", "") + "/" + object.get("kind")))
                .toList();
    }

    private List<Map<String, Object>> examples(Map<?, ?> spec, Map<?, ?> version) {
        String apiVersion = spec.get("group") + "/" + version.get("name");
        Object kind = Objects.requireNonNull(at(spec, "names").get("kind"));
        List<Map<String, Object>> matching = given.stream()
                .filter(object -> apiVersion.equals(object.get("apiVersion")) && kind.equals(object.get("kind")))
                .toList();
        if (!matching.isEmpty()) {
            return matching;
        }
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("apiVersion", apiVersion);
        example.put("kind", kind);
        example.put(
                "metadata",
                Map.of("name", String.valueOf(at(spec, "names").get("singular")).toLowerCase(Locale.ROOT) + "-sample"));
        Map<?, ?> properties = at(at(at(version, "schema"), "openAPIV3Schema"), "properties");
        if (properties.get("spec") instanceof Map<?, ?> schema) {
            example.put("spec", value(schema));
        }
        return List.of(example);
    }

    private static Object value(Map<?, ?> schema) {
        if (schema.containsKey("example")) {
            return Objects.requireNonNull(schema.get("example"));
        }
        if (schema.get("enum") instanceof List<?> values && !values.isEmpty()) {
            return values.get(0);
        }
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"))) {
            return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", "sample"));
        }
        return switch (String.valueOf(schema.get("type"))) {
            case "object" -> object(schema);
            case "array" -> array(schema);
            case "boolean" -> false;
            case "integer", "number" -> Objects.requireNonNullElse((Object) schema.get("minimum"), 1);
            case "string" -> text(schema);
            default -> Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string")) ? (Object) 1 : Map.of();
        };
    }

    private static Map<String, Object> object(Map<?, ?> schema) {
        Map<String, Object> object = new LinkedHashMap<>();
        List<?> required = schema.get("required") instanceof List<?> names ? names : List.of();
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((name, property) -> {
                Map<?, ?> one = (Map<?, ?>) property;
                if (one.containsKey("example") || required.contains(name) && !one.containsKey("default")) {
                    object.put(String.valueOf(name), value(one));
                }
            });
        }
        return object;
    }

    private static List<Object> array(Map<?, ?> schema) {
        int size = schema.get("minItems") instanceof Number least ? least.intValue() : 0;
        return schema.get("items") instanceof Map<?, ?> items
                ? Stream.generate(() -> value(items)).limit(size).toList()
                : List.of();
    }

    private static String text(Map<?, ?> schema) {
        String text = switch (String.valueOf(schema.get("format"))) {
            case "date-time" -> "2026-01-01T00:00:00Z";
            case "date" -> "2026-01-01";
            case "duration" -> "1m";
            case "uuid" -> "123e4567-e89b-12d3-a456-426614174000";
            case "uri" -> "https://example.com";
            case "ipv4" -> "192.0.2.1";
            default -> "sample";
        };
        int least = schema.get("minLength") instanceof Number length ? length.intValue() : 0;
        return text.length() < least ? text + "x".repeat(least - text.length()) : text;
    }

    /** Installs a definition that serves all versions without converting them. */
    private static void install(LocalServer server, Map<String, Object> definition) {
        Map<String, Object> spec = copy(at(definition, "spec"));
        spec.remove("conversion");
        spec.put(
                "versions",
                ((List<?>) Objects.requireNonNull(spec.get("versions")))
                        .stream()
                                .map(version -> {
                                    Map<String, Object> served = copy((Map<?, ?>) version);
                                    served.put("served", true);
                                    return served;
                                })
                                .toList());
        Map<String, Object> installed = new LinkedHashMap<>(definition);
        installed.put("spec", spec);
        LocalServer.Answer answer = server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", installed);
        if (answer.code() >= 300) {
            throw new GeneratorException("An API server refuses the definition "
                    + at(definition, "metadata").get("name") + ": "
                    + answer.body().get("message"));
        }
    }

    private static void check(LocalServer server, Map<?, ?> spec, Map<String, Object> example) {
        refusal(server, spec, example).ifPresent(sentence -> {
            throw new GeneratorException(sentence
                    + ". Write a valid one to a YAML file in the folder of 'examples', or set examples of fields with"
                    + " @SchemaDetails (R4J-722)");
        });
    }

    private static Optional<String> refusal(LocalServer server, Map<?, ?> spec, Map<String, Object> example) {
        boolean namespaced = "Namespaced".equals(spec.get("scope"));
        LocalServer.Answer answer = server.create(
                "/apis/" + example.get("apiVersion") + (namespaced ? "/namespaces/default" : "") + "/"
                        + at(spec, "names").get("plural") + "?dryRun=All&fieldValidation=Strict",
                namespaced ? withoutNamespace(example) : example);
        return answer.code() < 300
                ? Optional.empty()
                : Optional.of(subject(example) + ": " + answer.body().get("message"));
    }

    private static String subject(Map<String, Object> example) {
        return "An API server refuses the example '" + at(example, "metadata").get("name") + "' of "
                + example.get("kind") + " in " + example.get("apiVersion");
    }

    /** The namespace that an example names exists in its cluster only. */
    private static Map<String, Object> withoutNamespace(Map<String, Object> example) {
        Map<String, Object> metadata = copy(at(example, "metadata"));
        metadata.remove("namespace");
        Map<String, Object> copy = new LinkedHashMap<>(example);
        copy.put("metadata", metadata);
        return copy;
    }

    private static Map<?, ?> at(Map<?, ?> tree, String key) {
        return tree.get(key) instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), Objects.requireNonNull(value)));
        return copy;
    }
}
