package io.github.reconciler4j.test.kubernetes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a {@link RealKubernetes}: as a parameter of its constructor, its test methods and its lifecycle
 * methods. It is started before the class runs; where that is impossible, the class fails and says what to do. Only the whole
 * proof ({@code dev/test}) runs such a class; see {@link AnyKubernetesTest} for one that the API server inside the JVM passes, too.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealKubernetesExtension.class)
@Tag("whole")
public @interface RealKubernetesTest {

    /**
     * Whether the instance only serves this class and ends after it. Required to stop or pause components. By default, all
     * classes of the JVM with the same components share an instance, which ends with the last test.
     */
    boolean dedicated() default false;

    /** The components besides etcd and the API server, by default all. */
    KubernetesComponent[] components() default {
        KubernetesComponent.CONTROLLER_MANAGER, KubernetesComponent.SCHEDULER, KubernetesComponent.KWOK
    };
}
