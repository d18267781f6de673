package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.AccessNeed;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which rights a manager's components need, and the manager itself. */
final class AccessNeeds {

    private AccessNeeds() {}

    static Map<String, List<AccessNeed>> of(Manager manager) {
        Map<String, List<AccessNeed>> needs = new LinkedHashMap<>();
        for (ManagedComponent component : manager.components()) {
            needs.put(
                    component.name(),
                    inNamespaces(component.needs(), manager.options().cache(), manager));
        }
        needs.put("event recorder", List.of(new AccessNeed("events.k8s.io", "events", Set.of("create", "patch"), "")));
        List<AccessNeed> leases = new ArrayList<>();
        for (LeaseStatus lease : manager.leases()) {
            leases.add(new AccessNeed(
                    "coordination.k8s.io",
                    "leases",
                    Set.of("get", "create", "update"),
                    lease.key().namespace()));
        }
        needs.put("leader election", leases.stream().distinct().toList());
        return needs;
    }

    /** What is watched in some namespaces only is needed there only. */
    private static List<AccessNeed> inNamespaces(List<AccessNeed> needs, CacheOptions cache, Manager manager) {
        List<AccessNeed> expanded = new ArrayList<>();
        for (AccessNeed need : needs) {
            Set<String> namespaces = new TreeSet<>();
            for (KindInfo kind : cachedKinds(manager)) {
                GroupVersionKind name = kind.kind();
                if (kind.namespaced()
                        && name.group().equals(need.group())
                        && kind.plural().equals(need.resource())) {
                    namespaces.addAll(single(cache.of(name).namespaces()));
                }
            }
            if (need.namespace().isEmpty() && !namespaces.isEmpty()) {
                namespaces.forEach(namespace -> expanded.add(need.inNamespace(namespace)));
            } else {
                expanded.add(need);
            }
        }
        return expanded;
    }

    /** The namespaces in which rights suffice; none if they are needed in all. */
    private static Set<String> single(CachedNamespaces namespaces) {
        return namespaces.others() || namespaces.isFollowed() ? Set.of() : namespaces.named();
    }

    private static List<KindInfo> cachedKinds(Manager manager) {
        return manager.cache().kinds().stream().map(status -> status.kind()).toList();
    }
}
