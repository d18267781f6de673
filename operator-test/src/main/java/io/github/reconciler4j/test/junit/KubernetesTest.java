package io.github.reconciler4j.test.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts a cluster for a test class, by default an API server in this JVM, which starts before the class and ends
 * after it. Constructors, test methods and lifecycle methods can have parameters of these types:
 *
 * <ul>
 *   <li>{@link io.github.reconciler4j.test.cluster.TestCluster}
 *   <li>{@link io.fabric8.kubernetes.client.Config}: that of the test, who may do everything
 *   <li>{@link io.fabric8.kubernetes.client.KubernetesClient}: the one of the cluster; not to be closed
 *   <li>{@link io.github.reconciler4j.test.cluster.ClusterControllers} or its subclass {@code FullCluster}: the controllers that
 *       {@link #cluster} selects; on a real cluster the test is skipped
 *   <li>{@link io.github.reconciler4j.test.KubernetesServer}: the server in this JVM; on a real cluster the test is skipped
 * </ul>
 *
 * <p>A class whose server needs other settings registers a {@link KubernetesExtension} instead.
 *
 * <!-- snippet: ClusterRolloutTests -->
 * <pre>{@code
 * @KubernetesTest(cluster = TestCluster.FULL)
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KubernetesExtension.class)
public @interface KubernetesTest {
    /**
     * Folders of the class path whose custom resource definitions are installed; a name that ends in {@code .yml},
     * {@code .yaml} or {@code .json} is one file.
     */
    String[] definitions() default {"META-INF/fabric8", "META-INF/crds"};

    /**
     * Return the controllers of Kubernetes that run on the server in this JVM, with a scheduler and nodes: their names,
     * {@link io.github.reconciler4j.test.cluster.TestCluster#FULL} for all, {@code -name} for all but one. They need
     * {@code reconciler4j-test-cluster} on the class path. By default none run. No effect on real clusters.
     */
    String[] cluster() default {};
}
