package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.UnknownKindException;
import java.util.Optional;

/** Finds out whether the API server serves the kinds that references name, and whether their objects have a namespace. */
final class OwnerKinds {

    private final Client client;

    OwnerKinds(Client client) {
        this.client = client;
    }

    /** A kind that is served, for requests. */
    record Served(Kind<GenericKubernetesResource> kind, boolean namespaced) {

        /** Return the object in the namespace that its kind needs. */
        ObjectId place(ObjectId object) {
            return namespaced ? object : object.inNamespace("");
        }
    }

    /** Return the kind; empty if the API server does not serve it now, which can change. */
    Optional<Served> find(ObjectId object) {
        KindName name;
        try {
            name = KindName.of(object.apiVersion(), object.kind());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return client.discovery().find(name).map(Discovery.ServedKind::info).flatMap(this::registered);
    }

    private Optional<Served> registered(KindInfo info) {
        try {
            client.scheme().register(info);
        } catch (UnknownKindException e) {
            return Optional.empty(); // a definition with another plural or scope has replaced the one that was there
        }
        return Optional.of(new Served(Kind.of(info.kind()), info.namespaced()));
    }
}
