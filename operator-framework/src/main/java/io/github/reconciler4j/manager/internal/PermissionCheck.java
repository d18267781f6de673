package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.internal.server.ServerComponent;
import io.github.reconciler4j.manager.permission.MissingPermissionsException;
import io.github.reconciler4j.manager.permission.PermissionReport;
import io.github.reconciler4j.manager.permission.PermissionReport.Missing;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which permissions a manager needs, and asks each API server for those that concern it.
 *
 * <ul>
 *   <li>A cache needs {@code list} and {@code watch} on what it watches, on its own server, in the namespaces it watches. This
 *       includes kinds that are only read or indexed. The report names the components that watch the kind.
 *   <li>A cache that selects namespaces by label needs {@code list} and {@code watch} on namespaces.
 *   <li>All other permissions that components require are needed on the server of the manager.
 * </ul>
 */
public final class PermissionCheck {

    private static final Logger LOG = LoggerFactory.getLogger(PermissionCheck.class);
    private static final Set<String> WATCH_VERBS = Set.of("list", "watch");

    private static final RequiredPermission EVENTS =
            RequiredPermission.on("events.k8s.io", "events", "create", "patch");

    private final ManagerOptions options;
    private final List<ManagedComponent> components;
    private final List<LeaseStatus> leases;
    private final ServerComponent own;

    /** A permission, who needs it and where. */
    private record NeededPermission(String component, ServerComponent cluster, RequiredPermission permission) {}

    public PermissionCheck(
            ManagerOptions options, List<ManagedComponent> components, List<LeaseStatus> leases, ServerComponent own) {
        this.options = options;
        this.components = components;
        this.leases = leases;
        this.own = own;
    }

    /** Logs which permissions are missing on a cluster that has started; throws if the options ask for it. */
    public void preflight(ServerComponent asked) {
        Preflight mode = options.lifecycle().preflight();
        AccessQuestions questions = asked.questions();
        if (mode == Preflight.OFF || (mode == Preflight.REPORT && questions.isAnswered())) {
            return;
        }
        PermissionReport report = report(List.of(asked), cluster -> questions);
        String problem = report.problem();
        if (!problem.isEmpty()) {
            questions
                    .warnings()
                    .log(
                            problem,
                            occurrence -> LOG.warn(
                                    "Could not check the permissions of this operator (R4J-003): {}{}",
                                    problem,
                                    occurrence.suffix()));
        }
        if (report.isComplete()) {
            return;
        }
        StringBuilder text =
                new StringBuilder("permissions are missing on the API server (R4J-002):\n").append(report.table());
        for (String cluster : report.clusters()) {
            report.accounts(cluster)
                    .forEach(account -> text.append("Add them to the role of the ")
                            .append(account.isEmpty() ? "account" : "service account " + account)
                            .append(cluster.isEmpty() ? "" : " on " + cluster)
                            .append(
                                    ", or bind these roles to it, and add their rules if you have applied some of an earlier report:\n")
                            .append(report.yaml(
                                    options.name() + "-missing" + account.replaceFirst("^.*/", "-"),
                                    cluster,
                                    account)));
        }
        if (mode == Preflight.FAIL) {
            throw new MissingPermissionsException(text.toString());
        }
        LOG.warn("Preflight: {}", text);
    }

    public PermissionReport report() {
        return report(clusters(), ServerComponent::newQuestions);
    }

    /** A cluster that does not answer does not keep the others from being asked. */
    private PermissionReport report(
            List<ServerComponent> asked, Function<ServerComponent, AccessQuestions> questionsOf) {
        Set<NeededPermission> needs = needs();
        List<Missing> missing = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (ServerComponent cluster : asked) {
            AccessQuestions questions = questionsOf.apply(cluster);
            questions.startAttempt();
            try {
                needs.stream()
                        .filter(need -> need.cluster() == cluster)
                        .forEach(need -> review(need, questions, missing));
                questions.endAttempt();
            } catch (ApiException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return new PermissionReport(missing, String.join("; ", problems));
    }

    private Set<NeededPermission> needs() {
        Set<NeededPermission> needs = new LinkedHashSet<>();
        clusters().forEach(cluster -> needs.addAll(cacheNeeds(cluster)));
        for (ManagedComponent component : components) {
            for (RequiredPermission permission : component.requiredPermissions()) {
                if (!isWatchedByACache(permission)) {
                    ServerComponent cluster = clusterOf(component);
                    inNamespaces(permission)
                            .forEach(each -> needs.add(new NeededPermission(component.name(), cluster, each)));
                }
            }
        }
        if (options.client().mode() == WriteMode.NORMAL) {
            needs.addAll(eventNeeds());
        }
        leases.stream()
                .flatMap(PermissionCheck::leasePermissions)
                .forEach(each -> needs.add(new NeededPermission("leader election", own, each)));
        return needs;
    }

    /** Events of the operator, if it records any, and those about Leases, which the manager records. */
    private List<NeededPermission> eventNeeds() {
        List<RequiredPermission> recorded = own.recordsEvents() ? inNamespaces(EVENTS) : List.of();
        Stream<RequiredPermission> aboutLeases = leases.stream()
                .map(lease -> EVENTS.inNamespace(lease.key().namespace()))
                .filter(needed -> !recorded.contains(EVENTS) && !recorded.contains(needed));
        Stream<RequiredPermission> ofAccounts = components.stream()
                .filter(component -> component.cluster().isEmpty())
                .flatMap(component -> component.requiredPermissions().stream())
                .map(RequiredPermission::account)
                .filter(account -> !account.isEmpty())
                .distinct()
                .flatMap(account -> recorded.stream().map(each -> each.forAccount(account)));
        return Stream.concat(
                        Stream.concat(recorded.stream(), ofAccounts)
                                .map(each -> new NeededPermission("event recorder", own, each)),
                        aboutLeases.map(each -> new NeededPermission("leader election", own, each)))
                .toList();
    }

    private List<ServerComponent> clusters() {
        return Stream.concat(
                        Stream.of(own),
                        components.stream()
                                .filter(ServerComponent.class::isInstance)
                                .map(ServerComponent.class::cast))
                .toList();
    }

    private ServerComponent clusterOf(ManagedComponent component) {
        return clusters().stream()
                .filter(cluster -> cluster.name().equals(component.cluster()))
                .findFirst()
                .orElse(own);
    }

    private List<NeededPermission> cacheNeeds(ServerComponent cluster) {
        List<NeededPermission> needs = new ArrayList<>();
        boolean follows = false;
        for (KindInfo kind : kinds(cluster)) {
            CachedNamespaces namespaces =
                    options.cache().of(Kind.of(kind.kind())).namespaces();
            follows |= kind.namespaced() && namespaces.isFollowed();
            Set<String> named = kind.namespaced() ? named(namespaces) : Set.of();
            RequiredPermission everywhere = RequiredPermission.watching(kind);
            for (String component : watchers(everywhere)) {
                scoped(everywhere, named).forEach(each -> needs.add(new NeededPermission(component, cluster, each)));
            }
        }
        if (follows) {
            needs.add(new NeededPermission("cache", cluster, RequiredPermission.onCore("namespaces", "list", "watch")));
        }
        return needs;
    }

    private static List<KindInfo> kinds(ServerComponent cluster) {
        return cluster.cache().kinds().stream().map(status -> status.kind()).toList();
    }

    /** The components that watch a kind; the cache itself if it is only read or indexed. */
    private Set<String> watchers(RequiredPermission watching) {
        Set<String> names = components.stream()
                .filter(component -> component.requiredPermissions().contains(watching))
                .map(ManagedComponent::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return names.isEmpty() ? Set.of("cache") : names;
    }

    /** The caches need this permission, on whichever server. */
    private boolean isWatchedByACache(RequiredPermission permission) {
        return permission.verbs().equals(WATCH_VERBS)
                && clusters().stream()
                        .flatMap(cluster -> kinds(cluster).stream())
                        .anyMatch(kind -> RequiredPermission.watching(kind).equals(permission));
    }

    /** RBAC cannot restrict the creation of an object by its name. */
    private static Stream<RequiredPermission> leasePermissions(LeaseStatus lease) {
        RequiredPermission create = RequiredPermission.on("coordination.k8s.io", "leases", "create")
                .inNamespace(lease.key().namespace());
        return Stream.of(
                create,
                create.withVerbs(Set.of("get", "update")).named(lease.key().name()));
    }

    /** A permission without a namespace is needed where the kind is watched, or where kinds are watched by default. */
    private List<RequiredPermission> inNamespaces(RequiredPermission permission) {
        if (!permission.namespace().isEmpty()) {
            return List.of(permission);
        }
        CacheOptions cache = options.cache();
        String resource = permission.resource().split("/", 2)[0];
        Set<String> named = kinds(own).stream()
                .filter(kind -> kind.kind().group().equals(permission.group())
                        && kind.plural().equals(resource))
                .findFirst()
                .map(kind ->
                        kind.namespaced() ? named(cache.of(Kind.of(kind.kind())).namespaces()) : Set.<String>of())
                .orElseGet(() -> named(cache.kindDefaults().namespaces()));
        return scoped(permission, named);
    }

    private static List<RequiredPermission> scoped(RequiredPermission permission, Set<String> namespaces) {
        return namespaces.isEmpty()
                ? List.of(permission)
                : namespaces.stream().sorted().map(permission::inNamespace).toList();
    }

    /** The namespaces in which permissions suffice, empty if they are needed in all. */
    private static Set<String> named(CachedNamespaces namespaces) {
        return namespaces.others() || namespaces.isFollowed() ? Set.of() : namespaces.named();
    }

    private static void review(NeededPermission need, AccessQuestions questions, List<Missing> missing) {
        Set<String> verbs = new HashSet<>();
        for (String verb : new TreeSet<>(need.permission().verbs())) {
            if (!questions.isAllowed(need.permission().withVerbs(Set.of(verb)), verb)) {
                verbs.add(verb);
            }
        }
        if (!verbs.isEmpty()) {
            missing.add(new Missing(
                    need.component(), need.cluster().name(), need.permission().withVerbs(verbs)));
        }
    }
}
