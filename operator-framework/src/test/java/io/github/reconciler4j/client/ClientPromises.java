package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;

/** What the promises of the client have in common. */
interface ClientPromises {

    Duration TIME_LIMIT = Duration.ofSeconds(60);

    /** Return a client with all permissions. */
    Client client();

    /** Return the connection of {@link #client}. */
    ApiConnection connection();

    /** Return the namespace of the test. */
    String namespace();

    /** Return the calls of the write listener as text. */
    List<String> notified();

    default ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withName(name).withNamespace(namespace()).build();
    }

    default ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withMetadata(named(name))
                .addToData("a", "1")
                .build();
    }

    default Gadget gadget(String name) {
        Gadget gadget = new Gadget();
        gadget.setMetadata(named(name));
        gadget.setSpec(new Gadget.Spec());
        gadget.getSpec().replicas = 1;
        return gadget;
    }

    default ObjectKey key(String name) {
        return ObjectKey.of(namespace(), name);
    }

    default GenericKubernetesResource generic(String apiVersion, String kind, String name) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(apiVersion);
        object.setKind(kind);
        object.setMetadata(named(name));
        return object;
    }

    default Pod pod(String name) {
        return new PodBuilder()
                .withMetadata(named(name))
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("a")
                .endContainer()
                .endSpec()
                .build();
    }

    /** Return a client that adds its requests to {@code writes}. */
    default Client counting(List<String> writes) {
        return client().intercepted((call, next) -> {
            if (call.verb().isWrite()) {
                writes.add((call.verb().word() + " " + call.subresource()).strip());
            }
            return next.proceed(call);
        });
    }
}
