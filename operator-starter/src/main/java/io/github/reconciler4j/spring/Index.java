package io.github.reconciler4j.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares an index of the cache on a method of a {@link Reconciler @Reconciler} bean. The only parameter of the method is
 * an object of the reconciled kind, or of another kind, which it must not change. The method returns the terms of the
 * object: a string or an {@code ObjectKey}, or a collection, stream, array or {@code Optional} of these. Null stands for no
 * term.
 *
 * <p>Lists select by the index with the field selector {@code name=term}; {@link References @References} has one of its
 * own.
 *
 * <!-- snippet: IndexingReconciler -->
 * <pre>{@code
 * @Index("host")
 * String hostOf(WebPage page) {
 *     return page.getMetadata().getAnnotations().get("example.com/host");
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Index {

    /** The name of the index, unique among the indexes of the kind. */
    String value();
}
