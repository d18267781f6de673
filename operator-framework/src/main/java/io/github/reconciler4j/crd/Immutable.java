package io.github.reconciler4j.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a field immutable: once an object has it, an update that changes or removes it is refused. A missing field can
 * still be added. On a class it applies to all fields of that class, except that the field of that class can be removed.
 *
 * <p>The API server checks this by CEL rules that compare an object with its former state. It cannot do so inside of lists
 * that are replaced as a whole: such a list needs {@code @ListType(MAP)}.
 *
 * <!-- snippet: SchemaUse -->
 * <pre>{@code
 * @Immutable(message = "choose another shop instead")
 * String region = "";
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
public @interface Immutable {

    /** The message of the refusal; {@code "is immutable"} with the name of the field by default. */
    String message() default "";
}
