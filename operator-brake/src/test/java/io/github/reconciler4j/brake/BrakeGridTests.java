package io.github.reconciler4j.brake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.brake.BrakeCell.Cause;
import io.github.reconciler4j.brake.BrakeCell.Place;
import io.github.reconciler4j.brake.BrakeCell.Verb;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each way to delete, with each reason, on each thread: counted or not as the documentation promises, never more than the limit, nothing
 * after the stop, and everything after the release. Each cell has a controller and a namespace of its own.
 */
class BrakeGridTests extends BrakeFixture {

    private static final int OBJECTS = 5;
    private static final int LIMIT = 3;

    private Manager observer;

    /** The objects as a set has read them, before the cause. */
    private Map<String, ObjectHeader> headers;

    @BeforeAll
    void startManagers() {
        manager = manager(WriteMode.NORMAL);
        observer = manager(WriteMode.OBSERVE);
    }

    private Manager manager(WriteMode mode) {
        ManagerOptions options = ManagerOptions.defaults()
                .withName("brake")
                .withExtension(options().withMinimum(LIMIT).withShare(0));
        Manager created = Manager.create(
                server.clientConfig(), options.withClient(options.client().withMode(mode)));
        created.cache().informer(ConfigMap.class);
        created.start();
        return created;
    }

    @AfterAll
    void stopManagers() {
        manager.close();
        observer.close();
    }

    /** All cells use the same managers. */
    @BeforeEach
    @Override
    void start() {}

    @AfterEach
    @Override
    void stop() {}

    static Stream<BrakeCell> cells() {
        return BrakeCell.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void deletionsAreCountedAsPromised(BrakeCell cell) throws Exception {
        namespace = cell.id();
        user.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        Secret owner = owner();
        List<HasMetadata> objects = create(cell, owner);
        headers = user.live().list(kind(cell).metadata(), Selection.inNamespace(namespace)).stream()
                .collect(Collectors.toMap(header -> header.key().name(), Function.identity()));
        change(cell, owner, objects);

        int refused = delete(cell, owner, objects);

        boolean isStopped =
                brake().stops().stream().anyMatch(stop -> stop.controller().equals(cell.id()));
        if (cell.place() != Place.STOPPED_BEFORE) {
            assertThat(isStopped).isEqualTo(cell.cause().isCounted());
        }
        assertThat(refused > 0).isEqualTo(cell.cause().isCounted());
        int expected = cell.verb().isOfMany() ? OBJECTS : OBJECTS - LIMIT;
        assertThat(left(cell))
                .isEqualTo(cell.cause().isCounted() ? expected : cell.cause().isWithoutEffect() ? OBJECTS : 0);
        if (cell.cause().isCounted()) {
            assertReleased(cell, owner, objects, expected);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cellsOfAStoppedController")
    void stoppedControllerDeletesWhatDoesNotCount(BrakeCell cell) throws Exception {
        namespace = "default";
        stop(cell.id());
        deletionsAreCountedAsPromised(cell);
    }

    static Stream<BrakeCell> cellsOfAStoppedController() {
        return Stream.of(
                        Cause.OWNER_TERMINATING,
                        Cause.OWNER_GONE,
                        Cause.NAMESPACE_TERMINATING,
                        Cause.OBJECT_TERMINATING)
                .flatMap(cause -> Stream.of(Verb.DELETE_KEY, Verb.DELETE_ALL_OF_LABEL, Verb.PRUNE)
                        .map(verb -> new BrakeCell(verb, cause, Place.STOPPED_BEFORE)));
    }

    private void assertReleased(BrakeCell cell, Secret owner, List<HasMetadata> objects, int expected)
            throws InterruptedException {
        delete(cell, owner, objects);
        assertThat(left(cell)).as("after the stop").isEqualTo(expected);
        assertThat(new StopLease(connection, LEASE).read().reasons()).containsKey(cell.id());

        assertThat(brake().release(cell.id())).isTrue();
        assertThat(delete(cell, owner, objects)).isZero();
        assertThat(left(cell)).as("after the release").isZero();
        assertThat(new StopLease(connection, LEASE).read().reasons()).doesNotContainKey(cell.id());
    }

    private Secret owner() {
        return user.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .withFinalizers("example.com/it")
                .endMetadata()
                .build());
    }

    private List<HasMetadata> create(BrakeCell cell, Secret owner) {
        List<HasMetadata> objects = new ArrayList<>();
        for (int each = 0; each < OBJECTS; each++) {
            objects.add(user.create(object(cell, owner, each)));
        }
        return objects;
    }

    private HasMetadata object(BrakeCell cell, Secret owner, int number) {
        HasMetadata object = cell.cause() == Cause.NOT_CACHED
                ? new SecretBuilder().withNewMetadata().endMetadata().build()
                : new ConfigMapBuilder().withNewMetadata().endMetadata().build();
        object.getMetadata().setNamespace(namespace);
        object.getMetadata().setName("map-" + number);
        object.getMetadata().setLabels(Map.of("app", "web"));
        if (cell.cause().name().startsWith("OWNER")) {
            object.getMetadata()
                    .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                            .withApiVersion("v1")
                            .withKind("Secret")
                            .withName("owner")
                            .withUid(owner.getMetadata().getUid())
                            .withController(true)
                            .build()));
        }
        if (cell.cause() == Cause.OBJECT_TERMINATING) {
            object.getMetadata().setFinalizers(List.of("example.com/it"));
        }
        return object;
    }

    private static Kind<?> kind(BrakeCell cell) {
        return cell.cause() == Cause.NOT_CACHED ? Kind.of(Secret.class) : Kind.of(ConfigMap.class);
    }

    /** Bring about the cause, and wait until the cache knows it. */
    private void change(BrakeCell cell, Secret owner, List<HasMetadata> objects) {
        switch (cell.cause()) {
            case OWNER_TERMINATING -> user.delete(owner);
            case OWNER_GONE, OWNER_REPLACED -> {
                user.edit(owner, changed -> changed.getMetadata().setFinalizers(List.of()));
                user.delete(owner);
                if (cell.cause() == Cause.OWNER_REPLACED) {
                    owner();
                }
            }
            case NAMESPACE_TERMINATING ->
                user.edit(
                        user.live()
                                .get(Kind.of(Namespace.class), ObjectKey.ofName(namespace))
                                .orElseThrow(),
                        changed -> changed.getMetadata().setFinalizers(List.of("example.com/it")));
            case OBJECT_TERMINATING, OBJECT_GONE -> objects.forEach(user::delete);
            case OTHER_CONTROLLER_STOPPED -> stop("another");
            default -> {}
        }
        if (cell.cause() == Cause.NAMESPACE_TERMINATING) {
            user.delete(Kind.of(Namespace.class), ObjectKey.ofName(namespace), DeletionOptions.defaults());
        }
        awaitCache(manager, cell);
        awaitCache(observer, cell);
    }

    private void stop(String controller) {
        Runnable deletions = () -> IntStream.range(0, LIMIT + 1).forEach(each -> {
            Secret other = user.create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withGenerateName("other-")
                    .endMetadata()
                    .build());
            BrakeCell.refuses(() -> manager.client().delete(other));
        });
        WorkScope.in(controller, controller, deletions).run();
        assertThat(brake().stops()).anyMatch(stop -> stop.controller().equals(controller));
    }

    private void awaitCache(Manager of, BrakeCell cell) {
        if (cell.cause() == Cause.NOT_CACHED) {
            return;
        }
        int expected = cell.cause() == Cause.OBJECT_GONE ? 0 : OBJECTS;
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> {
                    List<ConfigMap> cached =
                            of.cache().list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace));
                    return cached.size() == expected
                            && (cell.cause() != Cause.OBJECT_TERMINATING
                                    || cached.stream()
                                            .allMatch(map -> map.getMetadata().getDeletionTimestamp() != null));
                });
    }

    /** Delete all objects; return how many calls the brake has refused. */
    private int delete(BrakeCell cell, Secret owner, List<HasMetadata> objects) throws InterruptedException {
        List<Runnable> calls = new ArrayList<>();
        int[] refused = new int[OBJECTS];
        int count = cell.verb().isOfMany() ? 1 : OBJECTS;
        for (int each = 0; each < count; each++) {
            int number = each;
            calls.add(() -> refused[number] =
                    BrakeCell.refuses(() -> delete(cell, owner, objects.get(number), number)) ? 1 : 0);
        }
        cell.run(calls);
        return IntStream.of(refused).sum();
    }

    private void delete(BrakeCell cell, Secret owner, HasMetadata object, int number) {
        if (cell.cause() == Cause.OTHER_CONTROLLERS) {
            String other = cell.id() + "-" + number / LIMIT;
            WorkScope.in(other, other, () -> deleteNow(cell, owner, object)).run();
        } else {
            deleteNow(cell, owner, object);
        }
        if (cell.cause() == Cause.REPLACED_AT_ONCE) {
            client(cell).create(object(cell, owner, number));
        }
    }

    private void deleteNow(BrakeCell cell, Secret owner, HasMetadata object) {
        DeletionOptions options = options(cell, object);
        Client client = client(cell);
        ObjectKey key = ObjectKey.of(object);
        Selection select = Selection.inNamespace(namespace);
        switch (cell.verb()) {
            case DELETE_OBJECT -> client.delete(object, options);
            case DELETE_KEY, DELETE_EXACTLY -> client.delete(kind(cell), key, options);
            case DELETE_ALL_OF_NAMESPACE, DELETE_ALL_OF_LABEL ->
                client.deleteAll(kind(cell), select.withLabelSelector("app=web"), options);
            case PRUNE ->
                Brake.delete(
                        owner,
                        headers.get(object.getMetadata().getName()),
                        false,
                        () -> client.delete(kind(cell), key, options));
        }
    }

    private DeletionOptions options(BrakeCell cell, HasMetadata object) {
        DeletionOptions options = cell.verb() == Verb.DELETE_EXACTLY && cell.cause() != Cause.OBJECT_TERMINATING
                ? DeletionOptions.exactly(object)
                : DeletionOptions.defaults();
        if (cell.cause() == Cause.REFUSED_BY_THE_SERVER) {
            options = options.withUid("another");
        }
        return cell.cause() == Cause.DRY_RUN ? options.asDryRun() : options;
    }

    private Client client(BrakeCell cell) {
        Client client = cell.cause() == Cause.OBSERVE_MODE ? observer.client() : manager.client();
        client = cell.cause() == Cause.DRY_RUN_CLIENT ? client.dryRun() : client;
        return switch (cell.place()) {
            case CLIENT_WITH_FIELD_MANAGER -> client.withFieldManager("another");
            case INTERCEPTED_CLIENT -> client.intercepted((call, next) -> next.proceed(call));
            default -> client;
        };
    }

    private int left(BrakeCell cell) {
        return (int)
                user
                        .live()
                        .list(
                                kind(cell).metadata(),
                                Selection.inNamespace(namespace).withLabelSelector("app=web"))
                        .stream()
                        .count();
    }

    @Test
    void deletionInAllNamespacesIsRefusedByTheClient() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkScope.in(
                                "all",
                                "all",
                                () -> manager.client()
                                        .deleteAll(
                                                Kind.of(ConfigMap.class), Selection.all(), DeletionOptions.defaults()))
                        .run());
        assertThat(brake().stops()).noneMatch(stop -> stop.controller().equals("all"));
    }
}
