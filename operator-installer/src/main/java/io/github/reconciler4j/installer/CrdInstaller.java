package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RetryPace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs and upgrades CustomResourceDefinitions when the operator starts, before its caches.
 *
 * <p>Replicas of different versions may start at the same time and in any order, so there is no leader for this; the
 * definition itself decides. Two annotations contain the version of the operator that wrote it last, and a digest of what
 * it wrote.
 *
 * <ul>
 *   <li>The digest is the same: nothing is written.
 *   <li>A newer version wrote it: nothing is written, so old replicas in a rolling upgrade never revert it.
 *   <li>Otherwise the definition is applied with its resource version as a precondition. If another replica was faster, the
 *       server refuses the write and the installer reads the definition again.
 * </ul>
 *
 * <p>Server-side apply leaves what others have set: the CA bundle and the conversion of a definition that does not set them,
 * labels and annotations. After that the start waits until the definition is established and each served version is found
 * by discovery.
 *
 * <p>A version that the operator drops may still be the one that objects are stored in; the API server refuses to drop it.
 * Such a version is kept, not served, until {@link StorageMigration} has migrated the objects on the leader, which then
 * applies the definition again.
 *
 * <p>With {@link CrdInstallerOptions#withInstall} false, others install the definitions, such as a chart. Then the objects are
 * migrated to the storage version of the definition that the API server has, and the definition itself is not changed.
 *
 * <p>Needs permissions for the definitions by name; see {@link #requiredPermissions}. With a {@link WriteMode} that does not
 * write it does nothing. Safe for use by multiple threads.
 *
 * <!-- snippet: InstallerUse -->
 * <pre>{@code
 * CrdInstaller.addTo(manager, List.of(pages), CrdInstallerOptions.defaults());
 * manager.start(); // returns when the definition is served
 * }</pre>
 *
 * @since 0.1.0
 */
public final class CrdInstaller implements ManagedComponent {

    /** The annotation with the version of the operator that applied a definition last. */
    public static final String VERSION_ANNOTATION = "reconciler4j.io/crd-version";

    /** The annotation with a digest of what was applied last. */
    public static final String DIGEST_ANNOTATION = "reconciler4j.io/crd-digest";

    static final String GROUP = "apiextensions.k8s.io";
    static final String RESOURCE = "customresourcedefinitions";

    private static final Logger LOG = LoggerFactory.getLogger(CrdInstaller.class);
    private static final int ATTEMPTS = 8;

    /** How many requests the installation of one definition needs if nothing goes wrong. */
    private static final int HEALTHY = 4;

    private final Manager manager;
    private final List<CustomResourceDefinition> definitions;
    private final CrdInstallerOptions options;
    private final Pace pace;
    private final DefinitionStamp stamp;

    /** For all requests, whatever they are answered with. */
    private final RetryPace requests;

    private final UsableWait wait;

    private CrdInstaller(
            Manager manager, List<CustomResourceDefinition> definitions, CrdInstallerOptions options, Pace pace) {
        this.manager = manager;
        this.definitions = List.copyOf(definitions);
        this.options = options;
        this.pace = pace;
        this.stamp = new DefinitionStamp(manager.options().version());
        this.requests = new RetryPace(manager.options().timeSource(), pace.slowest(), HEALTHY * definitions.size());
        this.wait = new UsableWait(this, pace);
    }

    /**
     * Create an installer and add it to a manager, which must not have started.
     *
     * @param definitions the definitions; not modified
     * @throws IllegalArgumentException if the manager has an installer already, if two definitions have the same name, or if one
     *     is not complete; see {@link #check}
     */
    public static CrdInstaller addTo(
            Manager manager, List<CustomResourceDefinition> definitions, CrdInstallerOptions options) {
        return addTo(manager, definitions, options, Pace.DEFAULT);
    }

    static CrdInstaller addTo(
            Manager manager, List<CustomResourceDefinition> definitions, CrdInstallerOptions options, Pace pace) {
        Set<String> names = new HashSet<>();
        for (CustomResourceDefinition definition : definitions) {
            String problem = DefinitionState.problem(definition);
            if (!problem.isEmpty() || !names.add(DefinitionState.name(definition))) {
                throw new IllegalArgumentException("Invalid 'definitions': "
                        + (problem.isEmpty() ? "two have the name " + DefinitionState.name(definition) : problem));
            }
        }
        CrdInstaller installer = new CrdInstaller(manager, definitions, options, pace);
        manager.add(installer);
        return installer;
    }

    /**
     * Check that a definition is complete enough to be installed. The API server checks the rest.
     *
     * @throws IllegalArgumentException if it lacks its name, its group, the names of its kind, or the one version to store
     *     objects in
     */
    public static void check(CustomResourceDefinition definition) {
        String problem = DefinitionState.problem(definition);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException("Invalid 'definition': " + problem);
        }
    }

    @Override
    public String name() {
        return "crd-installer";
    }

    /** Return {@link StartGroup#WEBHOOKS}, the last group before the caches. */
    @Override
    public StartGroup group() {
        return StartGroup.WEBHOOKS;
    }

    /** Return the permissions to read the definitions of the operator and, if it installs them, to create and patch them. */
    @Override
    public List<RequiredPermission> requiredPermissions() {
        List<RequiredPermission> permissions = new ArrayList<>();
        if (options.install()) {
            permissions.add(RequiredPermission.on(GROUP, RESOURCE, "create"));
        }
        String[] verbs = options.install() ? new String[] {"get", "patch"} : new String[] {"get"};
        for (CustomResourceDefinition definition : definitions) {
            permissions.add(RequiredPermission.on(GROUP, RESOURCE, verbs)
                    .named(definition.getMetadata().getName()));
        }
        return permissions;
    }

    /** Return the migration of stored objects, if it is enabled. */
    @Override
    public List<ManagedComponent> companions() {
        return options.migrateStorage() ? List.of(new StorageMigration(manager, definitions, this, pace)) : List.of();
    }

    @Override
    public void start() throws ComponentNotReadyException, InterruptedException {
        if (!options.install()) {
            return;
        }
        if (manager.options().client().mode() != WriteMode.NORMAL) {
            LOG.info("The definitions are not installed, because the operator does not write");
            return;
        }
        installAll();
        long end = time().nanoTime() + Nanos.of(options.timeout());
        for (CustomResourceDefinition definition : definitions) {
            try {
                wait.await(definition, end);
            } catch (ApiException e) {
                throw notReady(definition, e);
            }
        }
    }

    /** A definition that cannot be installed does not prevent the others from being installed. */
    private void installAll() throws ComponentNotReadyException {
        ComponentNotReadyException first = null;
        for (CustomResourceDefinition definition : definitions) {
            try {
                install(definition);
            } catch (ComponentNotReadyException | ApiException e) {
                ComponentNotReadyException failure = notReady(definition, e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static ComponentNotReadyException notReady(CustomResourceDefinition definition, Exception failure) {
        return failure instanceof ComponentNotReadyException known
                ? known
                : new ComponentNotReadyException(
                        "the definition " + DefinitionState.name(definition) + " cannot be installed: "
                                + failure.getMessage(),
                        failure);
    }

    /**
     * Applies a definition unless it is up to date, a newer operator has applied it, or others install it.
     *
     * @return the definition of the API server
     */
    CustomResourceDefinition install(CustomResourceDefinition definition) throws ComponentNotReadyException {
        if (!options.install()) {
            return installed(definition);
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                Optional<CustomResourceDefinition> live = read(definition);
                if (live.isEmpty()) {
                    CustomResourceDefinition created = client().create(stamp.put(definition, List.of()));
                    LOG.info("Installed {}", DefinitionState.name(definition));
                    return created;
                }
                if (DefinitionState.isDeleted(live.get())) {
                    throw beingDeleted(live.get());
                }
                return isDue(definition, live.get())
                        ? apply(definition, live.get(), DefinitionState.formerVersions(definition, live.get()))
                        : live.get();
            } catch (ConflictException | AlreadyExistsException e) {
                LOG.debug("Another replica has changed {}", DefinitionState.name(definition), e);
            } catch (InvalidObjectException e) {
                throw new IllegalStateException(
                        "the API server refuses the definition " + DefinitionState.name(definition) + ": "
                                + e.getMessage(),
                        e);
            }
        }
        throw changedByOthers(definition, "it had another resourceVersion in each of " + ATTEMPTS + " attempts");
    }

    private boolean isDue(CustomResourceDefinition definition, CustomResourceDefinition live) {
        if (isNewer(live)) {
            LOG.info(
                    "{} was applied by version {} of the operator, which is newer, and stays unchanged",
                    DefinitionState.name(live),
                    DefinitionState.annotation(live, VERSION_ANNOTATION));
            return false;
        }
        String change = DefinitionState.changedVersions(definition, live);
        if (!stamp.isOn(live, definition)) {
            return true;
        }
        if (!change.isEmpty()) {
            LOG.warn("{} was changed by others and is applied again: {}", DefinitionState.name(live), change);
        }
        return !change.isEmpty();
    }

    /** Whether others have changed versions that no newer version of the operator has changed. */
    boolean isChanged(CustomResourceDefinition definition, CustomResourceDefinition live) {
        return !isNewer(live)
                && !DefinitionState.changedVersions(definition, live).isEmpty();
    }

    /** Whether a newer version of the operator has applied a definition. */
    boolean isNewer(CustomResourceDefinition live) {
        return options.install() && stamp.isOlderThan(live);
    }

    /**
     * Returns what the API server has to become: the definition of the operator, or the one that others have installed.
     *
     * @param live the definition of the API server
     */
    CustomResourceDefinition wanted(CustomResourceDefinition definition, CustomResourceDefinition live) {
        return options.install() ? definition : live;
    }

    /** Returns the definition that others have installed. */
    private CustomResourceDefinition installed(CustomResourceDefinition definition) throws ComponentNotReadyException {
        CustomResourceDefinition live = read(definition)
                .orElseThrow(() -> new ComponentNotReadyException("the definition " + DefinitionState.name(definition)
                        + " does not exist: install it with the chart or the manifests of the operator (R4J-501)"));
        if (DefinitionState.isDeleted(live)) {
            throw beingDeleted(live);
        }
        return live;
    }

    /**
     * Removes all versions that the operator does not have. No object must be stored in them.
     *
     * @param live the definition that all objects were rewritten for
     * @throws ConflictException if the definition has changed since it was read
     */
    void removeFormerVersions(CustomResourceDefinition definition, CustomResourceDefinition live) {
        apply(definition, live, List.of());
    }

    private CustomResourceDefinition apply(
            CustomResourceDefinition definition,
            CustomResourceDefinition live,
            List<CustomResourceDefinitionVersion> former) {
        CustomResourceDefinition wanted = stamp.put(definition, former);
        wanted.getMetadata().setResourceVersion(live.getMetadata().getResourceVersion());
        CustomResourceDefinition applied = client().applyUnconditionally(
                        wanted,
                        ApplyOptions.defaults()
                                .withFieldManager(manager.options().name() + "-crds")
                                .withOptimisticLock());
        LOG.info(
                "Applied {}{}",
                DefinitionState.name(definition),
                former.isEmpty()
                        ? ""
                        : "; objects may be stored in " + DefinitionState.names(former) + ", which the definition keeps"
                                + " without serving them until "
                                + (options.migrateStorage()
                                        ? "the objects are migrated"
                                        : "you have migrated the objects and removed them"));
        return applied;
    }

    /** Return what the start waits for, if it has looked for it three times. */
    @Override
    public String notReadyReason() {
        return wait.reason();
    }

    static ComponentNotReadyException beingDeleted(CustomResourceDefinition live) {
        return new ComponentNotReadyException(
                "the definition " + DefinitionState.name(live) + " is being deleted, with all its objects. "
                        + "Its finalizers are " + live.getMetadata().getFinalizers()
                        + ". It is installed again afterwards; if it"
                        + " stays, find out who has to remove these finalizers and those of its objects (R4J-502)");
    }

    static ComponentNotReadyException changedByOthers(CustomResourceDefinition definition, String change) {
        return new ComponentNotReadyException(
                "the definition " + DefinitionState.name(definition) + " is changed by others each time"
                        + " that it is applied: " + change + ". Find out who changes it from its managed fields"
                        + " (kubectl get crd " + DefinitionState.name(definition)
                        + " -o yaml --show-managed-fields) (R4J-503)");
    }

    /**
     * Returns the definition that the API server has.
     *
     * @throws UnexpectedResponseException if what it returns cannot be a definition that it stores
     */
    Optional<CustomResourceDefinition> read(CustomResourceDefinition definition) {
        Optional<CustomResourceDefinition> live =
                client().live().get(CustomResourceDefinition.class, ObjectKey.ofName(DefinitionState.name(definition)));
        live.map(DefinitionState::problem).filter(problem -> !problem.isEmpty()).ifPresent(problem -> {
            throw new UnexpectedResponseException("the API server returned the definition "
                    + DefinitionState.name(definition) + " with this fault: " + problem);
        });
        return live;
    }

    CrdInstallerOptions options() {
        return options;
    }

    TimeSource time() {
        return manager.options().timeSource();
    }

    RetryPace requests() {
        return requests;
    }

    Client client() {
        return ClientWiring.paced(manager.client(), requests);
    }

    /** Do nothing, because the installer works during the start only. */
    @Override
    public void stop(Duration grace) {}

    /**
     * How long the installation of definitions waits. Only tests use other values than the defaults.
     *
     * @param poll the time between the first two looks at a definition; it doubles
     * @param settle the time between a change of the storage version and the migration of objects
     * @param retry the time between two attempts to migrate objects
     */
    record Pace(Duration poll, Duration settle, Backoff retry) {

        private static final int SLOWEST = 10;

        /**
         * An API server ends a request after a minute. Until then a request that started before the definition changed may store
         * an object in the former version, and an API server may not have noticed the change yet, which takes up to five seconds.
         */
        private static final Duration SETTLE = Duration.ofSeconds(65);

        static final Pace DEFAULT =
                new Pace(Duration.ofMillis(200), SETTLE, Backoff.of(Duration.ofSeconds(10), Duration.ofMinutes(5)));

        /** Returns the longest time between two looks, and between two requests in the long run. */
        Duration slowest() {
            return poll.multipliedBy(SLOWEST);
        }
    }
}
