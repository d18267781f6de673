package io.github.reconciler4j.spring.autoconfigure;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.Pluralize;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.scheme.UnknownKindException;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.Watches;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A bean with {@link Reconciler} as its definition declares it. Reading it creates no bean and needs no cluster. Immutable
 * and thread-safe.
 *
 * @since 0.1.0
 */
public final class ReconcilerBean {

    private final String beanName;
    private final ResolvableType declared;
    private final Reconciler annotation;
    private final ResolvableType request;
    private final @Nullable Class<? extends HasMetadata> type;
    private final @Nullable KindInfo kind;
    private final Set<GroupVersionKind> owned;
    private final Set<GroupVersionKind> watched;
    private final Set<Watches> watches;

    private ReconcilerBean(
            String beanName, ResolvableType declared, Reconciler annotation, Set<Watches> watches, Scheme scheme) {
        this.beanName = beanName;
        this.declared = declared;
        this.annotation = annotation;
        this.watches = Set.copyOf(watches);
        ResolvableType object = declared.as(ObjectReconciler.class).getGeneric(0);
        ResolvableType requestType = declared.as(RequestReconciler.class).getGeneric(0);
        if (object.resolve() != null) {
            request = ResolvableType.forClass(Request.class);
            type = objectType(object.resolve(Object.class));
        } else if (requestType.resolve() != null) {
            request = requestType;
            type = requestedType(requestType.resolve(Object.class));
        } else {
            throw invalid(
                    "has the type " + declared + ", which does not say what it reconciles",
                    "Implement ObjectReconciler<YourKind> or RequestReconciler<Request>, or declare the return type of the"
                            + " @Bean method with its type argument.");
        }
        kind = type == null ? null : kindInfo(type, scheme);
        owned = new LinkedHashSet<>();
        for (Class<? extends HasMetadata> owns : annotation.owns()) {
            owned.add(kindOf(owns, "owns", scheme));
        }
        watched = new LinkedHashSet<>();
        for (ReconcilerMethods.Watch watch : watchesOf(declared.resolve(Object.class))) {
            watched.add(watch.kind() != null ? watch.kind() : kindOf(requireNonNull(watch.type()), "@Watches", scheme));
            if (watch.kind() != null) {
                register(watch.kind(), scheme);
            }
        }
        new ReconcilerMethods(this).indexes(declared.resolve(Object.class));
    }

    /**
     * Read the declaration of a bean.
     *
     * @throws OperatorConfigurationException if the declaration is contradictory or incomplete
     */
    static ReconcilerBean read(
            String beanName, ResolvableType declared, Reconciler annotation, Set<Watches> watches, Scheme scheme) {
        return new ReconcilerBean(beanName, declared, annotation, watches, scheme);
    }

    private Class<? extends HasMetadata> objectType(Class<?> object) {
        if (!HasMetadata.class.isAssignableFrom(object) || object == HasMetadata.class) {
            throw invalid(
                    "reconciles " + object.getName() + ", which is not the class of a Kubernetes kind",
                    "Use the class of a kind as the type argument, such as a subclass of CustomResource.");
        }
        if (annotation.forType() != HasMetadata.class && annotation.forType() != object) {
            throw invalid(
                    "reconciles " + object.getName() + " by its type argument, but "
                            + annotation.forType().getName() + " by @Reconciler(forType)",
                    "Remove 'forType'.");
        }
        boolean generic = GenericKubernetesResource.class.isAssignableFrom(object);
        if (generic != namesKind()) {
            throw invalid(
                    generic
                            ? "reconciles GenericKubernetesResource without naming the kind"
                            : "names a kind by 'apiVersion' and 'kind', but reconciles " + object.getName(),
                    generic
                            ? "Add 'apiVersion' and 'kind' to @Reconciler."
                            : "Remove 'apiVersion' and 'kind' from @Reconciler.");
        }
        return object.asSubclass(HasMetadata.class);
    }

    private void checkOwnRequests(Class<?> requestClass, boolean hasType) {
        if (hasType || namesKind() || annotation.owns().length > 0) {
            throw invalid(
                    "has requests of its own type " + requestClass.getName()
                            + ", so 'forType', 'apiVersion', 'kind' and 'owns' cannot be used",
                    "Remove these attributes and declare what leads to a request with @Watches methods or a"
                            + " ControllerCustomizer.");
        }
    }

    private @Nullable Class<? extends HasMetadata> requestedType(Class<?> requestClass) {
        boolean hasType = annotation.forType() != HasMetadata.class;
        if (hasType && namesKind()) {
            throw invalid("names its kind twice", "Use either 'forType' or 'apiVersion' and 'kind' in @Reconciler.");
        }
        if (requestClass != Request.class) {
            checkOwnRequests(requestClass, hasType);
            return null;
        }
        if (!hasType && !namesKind()) {
            throw invalid(
                    "implements RequestReconciler<Request> without naming the reconciled kind",
                    "Add 'forType' to @Reconciler, or 'apiVersion' and 'kind' for a kind without a class.");
        }
        return hasType ? annotation.forType() : GenericKubernetesResource.class;
    }

    private boolean namesKind() {
        return !annotation.apiVersion().isEmpty() || !annotation.kind().isEmpty();
    }

    private KindInfo kindInfo(Class<? extends HasMetadata> of, Scheme scheme) {
        if (!namesKind()) {
            return scheme.kindOf(kindOf(of, "", scheme));
        }
        if (annotation.apiVersion().isEmpty() || annotation.kind().isEmpty()) {
            throw invalid("names its kind only in part", "Set both 'apiVersion' and 'kind' in @Reconciler.");
        }
        return register(GroupVersionKind.of(annotation.apiVersion(), annotation.kind()), scheme);
    }

    private static KindInfo register(GroupVersionKind kind, Scheme scheme) {
        try {
            return scheme.kindOf(kind);
        } catch (UnknownKindException e) {
            KindInfo info = new KindInfo(kind, Pluralize.toPlural(kind.kind().toLowerCase(Locale.ROOT)), true);
            scheme.register(info);
            return info;
        }
    }

    private GroupVersionKind kindOf(Class<? extends HasMetadata> of, String attribute, Scheme scheme) {
        try {
            return scheme.kindOf(of).kind();
        } catch (UnknownKindException e) {
            throw new OperatorConfigurationException(
                    "The @Reconciler bean '" + beanName + "' "
                            + (attribute.isEmpty() ? "reconciles " : "names in '" + attribute + "' ") + of.getName()
                            + ", whose kind is unknown: " + e.getMessage(),
                    "Annotate the class with @Group and @Version, or register it in the Scheme bean.",
                    e);
        }
    }

    OperatorConfigurationException invalid(String problem, String action) {
        return new OperatorConfigurationException("The @Reconciler bean '" + beanName + "' " + problem + ".", action);
    }

    /** Return the name of the bean. */
    public String beanName() {
        return beanName;
    }

    /** Return the name of the controller. */
    public String name() {
        if (!annotation.name().isEmpty()) {
            return annotation.name();
        }
        return kind == null ? beanName : kind.kind().kind().toLowerCase(Locale.ROOT);
    }

    /** Return the reconciled kind; empty if the reconciler has its own type of request. */
    public Optional<KindInfo> kind() {
        return Optional.ofNullable(kind);
    }

    /** Return the class of the reconciled kind; empty if the reconciler has its own type of request. */
    public Optional<Class<? extends HasMetadata>> type() {
        return Optional.ofNullable(type);
    }

    /** Return the owned kinds. */
    public Set<GroupVersionKind> ownedKinds() {
        return Set.copyOf(owned);
    }

    /** Return the kinds of {@link Watches @Watches}. */
    public Set<GroupVersionKind> watchedKinds() {
        return Set.copyOf(watched);
    }

    /** Return the reconciled, owned and watched kinds. */
    public Set<GroupVersionKind> kinds() {
        Set<GroupVersionKind> kinds = new LinkedHashSet<>(owned);
        kinds.addAll(watched);
        kind().ifPresent(primary -> kinds.add(primary.kind()));
        return kinds;
    }

    /** Return the permissions that the annotation declares, without those for watching. */
    public List<RequiredPermission> declaredPermissions() {
        return Arrays.stream(annotation.permissions())
                .flatMap(permission -> Arrays.stream(permission.resources())
                        .map(resource -> required(permission.group(), resource, permission.verbs())))
                .toList();
    }

    private RequiredPermission required(String group, String resource, String[] verbs) {
        try {
            return RequiredPermission.on(group, resource, verbs);
        } catch (IllegalArgumentException e) {
            throw invalid("has an invalid @Permission: " + e.getMessage(), "Correct the annotation.");
        }
    }

    /** Return whether the controller runs if no property says so. */
    public boolean enabledByDefault() {
        return annotation.enabledByDefault();
    }

    /** Return whether the bean is an {@link ObjectReconciler}. */
    boolean takesObjects() {
        return declared.as(ObjectReconciler.class).getGeneric(0).resolve() != null;
    }

    /** Return the type of the requests. */
    ResolvableType request() {
        return request;
    }

    /** Return the watches that the bean definition and a class declare. */
    List<ReconcilerMethods.Watch> watchesOf(Class<?> instanceType) {
        return new ReconcilerMethods(this).watches(ClassUtils.getUserClass(instanceType), watches);
    }

    Reconciler annotation() {
        return annotation;
    }

    @Override
    public String toString() {
        return name() + " (bean '" + beanName + "')";
    }
}
