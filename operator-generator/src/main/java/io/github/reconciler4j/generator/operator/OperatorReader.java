package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads an operator with all switches on, and then with each switch off in turn. A right that is missing then depends on the
 * switch.
 *
 * @since 0.1.0
 */
public final class OperatorReader {

    /** Stands for the name of the release at the start of the names of leases, and for the namespace of the operator. */
    public static final String RELEASE = "reconciler4j-release";

    /** What replicas do with the Leases of shards and of each other, whose names no role can list. */
    private static final List<String> SHARDING_VERBS = List.of("get", "list", "create", "update", "patch", "delete");

    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,51}[a-z0-9])?");

    private final Function<Map<String, String>, OperatorSnapshot> operator;
    private final Consumer<String> warnings;

    /**
     * Create a reader of any operator.
     *
     * @param operator returns what the operator declares when the given properties are set
     * @param warnings takes sentences for people
     */
    public OperatorReader(Function<Map<String, String>, OperatorSnapshot> operator, Consumer<String> warnings) {
        this.operator = operator;
        this.warnings = warnings;
    }

    /**
     * Return a reader of a Spring Boot application. Its {@code main} method is called, but nothing starts: the run ends
     * when all beans exist.
     *
     * @param mainClass the class with the {@code main} method
     * @param properties properties of the application
     */
    public static OperatorReader ofSpring(String mainClass, Map<String, String> properties, Consumer<String> warnings) {
        return new OperatorReader(
                more -> {
                    Map<String, String> all = new LinkedHashMap<>(properties);
                    all.putAll(more);
                    return new SpringOperator(mainClass, all).read();
                },
                warnings);
    }

    /**
     * Read the operator.
     *
     * @throws GeneratorException if the operator cannot be created, or needs what no cluster has
     */
    public OperatorDescription read(List<Switch> declared, List<Map<String, Object>> definitions) {
        return read(declared, definitions, List.of());
    }

    /**
     * Read the operator.
     *
     * @param definitions the definitions of the operator's classes, as trees
     * @param libraries definitions on the class path. Those of kinds that the operator reconciles are taken for its own; the others
     *     only say whether a kind has namespaces.
     * @throws GeneratorException if the operator cannot be created, or needs what no cluster has
     */
    public OperatorDescription read(
            List<Switch> declared, List<Map<String, Object>> definitions, List<Map<String, Object>> libraries) {
        Map<String, String> on = new LinkedHashMap<>();
        declared.forEach(one -> on.put(one.property(), "true"));
        OperatorSnapshot all = operator.apply(on);
        List<Map<String, Object>> own = LibraryDefinitions.added(definitions, libraries, all.kinds());
        List<Map<String, Object>> known = new ArrayList<>(libraries);
        known.addAll(own);
        List<Switch> switches = new ArrayList<>(declared);
        if (!all.webhooks().isEmpty()) {
            switches.add(0, Switch.WEBHOOKS);
            all.webhooks().checkVersions(own);
        }
        if (!NAME.matcher(all.name()).matches()) {
            throw new GeneratorException("The operator is named '" + all.name()
                    + "', which cannot be part of the names of Kubernetes objects: set spring.application.name or"
                    + " reconciler4j.name to lower-case letters, digits and hyphens, 53 at most (R4J-701)");
        }
        try (KnownResources resources = new KnownResources(known)) {
            resources.check(all.permissions(), warnings);
            Map<GrantPlace, Set<Switch>> places = new TreeMap<>(GrantPlace.ORDER);
            places(all, resources)
                    .forEach(place -> places.put(place, new TreeSet<>(Comparator.comparing(Switch::value))));
            for (Switch one : switches) {
                Map<String, String> off = new LinkedHashMap<>(on);
                off.put(one.property(), "false");
                findDependents(one, new HashSet<>(places(operator.apply(off), resources)), places);
            }
            List<Grant> grants = new ArrayList<>();
            places.forEach((place, needed) -> grants.add(
                    new Grant(place.right, place.area, place.namespace, place.account, List.copyOf(needed))));
            return new OperatorDescription(all, grants, switches, own);
        }
    }

    private void findDependents(Switch one, Set<GrantPlace> off, Map<GrantPlace, Set<Switch>> places) {
        boolean found = false;
        for (Map.Entry<GrantPlace, Set<Switch>> entry : places.entrySet()) {
            if (!off.contains(entry.getKey())) {
                entry.getValue().add(one);
                found = true;
            }
        }
        off.removeAll(places.keySet());
        off.forEach(place -> places.put(place, new TreeSet<>(Comparator.comparing(Switch::value))));
        if (!found && !one.equals(Switch.WEBHOOKS)) {
            warnings.accept("the switch '" + one.value() + "' changes no permission: is '" + one.property()
                    + "' a property that decides which kinds are watched or which permissions are declared?");
        }
    }

    private static List<GrantPlace> places(OperatorSnapshot snapshot, KnownResources resources) {
        List<GrantPlace> places = new ArrayList<>();
        for (RequiredPermission permission : snapshot.permissions()) {
            Area area = area(permission, resources);
            String namespace = area == Area.FIXED ? permission.namespace() : "";
            String account = permission.account().replaceFirst("^" + RELEASE + "/", "");
            Right.of(permission).forEach(right -> places.add(new GrantPlace(right, area, namespace, account)));
        }
        for (String lease : snapshot.leases()) {
            Stream.of(
                            new Right("coordination.k8s.io", "leases", "", "create"),
                            new Right("events.k8s.io", "events", "", "create"), // about the lease
                            new Right("events.k8s.io", "events", "", "patch"),
                            new Right("coordination.k8s.io", "leases", lease, "get"),
                            new Right("coordination.k8s.io", "leases", lease, "update"))
                    .forEach(right -> places.add(new GrantPlace(right, Area.OWN, "", "")));
        }
        SHARDING_VERBS.forEach(verb -> places.add(
                new GrantPlace(new Right("coordination.k8s.io", "leases", "", verb), Area.SHARDING, "", "")));
        return places;
    }

    private static Area area(RequiredPermission permission, KnownResources resources) {
        return switch (permission.namespace()) {
            case WebhookSnapshot.NAMESPACE -> Area.WEBHOOK;
            case RELEASE -> Area.COMPONENTS;
            case "" -> resources.isNamespaced(permission) ? Area.WATCHED : Area.CLUSTER;
            default -> Area.FIXED;
        };
    }

    /** A right of an account in a place, regardless of switches. */
    private record GrantPlace(Right right, Area area, String namespace, String account) {

        static final Comparator<GrantPlace> ORDER = Comparator.comparing(GrantPlace::account)
                .thenComparing(GrantPlace::area)
                .thenComparing(GrantPlace::namespace)
                .thenComparing(GrantPlace::right);
    }
}
