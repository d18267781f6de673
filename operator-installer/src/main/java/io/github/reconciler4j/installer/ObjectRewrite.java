package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rewrites all objects of a definition in its storage version and remembers which were, so that another attempt continues. What
 * it remembers is true for one generation of one definition: in another one the storage version may be another.
 *
 * <p>Nothing that can be read from the API server shows which version an object is stored in. But the server encodes an object
 * for each patch, even an empty one, and stores it if the bytes differ. So an object is stored in the storage version if and only if
 * a patch of it succeeded. Used by one thread.
 */
final class ObjectRewrite {

    private static final Logger LOG = LoggerFactory.getLogger(StorageMigration.class);

    /** More than so many refusals in a row are taken for a missing permission, or a rule that concerns all objects. */
    private static final int MAX_REFUSALS_IN_A_ROW = 20;

    /** How many refusals end an attempt after the first one, so that a server that keeps refusing is asked seldom. */
    private static final int MAX_REFUSALS_AGAIN = 5;

    /** Objects that are created later are stored in the storage version anyway. */
    private static final int PASSES = 4;

    private static final int NAMES = 5;
    private static final int MAX_WORDS = 500;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY_REQUESTS = 429;

    private final Client client;
    private final KindName kind;
    private final String name;
    private final String storage;
    private final String uid;
    private final long generation;
    private final Set<String> rewritten = new HashSet<>();

    /** The uids of objects that were refused, least recently first. */
    private final Set<String> refused = new LinkedHashSet<>();

    private boolean again;

    ObjectRewrite(Client client, KindName kind, CustomResourceDefinition live) {
        this.client = client;
        this.kind = kind;
        name = DefinitionState.name(live);
        storage = DefinitionState.storageVersion(live);
        uid = live.getMetadata().getUid();
        generation = live.getMetadata().getGeneration();
    }

    /** Whether the definition is still the one that objects are rewritten for. */
    boolean isFor(CustomResourceDefinition live) {
        return uid.equals(live.getMetadata().getUid())
                && generation == live.getMetadata().getGeneration()
                && !DefinitionState.isDeleted(live);
    }

    /**
     * Rewrites all objects that are not rewritten yet.
     *
     * @throws IllegalStateException if one cannot be rewritten, with a message that names it
     */
    void run() throws InterruptedException {
        Set<String> first = new HashSet<>();
        for (int pass = 0; pass < PASSES; pass++) {
            List<ObjectHeader> all = list();
            List<ObjectHeader> pending = pending(all);
            if (pass == 0) {
                pending.forEach(object -> first.add(object.uid()));
            }
            if (pending.isEmpty()) {
                return;
            }
            patch(pending, all.size());
        }
        List<ObjectHeader> left = pending(
                list().stream().filter(object -> first.contains(object.uid())).toList());
        if (!left.isEmpty()) {
            throw new IllegalStateException("the API server lists " + left.size() + " objects of " + name
                    + " that it does not find, or that others change all the time: " + names(left));
        }
    }

    private List<ObjectHeader> list() {
        try {
            return client.live().list(Kind.of(kind).metadata(), Selection.all());
        } catch (ApiException e) {
            if (!concernsObject(e)) {
                throw e;
            }
            throw new IllegalStateException(
                    "the objects of " + name + " cannot be listed as " + kind.version() + ": " + words(e)
                            + ". Permit the operator to list them, correct the conversion of the objects, or add the"
                            + " version that they are stored in to the definition again (R4J-505)",
                    e);
        }
    }

    /** Returns the objects that are not rewritten: first those that were not tried, then those that were refused. */
    private List<ObjectHeader> pending(List<ObjectHeader> objects) {
        Map<String, @Nullable ObjectHeader> failed = new LinkedHashMap<>();
        refused.forEach(object -> failed.put(object, null));
        List<ObjectHeader> pending = new ArrayList<>();
        for (ObjectHeader object : objects) {
            if (failed.containsKey(object.uid())) {
                failed.put(object.uid(), object);
            } else if (!rewritten.contains(object.uid())) {
                pending.add(object);
            }
        }
        failed.values().stream().filter(Objects::nonNull).forEach(pending::add);
        return pending;
    }

    /** An object that the server refuses does not prevent the others from being rewritten. */
    private void patch(List<ObjectHeader> pending, int total) throws InterruptedException {
        List<ObjectHeader> failed = new ArrayList<>();
        ApiException reason = null;
        int inARow = 0;
        int tried = 0;
        boolean repeated = again;
        again = true;
        for (ObjectHeader object : pending) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (inARow > MAX_REFUSALS_IN_A_ROW || repeated && failed.size() >= MAX_REFUSALS_AGAIN) {
                break;
            }
            tried++;
            @Nullable ApiException refusal = patch(object);
            inARow = refusal == null ? 0 : inARow + 1;
            if (refusal != null) {
                failed.add(object);
                reason = reason == null ? refusal : reason;
            }
        }
        if (reason != null) {
            throw refusal(failed, pending.size() - tried, total, reason);
        }
    }

    /** Returns why the server refuses the object, null if it does not. An object that has changed is listed again. */
    private @Nullable ApiException patch(ObjectHeader object) {
        refused.remove(object.uid());
        try {
            GenericKubernetesResource now =
                    client.patch(Kind.of(kind), object.key(), ObjectPatch.merge(Map.of()), WriteOptions.defaults());
            rewritten.add(now.getMetadata().getUid());
            return null;
        } catch (NotFoundException | ConflictException e) {
            LOG.debug("{} {} was changed by others", kind, object.key(), e);
            return null;
        } catch (ApiException e) {
            if (!concernsObject(e)) {
                throw e;
            }
            refused.add(object.uid());
            return e;
        }
    }

    /** Whether an object may be the reason why it is refused, and not the state of the API server: webhooks deny with any of these. */
    private static boolean concernsObject(ApiException refused) {
        int code = refused.code();
        return code >= 400 && code <= 500 && code != UNAUTHORIZED && code != TOO_MANY_REQUESTS;
    }

    private IllegalStateException refusal(List<ObjectHeader> failed, int untried, int total, ApiException reason) {
        return new IllegalStateException(
                failed.size() + " of " + total + " objects of " + name + " cannot be stored in " + storage + ": "
                        + names(failed)
                        + (untried == 0 ? "" : "; " + untried + " others were not tried")
                        + ". The first answer of the API server: " + words(reason)
                        + ". Correct or delete these objects, or change the policy, webhook, schema, conversion or role"
                        + " that refuses them. Until then the definition keeps the former version (R4J-506)",
                reason);
    }

    private static String names(List<ObjectHeader> objects) {
        String named = objects.stream()
                .limit(NAMES)
                .map(object -> object.key().toString())
                .collect(Collectors.joining(", "));
        return named + (objects.size() > NAMES ? " and " + (objects.size() - NAMES) + " more" : "");
    }

    private static String words(ApiException answer) {
        String words = String.valueOf(answer.getMessage()).replaceAll("\\s+", " ");
        return words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS) + "...";
    }
}
