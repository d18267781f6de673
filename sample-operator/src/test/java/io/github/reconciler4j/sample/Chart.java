package io.github.reconciler4j.sample;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The operator's Helm chart, rendered. */
final class Chart {

    static final Path FOLDER =
            Path.of("..", "charts", "sample-operator").toAbsolutePath().normalize();

    private Chart() {}

    static Helm helm() {
        return new Helm(FOLDER);
    }

    /** The objects of a release named {@code demo} in the namespace {@code operators}. */
    static List<HasMetadata> render(Map<String, Object> values) {
        return parse(template(values));
    }

    static <T extends HasMetadata> T one(List<HasMetadata> objects, Class<T> type) {
        List<T> found =
                objects.stream().filter(type::isInstance).map(type::cast).toList();
        if (found.size() != 1) {
            throw new IllegalStateException("There are " + found.size() + " objects of " + type.getSimpleName());
        }
        return found.get(0);
    }

    static <T extends HasMetadata> T one(List<HasMetadata> objects, Class<T> type, String name) {
        return one(
                objects.stream()
                        .filter(object -> name.equals(object.getMetadata().getName()))
                        .toList(),
                type);
    }

    static String template(Map<String, Object> values) {
        TemplateCommand template =
                helm().template().withName("demo").withNamespace("operators").withKubeVersion("1.37.2");
        if (!values.isEmpty()) {
            template.withValuesFile(write(values));
        }
        return template.call();
    }

    private static Path write(Map<String, Object> values) {
        try {
            Path file = Files.createTempFile("values", ".yaml");
            file.toFile().deleteOnExit();
            return Files.writeString(file, new KubernetesSerialization().asYaml(values));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<HasMetadata> parse(String yaml) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        return Arrays.stream(yaml.split("(?m)^---.*$"))
                .filter(document -> document.lines().anyMatch(line -> line.startsWith("kind:")))
                .map(document -> (HasMetadata) serialization.unmarshal(document))
                .toList();
    }
}
