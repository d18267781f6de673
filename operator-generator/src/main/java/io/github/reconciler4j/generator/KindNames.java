package io.github.reconciler4j.generator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which names a new kind cannot have, because other classes have them. */
final class KindNames {

    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?[\\w.]+\\.(\\w+);$", Pattern.MULTILINE);
    private static final List<String> GROUPS = List.of(
            "",
            "admissionregistration.v1.",
            "apiextensions.v1.",
            "apps.",
            "autoscaling.v2.",
            "batch.v1.",
            "certificates.v1.",
            "coordination.v1.",
            "discovery.v1.",
            "networking.v1.",
            "policy.v1.",
            "rbac.",
            "scheduling.v1.",
            "storage.");

    private KindNames() {}

    /** Return why a kind cannot have a name, or empty if it can. */
    static Optional<String> problem(String kind, List<String> templates) {
        if (isOfKubernetes(kind)) {
            return Optional.of("Kubernetes has a kind " + kind
                    + " of its own, so kubectl and imports would take one for the other");
        }
        Set<String> used = templates.stream()
                .flatMap(template -> IMPORT.matcher(Scaffold.read(template)).results())
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        return templates.stream()
                .map(template ->
                        template.replaceFirst(".*/", "").replace(".java", "").replace("__kind__", kind))
                .filter(name -> used.contains(name) || isOfJava(name))
                .findFirst()
                .map(name -> "its class " + name + " would have the name of a class that the others use");
    }

    private static boolean isOfKubernetes(String kind) {
        return GROUPS.stream()
                .flatMap(group -> type("io.fabric8.kubernetes.api.model." + group + kind))
                .anyMatch(HasMetadata.class::isAssignableFrom);
    }

    private static boolean isOfJava(String name) {
        return type("java.lang." + name).findAny().isPresent();
    }

    private static Stream<Class<?>> type(String name) {
        try {
            return Stream.of(Class.forName(name, false, KindNames.class.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) { // a name that differs in case only, on some file systems
            return Stream.empty();
        }
    }
}
