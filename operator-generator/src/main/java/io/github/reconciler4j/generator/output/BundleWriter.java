package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.Switch;
import io.github.reconciler4j.generator.rbac.PolicyRules;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes a bundle for the Operator Lifecycle Manager in the format {@code registry+v1}: a ClusterServiceVersion with the
 * Deployment and the permissions of the plain manifests, the definitions, and the metadata of a package.
 */
final class BundleWriter {

    private static final Pattern SEMANTIC_VERSION =
            Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?");

    private static final String NAMESPACES = "metadata.annotations['olm.targetNamespaces']";

    private static final String LABELS = "operators.operatorframework.io.bundle.";

    private final OperatorDescription operator;
    private final OutputOptions options;
    private final ManifestWriter manifests;
    private final List<Map<String, Object>> webhooks;

    BundleWriter(OperatorDescription operator, OutputOptions options) {
        this.operator = operator;
        this.options = options;
        this.manifests = new ManifestWriter(operator, options);
        this.webhooks = new BundleWebhooks(operator).definitions();
        if (!SEMANTIC_VERSION.matcher(options.version()).matches()) {
            throw new GeneratorException(
                    "A bundle needs a version with three numbers, for instance 1.0.0, but the version"
                            + " of the operator is '" + options.version() + "'");
        }
        if (!operator.snapshot().namespaces().isEmpty()
                || operator.grants().stream().anyMatch(grant -> grant.area() == Area.FIXED)) {
            throw new GeneratorException("A bundle cannot grant permissions in fixed namespaces: generate it with"
                    + " properties that let the operator watch all namespaces (R4J-723)");
        }
        if (!operator.policies().isEmpty()) {
            throw new GeneratorException(
                    "A bundle cannot contain admission policies: install them with the plain"
                            + " manifests, and generate the bundle from classes without @ValidationPolicy and @MutationPolicy (R4J-724)");
        }
    }

    void addTo(ManagedFiles files) {
        files.generate("manifests/" + operator.name() + ".clusterserviceversion.yaml", Yaml.write(serviceVersion()));
        Map<String, String> all = manifests.manifests();
        all.forEach((file, text) -> {
            if (file.startsWith("crds/")) {
                files.generate("manifests/" + file.substring("crds/".length()), withoutConversion(text, file));
            }
        });
        files.generate("manifests/configmap.yaml", Yaml.write(configMap(all)));
        Map<String, Object> labels = labels();
        files.generate("metadata/annotations.yaml", Yaml.write(tree("annotations", labels)));
        StringBuilder image = new StringBuilder("FROM scratch\n");
        labels.forEach((label, value) ->
                image.append("LABEL ").append(label).append('=').append(value).append('\n'));
        image.append("COPY manifests /manifests/\nCOPY metadata /metadata/\n");
        files.generate("Dockerfile", image.toString());
    }

    /** The manager of operators adds the conversion. */
    private static String withoutConversion(String definition, String file) {
        Map<String, Object> tree = Yaml.read(definition, file);
        Map<String, Object> spec = copy(at(tree, "spec"));
        if (spec.remove("conversion") == null) {
            return definition;
        }
        tree.put("spec", spec);
        return Yaml.write(tree);
    }

    private Map<String, Object> labels() {
        return tree(
                LABELS + "mediatype.v1",
                "registry+v1",
                LABELS + "manifests.v1",
                "manifests/",
                LABELS + "metadata.v1",
                "metadata/",
                LABELS + "package.v1",
                operator.name(),
                LABELS + "channels.v1",
                String.join(",", options.channels()),
                LABELS + "channel.default.v1",
                options.channels().get(0));
    }

    /** The manager of operators chooses the namespace, so nothing names one. */
    private Map<String, Object> configMap(Map<String, String> manifests) {
        Map<String, Object> map = copy(read(manifests, "configmap.yaml"));
        map.put("metadata", withoutNamespace(map));
        List<String> properties = this.manifests.propertiesWithoutNames();
        if (!webhooks.isEmpty()) {
            properties.add("reconciler4j.webhook.certificates.directory=" + BundleWebhooks.CERTIFICATES);
        }
        map.put("data", tree("application.properties", String.join("\n", properties) + "\n"));
        return map;
    }

    /** Returns the ClusterServiceVersion with what people say about the operator. */
    Map<String, Object> serviceVersion() {
        Map<String, Object> merged = generatedVersion();
        for (Map<String, Object> base : options.bundleBases()) {
            merged = BundleBase.merge(merged, base);
        }
        return merged;
    }

    private Map<String, Object> generatedVersion() {
        Map<String, Object> spec = tree(
                "displayName", operator.name(),
                "description", "The operator " + operator.name() + ".",
                "version", options.version(),
                "maturity", options.version().matches("0\\..*|.*-.*") ? "alpha" : "stable",
                "minKubeVersion", operator.minKubernetes() + ".0",
                "provider", tree("name", operator.name()),
                "installModes", installModes(),
                "install", tree("strategy", "deployment", "spec", installation()),
                "customresourcedefinitions", tree("owned", owned()));
        if (!webhooks.isEmpty()) {
            spec.put("webhookdefinitions", webhooks);
        }
        return tree(
                "apiVersion",
                "operators.coreos.com/v1alpha1",
                "kind",
                "ClusterServiceVersion",
                "metadata",
                tree(
                        "name",
                        operator.name() + ".v" + options.version(),
                        "annotations",
                        tree("alm-examples", examples(), "capabilities", "Basic Install", "containerImage", image())),
                "spec",
                spec);
    }

    private String examples() {
        return Json.write(new ExampleObjects(options.examples().orElse(null)).of(operator.definitions()));
    }

    private String image() {
        return options.image() + ":" + options.version();
    }

    /** The manager of operators allows only one mode if there is a conversion, because a definition belongs to the whole cluster. */
    private List<Map<String, Object>> installModes() {
        List<Map<String, Object>> modes = new ArrayList<>();
        for (String mode : List.of("OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces")) {
            modes.add(tree("type", mode, "supported", mode.equals("AllNamespaces") || isNamespaced()));
        }
        return modes;
    }

    /** Whether the operator can work in some namespaces only. */
    private boolean isNamespaced() {
        return operator.snapshot().webhooks().converted().isEmpty();
    }

    private Map<String, Object> installation() {
        Map<String, Object> deployment = read(manifests.manifests(), "deployment.yaml");
        Map<String, Object> installation = new LinkedHashMap<>();
        List<Area> cluster = new ArrayList<>(List.of(Area.CLUSTER));
        List<Area> namespaced = new ArrayList<>(List.of(Area.OWN, Area.COMPONENTS));
        (isNamespaced() ? namespaced : cluster).add(Area.WATCHED);
        if (operator.snapshot().sharding().enabled()) {
            namespaced.add(Area.SHARDING);
        }
        put(installation, "clusterPermissions", permissions(cluster));
        put(installation, "permissions", permissions(namespaced));
        installation.put(
                "deployments",
                List.of(tree(
                        "name",
                        operator.name(),
                        "label",
                        tree("app.kubernetes.io/name", operator.name()),
                        "spec",
                        isNamespaced() ? withNamespaces(at(deployment, "spec")) : at(deployment, "spec"))));
        return installation;
    }

    private static void put(Map<String, Object> tree, String key, List<?> values) {
        if (!values.isEmpty()) {
            tree.put(key, values);
        }
    }

    /** The manager of operators writes the namespaces to watch into an annotation of the pod, empty for all. */
    private static Map<String, Object> withNamespaces(Map<?, ?> deployment) {
        Map<String, Object> spec = copy(deployment);
        Map<String, Object> template = copy(at(spec, "template"));
        Map<String, Object> pod = copy(at(template, "spec"));
        List<Object> containers = new ArrayList<>((List<?>) Objects.requireNonNull(pod.get("containers")));
        Map<String, Object> container = copy((Map<?, ?>) containers.get(0));
        List<Object> variables = new ArrayList<>();
        if (container.get("env") instanceof List<?> known) {
            variables.addAll(known);
        }
        variables.add(tree(
                "name", "RECONCILER4J_CACHE_NAMESPACES", "valueFrom", tree("fieldRef", tree("fieldPath", NAMESPACES))));
        container.put("env", variables);
        containers.set(0, container);
        pod.put("containers", containers);
        template.put("spec", pod);
        spec.put("template", template);
        return spec;
    }

    private List<Map<String, Object>> permissions(List<Area> areas) {
        Map<String, List<Right>> rights = new LinkedHashMap<>();
        operator.grants().stream()
                .filter(grant -> areas.contains(grant.area()))
                .filter(grant -> !grant.switches().contains(Switch.WEBHOOKS)) // certificates come with the bundle
                .forEach(grant -> rights.computeIfAbsent(
                                grant.account().isEmpty() ? operator.name() : grant.account(),
                                absent -> new ArrayList<>())
                        .add(manifests.withName(grant.right())));
        List<Map<String, Object>> permissions = new ArrayList<>();
        rights.forEach((account, granted) ->
                permissions.add(tree("serviceAccountName", account, "rules", PolicyRules.of(granted))));
        return permissions;
    }

    private List<Map<String, Object>> owned() {
        List<Map<String, Object>> owned = new ArrayList<>();
        for (Map<String, Object> definition : operator.definitions()) {
            Map<?, ?> names = at(at(definition, "spec"), "names");
            for (Object version :
                    (List<?>) Objects.requireNonNull(at(definition, "spec").get("versions"))) {
                Object description = path(version, "schema", "openAPIV3Schema", "description");
                String kind = String.valueOf(names.get("kind"));
                owned.add(tree(
                        "name",
                        at(definition, "metadata").get("name"),
                        "version",
                        path(version, "name"),
                        "kind",
                        kind,
                        "displayName",
                        kind,
                        "description",
                        Objects.requireNonNullElse(description, kind)));
            }
        }
        return owned;
    }

    private static @Nullable Object path(@Nullable Object node, String... keys) {
        Object current = node;
        for (String key : keys) {
            current = current instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return current;
    }

    private static Map<String, Object> read(Map<String, String> manifests, String file) {
        return Yaml.readAll(Objects.requireNonNull(manifests.get(file)), file)
                .iterator()
                .next();
    }

    private static Map<?, ?> at(Map<?, ?> tree, String key) {
        return (Map<?, ?>) Objects.requireNonNull(tree.get(key));
    }

    private static Map<String, Object> withoutNamespace(Map<String, Object> object) {
        Map<String, Object> metadata = copy(at(object, "metadata"));
        metadata.remove("namespace");
        return metadata;
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), Objects.requireNonNull(value)));
        return copy;
    }

    /** Returns a map in the order of the arguments. */
    private static Map<String, Object> tree(@Nullable Object... keysAndValues) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            tree.put(String.valueOf(keysAndValues[i]), Objects.requireNonNull(keysAndValues[i + 1]));
        }
        return tree;
    }
}
