package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeleteOptions;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Backoff;
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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates objects that are stored in former versions, on the leader, so that these versions can be dropped. Kubernetes
 * 1.37 does it for a StorageVersionMigration. Older servers rewrite an object in the current version for any patch, even an
 * empty one; after the last object the migration removes the former versions from the definition's status, provided that
 * the definition has not changed meanwhile.
 *
 * <p>A server that loses a version while objects are stored in it can no longer read these objects. Two causes lead there.
 * An API server stores objects in the former version until it has noticed that the definition has changed. And the controller
 * of Kubernetes 1.37 may still patch the former version, which is not served any more, and takes the 404 for an object that
 * needs no migration. So the migration starts some seconds after the definition has changed, and patches each object that
 * still has its old resourceVersion at the end.
 *
 * <p>The thread is the only one that uses the fields after {@link #start}, until {@link #stop} has joined it.
 */
final class StorageMigration implements ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(StorageMigration.class);

    private static final GroupVersionKind MIGRATION =
            GroupVersionKind.of("storagemigration.k8s.io/v1", "StorageVersionMigration");

    private static final Backoff RETRY = Backoff.of(Duration.ofSeconds(1), Duration.ofMinutes(5));
    private static final Duration POLL = Duration.ofMillis(500);

    /** All API servers store objects in the new version after this time. Kubernetes waits as long for a new definition. */
    private static final Duration SETTLE = Duration.ofSeconds(5);

    /** The server starts a migration when its garbage collector knows the kind, which takes up to 40 seconds. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    /** More than so many refusals in a row are taken for a fault of the API server, or a missing permission. */
    private static final int MAX_REFUSALS_IN_A_ROW = 20;

    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY_REQUESTS = 429;

    /** After this time this replica patches the objects that are left. */
    private static final Duration RUN_TIMEOUT = Duration.ofHours(1);

    private final Manager manager;
    private final List<CustomResourceDefinition> definitions;
    private final CrdInstaller installer;
    private final LogLimiter failures = new LogLimiter();
    private @Nullable Thread thread;

    StorageMigration(Manager manager, List<CustomResourceDefinition> definitions, CrdInstaller installer) {
        this.manager = manager;
        this.definitions = definitions;
        this.installer = installer;
    }

    @Override
    public String name() {
        return "storage-migration";
    }

    @Override
    public List<RequiredPermission> requiredPermissions() {
        List<RequiredPermission> permissions = new ArrayList<>();
        permissions.add(RequiredPermission.on(MIGRATION.group(), "storageversionmigrations", "create"));
        for (CustomResourceDefinition definition : definitions) {
            String name = CrdInstaller.name(definition);
            permissions.add(RequiredPermission.on(CrdInstaller.GROUP, CrdInstaller.RESOURCE + "/status", "patch")
                    .named(name));
            permissions.add(RequiredPermission.on(MIGRATION.group(), "storageversionmigrations", "get", "delete")
                    .named(name));
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
        Thread started = Threads.daemon(manager.options().name() + "-storage-migration", this::run);
        thread = started;
        started.start();
    }

    /** A definition that fails does not prevent the others from being migrated. */
    private void run() {
        List<CustomResourceDefinition> pending = new ArrayList<>(definitions);
        try {
            for (int rounds = 0; ; rounds++) {
                for (CustomResourceDefinition definition : List.copyOf(pending)) {
                    if (isDone(definition)) {
                        pending.remove(definition);
                    }
                }
                if (pending.isEmpty()) {
                    return;
                }
                pause(RETRY.delay(rounds));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits by the clock of the manager. */
    private void pause(Duration duration) throws InterruptedException {
        TimeSource time = manager.options().timeSource();
        Lock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        long end = time.nanoTime() + duration.toNanos();
        lock.lockInterruptibly();
        try {
            for (long left = duration.toNanos(); left > 0; left = end - time.nanoTime()) {
                time.await(never, left);
            }
        } finally {
            lock.unlock();
        }
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
            String name = CrdInstaller.name(definition);
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

    private boolean migrate(CustomResourceDefinition definition) throws Exception {
        Optional<CustomResourceDefinition> live = installer.read(definition);
        if (live.isEmpty() || live.get().getStatus() == null) {
            return false;
        }
        String storage = live.get().getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getStorage()))
                .map(CustomResourceDefinitionVersion::getName)
                .findFirst()
                .orElseThrow();
        if (!List.of(storage).equals(live.get().getStatus().getStoredVersions())) {
            LOG.info(
                    "Migrating the objects of {} from {} to {}",
                    CrdInstaller.name(definition),
                    live.get().getStatus().getStoredVersions(),
                    storage);
            pause(SETTLE);
            GroupVersionKind kind = GroupVersionKind.of(
                    definition.getSpec().getGroup() + "/" + storage,
                    definition.getSpec().getNames().getKind());
            Map<ObjectKey, String> before = resourceVersions(kind);
            boolean byServer = client().discovery().find(MIGRATION).isPresent();
            Progress progress = byServer ? migrateByServer(live.get()) : Progress.NOT_STARTED;
            if (progress == Progress.FAILED) {
                return false;
            }
            patchUnchanged(kind, before);
            if (progress == Progress.NOT_STARTED) {
                setStoredVersion(live.get(), storage);
            }
            LOG.info("The objects of {} are stored in {}", CrdInstaller.name(definition), storage);
        }
        installer.install(definition);
        return installer
                .read(definition)
                .map(now -> installer.isFinal(definition, now))
                .orElse(false);
    }

    /** How far the server is with a StorageVersionMigration. */
    private enum Progress {
        NOT_STARTED,
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /**
     * Creates a StorageVersionMigration and waits. The server removes former versions from the status at its end. Its
     * controller manager may run without the controller for this, so the wait for the start of the migration is limited.
     */
    private Progress migrateByServer(CustomResourceDefinition live) throws InterruptedException {
        ObjectKey key = ObjectKey.ofName(CrdInstaller.name(live));
        client().delete(MIGRATION, key, DeleteOptions.defaults());
        try {
            client().create(migration(live));
        } catch (AlreadyExistsException e) {
            return Progress.FAILED; // still being deleted
        }
        TimeSource time = manager.options().timeSource();
        long start = time.nanoTime();
        Progress progress = progress(key);
        while (progress == Progress.NOT_STARTED && time.nanoTime() - start < START_TIMEOUT.toNanos()
                || progress == Progress.RUNNING && time.nanoTime() - start < RUN_TIMEOUT.toNanos()) {
            Thread.sleep(POLL.toMillis());
            progress = progress(key);
        }
        if (progress != Progress.FAILED) {
            client().delete(MIGRATION, key, DeleteOptions.defaults());
        }
        if (progress == Progress.NOT_STARTED || progress == Progress.RUNNING) {
            LOG.info("The API server has not migrated {} in time; patching its objects instead", key.name());
            return Progress.NOT_STARTED;
        }
        return progress;
    }

    private static GenericKubernetesResource migration(CustomResourceDefinition live) {
        GenericKubernetesResource migration = new GenericKubernetesResource();
        migration.setApiVersion(MIGRATION.apiVersion());
        migration.setKind(MIGRATION.kind());
        migration.setMetadata(
                new ObjectMetaBuilder().withName(CrdInstaller.name(live)).build());
        String plural = live.getSpec().getNames().getPlural();
        migration.setAdditionalProperty(
                "spec", Map.of("resource", Map.of("group", live.getSpec().getGroup(), "resource", plural)));
        return migration;
    }

    private Progress progress(ObjectKey key) {
        Optional<GenericKubernetesResource> migration = client().live().get(MIGRATION, key);
        if (migration.isEmpty()) {
            LOG.warn("The StorageVersionMigration {} was deleted before its end", key.name());
            return Progress.FAILED;
        }
        Progress progress = Progress.NOT_STARTED;
        if (migration.get().get("status") instanceof Map<?, ?> status
                && status.get("conditions") instanceof List<?> conditions) {
            for (Object entry : conditions) {
                if (!(entry instanceof Map<?, ?> condition)) {
                    continue;
                }
                boolean isTrue = "True".equals(condition.get("status"));
                if (isTrue && "Succeeded".equals(condition.get("type"))) {
                    return Progress.SUCCEEDED;
                }
                if (isTrue && "Failed".equals(condition.get("type"))) {
                    LOG.warn("The StorageVersionMigration {} has failed: {}", key.name(), condition.get("message"));
                    return Progress.FAILED;
                }
                progress = Progress.RUNNING;
            }
        }
        return progress;
    }

    private Map<ObjectKey, String> resourceVersions(GroupVersionKind kind) {
        Map<ObjectKey, String> versions = new HashMap<>();
        for (ObjectHeader header : client().live().headers(kind, ListOptions.all())) {
            versions.put(header.key(), header.resourceVersion());
        }
        return versions;
    }

    /**
     * Patches each object that still has its resourceVersion. All others were deleted, or were written in the current version.
     * The patch changes nothing if the object is stored in the current version. An object that the server refuses does not
     * prevent the others from being patched.
     */
    private void patchUnchanged(GroupVersionKind kind, Map<ObjectKey, String> before) throws InterruptedException {
        List<ObjectKey> refused = new ArrayList<>();
        ApiException first = null;
        int inARow = 0;
        for (ObjectHeader header : client().live().headers(kind, ListOptions.all())) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (!header.resourceVersion().equals(before.get(header.key()))) {
                continue;
            }
            try {
                client().patch(kind, header.key(), Patch.merge(Map.of()), WriteOptions.defaults());
                inARow = 0;
            } catch (NotFoundException | ConflictException e) {
                LOG.debug("{} {} was changed by others", kind, header.key(), e);
                inARow = 0;
            } catch (ApiException e) {
                if (!concernsObject(e) || ++inARow > MAX_REFUSALS_IN_A_ROW) {
                    throw e;
                }
                refused.add(header.key());
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw new IllegalStateException(
                    "the API server cannot store " + refused.size() + " objects, for example " + refused.get(0) + ": "
                            + first.getMessage(),
                    first);
        }
    }

    /** Whether an object may be the reason why it is refused, and not the state of the API server: webhooks deny with any of these. */
    private static boolean concernsObject(ApiException refused) {
        int code = refused.code();
        return code >= 400 && code <= 500 && code != UNAUTHORIZED && code != TOO_MANY_REQUESTS;
    }

    private void setStoredVersion(CustomResourceDefinition live, String storage) {
        client().status()
                .patch(
                        live,
                        Patch.merge(Map.of("status", Map.of("storedVersions", List.of(storage))))
                                .lockedTo(live));
    }

    private Client client() {
        return manager.client();
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
