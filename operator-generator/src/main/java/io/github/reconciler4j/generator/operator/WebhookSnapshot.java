package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.webhook.WebhookConfigurations;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.Webhooks;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The webhooks of an operator. In the trees, {@link #NAME}, {@link #NAMESPACE} and {@link #SERVICE} stand for the names of the
 * installation. Immutable.
 *
 * @param configurations the webhook configurations, as trees
 * @param conversion the stanza of definitions with converters, empty if there are none
 * @param converted the versions that are converted, by the name of the definition
 * @since 0.1.0
 */
public record WebhookSnapshot(
        List<Map<String, Object>> configurations, Map<String, Object> conversion, Map<String, List<String>> converted) {

    /** Stands for the name of the configurations. */
    public static final String NAME = OperatorReader.RELEASE;

    /** Stands for the namespace of the operator. */
    public static final String NAMESPACE = "reconciler4j-namespace";

    /** Stands for the name of the Service. */
    public static final String SERVICE = "reconciler4j-service";

    /** No webhooks. */
    public static final WebhookSnapshot NONE = new WebhookSnapshot(List.of(), Map.of(), Map.of());

    private static final String SERVER = "webhook-server";

    /** Copies the collections. */
    public WebhookSnapshot {
        configurations = List.copyOf(configurations);
    }

    /** Return whether there are no webhooks. */
    public boolean isEmpty() {
        return configurations.isEmpty() && converted.isEmpty();
    }

    /** Read the webhook server of a manager. The module of webhooks can be missing. */
    static WebhookSnapshot of(Manager manager) {
        return manager.components().stream()
                .filter(component -> component.name().equals(SERVER))
                .findFirst()
                .map(Reader::read)
                .orElse(NONE);
    }

    /**
     * Refuse converters for versions that a definition does not have.
     *
     * @throws GeneratorException if there is one
     */
    void checkVersions(List<Map<String, Object>> definitions) {
        converted.forEach((name, spokes) -> definitions.stream()
                .filter(definition ->
                        definition.get("metadata") instanceof Map<?, ?> metadata && name.equals(metadata.get("name")))
                .forEach(definition -> spokes.stream()
                        .filter(version -> !hasVersion(definition, version))
                        .forEach(version -> {
                            throw new GeneratorException("There is a converter for the version " + version + " of "
                                    + name + ", but no class for it among those that the definition is generated from:"
                                    + " annotate it with @Group and @Version(value = \"" + version
                                    + "\", storage = false) (R4J-708)");
                        })));
    }

    private static boolean hasVersion(Map<String, Object> definition, String version) {
        return definition.get("spec") instanceof Map<?, ?> spec
                && spec.get("versions") instanceof List<?> versions
                && versions.stream().anyMatch(one -> one instanceof Map<?, ?> map && version.equals(map.get("name")));
    }

    /** Loaded only if there is a webhook server. */
    private static final class Reader {

        static WebhookSnapshot read(ManagedComponent component) {
            if (!(component instanceof WebhookServer server)) {
                return NONE;
            }
            List<Map<String, Object>> configurations =
                    WebhookConfigurations.of(server.webhooks(), server.options()).stream()
                            .map(Yaml::tree)
                            .toList();
            Map<String, List<String>> converted = new TreeMap<>();
            for (Webhooks.ConvertedKind kind : server.webhooks().conversions()) {
                converted.put(kind.definition(), List.copyOf(new TreeSet<>(kind.spokes())));
            }
            return new WebhookSnapshot(
                    configurations,
                    converted.isEmpty() ? Map.of() : Yaml.tree(WebhookConfigurations.conversion(server.options())),
                    converted);
        }
    }
}
