package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionNames;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.ReleaseOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
 * <p>Needs permissions for the definitions by name; see {@link #requiredPermissions}. With a {@link WriteMode} that does not
 * write it does nothing. Safe for use by multiple threads.
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
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int ATTEMPTS = 20;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int INTERNAL_ERROR = 500;

    private final Manager manager;
    private final List<CustomResourceDefinition> definitions;
    private final CrdInstallerOptions options;
    private final ReleaseOrder order = new ReleaseOrder();

    private CrdInstaller(Manager manager, List<CustomResourceDefinition> definitions, CrdInstallerOptions options) {
        this.manager = manager;
        this.definitions = List.copyOf(definitions);
        this.options = options;
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
        Set<String> names = new HashSet<>();
        for (CustomResourceDefinition definition : definitions) {
            String problem = problem(definition);
            if (!problem.isEmpty() || !names.add(name(definition))) {
                throw new IllegalArgumentException("Invalid 'definitions': "
                        + (problem.isEmpty() ? "two have the name " + name(definition) : problem));
            }
        }
        CrdInstaller installer = new CrdInstaller(manager, definitions, options);
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
        String problem = problem(definition);
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

    /** Return the permissions to create definitions, and to read and patch those of the operator. */
    @Override
    public List<RequiredPermission> requiredPermissions() {
        List<RequiredPermission> permissions = new ArrayList<>();
        permissions.add(RequiredPermission.on(GROUP, RESOURCE, "create"));
        for (CustomResourceDefinition definition : definitions) {
            permissions.add(RequiredPermission.on(GROUP, RESOURCE, "get", "patch")
                    .named(definition.getMetadata().getName()));
        }
        return permissions;
    }

    /** Return the migration of stored objects, if it is enabled. */
    @Override
    public List<ManagedComponent> companions() {
        return options.migrateStorage() ? List.of(new StorageMigration(manager, definitions, this)) : List.of();
    }

    @Override
    public void start() throws ComponentNotReadyException, InterruptedException {
        if (manager.options().client().mode() != WriteMode.NORMAL) {
            LOG.info("The definitions are not installed, because the operator does not write");
            return;
        }
        installAll();
        long end = System.nanoTime() + Nanos.of(options.timeout());
        for (CustomResourceDefinition definition : definitions) {
            try {
                await(definition, end);
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
                        "the definition " + name(definition) + " cannot be installed: " + failure.getMessage(),
                        failure);
    }

    /** Applies a definition unless it is up to date or a newer operator has applied it. */
    void install(CustomResourceDefinition definition) throws ComponentNotReadyException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                Optional<CustomResourceDefinition> live = read(definition);
                if (live.isEmpty()) {
                    client().create(annotated(definition, List.of()));
                    LOG.info("Installed {}", name(definition));
                } else if (isDeleted(live.get())) {
                    throw beingDeleted(live.get());
                } else if (isDue(definition, live.get())) {
                    apply(definition, live.get());
                }
                return;
            } catch (ConflictException | AlreadyExistsException e) {
                LOG.debug("Another replica has changed {}", name(definition), e);
            } catch (InvalidObjectException e) {
                throw new IllegalStateException(
                        "the API server refuses the definition " + name(definition) + ": " + e.getMessage(), e);
            }
        }
        throw new ComponentNotReadyException("the definition " + name(definition) + " was changed by others in "
                + ATTEMPTS + " attempts to apply it: find out who changes it from its managed fields");
    }

    private static boolean isDeleted(CustomResourceDefinition live) {
        return live.getMetadata().getDeletionTimestamp() != null;
    }

    private boolean isDue(CustomResourceDefinition definition, CustomResourceDefinition live) {
        String writer = annotation(live, VERSION_ANNOTATION);
        String version = version();
        if (!writer.isEmpty() && !version.isEmpty() && order.compare(writer, version) > 0) {
            LOG.info(
                    "{} was applied by version {} of the operator, which is newer, and stays unchanged",
                    name(live),
                    writer);
            return false;
        }
        return !annotation(live, DIGEST_ANNOTATION).equals(digest(definition, droppedVersions(definition, live)));
    }

    private void apply(CustomResourceDefinition definition, CustomResourceDefinition live) {
        List<CustomResourceDefinitionVersion> dropped = droppedVersions(definition, live);
        CustomResourceDefinition wanted = annotated(definition, dropped);
        wanted.getMetadata().setResourceVersion(live.getMetadata().getResourceVersion());
        client().applyUnconditionally(
                        wanted,
                        ApplyOptions.defaults()
                                .withFieldManager(manager.options().name() + "-crds")
                                .withOptimisticLock());
        LOG.info(
                "Applied {}{}",
                name(definition),
                dropped.isEmpty()
                        ? ""
                        : "; objects may be stored in " + names(dropped) + ", which the definition keeps without"
                                + " serving them until the objects are migrated");
    }

    /** Returns versions that the operator does not have, but that objects may be stored in. */
    private static List<CustomResourceDefinitionVersion> droppedVersions(
            CustomResourceDefinition definition, CustomResourceDefinition live) {
        Set<String> kept = definition.getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .collect(Collectors.toSet());
        List<String> stored = live.getStatus() == null
                ? List.of()
                : Objects.requireNonNullElse(live.getStatus().getStoredVersions(), List.of());
        return live.getSpec().getVersions().stream()
                .filter(version -> stored.contains(version.getName()) && !kept.contains(version.getName()))
                .map(version -> new CustomResourceDefinitionVersionBuilder(version)
                        .withServed(false)
                        .withStorage(false)
                        .build())
                .toList();
    }

    private CustomResourceDefinition annotated(
            CustomResourceDefinition definition, List<CustomResourceDefinitionVersion> dropped) {
        return new CustomResourceDefinitionBuilder(definition)
                .withStatus(null)
                .editMetadata()
                .addToAnnotations(VERSION_ANNOTATION, version())
                .addToAnnotations(DIGEST_ANNOTATION, digest(definition, dropped))
                .endMetadata()
                .editSpec()
                .addAllToVersions(dropped)
                .endSpec()
                .build();
    }

    private static String digest(CustomResourceDefinition definition, List<CustomResourceDefinitionVersion> dropped) {
        String text = new KubernetesSerialization().asJson(definition) + names(dropped);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Waits until a definition is usable. What an API server answers that is overloaded or restarts says nothing about it. */
    private void await(CustomResourceDefinition definition, long end)
            throws ComponentNotReadyException, InterruptedException {
        String reason;
        boolean warned = false;
        do {
            try {
                reason = notUsable(definition);
            } catch (ApiException e) {
                if (!isTransient(e)) {
                    throw e;
                }
                reason = String.valueOf(e.getMessage());
                if (!warned) {
                    warned = true;
                    LOG.warn("Cannot find out whether {} is established, retrying: {}", name(definition), reason);
                }
            }
            if (reason.isEmpty()) {
                return;
            }
            Thread.sleep(POLL.toMillis());
        } while (System.nanoTime() - end < 0);
        throw new ComponentNotReadyException(
                "the definition " + name(definition) + " is not usable after " + options.timeout() + ": " + reason);
    }

    private static boolean isTransient(ApiException failure) {
        return failure instanceof ConnectionException
                || failure.code() == TOO_MANY_REQUESTS
                || failure.code() >= INTERNAL_ERROR;
    }

    /** Returns why a definition is not usable yet, empty if it is. Installs it again if it was deleted meanwhile. */
    private String notUsable(CustomResourceDefinition definition) throws ComponentNotReadyException {
        Optional<CustomResourceDefinition> live = read(definition);
        if (live.isEmpty()) {
            install(definition);
            return "it was deleted and is installed again";
        }
        if (isDeleted(live.get())) {
            throw beingDeleted(live.get());
        }
        String reason = notEstablished(live.get());
        return reason.isEmpty() ? notServed(definition, live.get()) : reason;
    }

    private static ComponentNotReadyException beingDeleted(CustomResourceDefinition live) {
        return new ComponentNotReadyException(
                "the definition " + name(live) + " is being deleted, with all its objects. "
                        + "Its finalizers are " + live.getMetadata().getFinalizers()
                        + ". It is installed again afterwards; if it"
                        + " stays, find out who has to remove these finalizers and those of its objects");
    }

    /** Returns why a definition is not established. A new one has {@code conditions: null} for a moment. */
    static String notEstablished(CustomResourceDefinition live) {
        List<CustomResourceDefinitionCondition> listed = live.getStatus() == null
                ? List.of()
                : Objects.requireNonNullElse(live.getStatus().getConditions(), List.of());
        List<CustomResourceDefinitionCondition> conditions =
                listed.stream().filter(Objects::nonNull).toList();
        return conditions.stream()
                .filter(condition ->
                        "NamesAccepted".equals(condition.getType()) && "False".equals(condition.getStatus()))
                .findFirst()
                .map(condition -> "its names are taken: " + condition.getMessage())
                .orElseGet(() -> conditions.stream()
                                .anyMatch(condition -> "Established".equals(condition.getType())
                                        && "True".equals(condition.getStatus()))
                        ? ""
                        : "it is not established");
    }

    /** Checks the versions that the operator uses, also if a newer operator has applied the definition. */
    private String notServed(CustomResourceDefinition definition, CustomResourceDefinition live)
            throws ComponentNotReadyException {
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            if (!Boolean.TRUE.equals(version.getServed())) {
                continue;
            }
            boolean served = live.getSpec().getVersions().stream()
                    .anyMatch(other ->
                            version.getName().equals(other.getName()) && Boolean.TRUE.equals(other.getServed()));
            if (!served) {
                throw new ComponentNotReadyException("the definition " + name(definition) + ", applied by version '"
                        + annotation(live, VERSION_ANNOTATION) + "' of the operator, no longer serves "
                        + version.getName() + ", which this version needs: upgrade this replica");
            }
            GroupVersionKind kind = GroupVersionKind.of(
                    definition.getSpec().getGroup() + "/" + version.getName(),
                    definition.getSpec().getNames().getKind());
            if (client().discovery().find(kind).isEmpty()) {
                return kind + " is not served yet";
            }
        }
        return "";
    }

    /**
     * Returns the definition that the API server has.
     *
     * @throws UnexpectedResponseException if what it returns cannot be a definition that it stores
     */
    Optional<CustomResourceDefinition> read(CustomResourceDefinition definition) {
        Optional<CustomResourceDefinition> live =
                client().live().get(CustomResourceDefinition.class, ObjectKey.ofName(name(definition)));
        live.map(CrdInstaller::problem).filter(problem -> !problem.isEmpty()).ifPresent(problem -> {
            throw new UnexpectedResponseException(
                    "the API server returned the definition " + name(definition) + " with this fault: " + problem);
        });
        return live;
    }

    /** Returns what a definition lacks before anything can be done with it, empty if nothing. The API server checks the rest. */
    static String problem(CustomResourceDefinition definition) {
        if (definition.getMetadata() == null || isBlank(definition.getMetadata().getName())) {
            return "metadata.name is missing";
        }
        CustomResourceDefinitionSpec spec = definition.getSpec();
        if (spec == null || isBlank(spec.getGroup())) {
            return "spec.group of " + name(definition) + " is missing";
        }
        CustomResourceDefinitionNames names = spec.getNames();
        if (names == null || isBlank(names.getKind()) || isBlank(names.getPlural())) {
            return "spec.names of " + name(definition) + " must have a kind and a plural";
        }
        List<CustomResourceDefinitionVersion> versions = spec.getVersions();
        if (versions == null || versions.stream().anyMatch(version -> version == null || isBlank(version.getName()))) {
            return "each of spec.versions of " + name(definition) + " must have a name";
        }
        long stored = versions.stream()
                .filter(version -> Boolean.TRUE.equals(version.getStorage()))
                .count();
        return stored == 1
                ? ""
                : "exactly one of spec.versions of " + name(definition) + " must have 'storage: true', but " + stored
                        + " have";
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    /** Returns whether the definition keeps no version for stored objects. */
    boolean isFinal(CustomResourceDefinition definition, CustomResourceDefinition live) {
        return droppedVersions(definition, live).isEmpty();
    }

    private Client client() {
        return manager.client();
    }

    /** Returns the version of the operator, empty if it is unknown. */
    private String version() {
        String version = manager.options().version();
        return version.equals(ManagerOptions.defaults().version()) ? "" : version;
    }

    static String name(CustomResourceDefinition definition) {
        return definition.getMetadata().getName();
    }

    private static String names(List<CustomResourceDefinitionVersion> versions) {
        return versions.stream().map(CustomResourceDefinitionVersion::getName).collect(Collectors.joining(", "));
    }

    private static String annotation(CustomResourceDefinition definition, String key) {
        Map<String, String> annotations = definition.getMetadata().getAnnotations();
        @Nullable String value = annotations == null ? null : annotations.get(key);
        return Objects.requireNonNullElse(value, "");
    }

    /** Do nothing, because the installer works during the start only. */
    @Override
    public void stop(Duration grace) {}
}
