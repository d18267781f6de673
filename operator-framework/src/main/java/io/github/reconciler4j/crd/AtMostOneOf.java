package io.github.reconciler4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Requires objects of a class to have at most one of some fields. The API server refuses others by a CEL rule. May be repeated.
 *
 * <!-- snippet: SchemaUse -->
 * <pre>{@code
 * @AtMostOneOf({"replicas", "scaling"})
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(AtMostOneOf.List.class)
public @interface AtMostOneOf {

    /** The names of the fields as they stand in YAML, two or more. */
    String[] value();

    /** The message of the refusal; a sentence that names the fields by default. */
    String message() default "";

    /**
     * Holds several.
     *
     * @since 0.1.0
     */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface List {

        /** The annotations. */
        AtMostOneOf[] value();
    }
}
