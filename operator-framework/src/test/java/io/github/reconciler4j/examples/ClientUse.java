package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What reading and writing look like. */
final class ClientUse {

    private final Client client;

    ClientUse(Client client) {
        this.client = client;
    }

    void use(ConfigMap wanted) {
        ObjectKey key = ObjectKey.of("shop", "settings");
        Optional<ConfigMap> cached = client.get(ConfigMap.class, key);
        List<ConfigMap> all = client.list(Kind.of(ConfigMap.class), Selection.inNamespace("shop"));
        Optional<ConfigMap> fresh = client.live().get(ConfigMap.class, key);

        client.apply(wanted); // creates or changes it; sends nothing if nothing would change
        client.patch(wanted, ObjectPatch.merge(Map.of("data", Map.of("mode", "fast"))));
        client.retryOnConflict(ConfigMap.class, key, current -> {
            current.getData().put("count", Integer.toString(all.size()));
            return client.update(current);
        });
        client.delete(wanted, DeletionOptions.exactly(fresh.or(() -> cached).orElse(wanted)));
    }
}
