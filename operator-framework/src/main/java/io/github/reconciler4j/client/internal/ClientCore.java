package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.scheme.UnknownKindException;
import java.util.List;
import java.util.Optional;

/**
 * What the parts of one client share. Immutable.
 *
 * @param sender sends its calls
 * @param applied what was applied last
 * @param codec its JSON
 * @param scheme the kinds it knows
 * @param discovery where unknown kinds are looked up
 * @param wiring what it is connected to
 * @param options its settings
 * @param namespace the only namespace it works in, {@code ""} for all
 */
record ClientCore(
        CallSender sender,
        AppliedMemory applied,
        ObjectCodec codec,
        Scheme scheme,
        Discovery discovery,
        ClientWiring wiring,
        ClientOptions options,
        String namespace) {

    ClientCore withOptions(ClientOptions newOptions) {
        return new ClientCore(sender, applied, codec, scheme, discovery, wiring, newOptions, namespace);
    }

    ClientCore withNamespace(String newNamespace) {
        return new ClientCore(sender, applied, codec, scheme, discovery, wiring, options, newNamespace);
    }

    ApiResponse send(ClientCall call) {
        try {
            return sender.send(call, options);
        } catch (KindNotServedException e) {
            // What discovery knows of this kind is out of date.
            discovery.forget();
            throw call.subresource().isEmpty() ? e : ofSubresource(call, e);
        } catch (NotFoundException e) {
            refused(call);
            throw call.subresource().isEmpty() ? e : ofSubresource(call, e);
        } catch (ConflictException | AlreadyExistsException e) {
            refused(call);
            throw e;
        }
    }

    /** The server reports a subresource that the kind does not have as if the object did not exist. */
    private NotFoundException ofSubresource(ClientCall call, NotFoundException failure) {
        KindInfo kind = call.kind();
        Optional<Discovery.ServedKind> served;
        try {
            served = discovery.find(kind.kind());
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
                                + kind.kind().version() + " in the CustomResourceDefinition " + kind.resource()
                        : text);
    }

    /** A conflict of an apply is about who owns a field, not about the object's state. */
    private void refused(ClientCall call) {
        if (call.verb().isWrite() && call.verb() != Verb.APPLY && !call.dryRun()) {
            call.key().ifPresent(key -> wiring.listener.refused(call.kind(), key));
        }
    }

    boolean isDryRun(boolean asked) {
        return asked || options.mode() != WriteMode.NORMAL || DryRunScope.isActive();
    }

    KindInfo kindOf(Class<? extends HasMetadata> type) {
        return scheme.kindOf(type);
    }

    /** The kind of an object; a generic one of an unknown kind is looked up on the server. */
    KindInfo kindOf(HasMetadata object) {
        try {
            return scheme.kindOf(object);
        } catch (UnknownKindException e) {
            if (object.getApiVersion() == null || object.getKind() == null) {
                throw e;
            }
            return lookUp(GroupVersionKind.of(object.getApiVersion(), object.getKind()), e);
        }
    }

    /** A kind by name; an unknown one is looked up on the server. */
    KindInfo kindOf(GroupVersionKind kind) {
        try {
            return scheme.kindOf(kind);
        } catch (UnknownKindException e) {
            return lookUp(kind, e);
        }
    }

    private KindInfo lookUp(GroupVersionKind kind, UnknownKindException unknown) {
        KindInfo found = discovery.find(kind).orElseThrow(() -> unknown).info();
        scheme.register(found);
        return found;
    }

    /** The key within this client's namespace, checked. */
    ObjectKey key(KindInfo kind, ObjectKey key) {
        if (!kind.namespaced()) {
            return key.namespace().isEmpty() ? key : ObjectKey.ofName(key.name());
        }
        String in = namespace(kind, key.namespace());
        if (in.isEmpty()) {
            throw new IllegalArgumentException(kind.kind().kind() + " '" + key.name()
                    + "' needs a namespace: name one, or use a client in a namespace");
        }
        return in.equals(key.namespace()) ? key : ObjectKey.of(in, key.name());
    }

    /** The options within this client's namespace, checked. */
    ListOptions scoped(KindInfo kind, ListOptions options) {
        return options.withNamespace(kind.namespaced() ? namespace(kind, options.namespace()) : "");
    }

    /** A namespace that was asked for within this client's namespace; {@code ""} stays if this client has none. */
    String namespace(KindInfo kind, String asked) {
        if (namespace.isEmpty() || asked.equals(namespace)) {
            return asked;
        }
        if (asked.isEmpty()) {
            return namespace;
        }
        throw new IllegalArgumentException("This client works in namespace '" + namespace + "' only, but was given a "
                + kind.kind().kind() + " in '" + asked + "'");
    }
}
