package io.github.reconciler4j.controllers.internal.support;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Adopts and releases objects. An owner adopts only after the API server has said that it is still there and not being
 * deleted, since the cache may be late.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Claims {

    private final Client client;
    private final List<String> finalizers;

    /** Create one that writes with this client. */
    public Claims(Client client) {
        this(client, List.of());
    }

    /**
     * Create one that writes with this client.
     *
     * @param finalizers what adopted objects get beside their owner, and released ones lose
     */
    public Claims(Client client, List<String> finalizers) {
        this.client = client;
        this.finalizers = List.copyOf(finalizers);
    }

    /**
     * Return the candidates that belong to the owner, after it has adopted those that match and released those that no
     * longer do. All candidates are tried before a failure is thrown.
     */
    public <T extends HasMetadata> List<T> claim(HasMetadata owner, Predicate<T> matches, Collection<T> candidates) {
        List<T> claimed = new ArrayList<>();
        ApiException failure = null;
        boolean checked = false;
        for (T candidate : candidates) {
            try {
                switch (Claim.of(owner, matches.test(candidate), candidate)) {
                    case KEEP -> claimed.add(candidate);
                    case ADOPT -> {
                        if (!checked) {
                            checkStillThere(owner);
                            checked = true;
                        }
                        adopt(owner, candidate).ifPresent(claimed::add);
                    }
                    case RELEASE -> release(owner, candidate);
                    case IGNORE -> {}
                }
            } catch (ApiException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return claimed;
    }

    private void checkStillThere(HasMetadata owner) {
        HasMetadata fresh =
                client.live().get(owner.getClass(), ObjectKey.of(owner)).orElse(null);
        String name = owner.getKind() + " " + ObjectKey.of(owner);
        if (fresh == null
                || !fresh.getMetadata().getUid().equals(owner.getMetadata().getUid())) {
            throw new IllegalStateException(name + " is gone and cannot adopt anything");
        }
        if (fresh.getMetadata().getDeletionTimestamp() != null) {
            throw new IllegalStateException(name + " is being deleted and cannot adopt anything");
        }
    }

    private <T extends HasMetadata> Optional<T> adopt(HasMetadata owner, T object) {
        Map<String, Object> reference = Map.of(
                "apiVersion", owner.getApiVersion(),
                "kind", owner.getKind(),
                "name", owner.getMetadata().getName(),
                "uid", owner.getMetadata().getUid(),
                "controller", true,
                "blockOwnerDeletion", true);
        try {
            return Optional.of(client.patch(object, ownerPatch(object, reference, "finalizers")));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    private void release(HasMetadata owner, HasMetadata object) {
        try {
            client.patch(
                    object,
                    ownerPatch(
                            object,
                            Map.of(
                                    "$patch",
                                    "delete",
                                    "uid",
                                    owner.getMetadata().getUid()),
                            "$deleteFromPrimitiveList/finalizers"));
        } catch (NotFoundException | InvalidObjectException e) {
            // The object is gone, or another one has taken its name: it is not the owner's either way.
        }
    }

    /** Fails if there is another object of this name by now, as a uid cannot be changed. */
    private ObjectPatch ownerPatch(HasMetadata object, Map<String, Object> reference, String finalizerField) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", object.getMetadata().getUid());
        metadata.put("ownerReferences", List.of(reference));
        if (!finalizers.isEmpty()) {
            metadata.put(finalizerField, finalizers);
        }
        return ObjectPatch.strategic(Map.of("metadata", metadata));
    }

    /** Return whether a request failed because its namespace is being deleted, so that trying again is of no use. */
    public static boolean isNamespaceTerminating(@Nullable Throwable failure) {
        return failure instanceof ApiException e
                && e.causes().stream().anyMatch(cause -> cause.reason().equals("NamespaceTerminating"));
    }
}
