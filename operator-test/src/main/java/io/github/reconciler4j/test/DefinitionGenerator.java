package io.github.reconciler4j.test;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * Generates definitions from compiled classes inside this JVM, so that a changed class needs no build to reach a running API
 * server. {@link java.util.ServiceLoader} finds the implementation, which is in the artifact {@code reconciler4j-generator}.
 * Applications do not call it.
 *
 * @since 0.1.0
 */
public interface DefinitionGenerator {

    /**
     * Generate the definitions of all kinds among classes, which the context class loader loads. Descriptions of Javadoc and KDoc are
     * missing, because no class file has them.
     *
     * @param folders folders with compiled classes
     * @return the definitions, by name
     * @throws RuntimeException with a message for people if a kind cannot be described
     */
    List<CustomResourceDefinition> generate(Collection<Path> folders);

    /** Return whether this generator has written the text of a file, which it may replace. */
    boolean hasWritten(String text);
}
