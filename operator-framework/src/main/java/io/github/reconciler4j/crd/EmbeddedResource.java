package io.github.reconciler4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field as a whole Kubernetes object ({@code x-kubernetes-embedded-resource}): the API server requires
 * {@code apiVersion}, {@code kind} and valid metadata in it. Fields of the types {@code GenericKubernetesResource} and
 * {@code HasMetadata} need no annotation.
 *
 * <!-- snippet: SchemaUse -->
 * <pre>{@code
 * @EmbeddedResource
 * Map<String, Object> template = Map.of();
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface EmbeddedResource {}
