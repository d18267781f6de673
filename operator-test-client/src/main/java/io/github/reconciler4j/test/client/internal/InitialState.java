package io.github.reconciler4j.test.client.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Creates what the server has before the test starts. Used by one thread. */
public final class InitialState {

    private final Client client;

    /**
     * Create it.
     *
     * @param client creates the objects
     */
    public InitialState(Client client) {
        this.client = client;
    }

    /**
     * Install the definitions of kinds that Kubernetes does not serve itself.
     *
     * @param places where on the class path definitions are
     */
    public void define(Collection<KindInfo> kinds, List<String> places) {
        Map<String, List<KindInfo>> custom = kinds.stream()
                .distinct()
                .filter(kind -> !client.discovery().serves(kind.kind()))
                .collect(Collectors.groupingBy(KindInfo::resource, LinkedHashMap::new, Collectors.toList()));
        if (!custom.isEmpty()) {
            Definitions definitions = new Definitions(places);
            custom.values().forEach(versions -> client.create(definitions.of(versions)));
        }
    }

    /** Create namespaces that do not exist. */
    public void createNamespaces(Set<String> names) {
        for (String name : names) {
            if (!client.exists(Kind.of(Namespace.class), ObjectKey.ofName(name))) {
                client.create(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build());
            }
        }
    }

    /** Create objects in their order, with their status. */
    public void create(List<HasMetadata> objects) {
        objects.forEach(this::create);
    }

    private <T extends HasMetadata> void create(T object) {
        if (object.getMetadata().getName() == null) {
            client.create(object);
        } else {
            client.createOrPatch(object, same -> {});
        }
    }
}
