package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Reference;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.ScaleClient;
import io.github.reconciler4j.client.SubresourceClient;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.HostExtension;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.recorder.EventBroadcaster;
import io.github.reconciler4j.recorder.EventOptions;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;

/** Harmless arguments, and objects whose methods can be called. Nothing of it reaches a server. */
final class Samples implements AutoCloseable {

    private final AtomicInteger requests = new AtomicInteger();
    private final ApiConnection connection = new NoServer();
    private final Scheme scheme = Scheme.create();
    private final Client client = Client.create(connection, scheme, ClientOptions.defaults());
    private final Cache cache = Cache.create(connection, scheme);
    private final EventBroadcaster broadcaster = EventBroadcaster.toLog(EventOptions.defaults(), OperatorMetrics.NONE);
    private final Map<Class<?>, Supplier<?>> known = new HashMap<>();
    private final List<Manager> managers = new ArrayList<>();

    Samples() {
        known.put(String.class, () -> "sample");
        known.put(Duration.class, () -> Duration.ofMillis(10));
        known.put(int.class, () -> 1);
        known.put(long.class, () -> 1L);
        known.put(double.class, () -> 0.5);
        known.put(boolean.class, () -> true);
        known.put(byte[].class, () -> new byte[] {'{', '}'});
        known.put(String[].class, () -> new String[] {"sample"});
        known.put(double[].class, () -> new double[] {1, 2});
        known.put(Class.class, () -> ConfigMap.class);
        known.put(Object.class, () -> Map.of("a", "b"));
        known.put(Throwable.class, () -> new IllegalStateException("sample"));
        known.put(Optional.class, Optional::empty);
        known.put(Set.class, Set::of);
        known.put(List.class, List::of);
        known.put(Collection.class, List::of);
        known.put(Iterable.class, List::of);
        known.put(Map.class, Map::of);
        addClients();
        addOthers();
    }

    private void addClients() {
        Supplier<ConfigMap> map = Samples::map;
        known.put(io.fabric8.kubernetes.api.model.HasMetadata.class, map);
        known.put(io.fabric8.kubernetes.api.model.KubernetesResource.class, map);
        known.put(KindName.class, () -> KindName.of("v1", "ConfigMap"));
        known.put(KindInfo.class, () -> new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true));
        known.put(ObjectKey.class, () -> ObjectKey.of("shop", "foo"));
        known.put(ApiConnection.class, () -> connection);
        known.put(ApiRequest.class, () -> ApiRequest.of("get", "GET", "/api/v1/namespaces/shop/configmaps/foo"));
        known.put(Client.class, () -> client);
        known.put(io.github.reconciler4j.client.Reader.class, () -> client);
        known.put(io.github.reconciler4j.client.LiveReader.class, client::live);
        known.put(io.github.reconciler4j.client.Writer.class, () -> client);
        known.put(SubresourceClient.class, client::status);
        known.put(ScaleClient.class, client::scale);
        known.put(Discovery.class, () -> Discovery.of(connection));
        known.put(ObjectPatch.class, () -> ObjectPatch.merge(Map.of("a", "b")));
        known.put(Scheme.class, () -> scheme);
        known.put(Cache.class, () -> cache);
        known.put(Informer.class, () -> cache.informer(ConfigMap.class));
        known.put(Config.class, Samples::config);
    }

    /** A key that was dequeued. */
    private record Item(String item, int priority, Duration waited) implements WorkItem<String> {}

    private void addOthers() {
        known.put(CachedNamespaces.class, CachedNamespaces::all);
        known.put(ObjectSelector.class, ObjectSelector::everything);
        known.put(Manager.class, this::manager);
        known.put(ManagerExtension.Host.class, () -> HostExtension.of(manager()).host());
        known.put(WorkItem.class, () -> new Item("sample", 0, Duration.ZERO));
        known.put(ControllerBuilder.class, () -> ControllerBuilder.of(ConfigMap.class));
        known.put(Reference.Builder.class, () -> Reference.to(ConfigMap.class));
        known.put(RequestControllerBuilder.class, () -> ControllerBuilder.forRequests("sample", Request.class));
        known.put(RequiredPermission.class, () -> RequiredPermission.onCore("configmaps", "get"));
        known.put(MicrometerMetrics.class, () -> new MicrometerMetrics(new SimpleMeterRegistry()));
        known.put(OperatorMetrics.class, () -> OperatorMetrics.NONE);
        known.put(EventBroadcaster.class, () -> broadcaster);
        known.put(EventRecorder.class, () -> broadcaster.recorder("sample"));
        known.put(WorkQueueOptions.class, () -> WorkQueueOptions.defaults("sample"));
        known.put(WorkQueue.class, () -> WorkQueue.create(WorkQueueOptions.defaults("sample")));
        known.put(ChannelSource.class, () -> ChannelSource.<Request>ofRequests("sample"));
        known.put(ObjectEvent.class, () -> TestSnapshot.created(TestHeader.of("shop", "foo")));
        known.put(Conditions.class, () -> Conditions.of(new ArrayList<>(), map()));
        known.put(io.github.reconciler4j.handler.EventHandler.class, () -> EventHandlers.forObject());
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace("shop")
                .withUid("u1")
                .withResourceVersion("1")
                .endMetadata()
                .build();
    }

    private static Config config() {
        Config config = Config.empty();
        config.setMasterUrl("http://127.0.0.1:9");
        return config;
    }

    private Manager manager() {
        Manager manager = Manager.create(config(), ManagerOptions.defaults());
        managers.add(manager);
        return manager;
    }

    /** How many requests were sent so far. */
    int requests() {
        return requests.get();
    }

    /** Return a value of a type, null for an unknown type. */
    @Nullable
    Object of(Class<?> type) {
        Supplier<?> supplier = known.get(type);
        if (supplier != null) {
            return supplier.get();
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        Object made = ofFactory(type);
        boolean mocked = made == null && type.isInterface() && !type.isSealed();
        return mocked ? Mockito.mock(type, Mockito.RETURNS_DEFAULTS) : made;
    }

    /** Options have {@code defaults()}, and other types similar methods. */
    private @Nullable Object ofFactory(Class<?> type) {
        for (int parameters = 0; parameters < 3; parameters++) {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isStatic(method.getModifiers())
                        && Modifier.isPublic(method.getModifiers())
                        && method.getReturnType() == type
                        && method.getParameterCount() == parameters) {
                    Object made = invoke(method);
                    if (made != null) {
                        return made;
                    }
                }
            }
        }
        return null;
    }

    private @Nullable Object invoke(Method method) {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = known.containsKey(method.getParameterTypes()[i])
                    ? known.get(method.getParameterTypes()[i]).get()
                    : null;
            if (arguments[i] == null) {
                return null;
            }
        }
        try {
            return method.invoke(null, arguments);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    @Override
    public void close() {
        cache.close();
        broadcaster.close();
        managers.forEach(Manager::close);
    }

    /** Finds nothing. */
    private final class NoServer implements ApiConnection {

        @Override
        public String server() {
            return "http://127.0.0.1:9";
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            requests.incrementAndGet();
            throw new NotFoundException("not found", ErrorDetails.of(404, "NotFound"));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            requests.incrementAndGet();
            throw new NotFoundException("not found", ErrorDetails.of(404, "NotFound"));
        }

        @Override
        public void close() {}
    }
}
