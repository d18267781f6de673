package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.external.ExternalRecord.UnclearRecordException;
import io.github.reconciler4j.finalizer.FinalizerNames;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes the record and the finalizer of an owner, each time for exactly one version of it. For one thread. */
final class OwnerWriter<T extends HasMetadata> {

    /** Not that of the controller, so that neither takes the fields of the other. */
    private static final WriteOptions WRITE = WriteOptions.defaults().withFieldManager("reconciler4j-external");

    private static final int MAX_ATTEMPTS = 10;

    /** The owner does not exist any more. */
    static final class OwnerGoneException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final Client client;
    private final String name;

    /** @param name of both the annotation and the finalizer */
    OwnerWriter(Client client, String name) {
        this.client = client;
        this.name = name;
    }

    /** Return whether nothing is written: then nothing may be changed at the provider. */
    boolean isWithoutEffect() {
        return client.isDryRun();
    }

    /** Write the record, and the finalizer if it is missing. */
    T write(T owner, ExternalRecord record) throws OwnerGoneException {
        return write(owner, record, true);
    }

    /** Remove the record, and the finalizer unless another resource follows. */
    T release(T owner, boolean keepFinalizer) throws OwnerGoneException {
        return write(owner, null, keepFinalizer);
    }

    /**
     * Write what a creation led to, whatever else of the owner has changed meanwhile. Empty if the owner is gone.
     *
     * @throws ConflictException if another process has started a creation
     */
    Optional<T> complete(T owner, ExternalRecord attempt, ExternalRecord record) {
        T current = owner;
        for (int attempts = 1; ; attempts++) {
            try {
                return Optional.of(write(current, record));
            } catch (OwnerGoneException e) {
                return Optional.empty();
            } catch (ConflictException e) {
                Optional<T> live = live(owner);
                if (live.isEmpty()) {
                    return Optional.empty();
                }
                if (attempts == MAX_ATTEMPTS || !isOf(live.get(), attempt)) {
                    throw e;
                }
                current = live.get();
            }
        }
    }

    private boolean isOf(T live, ExternalRecord attempt) {
        try {
            return ExternalRecord.read(live, name, attempt)
                    .filter(record -> record.attempt().equals(attempt.attempt()))
                    .isPresent();
        } catch (UnclearRecordException e) {
            return false;
        }
    }

    private T write(T owner, @Nullable ExternalRecord record, boolean finalizer) throws OwnerGoneException {
        ObjectMeta metadata = owner.getMetadata();
        Map<String, @Nullable Object> annotations = new HashMap<>();
        annotations.put(name, record == null ? null : record.json());
        Map<String, Object> changed = new LinkedHashMap<>();
        changed.put(
                "uid", Objects.requireNonNull(metadata.getUid(), "'owner' must have been read from the API server"));
        changed.put(
                "resourceVersion",
                Objects.requireNonNull(metadata.getResourceVersion(), "'owner' must have a resourceVersion"));
        changed.put("annotations", annotations);
        boolean isThere = FinalizerNames.has(owner, name);
        if (isThere != finalizer && !(finalizer && metadata.getDeletionTimestamp() != null)) {
            List<String> finalizers =
                    new ArrayList<>(Objects.requireNonNullElse(metadata.getFinalizers(), List.<String>of()));
            if (finalizer) {
                finalizers.add(name);
            } else {
                finalizers.removeIf(name::equals);
            }
            changed.put("finalizers", finalizers);
        }
        try {
            return client.patch(owner, ObjectPatch.merge(Map.of("metadata", changed)), WRITE);
        } catch (NotFoundException e) {
            throw new OwnerGoneException();
        }
    }

    private Optional<T> live(T owner) {
        ObjectKey key = ObjectKey.of(
                Objects.requireNonNullElse(owner.getMetadata().getNamespace(), ""),
                owner.getMetadata().getName());
        Optional<? extends HasMetadata> found = owner instanceof GenericKubernetesResource
                ? client.live().get(Kind.of(owner.getApiVersion(), owner.getKind()), key)
                : client.live().get(owner.getClass(), key);
        @SuppressWarnings("unchecked") // the read was for this class or for the generic form
        Optional<T> typed = (Optional<T>) found;
        return typed.filter(live ->
                Objects.equals(live.getMetadata().getUid(), owner.getMetadata().getUid()));
    }
}
