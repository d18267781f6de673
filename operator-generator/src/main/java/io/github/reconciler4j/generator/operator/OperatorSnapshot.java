package io.github.reconciler4j.generator.operator;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.source.KindSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one manager declares before it starts. Immutable.
 *
 * @since 0.1.0
 */
public final class OperatorSnapshot {

    private static final String MEMBER = "member";

    private static final RequiredPermission EVENTS =
            RequiredPermission.on("events.k8s.io", "events", "create", "patch");

    /**
     * How the operator answers probes and shows metrics.
     *
     * @param probes whether it has the health groups of Spring Boot's actuator
     * @param portProperty the property that sets the port, {@code ""} if there is no web server
     * @since 0.1.0
     */
    public record Web(boolean probes, String portProperty) {

        /** No web server. */
        public static final Web NONE = new Web(false, "");
    }

    /**
     * Whether the replicas share shards unless a property says otherwise. Immutable.
     *
     * @param enabled whether they do
     * @param shards the number of shards
     * @since 0.1.0
     */
    public record Sharding(boolean enabled, int shards) {

        /** No sharding, and the default number of shards. */
        public static final Sharding OFF =
                new Sharding(false, ShardingOptions.named("any").shards());
    }

    private final String name;
    private final List<String> namespaces;
    private final List<RequiredPermission> permissions;
    private final List<String> leases;
    private final Web web;
    private final WebhookSnapshot webhooks;
    private final Sharding sharding;
    private final List<RequiredPermission> memberPermissions;
    private final Controllers controllers;

    /**
     * What the controllers reconcile, and under which names they write.
     *
     * @param kinds the kinds
     * @param resources their resources, for instance {@code deployments.apps}
     * @param fieldManagers the field managers of the operator and its controllers
     */
    private record Controllers(Set<KindName> kinds, Set<String> resources, Set<String> fieldManagers) {

        static final Controllers NONE = new Controllers(Set.of(), Set.of(), Set.of());

        static Controllers of(Manager manager) {
            Set<KindName> kinds = new HashSet<>();
            Set<String> fieldManagers = new HashSet<>(Set.of(manager.options()
                    .client()
                    .fieldManager()
                    .orElse(manager.options().name())));
            fieldManagers.add(manager.options().name()); // of events, whose requests name none
            for (ManagedComponent component : manager.components()) {
                if (component instanceof Controller<?> controller) {
                    controller.kind().ifPresent(kinds::add);
                    fieldManagers.add(controller.options().fieldManager().orElse(controller.name()));
                }
            }
            Set<String> resources = manager.cache().kinds().stream()
                    .map(status -> status.kind())
                    .filter(kind -> kinds.contains(kind.kind()))
                    .map(KindInfo::resource)
                    .collect(Collectors.toSet());
            return new Controllers(Set.copyOf(kinds), resources, Set.copyOf(fieldManagers));
        }
    }

    OperatorSnapshot(
            String name,
            List<String> namespaces,
            List<RequiredPermission> permissions,
            List<String> leases,
            Web web,
            WebhookSnapshot webhooks,
            Sharding sharding) {
        this(name, namespaces, permissions, leases, web, webhooks, sharding, List.of(), Controllers.NONE);
    }

    private OperatorSnapshot(
            String name,
            List<String> namespaces,
            List<RequiredPermission> permissions,
            List<String> leases,
            Web web,
            WebhookSnapshot webhooks,
            Sharding sharding,
            List<RequiredPermission> memberPermissions,
            Controllers controllers) {
        this.name = name;
        this.namespaces = List.copyOf(namespaces);
        this.permissions = List.copyOf(permissions);
        this.leases = List.copyOf(leases);
        this.web = web;
        this.webhooks = webhooks;
        this.sharding = sharding;
        this.memberPermissions = List.copyOf(memberPermissions);
        this.controllers = controllers;
    }

    /**
     * Read a manager that has not been started, for operators without Spring.
     *
     * @throws GeneratorException if no controller is there
     */
    public static OperatorSnapshot of(Manager manager, Web web) {
        Sharding sharding = ShardingOptions.of(manager.options())
                .map(its -> new Sharding(true, its.shards()))
                .orElse(Sharding.OFF);
        return of(manager, web, sharding);
    }

    static OperatorSnapshot of(Manager manager, Web web, Sharding sharding) {
        List<RequiredPermission> permissions = permissions(manager.components(), manager);
        List<RequiredPermission> members = memberPermissions(manager);
        if (permissions.isEmpty() && members.isEmpty()) {
            throw new GeneratorException(
                    "The operator '" + manager.options().name()
                            + "' has no component that needs permissions: is there a @Reconciler bean, and are its properties set? (R4J-703)");
        }
        if (manager.home().recordsEvents()) {
            permissions.addAll(events(permissions));
        }
        CachedNamespaces cached = manager.options().cache().kindDefaults().namespaces();
        if (cached.isFollowed()) {
            permissions.add(RequiredPermission.onCore("namespaces", "list", "watch"));
        }
        CacheOptions cache = manager.options().cache();
        if (cache.partition().serverNamespaces()
                && cache.namedNamespaces().isEmpty()) { // replicas that share shards count them
            permissions.add(RequiredPermission.onCore("namespaces", "list"));
        }
        return new OperatorSnapshot(
                manager.options().name(),
                cached.others() || cached.isFollowed() ? List.of() : List.copyOf(new TreeSet<>(cached.named())),
                permissions,
                leases(manager),
                web,
                WebhookSnapshot.of(manager),
                sharding,
                members,
                Controllers.of(manager));
    }

    private static List<RequiredPermission> permissions(List<ManagedComponent> components, Manager manager) {
        List<RequiredPermission> permissions = new ArrayList<>();
        for (ManagedComponent component : components) {
            component.requiredPermissions().stream()
                    .filter(need -> !isForShards(need, manager))
                    .forEach(need -> permissions.addAll(inNamespaces(need, manager)));
        }
        return permissions;
    }

    /**
     * Let a cluster join that does not exist: the controllers that select it need their permissions there, and those of the home
     * cluster what they watch there. The listeners of clusters are notified, because they add controllers and sources.
     */
    private static List<RequiredPermission> memberPermissions(Manager manager) {
        Config nowhere = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://localhost:1/")
                .build();
        if (Clusters.of(manager).find(MEMBER).isPresent()) {
            throw new GeneratorException(
                    "Rename the cluster '" + MEMBER + "', because the generator uses this name (R4J-707)");
        }
        Clusters.of(manager).add(MEMBER, nowhere);
        List<RequiredPermission> permissions;
        try {
            List<ManagedComponent> added = manager.components().stream()
                    .filter(component -> component.cluster().equals(MEMBER))
                    .toList();
            permissions = permissions(added, manager);
            permissions.addAll(watchedByOthers(manager));
        } finally {
            Clusters.of(manager).remove(MEMBER);
        }
        if (!permissions.isEmpty() && manager.home().recordsEvents()) {
            permissions.addAll(events(permissions));
        }
        return permissions;
    }

    /** The operator records events, and each account that writes for a controller does. */
    private static List<RequiredPermission> events(List<RequiredPermission> permissions) {
        return Stream.concat(Stream.of(""), permissions.stream().map(RequiredPermission::account))
                .distinct()
                .map(EVENTS::forAccount)
                .toList();
    }

    private static List<RequiredPermission> watchedByOthers(Manager manager) {
        return manager.components().stream()
                .filter(component ->
                        component instanceof Controller && !component.cluster().equals(MEMBER))
                .flatMap(component -> ((Controller<?>) component).sources().stream())
                .filter(source ->
                        source instanceof KindSource && source.cluster().equals(MEMBER))
                .map(source -> RequiredPermission.watching(((KindSource<?, ?>) source).kind()))
                .toList();
    }

    /** The Leases of shards are in the namespace of the operator, whatever its name. */
    private static boolean isForShards(RequiredPermission need, Manager manager) {
        return need.resource().equals("leases")
                && ShardingOptions.of(manager.options())
                        .filter(its -> its.leaseNamespace().equals(need.namespace()))
                        .isPresent();
    }

    /** Return the name of the operator. */
    public String name() {
        return name;
    }

    /** Return the namespaces that the operator watches, empty for all. */
    public List<String> namespaces() {
        return namespaces;
    }

    /** Return what components need. A permission without a namespace is needed in all watched namespaces. */
    public List<RequiredPermission> permissions() {
        return permissions;
    }

    /**
     * Return what the controllers need in each other cluster that joins, empty if none works or watches there. Controllers that
     * select clusters by their names are included if they select the name {@code member}.
     */
    public List<RequiredPermission> memberPermissions() {
        return memberPermissions;
    }

    /** Return the kinds that controllers reconcile. */
    public Set<KindName> kinds() {
        return controllers.kinds();
    }

    /** Return the resources of the kinds that controllers reconcile, for instance {@code deployments.apps}. */
    public Set<String> resources() {
        return controllers.resources();
    }

    /** Return the field managers under which the operator and its controllers write. */
    public Set<String> fieldManagers() {
        return controllers.fieldManagers();
    }

    /** Return the names of the Leases by which the operator elects a leader. */
    public List<String> leases() {
        return leases;
    }

    /** Return whether and where the operator answers probes. */
    public Web web() {
        return web;
    }

    /** Return whether the replicas share shards. */
    public Sharding sharding() {
        return sharding;
    }

    /** Return the webhooks that the operator serves. */
    public WebhookSnapshot webhooks() {
        return webhooks;
    }

    /** A kind that is cached in namespaces of its own is needed there only. */
    private static List<RequiredPermission> inNamespaces(RequiredPermission need, Manager manager) {
        CacheOptions cache = manager.options().cache();
        return manager.cache().kinds().stream()
                .map(status -> status.kind())
                .filter(kind -> kind.namespaced()
                        && kind.kind().group().equals(need.group())
                        && kind.plural().equals(need.resource().split("/", 2)[0]))
                .map(kind -> cache.of(Kind.of(kind.kind())).namespaces())
                .filter(namespaces -> !namespaces.equals(cache.kindDefaults().namespaces()))
                .filter(namespaces -> !namespaces.others() && !namespaces.isFollowed())
                .findFirst()
                .filter(namespaces -> need.namespace().isEmpty())
                .map(namespaces -> namespaces.named().stream()
                        .sorted()
                        .map(need::inNamespace)
                        .toList())
                .orElseGet(() -> List.of(need));
    }

    private static List<String> leases(Manager manager) {
        Set<String> names = new TreeSet<>();
        for (LeaseStatus lease : manager.status().leases()) {
            names.add(lease.key().name());
        }
        return List.copyOf(names);
    }

    @Override
    public String toString() {
        return "OperatorSnapshot[name=" + name + ", namespaces=" + namespaces + ", permissions=" + permissions
                + ", leases=" + leases + ", web=" + web + ", sharding=" + sharding + "]";
    }
}
