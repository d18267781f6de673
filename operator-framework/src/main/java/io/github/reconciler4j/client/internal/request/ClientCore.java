package io.github.reconciler4j.client.internal.request;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader.Stored;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.scheme.UnknownKindException;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.PathSegments;
import io.github.reconciler4j.support.internal.RetryPace;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one client share. Immutable.
 *
 * @since 0.1.0
 */
public final class ClientCore {

    private static final String OWNED_BY_ANOTHER = "FieldManagerConflict";

    private final Shared shared;
    private final ClientOptions options;
    private final String namespace;

    private ClientCore(Shared shared, ClientOptions options, String namespace) {
        this.shared = shared;
        this.options = options;
        this.namespace = namespace;
    }

    /** Create the core of a client for all namespaces. */
    public static ClientCore create(Shared shared, ClientOptions options) {
        return new ClientCore(shared, options, "");
    }

    /** Return a copy with the given options. */
    public ClientCore withOptions(ClientOptions newOptions) {
        return new ClientCore(shared, newOptions, namespace);
    }

    /**
     * Return a copy for one namespace.
     *
     * @throws IllegalArgumentException if it cannot be part of a path
     */
    public ClientCore withNamespace(String newNamespace) {
        return new ClientCore(shared, options, PathSegments.check("namespace", newNamespace));
    }

    /** Return a copy whose requests wait for a pace and are not repeated. */
    public ClientCore paced(RetryPace pace) {
        Shared paced = new Shared(shared.sender.paced(pace), shared.scheme, shared.discovery, shared.wires);
        return new ClientCore(paced, options, namespace);
    }

    /** Return the options. */
    public ClientOptions options() {
        return options;
    }

    /** Return the only namespace of the client, {@code ""} for all. */
    public String namespace() {
        return namespace;
    }

    /** Return the kinds that the client knows. */
    public Scheme scheme() {
        return shared.scheme;
    }

    /** Return the discovery of the server. */
    public Discovery discovery() {
        return shared.discovery;
    }

    /** Return the listener of writes. */
    public WriteListener listener() {
        return shared.wires.listener();
    }

    /** Return the field manager of threads that belong to no controller. */
    public String defaultFieldManager() {
        return shared.wires.defaultFieldManager();
    }

    /** Return the states of objects that are known without a request. */
    public KnownObjects known() {
        return shared.wires.known();
    }

    /** Send a call. */
    public ApiResponse send(ClientCall call) {
        try {
            return shared.sender.send(call, options);
        } catch (KindNotServedException e) {
            discovery().forget(); // it knows the kind, or the kind would not have been found
            throw call.subresource().isEmpty() ? e : ofSubresource(call, e);
        } catch (NotFoundException e) {
            refused(call, e);
            throw call.subresource().isEmpty() ? e : ofSubresource(call, e);
        } catch (ConflictException | AlreadyExistsException e) {
            refused(call, e);
            throw e;
        } catch (ApiException e) {
            if (call.verb().isWrite() && !call.dryRun() && CallSender.mayHaveBeenCarriedOut(e)) {
                call.key().ifPresent(key -> listener().unanswered(call.kind(), key));
            }
            throw e;
        }
    }

    /** The server reports a subresource that the kind does not have as if the object did not exist. */
    private NotFoundException ofSubresource(ClientCall call, NotFoundException failure) {
        KindInfo kind = call.kind();
        Optional<Discovery.ServedKind> served;
        try {
            served = discovery().find(kind.kind());
        } catch (ApiException e) {
            return failure;
        }
        if (served.isEmpty() || served.get().subresources().contains(call.subresource())) {
            return failure;
        }
        String text = Call.describe(call) + ": " + kind.kind() + " has no subresource '" + call.subresource() + "'";
        return new KindNotServedException(
                List.of("status", "scale").contains(call.subresource())
                        ? text + "; declare 'subresources." + call.subresource() + "' for version "
                                + kind.kind().version() + " in the definition " + kind.resource() + " (R4J-015)"
                        : text);
    }

    /** Notify the listener of a refusal, unless that is about the owner of a field, not about the state of the object. */
    private void refused(ClientCall call, ApiException refusal) {
        boolean isOwnership =
                refusal.causes().stream().anyMatch(cause -> cause.reason().equals(OWNED_BY_ANOTHER));
        if (call.verb().isWrite() && !isOwnership && !call.dryRun()) {
            call.key().ifPresent(key -> listener().refused(call.kind(), key));
        }
    }

    /** Return whether a write is a dry run, by its options, those of the client, or the scope of the thread. */
    public boolean isDryRun(boolean requested) {
        return requested || options.mode() != WriteMode.NORMAL || DryRunScope.isActive();
    }

    /** Return whether a write is a dry run for another reason than that this client observes or plans. */
    public boolean isCallerDryRun(boolean requested) {
        return requested || options.mode() == WriteMode.DRY_RUN || DryRunScope.isActive();
    }

    /** Return the kind of a class. */
    public KindInfo kindOf(Class<? extends HasMetadata> type) {
        return scheme().kindOf(type);
    }

    /** Return the kind of an object; an unknown one of a generic resource is looked up on the server. */
    public KindInfo kindOf(HasMetadata object) {
        try {
            return scheme().kindOf(object);
        } catch (UnknownKindException e) {
            if (object.getApiVersion() == null || object.getKind() == null) {
                throw e;
            }
            return lookUp(KindName.of(object.getApiVersion(), object.getKind()));
        }
    }

    /** Return the plural and scope of a kind; an unknown one without a class is looked up on the server. */
    public KindInfo kindOf(Kind<?> kind) {
        try {
            return scheme().kindOf(kind);
        } catch (UnknownKindException e) {
            if (kind.type().isPresent()) {
                throw e;
            }
            return lookUp(kind.name());
        }
    }

    private KindInfo lookUp(KindName kind) {
        KindInfo found = discovery()
                .find(kind)
                .orElseThrow(() -> new UnknownKindException("The API server does not serve " + kind
                        + ": install its CustomResourceDefinition, or correct 'apiVersion' and 'kind' (R4J-016)"))
                .info();
        scheme().register(found);
        return found;
    }

    /**
     * Return a key within the namespace of this client.
     *
     * @throws IllegalArgumentException if the namespace is missing or another, or if the key cannot be part of a path
     */
    public ObjectKey key(KindInfo kind, ObjectKey key) {
        PathSegments.check("name", key.name());
        if (!kind.namespaced()) {
            return key.namespace().isEmpty() ? key : ObjectKey.ofName(key.name());
        }
        String in = namespace(kind, key.namespace());
        if (in.isEmpty()) {
            throw new IllegalArgumentException(kind.kind().kind() + " '" + key.name()
                    + "' needs a namespace: name one, or use a client for one namespace");
        }
        PathSegments.check("namespace", in);
        return in.equals(key.namespace()) ? key : ObjectKey.of(in, key.name());
    }

    /** Return options within the namespace of this client; see {@link #key}. */
    public Selection scoped(KindInfo kind, Selection requested) {
        String in = kind.namespaced() ? namespace(kind, requested.namespace()) : "";
        return requested.withNamespace(in.isEmpty() ? in : PathSegments.check("namespace", in));
    }

    /**
     * Return the requested namespace, or the one of this client if none is requested.
     *
     * @throws IllegalArgumentException if this client is for another namespace
     */
    public String namespace(KindInfo kind, String requested) {
        if (namespace.isEmpty() || requested.equals(namespace)) {
            return requested;
        }
        if (requested.isEmpty()) {
            return namespace;
        }
        throw new IllegalArgumentException("This client is for namespace '" + namespace + "', but was given a "
                + kind.kind().kind() + " in namespace '" + requested + "'");
    }

    /**
     * What a client and those derived from it share.
     *
     * @param sender sends calls
     * @param scheme the kinds that the client knows
     * @param discovery where unknown kinds are looked up
     * @param wires what the client is connected to
     * @since 0.1.0
     */
    public record Shared(CallSender sender, Scheme scheme, Discovery discovery, WriteContext wires) {}

    /**
     * What a client is connected to besides the server.
     *
     * @param listener receives the responses to writes
     * @param defaultFieldManager the field manager of threads that belong to no controller
     * @param known the states of objects that are known without a request
     * @since 0.1.0
     */
    public record WriteContext(WriteListener listener, String defaultFieldManager, KnownObjects known) {}

    /**
     * Finds the JSON that an object was read from, without a request: in the cache, or among the last objects that the server has
     * sent. Writes need it, since the object itself contains only what its class knows. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class KnownObjects {

        private static final int SIZE = 64;
        private static final int MAX_BYTES = 64 * 1024;

        private final LruMap<ObjectId, ReceivedObject> received = new LruMap<>(SIZE);
        private final @Nullable ReadYourWritesReader cache;

        /** Create it with a cache, or null. */
        public KnownObjects(@Nullable ReadYourWritesReader cache) {
            this.cache = cache;
        }

        private record ObjectId(KindName kind, ObjectKey key) {}

        /** What the server has sent, and the object that was made of it. */
        private record ReceivedObject(Stored stored, WeakReference<HasMetadata> object) {}

        /** Remember what the server has sent. */
        public void received(KindInfo kind, ObjectKey key, HasMetadata object, byte[] json) {
            String version = object.getMetadata().getResourceVersion();
            if (version != null && json.length <= MAX_BYTES) {
                received.put(
                        new ObjectId(kind.kind(), key),
                        new ReceivedObject(new Stored(version, json, false), new WeakReference<>(object)));
            }
        }

        /**
         * Return the state that an object was read in. A cache may have kept less of it than the server has sent, so it matters
         * where the object was read.
         *
         * @param cached whether the client reads the kind from the cache
         */
        public Optional<Stored> find(KindInfo kind, ObjectKey key, HasMetadata object, boolean cached) {
            String version = object.getMetadata().getResourceVersion();
            ReceivedObject last = received.get(new ObjectId(kind.kind(), key));
            Optional<Stored> sent = Optional.ofNullable(last)
                    .map(ReceivedObject::stored)
                    .filter(stored -> stored.resourceVersion().equals(version));
            if (sent.isPresent() && last != null && last.object.get() == object) {
                return sent;
            }
            Optional<Stored> stored = stored(kind, key, cached)
                    .filter(state -> state.resourceVersion().equals(version));
            return stored.isPresent() ? stored : sent;
        }

        /** Return the newest state that is known; see {@link #find}. */
        public Optional<Stored> newest(KindInfo kind, ObjectKey key, boolean cached) {
            ReceivedObject last = received.get(new ObjectId(kind.kind(), key));
            Optional<Stored> stored = stored(kind, key, cached);
            if (last == null) {
                return stored;
            }
            boolean older = stored.isPresent()
                    && !isNotAfter(stored.get().resourceVersion(), last.stored().resourceVersion());
            return older ? stored : Optional.of(last.stored());
        }

        private Optional<Stored> stored(KindInfo kind, ObjectKey key, boolean cached) {
            return cache == null || !cached ? Optional.empty() : cache.stored(kind, key);
        }

        /** Versions are numbers of any length. */
        private static boolean isNotAfter(String one, String other) {
            return one.length() == other.length() ? one.compareTo(other) <= 0 : one.length() < other.length();
        }
    }
}
