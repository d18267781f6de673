package io.github.reconciler4j.test.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link FakeClient} passes on each method of {@link Client} as it is, also those that are added later, and those with a default that
 * the real client overrides.
 */
class ForwardingTests {

    private static final int CASES = 20;

    private final Random random = new Random(1);

    /** A client that notes which methods without a default are called, with which arguments. */
    private record Recorder(List<List<Object>> calls, Map<Class<?>, Object> results) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            calls.add(Stream.concat(Stream.of(method), arguments == null ? Stream.empty() : Arrays.stream(arguments))
                    .toList());
            return results.get(method.getReturnType());
        }
    }

    static Stream<Method> methods() {
        return Arrays.stream(Client.class.getMethods()).filter(method -> !Modifier.isStatic(method.getModifiers()));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void methodReachesTheClientBehindAsItIs(Method method) throws ReflectiveOperationException {
        for (int i = 0; i < CASES; i++) {
            Map<Class<?>, Object> results = results();
            Recorder expected = new Recorder(new ArrayList<>(), results);
            Recorder seen = new Recorder(new ArrayList<>(), results);
            Object[] arguments =
                    Arrays.stream(method.getParameterTypes()).map(this::draw).toArray();

            Object direct = method.invoke(proxy(Client.class, expected), arguments);
            FakeClient client = fake(proxy(Client.class, seen));
            Object forwarded = method.invoke(client, arguments);

            assertThat(seen.calls()).hasSize(1).isEqualTo(expected.calls());
            assertThat(forwarded).isEqualTo(direct);
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void defaultThatTheRealClientOverridesIsOverridden(Method method) throws ReflectiveOperationException {
        try (FakeClient client = FakeClient.of()) {
            Class<?> real = Client.create(client.connection(), Scheme.create(), ClientOptions.defaults())
                    .getClass();

            assertThat(declares(FakeClient.class, method))
                    .as("%s overrides %s, as %s does", FakeClient.class, method, real)
                    .isEqualTo(declares(real, method));
        }
    }

    private static boolean declares(Class<?> type, Method method) throws NoSuchMethodException {
        return !type.getMethod(method.getName(), method.getParameterTypes())
                .getDeclaringClass()
                .isInterface();
    }

    @SuppressWarnings("NullAway") // only its client is used
    private static FakeClient fake(Client behind) {
        return new FakeClient(null, null, behind);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Return a result for each type that methods without a default return. */
    private Map<Class<?>, Object> results() {
        Map<Class<?>, Object> results = new HashMap<>();
        methods()
                .filter(method -> !method.isDefault())
                .map(Method::getReturnType)
                .forEach(type -> {
                    if (type != void.class) {
                        results.computeIfAbsent(type, this::draw);
                    }
                });
        return results;
    }

    private Object draw(Class<?> type) {
        ConfigMap map = map();
        List<Object> samples = List.of(
                ConfigMap.class,
                Kind.of(ConfigMap.class),
                ObjectKey.of(map),
                map,
                "text-" + random.nextInt(),
                random.nextBoolean(),
                Optional.of(map),
                List.of(map),
                new OperationResult<>(map, OperationResult.Outcome.UPDATED),
                Selection.inNamespace("ns-" + random.nextInt()),
                WriteOptions.defaults().withFieldManager("m-" + random.nextInt()),
                ApplyOptions.defaults().withFieldManager("m-" + random.nextInt()),
                DeletionOptions.defaults().withUid("u-" + random.nextInt()),
                ObjectPatch.merge(Map.of("n", random.nextInt())),
                (Consumer<HasMetadata>) changed -> {},
                (Function<HasMetadata, String>) changed -> "changed",
                (ClientInterceptor) (call, next) -> next.proceed(call),
                Scheme.create());
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        return samples.stream()
                .filter(type::isInstance)
                .findFirst()
                .orElseGet(() -> proxy(type, (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == Objects.requireNonNull(arguments)[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "a " + type.getSimpleName();
                }));
    }

    private ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("map-" + random.nextInt(1000))
                .endMetadata()
                .build();
    }
}
