package io.github.reconciler4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds details to the schema of a field, or to that of the items of a list or the values of a map when it stands on the
 * type argument:
 *
 * <!-- snippet: SchemaUse -->
 * <pre>{@code
 * @SchemaDetails(example = "[10.0.0.1]")
 * List<@SchemaDetails(format = "ipv4") String> addresses = List.of();
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE_USE})
public @interface SchemaDetails {

    /**
     * The format, for instance {@code ipv4}, {@code cidr}, {@code date-time} or {@code int32}. The formats of numbers,
     * times and bytes follow from the Java type by default.
     */
    String format() default "";

    /** An example as YAML. The build checks it against the schema. */
    String example() default "";

    /** A short title. */
    String title() default "";

    /** The number that a value must be a multiple of; 0 for no such limit. */
    double multipleOf() default 0;

    /** The address of further documentation. */
    String docsUrl() default "";

    /** What is found at {@link #docsUrl()}. */
    String docsDescription() default "";
}
