package io.github.reconciler4j.test.kubernetes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class an {@link AnyKubernetes}: as a parameter of its constructor, its test methods and its lifecycle methods.
 * In the whole proof ({@code dev/test}, {@code -Dtest.kubernetes=real}) it is a real control plane, as with
 * {@link RealKubernetesTest}; otherwise it is the API server inside the JVM, which the module has on its test class path. That
 * has no controllers, so such a test does not wait for what they do.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(AnyKubernetesExtension.class)
public @interface AnyKubernetesTest {

    /** Whether the instance only serves this class. */
    boolean dedicated() default false;

    /** The components of a real control plane besides etcd and the API server, by default all. */
    KubernetesComponent[] components() default {
        KubernetesComponent.CONTROLLER_MANAGER, KubernetesComponent.SCHEDULER, KubernetesComponent.KWOK
    };
}
