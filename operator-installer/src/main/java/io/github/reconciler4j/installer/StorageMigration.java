package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

    /** If replicas divide the work, and without an election, there is no leader: each replica migrates, which does no harm. */
    @Override
    public StartGroup group() {
        ManagerOptions options = manager.options();
        return options.division().isPresent() && options.leaderElection().isEmpty()
                ? StartGroup.ALL_REPLICAS
                : StartGroup.LEADER_ELECTED;
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
                    + " serves no version, so its objects cannot be read: serve one until they are migrated (R4J-504)");
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
}
