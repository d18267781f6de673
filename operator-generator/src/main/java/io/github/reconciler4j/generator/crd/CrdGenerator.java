package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.jackson.GoCompatibilityModule;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
            definitions.forEach(definition -> checkWritten(definition, byName));
        }
        return new CrdResult(definitions, warnings);
    }

    /** Return the definition of a kind with one version, which no server has verified. */
    static Map<String, Object> checked(Class<? extends HasMetadata> kind, CrdOptions options) {
        CrdGenerator generator = new CrdGenerator(options);
        String name = HasMetadata.getFullResourceName(kind);
        Map<String, Object> definition = generator.definition(name, List.of(kind), Javadocs.read(options.sources()));
        generator.checkWritten(definition, Map.of(name, List.of(kind)));
        return definition;
    }

    private void checkWritten(Map<String, Object> definition, Map<String, List<Class<? extends HasMetadata>>> byName) {
        JsonNode tree = KubernetesJson.mapper().valueToTree(definition);
        List<Class<? extends HasMetadata>> kinds =
                byName.getOrDefault(tree.path("metadata").path("name").asText(), List.of());
        for (JsonNode version : tree.path("spec").path("versions")) {
            new WrittenCheck(
                            classOf(version.path("name").asText(), kinds),
                            version.path("schema").path("openAPIV3Schema"),
                            warnings)
                    .run();
        }
    }

    private Map<String, Object> definition(String name, List<Class<? extends HasMetadata>> versions, Javadocs docs) {
        checkVersions(name, versions);
        versions.stream()
                .filter(CrdGenerator::isRaw)
                .forEach(type -> warnings.add(type.getName() + " extends CustomResource without type arguments, so its"
                        + " definition describes neither spec nor status: write CustomResource<" + type.getSimpleName()
                        + "Spec, " + type.getSimpleName() + "Status>, with Void for the one that it does not have"));
        ObjectMapper mapper = describingMapper();
        KubernetesSerialization serialization = new KubernetesSerialization(new ObjectMapper(), false);
        MemberMarks marks = MemberMarks.install(mapper);
        EffectiveTypes types = new EffectiveTypes(KubernetesJson.mapper(), warnings);
        mapper.registerModule(new SimpleModule("written").setSerializerModifier(new WrittenTypes(types, marks)));
        SchemaRefiner refiner = new SchemaRefiner(marks, docs, options.maxDescriptionLength(), warnings);
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
                    "Cannot generate the definition " + name + " from " + names(versions) + ": "
                            + DefinitionMistakes.explained(e, versions),
                    e);
        }
        CustomResourceDefinition definition = made.get(0);
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            refine(version, classOf(version.getName(), versions), refiner);
        }
        return CrdTree.sorted(Yaml.tree(definition));
    }

    /** fabric8 wraps the properties in its own mapper, and hides how they are written. */
    private static ObjectMapper describingMapper() {
        ObjectMapper mapper = KubernetesJson.withKotlin(new ObjectMapper());
        mapper.registerModules(new JavaTimeModule(), new GoCompatibilityModule());
        mapper.disable(
                SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
                SerializationFeature.FAIL_ON_EMPTY_BEANS);
        return mapper;
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
        version.getSchema()
                .setOpenAPIV3Schema(refiner.refine(kind, version.getSchema().getOpenAPIV3Schema()));
        refiner.columns().forEach(column -> Columns.correct(column, columns));
        columns.forEach(column -> column.setPriority(column.getPriority() == 0 ? null : column.getPriority()));
        List<String> paths = refiner.paths().stream().map(Columns::jsonPath).toList();
        version.setAdditionalPrinterColumns(ordered(columns, kind, paths));
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
                    + ": set @Version(storage = false) on the others (R4J-711)");
        }
        if (versions.stream().noneMatch(CustomResource::getServed)) {
            throw new GeneratorException(
                    "No version of " + name + " is served: set @Version(served = true) on one (R4J-712)");
        }
    }

    private static boolean isRaw(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return parent == CustomResource.class
                ? type.getGenericSuperclass() == CustomResource.class
                : parent != null && isRaw(parent);
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

    /** The columns of fields, where fabric8's generator has a path that matches nothing, or no valid type. */
    private static final class Columns {

        private static final Set<String> TYPES = Set.of("boolean", "integer", "number", "string");

        private Columns() {}

        /** Correct the column of a field. */
        static void correct(SchemaRefiner.Column field, List<CustomResourceColumnDefinition> columns) {
            if (field.path().contains("{}")) {
                throw SchemaRefiner.mistake(
                        field.path(),
                        "has @PrinterColumn on " + field.place()
                                + ", which is in the values of a map, of which no column"
                                + " can show one: use @AdditionalPrinterColumn on the class of the kind, with the path of a"
                                + " key");
            }
            String plain = field.path().replace("[]", "");
            for (CustomResourceColumnDefinition column : columns) {
                if (plain.equals(column.getJsonPath())) {
                    column.setJsonPath(jsonPath(field.path()));
                    column.setType(type(field.schema()));
                }
            }
        }

        /** Return the path that finds a field; in a list, the API server shows the first one that it finds. */
        static String jsonPath(String path) {
            return path.replace("[]", "[*]");
        }

        /** Return the type with which the API server shows a value; it shows any value as a text, but only a time as a date. */
        private static String type(JSONSchemaProps schema) {
            return schema.getType() != null && TYPES.contains(schema.getType()) ? schema.getType() : "string";
        }
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
