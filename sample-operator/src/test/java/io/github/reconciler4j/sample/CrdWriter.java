package io.github.reconciler4j.sample;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Writes the CustomResourceDefinition of {@link WebApp}; the build runs it after compiling. */
final class CrdWriter {

    static final String FILE = "webapps.apps.reconciler4j.io.yaml";

    private static final List<String> COLUMNS =
            List.of("Ready", "Reason", "Desired", "Available", "URL", "Image", "Age");

    private CrdWriter() {}

    /** Takes the folders to write to. */
    public static void main(String... folders) throws IOException {
        String yaml = yaml();
        for (String folder : folders) {
            Path directory = Files.createDirectories(Path.of(folder));
            Files.writeString(directory.resolve(FILE), yaml);
        }
    }

    static String yaml() {
        ByteArrayOutputStream yaml = new ByteArrayOutputStream();
        new CRDGenerator()
                .customResourceClasses(List.<Class<? extends HasMetadata>>of(WebApp.class))
                .forCRDVersions("v1")
                .withParallelGenerationEnabled(false)
                .withPostProcessor(new CRDPostProcessor() {
                    @Override
                    public HasMetadata process(HasMetadata crd, String version) {
                        return complete((CustomResourceDefinition) crd);
                    }
                })
                .withOutput(new CRDGenerator.CRDOutput<ByteArrayOutputStream>() {
                    @Override
                    public ByteArrayOutputStream outputFor(String crdName) {
                        return yaml;
                    }

                    @Override
                    public void close() {}
                })
                .generate();
        return yaml.toString(StandardCharsets.UTF_8);
    }

    private static HasMetadata complete(CustomResourceDefinition crd) {
        crd.getSpec().getVersions().forEach(version -> {
            version.getAdditionalPrinterColumns()
                    .sort(Comparator.comparingInt(column -> COLUMNS.indexOf(column.getName())));
            JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
            schema.setRequired(List.of("spec"));
            mergeConditionsByType(schema.getProperties().get("status").getProperties());
        });
        return crd;
    }

    /** Conditions are an associative list, so that two writers of different conditions do not conflict. */
    private static void mergeConditionsByType(Map<String, JSONSchemaProps> status) {
        JSONSchemaProps conditions = status.get("conditions");
        conditions.setXKubernetesListType("map");
        conditions.setXKubernetesListMapKeys(List.of("type"));
        conditions.getItems().getSchema().setRequired(List.of("type", "status", "lastTransitionTime", "reason"));
        conditions
                .getItems()
                .getSchema()
                .getProperties()
                .get("observedGeneration")
                .setFormat("int64");
        status.get("observedGeneration").setFormat("int64");
    }
}
