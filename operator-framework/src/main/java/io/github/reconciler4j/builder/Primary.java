package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The kind a controller is for, by class or in its generic form.
 *
 * @param <T> the class of its objects
 */
final class Primary<T extends HasMetadata> {

    private final Function<Scheme, KindInfo> kind;
    private final Function<Cache, Informer<T>> informer;
    private final BiFunction<Reader, ObjectKey, Optional<T>> read;

    private Primary(
            Function<Scheme, KindInfo> kind,
            Function<Cache, Informer<T>> informer,
            BiFunction<Reader, ObjectKey, Optional<T>> read) {
        this.kind = kind;
        this.informer = informer;
        this.read = read;
    }

    static <T extends HasMetadata> Primary<T> ofType(Class<T> type) {
        return new Primary<>(
                scheme -> scheme.kindOf(type), cache -> cache.informer(type), (reader, key) -> reader.get(type, key));
    }

    static Primary<GenericKubernetesResource> ofKind(GroupVersionKind kind) {
        return new Primary<>(
                scheme -> scheme.kindOf(kind), cache -> cache.informer(kind), (reader, key) -> reader.get(kind, key));
    }

    KindInfo kind(Manager manager) {
        return kind.apply(manager.scheme());
    }

    Function<Cache, Informer<T>> informer() {
        return informer;
    }

    /**
     * Reads the object from the cache and hands it to the reconciler; without an object there is nothing to do. One that
     * does not fit its class can only be mended by a change, which is an event, so trying again is useless.
     */
    RequestReconciler<Request> adapt(Manager manager, ObjectReconciler<T> reconciler) {
        Cache cache = manager.cache();
        return (request, context) -> {
            Optional<T> object = read(cache, request.key());
            return object.isPresent() ? reconciler.reconcile(object.get(), context) : Result.done();
        };
    }

    private Optional<T> read(Cache cache, ObjectKey key) {
        try {
            return read.apply(cache, key);
        } catch (UndecodableObjectException e) {
            throw new TerminalException("The object cannot be read", e);
        }
    }
}
