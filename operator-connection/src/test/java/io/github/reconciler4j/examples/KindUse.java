package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.scheme.Scheme;
import java.util.List;
import java.util.Optional;

/** What names of kinds and objects look like. */
final class KindUse {

    private KindUse() {}

    static List<Kind<?>> kinds() {
        Kind<ConfigMap> typed = Kind.of(ConfigMap.class);
        Kind<GenericKubernetesResource> generic = Kind.of("cert-manager.io/v1", "Certificate");
        Kind<ObjectHeader> metadata = typed.metadata();
        return List.of(typed, generic, metadata);
    }

    static Scheme scheme() {
        KindName certificate = KindName.of("cert-manager.io/v1", "Certificate");
        return Scheme.create().register(new KindInfo(certificate, "certificates", true));
    }

    static String path(Scheme scheme, HasMetadata object) {
        return scheme.kindOf(object).path(ObjectKey.of(object));
    }

    static List<ObjectKey> keys() {
        ObjectKey settings = ObjectKey.of("shop", "settings");
        ObjectKey node = ObjectKey.ofName("node-1"); // without a namespace
        return List.of(settings, node);
    }

    static Optional<ObjectKey> controller(ObjectHeader header) {
        return header.ownerReferences().stream()
                .filter(OwnerRef::controller)
                .map(owner -> ObjectKey.of(header.key().namespace(), owner.name()))
                .findFirst();
    }

    static boolean isStuck(ObjectHeader header) {
        return header.isBeingDeleted() && header.finalizers().contains("example.com/page");
    }

    static boolean selects(LabelSelector selector, ObjectHeader header) {
        LabelMatcher frontends = LabelMatcher.parse("app in (web, api), !legacy");
        return frontends.matches(header.labels()) && LabelMatcher.of(selector).matches(header.labels());
    }
}
