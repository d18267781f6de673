package io.github.reconciler4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets how a map or an object merges in server-side apply ({@code x-kubernetes-map-type}). On a class it applies to
 * all its uses.
 *
 * <!-- snippet: SchemaUse -->
 * <pre>{@code
 * @MapType(MapType.Merge.ATOMIC)
 * Map<String, String> selector = Map.of();
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
public @interface MapType {

    /** How the map or object merges. */
    Merge value();

    /**
     * How maps and objects merge.
     *
     * @since 0.1.0
     */
    enum Merge {

        /** The map has one owner and is replaced as a whole. */
        ATOMIC,

        /** Each entry or field has its own owners, which is the default of Kubernetes. */
        GRANULAR
    }
}
