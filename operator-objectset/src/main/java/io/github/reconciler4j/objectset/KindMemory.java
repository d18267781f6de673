package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kinds that a set has ever used, in an annotation of the owner. Each write is for the version of the owner that it was
 * computed from, so that another process or a late cache loses no kind.
 */
final class KindMemory {

    static final String ANNOTATION = "reconciler4j.io/set-kinds";

    /** Not that of the controller, so that neither takes the fields of the other. */
    static final String FIELD_MANAGER = "reconciler4j-objectset";

    private static final String OPTIONAL = "optional:";
    private static final String LABELED = "label:";
    private static final int MAX_ATTEMPTS = 5;

    private final Client client;
    private final Kind<?> ownerKind;
    private final ObjectKey ownerKey;
    private final String ownerUid;
    private final String annotation;

    /** Whether the server has what was read or written. */
    private boolean confirmed;

    KindMemory(Client client, Kind<?> ownerKind, ObjectKey ownerKey, String ownerUid, String set) {
        this.client = client;
        this.ownerKind = ownerKind;
        this.ownerKey = ownerKey;
        this.ownerUid = ownerUid;
        this.annotation = set.isEmpty() ? ANNOTATION : ANNOTATION + "." + set;
    }

    /**
     * A kind that was used.
     *
     * @param labeled whether for objects that cannot refer to the owner, which Kubernetes does not delete with it
     * @param optional whether the controller need not watch it, because it may be absent
     */
    record UsedKind(KindName kind, boolean labeled, boolean optional) {

        String text() {
            return (optional ? OPTIONAL : "") + (labeled ? LABELED : "") + kind.apiVersion() + "/" + kind.kind();
        }

        static Optional<UsedKind> parse(String text) {
            boolean optional = text.startsWith(OPTIONAL);
            String rest = optional ? text.substring(OPTIONAL.length()) : text;
            boolean labeled = rest.startsWith(LABELED);
            try {
                KindName kind = Kind.parse(labeled ? rest.substring(LABELED.length()) : rest)
                        .name();
                return Optional.of(new UsedKind(kind, labeled, optional));
            } catch (IllegalArgumentException e) {
                return Optional.empty(); // the annotation was edited by hand
            }
        }
    }

    /** The owner does not exist any more. */
    static final class OwnerGoneException extends Exception {

        private static final long serialVersionUID = 1L;
    }

    /** Return the kinds that the cached owner remembers, oldest first. */
    Set<UsedKind> read() throws OwnerGoneException {
        return read(header(false));
    }

    private Set<UsedKind> read(ObjectHeader header) {
        Set<UsedKind> kinds = new LinkedHashSet<>();
        for (String text : header.annotations().getOrDefault(annotation, "").split(",")) {
            UsedKind.parse(text.trim()).ifPresent(kinds::add);
        }
        return kinds;
    }

    private ObjectHeader header(boolean live) throws OwnerGoneException {
        Optional<ObjectHeader> found =
                live ? client.live().get(ownerKind.metadata(), ownerKey) : client.get(ownerKind.metadata(), ownerKey);
        return found.filter(header -> header.uid().equals(ownerUid)).orElseThrow(OwnerGoneException::new);
    }

    /** Remember kinds. Sends nothing if the cached owner remembers them. */
    Set<UsedKind> add(Set<UsedKind> kinds) throws OwnerGoneException {
        return change(known -> known.addAll(kinds), false);
    }

    /**
     * Remember kinds of which an object is about to become one of the owner. The cached owner of a process that has just started can
     * be from before the former process forgot them, so the server is asked once.
     */
    void confirm(Set<UsedKind> kinds) throws OwnerGoneException {
        if (confirmed) {
            return;
        }
        try {
            change(known -> known.addAll(kinds), !PlanScope.isActive());
        } catch (ForbiddenException e) {
            ObjectHeader cached = header(false);
            write(cached, read(cached)); // a conflict if it is late
        }
        confirmed = true;
    }

    /** Forget kinds of which nothing is left. */
    void remove(Set<UsedKind> kinds) throws OwnerGoneException {
        change(known -> known.removeAll(kinds), false);
    }

    private Set<UsedKind> change(Consumer<Set<UsedKind>> change, boolean live) throws OwnerGoneException {
        @Nullable ConflictException conflict = null;
        for (int attempt = 1; ; attempt++) {
            ObjectHeader header = conflict == null ? header(live) : headerAfter(conflict);
            Set<UsedKind> before = read(header);
            Set<UsedKind> after = new LinkedHashSet<>(before);
            change.accept(after);
            if (after.equals(before)) {
                return after;
            }
            try {
                write(header, after);
                confirmed = true;
                return after;
            } catch (NotFoundException e) {
                throw new OwnerGoneException();
            } catch (ConflictException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                conflict = e;
            }
        }
    }

    /** Without the permission to read the owner from the server, the next reconciliation has a newer one in the cache. */
    private ObjectHeader headerAfter(ConflictException conflict) throws OwnerGoneException {
        try {
            return header(true);
        } catch (ForbiddenException e) {
            throw conflict;
        }
    }

    private void write(ObjectHeader header, Set<UsedKind> kinds) {
        GenericKubernetesResource owner = new GenericKubernetesResource();
        owner.setApiVersion(ownerKind.apiVersion());
        owner.setKind(ownerKind.kind());
        owner.setMetadata(new ObjectMetaBuilder()
                .withNamespace(ownerKey.namespace().isEmpty() ? null : ownerKey.namespace())
                .withName(ownerKey.name())
                .build());
        Map<String, @Nullable Object> annotations = new HashMap<>();
        annotations.put(
                annotation,
                kinds.isEmpty() ? null : kinds.stream().map(UsedKind::text).collect(Collectors.joining(",")));
        Map<String, Object> metadata =
                Map.of("uid", header.uid(), "resourceVersion", header.resourceVersion(), "annotations", annotations);
        client.patch(
                owner,
                ObjectPatch.merge(Map.of("metadata", metadata)),
                WriteOptions.defaults().withFieldManager(FIELD_MANAGER));
    }
}
