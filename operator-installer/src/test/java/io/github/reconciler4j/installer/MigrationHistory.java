package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Releases of an operator, each of which serves one version and drops the one before. The API server refuses to update some objects,
 * replicas end at any request, others start meanwhile, and someone edits the definition. Whatever happens, each object is
 * stored in a version that the definition has. When nothing disturbs the last release any more, its version is the only one.
 */
final class MigrationHistory {

    private static final List<String> VERSIONS = List.of("v1alpha1", "v1beta1", "v1");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final int ROUNDS = 3;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** How a release of the operator runs. */
    interface Life {

        /** Runs a replica until it has migrated everything, which it returns, does not get on, or is killed. */
        boolean run(
                MigrationHistory history, int release, CustomResourceDefinition definition, MigrationReplica replica);
    }

    private final Random random;
    private final MigrationWorld world;
    private final Life life;
    private final String group;
    private final boolean threeVersions;
    private final int last;
    private final Set<String> objects = new TreeSet<>();
    private final Set<String> refused = new TreeSet<>();
    private final List<String> trace = new ArrayList<>();
    private boolean definitionDeleted;
    private int refusals;
    private int kills;

    /** Creates a history whose replicas run in this process. */
    MigrationHistory(long seed, MigrationWorld world, String group) {
        this(seed, world, group, MigrationHistory::runHere);
    }

    MigrationHistory(long seed, MigrationWorld world, String group, Life life) {
        this.life = life;
        this.random = new Random(seed);
        this.world = world;
        this.group = group;
        threeVersions = random.nextBoolean();
        last = threeVersions ? 4 : 3;
    }

    Random random() {
        return random;
    }

    MigrationWorld world() {
        return world;
    }

    Client admin() {
        return world.admin();
    }

    String group() {
        return group;
    }

    String name() {
        return "widgets." + group;
    }

    Set<String> objects() {
        return new TreeSet<>(objects);
    }

    /** How often the operator said that objects are refused. */
    int refusals() {
        return refusals;
    }

    /** How often a replica ended at a request. */
    int kills() {
        return kills;
    }

    void created(String name) {
        objects.add(name);
    }

    void deleted(String name) {
        objects.remove(name);
    }

    void definitionDeleted() {
        definitionDeleted = true;
    }

    /** The definition of a release, whose versions are some of {@link #VERSIONS} without the first. */
    private CustomResourceDefinition definition(int release) {
        int storage = Math.min(release - 1, 2) + (threeVersions || release == 1 ? 0 : 1);
        String version = VERSIONS.get(Math.min(storage, 2));
        boolean strict = world.refusesBySchema() && version.equals("v1") && release < last;
        return YAML.unmarshal(
                """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.%1$s}
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
                  %3$s
                  versions:
                  - name: %2$s
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            x-kubernetes-preserve-unknown-fields: true
                            properties: {bad: {type: boolean}}
                            %4$s
                """.formatted(
                                group,
                                version,
                                world.conversion(),
                                strict
                                        ? "x-kubernetes-validations: [{rule: '!has(self.bad) || !has(oldSelf.bad)', message: bad}]"
                                        : ""),
                CustomResourceDefinition.class);
    }

    /** Runs everything, and fails if an object is lost. */
    void run() {
        try {
            live(1, new MigrationReplica(this, 0, Set.of(), false, null));
            createObjects();
            for (int release = 2; release < last; release++) {
                stage(release);
                if (!definitionDeleted) {
                    tryEdit(MigrationEdit.CREATE_OBJECT);
                }
            }
            world.allow();
            trace.add("allowed");
            continueDeletion();
            await().pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .atMost(LONG)
                    .until(() -> live(last, new MigrationReplica(this, 0, Set.of(), false, null)));
            check(true);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(e.getMessage() + "\n" + String.join("\n", trace), e);
        }
    }

    /**
     * An API server cannot delete a definition whose objects it cannot convert, and waits longer before each further attempt: minutes
     * after half a minute. After a change of the definition, it tries immediately.
     */
    private void continueDeletion() {
        MigrationEdit.definition(admin(), name())
                .filter(DefinitionState::isDeleted)
                .ifPresent(deleted -> tryEdit(MigrationEdit.TOUCH));
    }

    private void createObjects() {
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            String name = "o" + i;
            boolean bad = random.nextInt(3) == 0;
            if (bad) {
                refused.add(name);
            }
            MigrationEdit.create(this, name, bad);
        }
    }

    private void stage(int release) {
        boolean refuse = random.nextInt(4) > 0;
        if (refuse) {
            world.refuse(refused);
            trace.add("refused " + refused);
        }
        int lives = 1 + random.nextInt(3);
        for (int i = 0; i < lives; i++) {
            live(release, draw(release));
            check(false);
        }
        if (random.nextBoolean()) {
            world.allow();
            trace.add("allowed");
        }
    }

    private MigrationReplica draw(int release) {
        int kill = random.nextInt(3) > 0 ? 1 + random.nextInt(30) : 0;
        Set<Integer> edits = drawRequests(5);
        Runnable what = this::disturb;
        if (random.nextInt(4) == 0) {
            int other = random.nextInt(4) == 0 ? release - 1 : release;
            int otherKill = random.nextInt(2) * (1 + random.nextInt(30));
            MigrationReplica second =
                    new MigrationReplica(this, otherKill, drawRequests(2), random.nextBoolean(), this::disturb);
            what = () -> live(other, second);
        }
        return new MigrationReplica(this, kill, edits, random.nextBoolean(), what);
    }

    private Set<Integer> drawRequests(int limit) {
        return random.ints(random.nextInt(limit), 1, 35).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private void disturb() {
        if (random.nextInt(4) == 0) {
            world.allow();
            trace.add("allowed");
        } else {
            tryEdit(MigrationEdit.draw(random));
        }
    }

    private void tryEdit(MigrationEdit edit) {
        try {
            edit.apply(this);
            trace.add("edit " + edit);
        } catch (ApiException | IllegalStateException e) {
            trace.add("edit " + edit + " failed: " + e.getMessage());
        }
    }

    /** A replica has ended. */
    void ended(boolean isKilled, String when) {
        kills += isKilled ? 1 : 0;
        trace.add(isKilled ? "killed " + when : "ended");
    }

    private boolean live(int release, MigrationReplica replica) {
        trace.add("start of release " + release + ", " + replica);
        return life.run(this, release, definition(release), replica);
    }

    private boolean runHere(int release, CustomResourceDefinition definition, MigrationReplica replica) {
        try {
            Manager manager = manager(release, replica);
            CrdInstaller installer = CrdInstaller.addTo(
                    manager,
                    List.of(definition),
                    CrdInstallerOptions.defaults().withTimeout(Duration.ofSeconds(20)),
                    world.pace());
            StorageMigration migration =
                    (StorageMigration) installer.companions().get(0);
            boolean started = false;
            for (int round = 0; round < ROUNDS; round++) {
                try {
                    if (!started) {
                        installer.start();
                        started = true;
                    }
                    if (migration.migrate(definition)) {
                        trace.add("release " + release + " has migrated the objects");
                        return true;
                    }
                    trace.add("again");
                } catch (Exception e) {
                    assertThat(e.getMessage()).as("a reason").contains(name());
                    trace.add("release " + release + ": " + e.getMessage());
                    refusals += e.getMessage().contains("cannot be stored") ? 1 : 0;
                }
            }
        } catch (MigrationReplica.Killed e) {
            ended(true, "");
        }
        return false;
    }

    /** A manager that has no threads: the installer and the migration need only its client and its options. */
    private Manager manager(int release, MigrationReplica replica) {
        ManagerOptions options = ManagerOptions.defaults()
                .withName("widgets")
                .withVersion(release + ".0")
                .withTimeSource(world.time())
                .withClient(ClientOptions.defaults().withInterceptors(List.of(replica)));
        Client client = Client.create(world.operator(), options.scheme(), options.client());
        Manager manager = mock(Manager.class, withSettings().stubOnly());
        when(manager.options()).thenReturn(options);
        when(manager.client()).thenReturn(client);
        return manager;
    }

    private void check(boolean last) {
        assertThat(world.violation()).isEmpty();
        CustomResourceDefinition live =
                MigrationEdit.definition(admin(), name()).orElse(null);
        if (live == null) {
            assertThat(definitionDeleted)
                    .as("someone has deleted the definition")
                    .isTrue();
            return;
        }
        List<String> versions = live.getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
        Map<String, String> stored = world.stored();
        trace.add((DefinitionState.isDeleted(live) ? "deleted, " : "") + "versions " + versions + ", storedVersions "
                + DefinitionState.storedVersions(live) + ", objects " + stored);
        assertThat(versions).as("versions of the definition").containsAll(stored.values());
        if (!definitionDeleted) {
            assertThat(stored.keySet()).as("objects").containsExactlyElementsOf(objects);
        }
        if (last) {
            assertThat(versions).as("versions at the end").containsExactly("v1");
            assertThat(live.getStatus().getStoredVersions()).containsExactly("v1");
            await("objects that can be read") // the storage of a new definition is not ready at once
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .atMost(LONG)
                    .ignoreExceptionsInstanceOf(ApiException.class)
                    .until(this::readableObjects, stored.keySet()::equals);
        }
    }

    private Set<String> readableObjects() {
        return admin().live().stream(Kind.of(group + "/v1", "Widget").metadata(), Selection.all())
                .map(object -> object.key().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
