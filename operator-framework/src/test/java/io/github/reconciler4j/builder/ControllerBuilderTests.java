package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.fixtures.TestCache;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.scheme.UnknownKindException;
import io.github.reconciler4j.source.ChannelSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControllerBuilderTests {

    private static final TestHeader A = TestHeader.of("default", "a");
    private static final Request REQUEST = new Request("default", "a");

    private final Scheme scheme = Scheme.create();
    private final TestCache cache = new TestCache(scheme);
    private final RecordingMetrics metrics = new RecordingMetrics();
    private final Manager manager = mock(Manager.class);
    private final Cluster home = mock(Cluster.class);
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Controller<?>> started = new ArrayList<>();

    @BeforeEach
    void prepareManager() {
        when(manager.cache()).thenReturn(cache.cache());
        when(manager.home()).thenReturn(home);
        when(home.sibling("")).thenReturn(Optional.of(home));
        when(home.name()).thenReturn("");
        when(home.cache()).thenReturn(cache.cache());
        when(manager.options())
                .thenReturn(ManagerOptions.defaults().withScheme(scheme).withMetrics(metrics));
    }

    @AfterEach
    void stopControllers() {
        started.forEach(controller -> controller.stop(Duration.ZERO));
    }

    private static ControllerBuilder<Deployment> deployments() {
        return ControllerBuilder.of(Deployment.class);
    }

    private <T extends HasMetadata> Controller<Request> start(ControllerBuilder<T> builder) throws Exception {
        Controller<Request> controller = builder.requestReconciler((request, context) -> {
                    requests.add(request);
                    return Result.done();
                })
                .build(manager);
        started.add(controller);
        controller.start();
        return controller;
    }

    private <T extends HasMetadata> void deliver(Class<T> type, ObjectEvent<T> event) {
        TestInformer<T> informer = cache.informerOf(scheme.kindOf(type));
        informer.deliver(event);
    }

    /** The object of a snapshot of metadata is its header; the others are not looked at. */
    @SuppressWarnings("unchecked")
    private static <T> ObjectEvent<T> created(TestHeader header) {
        return new ObjectEvent.Created<>(TestSnapshot.of(header, () -> (T) header), false);
    }

    private void awaitRequests(Request... expected) {
        await("requests")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(requests).containsExactlyInAnyOrder(expected));
    }

    @Test
    void ofReactsToItsOwnKindAndIsNamedByIt() throws Exception {
        Controller<Request> controller = start(deployments());
        assertThat(controller.name()).isEqualTo("deployment");
        deliver(Deployment.class, created(A));
        awaitRequests(REQUEST);
    }

    @Test
    void informersAreCreatedAtBuildSoThatCachesSyncBeforeControllersStart() {
        deployments()
                .owns(Pod.class)
                .watches(Secret.class, secret -> List.of())
                .reconciler((object, context) -> Result.done())
                .build(manager);
        assertThat(cache.kindsAskedFor()).containsExactly("Deployment", "Pod", "Secret");
    }

    @Test
    void ownsReactsToTheControllingOwnerOnly() throws Exception {
        start(deployments().owns(Pod.class));
        deliver(Pod.class, created(A.withOwners(owner("one", true), owner("two", false))));
        awaitRequests(new Request("default", "one"));
    }

    @Test
    void ownsWhenAnyOwnerMatchesReactsToAll() throws Exception {
        start(deployments().owns(Owned.of(Pod.class).match(OwnerMatch.ANY)));
        deliver(Pod.class, created(A.withOwners(owner("one", true), owner("two", false))));
        awaitRequests(new Request("default", "one"), new Request("default", "two"));
    }

    private static OwnerRef owner(String name, boolean controller) {
        return new OwnerRef("apps/v1", "Deployment", name, "uid", controller);
    }

    @Test
    void watchesMapsObjects() throws Exception {
        start(deployments()
                .watches(
                        ConfigMap.class,
                        map -> List.of(new Request("default", map.getData().get("for")))));
        ConfigMap map = new ConfigMapBuilder().withData(Map.of("for", "web")).build();
        deliver(ConfigMap.class, new ObjectEvent.Created<>(TestSnapshot.of(A, () -> map), false));
        awaitRequests(new Request("default", "web"));
    }

    @Test
    void watchesWhenAHandlerIsGivenSeesWhatHappened() throws Exception {
        start(deployments().watches(Watch.kind(ConfigMap.class).handler((event, sink) -> {
            if (event instanceof ObjectEvent.Deleted<?>) {
                sink.add(new Request("deleted", event.snapshot().key().name()));
            }
        })));
        deliver(ConfigMap.class, created(A));
        deliver(ConfigMap.class, new ObjectEvent.Deleted<>(TestSnapshot.of(A, () -> null), false));
        awaitRequests(new Request("deleted", "a"));
    }

    @Test
    void watchesWhenTheKindIsMetadataAsksTheCacheForMetadataOnly() throws Exception {
        KindInfo widget = new KindInfo(KindName.of("example.com/v1", "Widget"), "widgets", true);
        scheme.register(widget);
        start(deployments()
                .watches(Watch.kind(Kind.of(ConfigMap.class).metadata())
                        .map(header -> List.of(new Request("map", header.key().name()))))
                .watches(Watch.kind(Kind.of("example.com/v1", "Widget").metadata())
                        .map(header ->
                                List.of(new Request("widget", header.key().name()))))
                .owns(Owned.of(Kind.of(Pod.class).metadata())));
        cache.<Object>informerOf(scheme.kindOf(ConfigMap.class)).deliver(created(A));
        cache.<Object>informerOf(widget).deliver(created(A));
        awaitRequests(new Request("map", "a"), new Request("widget", "a"));
        assertThat(cache.wholeObjectsAskedFor()).containsExactly("Deployment");
    }

    @Test
    void predicatesOfOneWatchDoNotApplyToOthersAndGlobalOnesApplyToAllButSources() throws Exception {
        ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
        start(deployments()
                .withGlobalPredicate(EventPredicates.inNamespaces("default"))
                .when(EventPredicates.labelSelector("app"))
                .watches(Watch.kind(Kind.of(Pod.class).metadata())
                        .map(header -> List.of(new Request("pod", header.key().name()))))
                .source(channel));
        deliver(Deployment.class, created(A));
        deliver(Deployment.class, created(TestHeader.of("other", "b").withLabels(Map.of("app", "x"))));
        deliver(Deployment.class, created(TestHeader.of("default", "c").withLabels(Map.of("app", "x"))));
        deliver(Pod.class, created(A));
        deliver(Pod.class, created(TestHeader.of("other", "b")));
        channel.send(new Request("other", "sent"));
        awaitRequests(new Request("default", "c"), new Request("pod", "a"), new Request("other", "sent"));
    }

    @Test
    void reconcilerReceivesTheObjectAndIsNotCalledWithoutOne() throws Exception {
        List<Deployment> seen = new CopyOnWriteArrayList<>();
        Controller<Request> controller = deployments()
                .reconciler((deployment, context) -> {
                    seen.add(deployment);
                    return Result.done();
                })
                .build(manager);
        started.add(controller);
        controller.start();
        Deployment deployment = new Deployment();
        cache.put(ObjectKey.of("default", "there"), () -> deployment);
        deliver(Deployment.class, created(TestHeader.of("default", "gone")));
        deliver(Deployment.class, created(TestHeader.of("default", "there")));
        String success = "controller_runtime_reconcile_total{controller=deployment,result=success}";
        await("both done").atMost(Duration.ofSeconds(30)).until(() -> metrics.count(success) == 2);
        assertThat(seen).containsExactly(deployment);
    }

    @Test
    void objectWhenItCannotBeReadIsNotRetried() throws Exception {
        Controller<Request> controller =
                deployments().reconciler((deployment, context) -> Result.done()).build(manager);
        started.add(controller);
        controller.start();
        cache.put(ObjectKey.of("default", "a"), () -> {
            throw new UndecodableObjectException(
                    KindName.of("apps/v1", "Deployment"),
                    ObjectKey.of("default", "a"),
                    Deployment.class,
                    "spec.replicas");
        });
        deliver(Deployment.class, created(A));
        String terminal = "controller_runtime_terminal_reconcile_errors_total{controller=deployment}";
        await("terminal").atMost(Duration.ofSeconds(30)).until(() -> metrics.count(terminal) == 1);
    }

    @Test
    void ofWhenTheKindIsGenericWorksOnTheGenericForm() throws Exception {
        KindInfo widget = new KindInfo(KindName.of("example.com/v1", "Widget"), "widgets", true);
        scheme.register(widget);
        Controller<Request> controller = start(ControllerBuilder.of(Kind.of("example.com/v1", "Widget")));
        assertThat(controller.name()).isEqualTo("widget");
        cache.<GenericKubernetesResource>informerOf(widget).deliver(created(A));
        awaitRequests(REQUEST);
    }

    record Tenant(String name) {}

    @Test
    void forRequestsTakesAnyRequestType() throws Exception {
        List<Tenant> tenants = new CopyOnWriteArrayList<>();
        Controller<Tenant> controller = ControllerBuilder.forRequests("tenants", Tenant.class)
                .watches(Watch.kind(Kind.of(Node.class).metadata())
                        .map(header -> List.of(new Tenant(header.key().name()))))
                .reconciler((tenant, context) -> {
                    tenants.add(tenant);
                    return Result.done();
                })
                .build(manager);
        started.add(controller);
        controller.start();
        deliver(Node.class, created(TestHeader.of("", "n1")));
        await("seen").atMost(Duration.ofSeconds(30)).until(() -> tenants.contains(new Tenant("n1")));
    }

    @Test
    void addToRegistersComponentAndHealthCheck() {
        Controller<Request> controller = deployments()
                .named("web")
                .reconciler((deployment, context) -> Result.done())
                .addTo(manager);
        verify(manager).add(controller);
        assertThat(controller.healthChecks().get(0).name()).isEqualTo("controller/web");
        assertThat(controller.healthChecks().get(0).check().ready())
                .as("stands by")
                .isTrue();
    }

    @Test
    void optionsAreThoseSetLast() {
        Controller<Request> controller = deployments()
                .options(ControllerOptions.defaults().withMaxConcurrentReconciles(4))
                .customizeOptions(options -> options.withVirtualThreads(true))
                .reconciler((deployment, context) -> Result.done())
                .build(manager);
        assertThat(controller.options().maxConcurrentReconciles()).isEqualTo(4);
        assertThat(controller.options().virtualThreads()).isTrue();
    }

    @Test
    void ownsWhenTheKindOfOwnerOrOwnedIsUnknownFailsAtBuild() {
        Kind<GenericKubernetesResource> unknown = Kind.of("example.com/v1", "Unknown");
        assertThatExceptionOfType(UnknownKindException.class)
                .isThrownBy(() -> ControllerBuilder.of(unknown)
                        .owns(Pod.class)
                        .reconciler((object, context) -> Result.done())
                        .build(manager))
                .withMessageContaining("Unknown");
        assertThatExceptionOfType(UnknownKindException.class)
                .isThrownBy(() -> deployments()
                        .owns(Owned.of(unknown))
                        .reconciler((object, context) -> Result.done())
                        .build(manager))
                .withMessageContaining("Unknown");
    }

    @Test
    void mistakesAreReportedWithTheController() {
        assertThatIllegalStateException()
                .isThrownBy(() -> deployments().named("web").build(manager))
                .withMessageContaining("'web' has no reconciler");
        assertThatIllegalStateException()
                .isThrownBy(() -> deployments()
                        .named("web")
                        .reconciler((deployment, context) -> Result.done())
                        .requestReconciler((request, context) -> Result.done()))
                .withMessageContaining("has a reconciler already");
        assertThatNullPointerException()
                .isThrownBy(() -> deployments().reconciler(null))
                .withMessageContaining("'reconciler'");
        assertThatIllegalStateException()
                .isThrownBy(() -> ControllerBuilder.forRequests("web", Request.class)
                        .reconciler((request, context) -> Result.done())
                        .build(manager))
                .withMessageContaining("'web' watches nothing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> deployments()
                        .named("Not A Name")
                        .reconciler((deployment, context) -> Result.done())
                        .build(manager))
                .withMessageContaining("Not A Name");
        assertThatExceptionOfType(UnknownKindException.class)
                .isThrownBy(() -> ControllerBuilder.of(Kind.of("example.com/v1", "Unknown"))
                        .reconciler((object, context) -> Result.done())
                        .build(manager))
                .withMessageContaining("Unknown");
    }
}
