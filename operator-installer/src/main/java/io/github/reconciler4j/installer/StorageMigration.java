package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates objects that are stored in former versions, on the leader, and removes these versions from the definition.
 *
 * <p>A server that loses a version while objects are stored in it can not read these objects any more. Only this class knows
 * that no object is left: {@code status.storedVersions} is also shortened by a StorageVersionMigration that has failed, and by hand. So
 * a version is removed only by a process that has rewritten each object itself, see {@link ObjectRewrite}, and only if uid and
 * generation of the definition are the same as before. Nothing of this is stored: a process that ends at any point leaves a
 * definition that has its former versions, and the next one starts again. For the same reason two of them do no harm.
 *
 * <p>The thread is the only one that uses the fields after {@link #start}, until {@link #stop} has joined it.
 */
final class StorageMigration implements ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(StorageMigration.class);

    /** How often the removal is repeated if others have changed the definition, but not its versions. */
    private static final int REMOVALS = 20;

    private static final long PAUSE = Duration.ofMillis(10).toNanos();

    private final Manager manager;
    private final List<CustomResourceDefinition> definitions;
    private final CrdInstaller installer;
    private final CrdInstaller.Pace pace;
    private final LogLimiter failures = new LogLimiter();
    private final Map<String, ObjectRewrite> rewrites = new HashMap<>();
    private final List<CustomResourceDefinition> left = new ArrayList<>();
    private int rounds;
    private @Nullable Thread thread;

    StorageMigration(
            Manager manager,
            List<CustomResourceDefinition> definitions,
            CrdInstaller installer,
            CrdInstaller.Pace pace) {
        this.manager = manager;
        this.definitions = definitions;
        this.installer = installer;
        this.pace = pace;
    }

    @Override
    public String name() {
        return "storage-migration";
    }

    @Override
    public List<RequiredPermission> requiredPermissions() {
        List<RequiredPermission> permissions = new ArrayList<>();
        for (CustomResourceDefinition definition : definitions) {
            permissions.add(RequiredPermission.on(CrdInstaller.GROUP, CrdInstaller.RESOURCE + "/status", "patch")
                    .named(DefinitionState.name(definition)));
            permissions.add(RequiredPermission.on(
                    definition.getSpec().getGroup(),
                    definition.getSpec().getNames().getPlural(),
                    "list",
                    "patch"));
        }
        return permissions;
    }

    @Override
    public void start() {
        if (manager.options().client().mode() != WriteMode.NORMAL) {
            return;
        }
        left.clear();
        left.addAll(definitions);
        rounds = 0;
        Thread started = Threads.daemon(
                manager.options().name() + "-storage-migration", () -> Threads.repeat(this::migrateLeft, this::failed));
        thread = started;
        started.start();
    }

    /**
     * Migrates each definition that is left, and returns whether to continue. A definition that fails does not prevent the others from being
     * migrated.
     */
    private boolean migrateLeft() {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        try {
            for (CustomResourceDefinition definition : List.copyOf(left)) {
                if (isDone(definition)) {
                    left.remove(definition);
                }
            }
            if (left.isEmpty()) {
                return false;
            }
            manager.options().timeSource().sleep(Nanos.of(pace.retry().delay(rounds++)));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** An error outside of a definition's migration, for example because the memory is full: the next round may succeed. */
    private void failed(Throwable failure) {
        failures.log(
                LogLimiter.cause(failure),
                occurrence -> LOG.warn(
                        "The migration of stored objects failed, retrying{}",
                        occurrence.suffix(failure),
                        occurrence.trace(failure)));
        manager.options().timeSource().park(this, PAUSE);
    }

    private boolean isDone(CustomResourceDefinition definition) throws InterruptedException {
        try {
            return migrate(definition);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) { // an Error as well: the migration is tried again
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            String name = DefinitionState.name(definition);
            failures.log(
                    List.of(name, LogLimiter.cause(e)),
                    occurrence -> LOG.warn(
                            "Cannot migrate the stored objects of {}, retrying: {}{}",
                            name,
                            Causes.message(e),
                            occurrence.suffix(),
                            occurrence.trace(e)));
            return false;
        }
    }

    /** Returns whether nothing is left to migrate. */
    boolean migrate(CustomResourceDefinition declared) throws Exception {
        CustomResourceDefinition live = installer.install(declared);
        CustomResourceDefinition definition = installer.wanted(declared, live);
        String name = DefinitionState.name(definition);
        if (installer.isNewer(live)) {
            return true; // that operator migrates the objects
        }
        List<String> stored = DefinitionState.storedVersions(live);
        if (stored.isEmpty()) {
            return false;
        }
        if (isMigrated(definition, live)) {
            rewrites.remove(name);
            return true;
        }
        ObjectRewrite rewrite = rewrites.get(name);
        if (rewrite == null || !rewrite.isFor(live)) {
            LOG.info(
                    "Migrating the objects of {} to {}; they may be stored in {}",
                    name,
                    DefinitionState.storageVersion(definition),
                    mayBeStoredIn(definition, live));
            rewrite = new ObjectRewrite(manager.client(), kind(definition), live);
            settle();
            rewrites.put(name, rewrite);
        }
        rewrite.run();
        return removeFormerVersions(definition, live, rewrite);
    }

    private static boolean isMigrated(CustomResourceDefinition definition, CustomResourceDefinition live) {
        return DefinitionState.storedVersions(live).equals(List.of(DefinitionState.storageVersion(definition)))
                && DefinitionState.formerVersions(definition, live).isEmpty();
    }

    private static Set<String> mayBeStoredIn(CustomResourceDefinition definition, CustomResourceDefinition live) {
        Set<String> versions = new TreeSet<>(DefinitionState.storedVersions(live));
        DefinitionState.formerVersions(definition, live).forEach(version -> versions.add(version.getName()));
        return versions;
    }

    /** Returns the kind in a version that objects can be read in. */
    private static KindName kind(CustomResourceDefinition definition) {
        String version = DefinitionState.servedVersion(definition);
        if (version.isEmpty()) {
            throw new IllegalStateException("the definition " + DefinitionState.name(definition)
                    + " serves no version, so its objects cannot be read: serve one until they are migrated");
        }
        return KindName.of(
                definition.getSpec().getGroup() + "/" + version,
                definition.getSpec().getNames().getKind());
    }

    /** Waits until no request stores objects in the former storage version. */
    private void settle() throws InterruptedException {
        TimeSource time = manager.options().timeSource();
        long start = time.nanoTime();
        while (time.nanoTime() - start < pace.settle().toNanos()) {
            time.sleep(Nanos.of(pace.poll()));
        }
    }

    /**
     * Removes the versions that no object is stored in. Returns false if the definition is no longer the one that the objects were
     * rewritten for. Each write is refused if the definition has changed since it was read.
     */
    private boolean removeFormerVersions(
            CustomResourceDefinition definition, CustomResourceDefinition live, ObjectRewrite rewrite) {
        CustomResourceDefinition now = live;
        for (int attempt = 0; attempt < REMOVALS; attempt++) {
            try {
                String storage = DefinitionState.storageVersion(definition);
                if (!DefinitionState.storedVersions(now).equals(List.of(storage))) {
                    now = setStoredVersion(now, storage);
                }
                if (!DefinitionState.formerVersions(definition, now).isEmpty()) {
                    installer.removeFormerVersions(definition, now);
                }
                LOG.info("The objects of {} are stored in {}", DefinitionState.name(definition), storage);
                rewrites.remove(DefinitionState.name(definition));
                return true;
            } catch (ConflictException e) {
                LOG.debug("Others have changed {}", DefinitionState.name(definition), e);
            }
            Optional<CustomResourceDefinition> read = installer.read(definition);
            if (read.isEmpty() || !rewrite.isFor(read.get())) {
                return false;
            }
            now = read.get();
        }
        throw new IllegalStateException("others change the definition all the time: find out who does from its managed"
                + " fields. Until then the definition keeps the former version");
    }

    private CustomResourceDefinition setStoredVersion(CustomResourceDefinition live, String storage) {
        return manager.client()
                .status()
                .patch(
                        live,
                        ObjectPatch.merge(Map.of("status", Map.of("storedVersions", List.of(storage))))
                                .lockedTo(live));
    }

    @Override
    public void stop(Duration grace) {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
            Threads.join(
                    running, grace.isNegative() ? Duration.ofSeconds(30) : Nanos.sum(grace, Duration.ofSeconds(1)));
            thread = null;
        }
    }

    /**
     * Rewrites all objects of a definition in its storage version and remembers which were, so that another attempt continues. What
     * it remembers is true for one generation of one definition: in another one the storage version may be another.
     *
     * <p>Nothing that can be read from the API server shows which version an object is stored in. But the server encodes an object
     * for each patch, even an empty one, and stores it if the bytes differ. So an object is stored in the storage version if and only if
     * a patch of it succeeded. Used by one thread.
     */
    private static final class ObjectRewrite {

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
            List<ObjectHeader> left = pending(list().stream()
                    .filter(object -> first.contains(object.uid()))
                    .toList());
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
                                + " version that they are stored in to the definition again",
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
                            + " that refuses them. Until then the definition keeps the former version",
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
}
