package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.UnknownKindException;
import java.util.Optional;

/** What the garbage collector asks the API server for, never the cache. */
interface GarbageApi {

    /** A kind that is served, for requests. */
    record Served(Kind<GenericKubernetesResource> kind, boolean namespaced) {

        /** Return the object in the namespace that its kind needs. */
        ObjectId place(ObjectId object) {
            return namespaced ? object : object.inNamespace("");
        }
    }

    /** Return the kind of an object; empty if the API server does not serve it now, which can change. */
    Optional<Served> kindOf(ObjectId object);

    /** Return the metadata of whatever has the name of an object. */
    Optional<ObjectHeader> read(Served served, ObjectId object);

    /** Return whatever has the name of an object. */
    Optional<GenericKubernetesResource> readWhole(Served served, ObjectId object);

    /** Delete an object; false if it does not exist. */
    boolean delete(Served served, ObjectId object, DeletionOptions options);

    /** Patch an object. */
    void patch(Served served, ObjectId object, ObjectPatch patch);

    /** Forget which kinds are served. */
    void forgetKinds();

    /** Return the real one. */
    static GarbageApi of(Client client) {
        return new OfClient(client);
    }

    /** Sends the requests. */
    record OfClient(Client client) implements GarbageApi {

        @Override
        public Optional<Served> kindOf(ObjectId object) {
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
                return Optional
                        .empty(); // a definition with another plural or scope has replaced the one that was there
            }
            return Optional.of(new Served(Kind.of(info.kind()), info.namespaced()));
        }

        @Override
        public Optional<ObjectHeader> read(Served served, ObjectId object) {
            return client.live()
                    .get(served.kind().metadata(), served.place(object).key());
        }

        @Override
        public Optional<GenericKubernetesResource> readWhole(Served served, ObjectId object) {
            return client.live().get(served.kind(), served.place(object).key());
        }

        @Override
        public boolean delete(Served served, ObjectId object, DeletionOptions options) {
            return client.delete(served.kind(), served.place(object).key(), options);
        }

        @Override
        public void patch(Served served, ObjectId object, ObjectPatch patch) {
            client.patch(served.kind(), served.place(object).key(), patch, WriteOptions.defaults());
        }

        @Override
        public void forgetKinds() {
            client.discovery().forget();
        }
    }
}
