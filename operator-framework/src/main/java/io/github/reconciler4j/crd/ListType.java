package io.github.reconciler4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets how a list merges in server-side apply ({@code x-kubernetes-list-type}). A list of fabric8's {@code Condition}
 * needs no annotation: the generator makes it a map with the key {@code type}.
 *
 * <!-- snippet: SchemaUse -->
 * <pre>{@code
 * @ListType(value = ListType.Merge.MAP, keys = "name")
 * List<Port> ports = List.of();
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface ListType {

    /** How the list merges. */
    Merge value();

    /** The fields that identify an item; required for {@link Merge#MAP}, not allowed otherwise. */
    String[] keys() default {};

    /**
     * How lists merge.
     *
     * @since 0.1.0
     */
    enum Merge {

        /** The list has one owner and is replaced as a whole, which is the default of Kubernetes. */
        ATOMIC,

        /** The items are scalars, occur once, and each has its own owners. */
        SET,

        /** The items are objects that {@link ListType#keys() keys} identify; each has its own owners. */
        MAP
    }
}
