package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * CustomResourceDefinitions in the jars of libraries and in the resources of the project, in the folders where {@code
 * reconciler4j.crds.install} and the tests look for them.
 *
 * @since 0.1.0
 */
public final class LibraryDefinitions {

    private static final List<String> FOLDERS = List.of("META-INF/crds/", "META-INF/fabric8/");
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    private LibraryDefinitions() {}

    /**
     * Return the definitions on the class path of the context class loader, as trees; of several with one name the first.
     *
     * @throws GeneratorException if a file cannot be read
     */
    public static List<Map<String, Object>> onClassPath() {
        Map<String, Map<String, Object>> definitions = new LinkedHashMap<>();
        PathMatchingResourcePatternResolver resources =
                new PathMatchingResourcePatternResolver(Thread.currentThread().getContextClassLoader());
        for (String folder : FOLDERS) {
            for (String ending : ENDINGS) {
                try {
                    for (Resource file : resources.getResources("classpath*:" + folder + "*" + ending)) {
                        read(file).forEach(definition -> definitions.putIfAbsent(name(definition), definition));
                    }
                } catch (IOException e) {
                    throw new GeneratorException(
                            "Cannot search " + folder + " on the class path: " + e.getMessage(), e);
                }
            }
        }
        return List.copyOf(definitions.values());
    }

    private static List<Map<String, Object>> read(Resource file) {
        try (InputStream content = file.getInputStream()) {
            String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            return Yaml.readAll(text, file.getDescription()).stream()
                    .filter(LibraryDefinitions::isDefinition)
                    .toList();
        } catch (IOException e) {
            throw new GeneratorException("Cannot read " + file.getDescription() + ": " + e.getMessage(), e);
        }
    }

    private static boolean isDefinition(Map<String, Object> tree) {
        return "CustomResourceDefinition".equals(tree.get("kind"))
                && "apiextensions.k8s.io/v1".equals(tree.get("apiVersion"))
                && tree.get("spec") instanceof Map<?, ?> spec
                && spec.get("names") instanceof Map
                && !name(tree).isEmpty();
    }

    /** Return the operator's own definitions and those of libraries whose kinds it reconciles. */
    static List<Map<String, Object>> added(
            List<Map<String, Object>> own, Collection<Map<String, Object>> libraries, Set<KindName> reconciled) {
        List<Map<String, Object>> all = new ArrayList<>(own);
        List<String> names = own.stream().map(LibraryDefinitions::name).toList();
        libraries.stream()
                .filter(definition -> !names.contains(name(definition)))
                .filter(definition -> reconciled.stream().anyMatch(kind -> isOf(kind, definition)))
                .forEach(all::add);
        return List.copyOf(all);
    }

    private static boolean isOf(KindName kind, Map<String, Object> definition) {
        return definition.get("spec") instanceof Map<?, ?> spec
                && kind.group().equals(spec.get("group"))
                && spec.get("names") instanceof Map<?, ?> names
                && kind.kind().equals(names.get("kind"));
    }

    private static String name(Map<String, Object> definition) {
        return definition.get("metadata") instanceof Map<?, ?> metadata ? String.valueOf(metadata.get("name")) : "";
    }
}
