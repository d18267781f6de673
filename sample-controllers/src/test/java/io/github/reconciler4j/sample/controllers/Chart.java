package io.github.reconciler4j.sample.controllers;

import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The Helm chart of the controllers, rendered. */
public final class Chart {

    private static final Path FOLDER =
            Path.of("..", "charts", "sample-controllers").toAbsolutePath().normalize();

    private Chart() {}

    public static Helm helm() {
        return new Helm(FOLDER);
    }

    /** Return the objects of a release named {@code demo} in the namespace {@code operators}. */
    public static List<HasMetadata> render() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        String yaml = helm().template()
                .withName("demo")
                .withNamespace("operators")
                .withKubeVersion("1.37.2")
                .call();
        return Arrays.stream(yaml.split("(?m)^---.*$"))
                .filter(document -> document.lines().anyMatch(line -> line.startsWith("kind:")))
                .map(document -> (HasMetadata) serialization.unmarshal(document))
                .toList();
    }
}
