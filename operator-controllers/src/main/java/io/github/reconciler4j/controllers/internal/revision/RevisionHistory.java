package io.github.reconciler4j.controllers.internal.revision;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.controllers.internal.support.Candidates;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Reads and writes the revisions of the owners of one kind.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class RevisionHistory {

    /**
     * A revision, and how many names were taken before one was found for it.
     *
     * @param revision as the server has it
     * @param collisionCount the one that made its name
     */
    public record Created(ControllerRevision revision, int collisionCount) {}

    private final Client client;
    private final Claims claims;
    private final Candidates<ControllerRevision> candidates;

    /** Create one; this adds an index of revisions to the cache. */
    public RevisionHistory(Client client, Cache cache) {
        this.client = client;
        this.claims = new Claims(client);
        this.candidates = new Candidates<>(client, cache, ControllerRevision.class);
    }

    /** Return the revisions of an owner, oldest first, after it has adopted and released what its selector says. */
    public List<ControllerRevision> claim(HasMetadata owner, Predicate<ControllerRevision> matches) {
        return claims.claim(owner, matches, candidates.of(owner)).stream()
                .sorted(Revisions.OLDEST_FIRST)
                .toList();
    }

    /**
     * Return the revisions of an owner that its selector selects, oldest first, after it has adopted those without a
     * controller. The owner keeps the others, unseen.
     */
    public List<ControllerRevision> adopt(HasMetadata owner, Predicate<ControllerRevision> matches) {
        List<ControllerRevision> selected =
                candidates.of(owner).stream().filter(matches).toList();
        return claims.claim(owner, revision -> true, selected).stream()
                .sorted(Revisions.OLDEST_FIRST)
                .toList();
    }

    /**
     * Create a revision. If its name is taken by one with the same template, that one is returned; by another one, the
     * next name is tried.
     *
     * @param template of the revision
     * @param describe returns the revision for a collision count
     * @param collisionCount the first count
     */
    public Created create(TemplateData template, IntFunction<ControllerRevision> describe, int collisionCount) {
        for (int count = collisionCount; ; count++) {
            ControllerRevision wanted = describe.apply(count);
            try {
                return new Created(client.create(wanted), count);
            } catch (AlreadyExistsException e) {
                ControllerRevision present = client.live()
                        .get(ControllerRevision.class, ObjectKey.of(wanted))
                        .orElseThrow(() -> e);
                if (Revisions.data(present).equals(template)) {
                    return new Created(present, count);
                }
            }
        }
    }

    /** Give a revision another number. */
    public ControllerRevision renumber(ControllerRevision revision, long number) {
        return client.patch(revision, ObjectPatch.merge(Map.of("revision", number)));
    }

    /** Set a label of a revision. */
    public ControllerRevision label(ControllerRevision revision, String label, String value) {
        return client.patch(revision, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of(label, value)))));
    }

    /** Delete revisions; those that are gone already are no failure. */
    public void delete(List<ControllerRevision> revisions) {
        revisions.forEach(client::delete);
    }
}
