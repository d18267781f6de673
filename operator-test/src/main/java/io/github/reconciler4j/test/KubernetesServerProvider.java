package io.github.reconciler4j.test;

/**
 * Creates servers inside this JVM. {@link java.util.ServiceLoader} finds the implementation, which is in the artifact
 * {@code reconciler4j-test-server}. Tests do not call it.
 *
 * @since 0.1.0
 */
public interface KubernetesServerProvider {

    /** Return a builder with the defaults. */
    KubernetesServerBuilder builder();
}
