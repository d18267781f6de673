package io.github.reconciler4j.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.predicate.ReconcileOn;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.stereotype.Component;

/**
 * Creates a controller for a bean. Use it on a class that implements {@code ObjectReconciler} or {@code RequestReconciler},
 * which it registers as a bean, or on a {@code @Bean} method that returns such an object. The type argument decides which
 * kind is reconciled, so most beans need no other attribute than {@link #owns}.
 *
 * <p>Each attribute for a setting is also a property: {@code resync} is {@code reconciler4j.controllers.<name>.resync}. A value
 * is taken from the first of these that sets it:
 *
 * <ol>
 *   <li>the property, {@code reconciler4j.controllers.<name>.*} before {@code reconciler4j.all-controllers.*}
 *   <li>this annotation
 *   <li>the default, that of a {@code ControllerCustomizer} or else of the framework
 * </ol>
 *
 * <p>{@link Watches @Watches}, {@link References @References} and {@link Index @Index} on methods of the bean declare what else
 * leads to a reconciliation, and indexes; {@link Owns @Owns} on the class has the details of an owned kind. If the bean
 * implements {@code Cleaner} or {@code ErrorStatusHandler}, the controller uses it as such. A separate
 * {@code ControllerCustomizer<ControllerBuilder<YourKind>>} bean customizes the controller further.
 *
 * <p>Attributes of type {@code String} accept {@code ${placeholders}}; durations have the format of Spring Boot, such as
 * {@code 10m}. The annotation can be used as a meta-annotation.
 *
 * <!-- snippet: PasswordReconciler -->
 * <pre>{@code
 * @Reconciler(
 *         name = "passwords",
 *         owns = Secret.class,
 *         permissions =
 *                 @Permission(
 *                         resources = "secrets",
 *                         verbs = {"get", "create"}))
 * }</pre>
 *
 * @since 0.1.0
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface Reconciler {

    /**
     * The name of the controller in properties, logs, metrics and health. Defaults to the reconciled kind in lower case, or
     * to the name of the bean if the reconciler has its own type of request.
     */
    String name() default "";

    /** The class of the reconciled kind of a {@code RequestReconciler<Request>}, whose type argument does not name it. */
    Class<? extends HasMetadata> value() default HasMetadata.class;

    /**
     * The name of a reconciled kind without a class: {@code group/version/Kind}, or {@code version/Kind} in the core group.
     * The type argument is then {@code GenericKubernetesResource}, or the requests have the type {@code Request}. A kind that
     * is cluster-scoped or has an irregular plural must also be registered in the {@code Scheme} bean.
     */
    String kind() default "";

    /**
     * Kinds whose objects the reconciled objects own. A change of one reconciles the owner that controls it. For predicates,
     * other owners, or a kind without a class, use {@link Owns @Owns}.
     */
    Class<? extends HasMetadata>[] owns() default {};

    /**
     * Permissions that the reconciler needs besides listing and watching the reconciled, owned and watched kinds. They are
     * checked at startup; see {@code reconciler4j.preflight}.
     */
    Permission[] permissions() default {};

    /** Maximum number of requests that are reconciled at the same time. Defaults to 1. */
    String maxConcurrentReconciles() default "";

    /** Maximum duration of one reconciliation, after which it is interrupted. Unlimited by default. */
    String reconcileTimeout() default "";

    /**
     * Delay before the first retry of a failed reconciliation, which doubles with each further failure. Defaults to
     * {@code 5ms}.
     */
    String initialBackoff() default "";

    /** Maximum delay between two retries of a failed reconciliation. Defaults to {@code 1000s}. */
    String maxBackoff() default "";

    /**
     * Minimum time between the starts of two reconciliations of one object, such as {@code 10s}. What comes earlier waits, and is
     * reconciled once. Unlimited by default.
     */
    String minInterval() default "";

    /**
     * Maximum number of failures in a row. The object is not retried then until something changes, and its condition {@code
     * Stalled} and an event say so. Unlimited by default.
     */
    String maxAttempts() default "";

    /** Name of the annotation that pauses an object. Defaults to {@code reconciler4j.io/paused}. */
    String pauseAnnotation() default "";

    /**
     * The updates of the reconciled kind that lead to a reconciliation. Defaults to {@link ReconcileOn#SPEC_OR_METADATA}
     * for custom resources, so that writing the status does not, and to {@link ReconcileOn#ANY_CHANGE} for built-in kinds.
     * Takes at most one value.
     */
    ReconcileOn[] reconcileOn() default {};

    /** Label selector of the objects that the controller reconciles. Defaults to all objects. */
    String labelSelector() default "";

    /**
     * Clusters in which the controller runs: names of clusters, {@code *} for all other clusters that join, {@code -} and a name
     * for all but that one, and {@code home} for the cluster of the operator. Each cluster has a controller of its own. Defaults
     * to {@code home}. The reconciler uses the client of its context, {@code context.client()}.
     */
    String[] clusters() default {};

    /** Namespaces of the objects that the controller reconciles. Defaults to all watched namespaces. */
    String[] namespaces() default {};

    /**
     * Name of the finalizer that the controller adds if the reconciler implements {@code Cleaner}. Defaults to
     * {@code <plural>.<group>/finalizer}.
     */
    String finalizer() default "";

    /** Interval at which all objects of the reconciled kind are enqueued again for this controller only. */
    String resync() default "";

    /**
     * Times at which all objects of the reconciled kind are enqueued, for this controller only: a cron expression with five fields,
     * such as {@code 0 3 * * *} for each night at three, or with seconds as in {@code @Scheduled}. A day must match both the day of
     * the month and the day of the week. Times that pass while the process is suspended are made up for once. The initial list of
     * a start makes up for those before it. A hyphen disables the schedule. None by default.
     */
    String schedule() default "";

    /** Time zone of the {@link #schedule}, such as {@code Europe/Berlin}. Defaults to that of the JVM. */
    String zone() default "";

    /**
     * Field manager of the writes of the controller. Defaults to its name. When you rename a controller, set this to the old name:
     * otherwise the fields that it applied keep the old name as an owner, and no apply removes them anymore.
     */
    String fieldManager() default "";

    /**
     * Service account that writes for the controller, as a name in the namespace of the operator or as {@code namespace/name}. The
     * operator impersonates it for all writes and events, and watches and reads with its own account. Defaults to the account of the
     * operator.
     */
    String serviceAccount() default "";

    /**
     * The replicas on which the controller runs when leader election is enabled. Defaults to {@link RunOn#LEADER}. Takes at most
     * one value.
     */
    RunOn[] runOn() default {};

    /** Whether standby replicas fill the queue before they become the leader. Defaults to false. Takes at most one value. */
    boolean[] warmUp() default {};

    /**
     * The form in which the cache keeps the objects of the reconciled kind, for all who read it. A setting below
     * {@code reconciler4j.cache.kinds} takes precedence. Defaults to {@link StorageForm#COMPACT}. Takes at most one value.
     */
    StorageForm[] storage() default {};

    /**
     * Whether {@code *} in {@code reconciler4j.enabled-controllers} stands for this controller too. A controller that is
     * not enabled by default runs only if a property names it.
     */
    boolean enabledByDefault() default true;
}
