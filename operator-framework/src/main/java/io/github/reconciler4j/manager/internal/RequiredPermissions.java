package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Which rights a manager's components need, and the manager itself. */
final class RequiredPermissions {

    private static final RequiredPermission EVENTS =
            RequiredPermission.on("events.k8s.io", "events", "create", "patch");

    private RequiredPermissions() {}

    static Map<String, List<RequiredPermission>> of(Manager manager) {
        Map<String, List<RequiredPermission>> needs = new LinkedHashMap<>();
        for (ManagedComponent component : manager.components()) {
            needs.put(component.name(), inNamespaces(component.requiredPermissions(), manager));
        }
        if (manager.options().client().mode() == WriteMode.NORMAL) {
            needs.put("event recorder", inNamespaces(List.of(EVENTS), manager));
        }
        needs.put(
                "leader election",
                manager.status().leases().stream()
                        .flatMap(RequiredPermissions::lease)
                        .distinct()
                        .toList());
        return needs;
    }

    /** RBAC cannot allow the creation of an object by its name. */
    private static Stream<RequiredPermission> lease(LeaseStatus lease) {
        RequiredPermission create = RequiredPermission.on("coordination.k8s.io", "leases", "create")
                .inNamespace(lease.key().namespace());
        return Stream.of(
                create,
                create.withVerbs(Set.of("get", "update")).named(lease.key().name()));
    }

    private static List<RequiredPermission> inNamespaces(List<RequiredPermission> needs, Manager manager) {
        return needs.stream().flatMap(need -> inNamespaces(need, manager)).toList();
    }

    /** What is watched in some namespaces only is needed there only; so is what is not watched, unless it says where. */
    private static Stream<RequiredPermission> inNamespaces(RequiredPermission need, Manager manager) {
        Set<String> namespaces = namespaces(need, manager);
        return need.namespace().isEmpty() && !namespaces.isEmpty()
                ? namespaces.stream().sorted().map(need::inNamespace)
                : Stream.of(need);
    }

    private static Set<String> namespaces(RequiredPermission need, Manager manager) {
        String resource = need.resource().split("/", 2)[0];
        CacheOptions cache = manager.options().cache();
        return manager.cache().kinds().stream()
                .map(status -> status.kind())
                .filter(kind -> kind.kind().group().equals(need.group())
                        && kind.plural().equals(resource))
                .findFirst()
                .map(kind -> namespaces(kind, cache))
                .orElseGet(() -> single(cache.kindDefaults().namespaces()));
    }

    private static Set<String> namespaces(KindInfo kind, CacheOptions cache) {
        return kind.namespaced() ? single(cache.of(kind.kind()).namespaces()) : Set.of();
    }

    /** The namespaces in which rights suffice; none if they are needed in all. */
    private static Set<String> single(CachedNamespaces namespaces) {
        return namespaces.others() || namespaces.isFollowed() ? Set.of() : namespaces.named();
    }
}
