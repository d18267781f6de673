package io.github.reconciler4j.test.junit;

import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The JUnit extension of {@link KubernetesTest}. Registered by hand, it takes options:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KubernetesExtension KUBERNETES = new KubernetesExtension(
 *         TestClusterOptions.defaults().withServer(server -> server.rbac(true)));
 * }</pre>
 *
 * <p>Nested classes share the cluster of their outer class. Safe for use by multiple threads.
 *
 * @since 0.1.0
 */
public final class KubernetesExtension extends ClusterParameters implements BeforeAllCallback {
    private static final Namespace NAMESPACE = Namespace.create(KubernetesExtension.class);

    private final @Nullable TestClusterOptions options;

    /** Create an extension that follows the annotation, or the defaults without an annotation. */
    public KubernetesExtension() {
        this.options = null;
    }

    /** Create an extension with options. */
    public KubernetesExtension(TestClusterOptions options) {
        this.options = options;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster(context);
    }

    /** Return the cluster of the outermost class; the store closes it after that class. */
    @Override
    protected TestCluster cluster(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent("cluster", key -> TestCluster.start(options(context)), TestCluster.class);
    }

    private TestClusterOptions options(ExtensionContext context) {
        if (options != null) {
            return options;
        }
        return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), KubernetesTest.class)
                .map(found -> TestClusterOptions.defaults()
                        .withDefinitions(List.of(found.definitions()))
                        .withCluster(found.cluster()))
                .orElseGet(TestClusterOptions::defaults);
    }
}
