package io.github.reconciler4j.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names a kind that earlier versions of a {@link Reconciler @Reconciler} bean created in object sets, and that this version does
 * not create any more. The controller watches the metadata of the kind and requires the permission {@code delete}, and object sets
 * delete what is left. Remove the annotation when nothing is left anywhere. Use it on the class.
 *
 * <!-- snippet: ShopReconciler -->
 * <pre>{@code
 * @Prunes(ConfigMap.class)
 * }</pre>
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Prunes.All.class)
public @interface Prunes {

    /** The class of the kind. */
    Class<? extends HasMetadata> value() default HasMetadata.class;

    /**
     * The name of a kind without a class: {@code group/version/Kind}, or {@code version/Kind} in the core group. Use either this or
     * {@link #value}.
     */
    String kind() default "";

    /**
     * Several kinds.
     *
     * @since 0.1.0
     */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @interface All {

        /** The kinds. */
        Prunes[] value();
    }
}
