package io.github.reconciler4j.test.junit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.ClusterControllers;
import io.github.reconciler4j.test.cluster.TestCluster;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands a cluster and what belongs to it to tests as parameters. Tests that want the {@link KubernetesServer} or the
 * controllers on it are skipped where the cluster is a real one. Subclasses say which cluster. Safe for use by multiple threads.
 *
 * @since 0.1.0
 */
public abstract class ClusterParameters implements ParameterResolver, ExecutionCondition {
    private static final Set<Class<?>> TYPES =
            Set.of(TestCluster.class, Config.class, KubernetesClient.class, KubernetesServer.class);

    /** For subclasses. */
    protected ClusterParameters() {}

    /** Return the cluster of a test; called whenever a parameter is wanted. */
    protected abstract TestCluster cluster(ExtensionContext context);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return TYPES.contains(type) || ClusterControllers.class.isAssignableFrom(type);
    }

    @Override
    public final Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestCluster cluster = cluster(context);
        Class<?> type = parameter.getParameter().getType();
        if (type == Config.class) {
            return cluster.config();
        }
        if (type == KubernetesClient.class) {
            return cluster.client();
        }
        if (ClusterControllers.class.isAssignableFrom(type)) {
            return cluster.controllers()
                    .filter(type::isInstance)
                    .orElseThrow(() -> new ParameterResolutionException(
                            "The test runs without controllers: set 'cluster' of its annotation, for example to"
                                    + " TestCluster.FULL (R4J-813)"));
        }
        return type == KubernetesServer.class
                ? cluster.server().orElseThrow(() -> new ParameterResolutionException("The cluster is a real one"))
                : cluster;
    }

    @Override
    public final ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean wantsServer = context.getTestMethod()
                .map(method -> Stream.<Executable>of(method))
                .orElseGet(() -> preparations(context.getRequiredTestClass()))
                .flatMap(method -> Arrays.stream(method.getParameterTypes()))
                .anyMatch(type -> type == KubernetesServer.class || ClusterControllers.class.isAssignableFrom(type));
        return wantsServer && !TestCluster.isInThisJvm()
                ? ConditionEvaluationResult.disabled("it needs the API server in this JVM")
                : ConditionEvaluationResult.enabled("its cluster is there");
    }

    /** Lifecycle methods that run before the tests of a class, and therefore apply to all of them. */
    private static Stream<Executable> preparations(Class<?> testClass) {
        return Stream.concat(
                Arrays.stream(testClass.getDeclaredConstructors()),
                Arrays.stream(testClass.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(BeforeAll.class)
                                || method.isAnnotationPresent(BeforeEach.class)));
    }
}
