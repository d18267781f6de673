package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates CustomResourceDefinitions from classes. Classes of one group and plural are versions of one definition, of
 * which exactly one is stored ({@code @Version(storage = ...)}). Not safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class CrdGenerator {

    private static final String AGE = ".metadata.creationTimestamp";

    private final CrdOptions options;
    private final List<String> warnings = new ArrayList<>();

    /** Create a generator with options. */
    public CrdGenerator(CrdOptions options) {
        this.options = options;
    }

    /**
     * Generate the definitions of kinds.
     *
     * @throws GeneratorException if a class cannot be described, or an API server would refuse the definition
     */
    public CrdResult generate(Collection<Class<? extends HasMetadata>> kinds) {
        Map<String, List<Class<? extends HasMetadata>>> byName = new TreeMap<>();
        for (Class<? extends HasMetadata> kind : kinds) {
            byName.computeIfAbsent(HasMetadata.getFullResourceName(kind), absent -> new ArrayList<>())
                    .add(kind);
        }
        Javadocs docs = Javadocs.read(options.sources());
        List<Map<String, Object>> definitions = new ArrayList<>();
        byName.forEach((name, versions) -> definitions.add(definition(name, versions, docs)));
        if (options.verify()) {
            try (CrdVerifier verifier = new CrdVerifier()) {
                definitions.forEach(verifier::verify);
            }
        }
        return new CrdResult(definitions, warnings);
    }

    private Map<String, Object> definition(String name, List<Class<? extends HasMetadata>> versions, Javadocs docs) {
        checkVersions(name, versions);
        ObjectMapper mapper = new ObjectMapper();
        KubernetesSerialization serialization = new KubernetesSerialization(mapper, false);
        SchemaRefiner refiner =
                new SchemaRefiner(MemberMarks.install(mapper), docs, options.maxDescriptionLength(), warnings);
        List<CustomResourceDefinition> made = new ArrayList<>();
        try {
            new CRDGenerator()
                    .withObjectMapper(mapper, serialization)
                    .withParallelGenerationEnabled(false)
                    .customResourceClasses(versions)
                    .forCRDVersions("v1")
                    .withPostProcessor(collector(made))
                    .withOutput(new Discarding())
                    .generate();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new GeneratorException(
                    "Cannot generate the definition " + name + " from " + names(versions) + ": " + e.getMessage(), e);
        }
        CustomResourceDefinition definition = made.get(0);
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            refine(version, classOf(version.getName(), versions), refiner);
        }
        return CrdTree.sorted(Yaml.tree(definition));
    }

    private static CRDPostProcessor collector(List<CustomResourceDefinition> made) {
        return new CRDPostProcessor() {
            @Override
            public HasMetadata process(HasMetadata definition, String version) {
                made.add((CustomResourceDefinition) definition);
                return definition;
            }
        };
    }

    private static void refine(
            CustomResourceDefinitionVersion version, Class<? extends HasMetadata> kind, SchemaRefiner refiner) {
        List<CustomResourceColumnDefinition> columns = version.getAdditionalPrinterColumns();
        columns.forEach(column -> column.setDescription(refiner.description(column.getDescription())));
        refiner.refine(kind, version.getSchema().getOpenAPIV3Schema());
        columns.forEach(column -> column.setPriority(column.getPriority() == 0 ? null : column.getPriority()));
        version.setAdditionalPrinterColumns(ordered(columns, kind, refiner.paths()));
    }

    /** Those of the class in their order, then those of fields in theirs, and the age at the end, as kubectl has it. */
    private static List<CustomResourceColumnDefinition> ordered(
            List<CustomResourceColumnDefinition> columns, Class<?> kind, List<String> paths) {
        List<String> order = Stream.concat(
                        Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
                                .map(AdditionalPrinterColumn::jsonPath),
                        paths.stream())
                .filter(path -> !path.equals(AGE))
                .collect(Collectors.toCollection(ArrayList::new));
        order.add(AGE);
        return columns.stream()
                .sorted(Comparator.comparingInt(column -> order.indexOf(column.getJsonPath())))
                .toList();
    }

    private static void checkVersions(String name, List<Class<? extends HasMetadata>> versions) {
        Map<String, List<Class<? extends HasMetadata>>> byVersion = new TreeMap<>();
        versions.forEach(type -> byVersion
                .computeIfAbsent(HasMetadata.getVersion(type), absent -> new ArrayList<>())
                .add(type));
        byVersion.forEach((version, types) -> {
            if (types.size() > 1) {
                throw new GeneratorException(
                        "The version " + version + " of " + name + " is declared by several classes: " + names(types));
            }
        });
        List<Class<? extends HasMetadata>> stored =
                versions.stream().filter(CustomResource::getStorage).toList();
        if (stored.size() != 1) {
            throw new GeneratorException("Exactly one version of " + name + " must be stored, but "
                    + (stored.isEmpty() ? "none is" : names(stored) + " are")
                    + ": set @Version(storage = false) on the others");
        }
        if (versions.stream().noneMatch(CustomResource::getServed)) {
            throw new GeneratorException("No version of " + name + " is served: set @Version(served = true) on one");
        }
    }

    private static Class<? extends HasMetadata> classOf(String version, List<Class<? extends HasMetadata>> versions) {
        return versions.stream()
                .filter(type -> version.equals(HasMetadata.getVersion(type)))
                .findFirst()
                .orElseThrow();
    }

    private static String names(List<Class<? extends HasMetadata>> types) {
        return types.stream().map(Class::getName).sorted().collect(Collectors.joining(", "));
    }

    /** fabric8's generator insists on writing text, which nothing here needs. */
    private static final class Discarding implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {

        @Override
        public ByteArrayOutputStream outputFor(String name) {
            return new ByteArrayOutputStream();
        }

        @Override
        public void close() {}
    }
}
