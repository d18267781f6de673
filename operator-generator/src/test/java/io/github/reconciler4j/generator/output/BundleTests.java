package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.Golden;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import io.github.reconciler4j.generator.operator.OperatorSnapshot;
import io.github.reconciler4j.generator.operator.WebhookSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleTests {

    private static OperatorDescription operator;

    @TempDir
    private Path folder;

    @BeforeAll
    static void read() {
        operator = example();
    }

    /** Returns the example without what no bundle can express. */
    static OperatorDescription example() {
        OperatorDescription read = OperatorReaderTests.exampleWithAccount();
        return new OperatorDescription(
                withoutConditions(OperatorReaderTests.withNamespaces(read.snapshot(), List.of())),
                read.grants(),
                read.switches(),
                read.definitions());
    }

    /** A bundle expresses the conversion and webhooks without conditions. */
    static OperatorSnapshot withoutConditions(OperatorSnapshot read) {
        WebhookSnapshot webhooks = read.webhooks();
        List<Map<String, Object>> configurations = new ArrayList<>();
        for (Map<String, Object> configuration : webhooks.configurations()) {
            Map<String, Object> copy = new LinkedHashMap<>(configuration);
            copy.put(
                    "webhooks",
                    ((List<?>) configuration.get("webhooks"))
                            .stream()
                                    .map(webhook -> {
                                        Map<?, ?> plain = new LinkedHashMap<>((Map<?, ?>) webhook);
                                        plain.remove("matchConditions");
                                        plain.remove("namespaceSelector");
                                        return plain;
                                    })
                                    .toList());
            configurations.add(copy);
        }
        return OperatorReaderTests.withWebhooks(
                read, new WebhookSnapshot(configurations, webhooks.conversion(), webhooks.converted()));
    }

    @Test
    void bundleWhenAWebhookHasConditionsIsRefused() {
        assertThatThrownBy(() -> write(OperatorReaderTests.example(), "1.2.3"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("cannot express")
                .hasMessageContaining("reconciler4j.webhook.enabled=false");
        assertThat(folder).isEmptyDirectory();
    }

    private void write(OperatorDescription described, String version) {
        new Outputs(
                        described,
                        OutputOptions.defaults()
                                .withImage("registry.example.com/example")
                                .withVersion(version))
                .writeBundle(folder);
    }

    @Test
    void bundleWhenWrittenIsAsRecorded() throws IOException {
        write(operator, "1.2.3");
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                all.append("==> ")
                        .append(folder.relativize(file))
                        .append(" <==\n")
                        .append(Files.readString(file));
            }
        }

        Golden.check("output/bundle.txt", all.toString());
    }

    @Test
    void bundleWhenReplicasShareShardsGrantsTheLeases() throws IOException {
        OperatorSnapshot sharded =
                OperatorReaderTests.withSharding(operator.snapshot(), new OperatorSnapshot.Sharding(true, 16));

        write(
                new OperatorDescription(sharded, operator.grants(), operator.switches(), operator.definitions()),
                "1.2.3");

        try (Stream<Path> files = Files.walk(folder)) {
            Path version = files.filter(file -> file.toString().endsWith("clusterserviceversion.yaml"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(version)).contains("delete");
        }
    }

    @Test
    void bundleWhenTheVersionIsNotSemanticIsRefused() {
        assertThatThrownBy(() -> write(operator, "1.2"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("'1.2'");
    }

    @Test
    void bundleWhenTheOperatorWatchesFixedNamespacesIsRefused() {
        OperatorDescription fixed = new OperatorDescription(
                OperatorReaderTests.withNamespaces(operator.snapshot(), List.of("red")),
                operator.grants(),
                operator.switches(),
                operator.definitions());

        assertThatThrownBy(() -> write(fixed, "1.2.3"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("fixed namespaces");
        assertThat(folder).isEmptyDirectory();
    }
}
