package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.Pluralize;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.scheme.UnknownKindException;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.References;
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
    private final Set<KindName> owned;
    private final Set<KindName> watched;
    private final @Nullable Kind<? extends HasMetadata> primary;
    private final List<ReconcilerMethods.OwnedKind> ownedKinds;

    private ReconcilerBean(
            String beanName, ResolvableType declared, Reconciler annotation, Set<Owns> owns, Scheme scheme) {
        this.beanName = beanName;
        this.declared = declared;
        this.annotation = annotation;
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
        primary = type == null ? null : primary(type);
        kind = primary == null ? null : register(primary, scheme);
        Class<?> bean = declared.resolve(Object.class);
        ownedKinds = new ReconcilerMethods(this).owned(owns);
        if (type == null && !ownedKinds.isEmpty()) {
            throw ownRequests(request.resolve(Object.class));
        }
        owned = new LinkedHashSet<>();
        for (ReconcilerMethods.OwnedKind each : ownedKinds) {
            owned.add(register(each.kind(), scheme).kind());
        }
        watched = new LinkedHashSet<>();
        for (ReconcilerMethods.WatchMethod each : watchesOf(bean)) {
            watched.add(register(each.kind(), scheme).kind());
        }
        prunedBy(bean).forEach(each -> watched.add(register(each, scheme).kind()));
        for (ReconcilerMethods.ReferenceMethod each : referencesOf(bean)) {
            watched.add(register(each.kind(), scheme).kind());
        }
        new ReconcilerMethods(this).indexes(declared.resolve(Object.class));
    }

    /**
     * Read the declaration of a bean.
     *
     * @throws OperatorConfigurationException if the declaration is contradictory or incomplete
     */
    static ReconcilerBean read(
            String beanName, ResolvableType declared, Reconciler annotation, Set<Owns> owns, Scheme scheme) {
        return new ReconcilerBean(beanName, declared, annotation, owns, scheme);
    }

    private Class<? extends HasMetadata> objectType(Class<?> object) {
        if (!HasMetadata.class.isAssignableFrom(object) || object == HasMetadata.class) {
            throw invalid(
                    "reconciles " + object.getName() + ", which is not the class of a Kubernetes kind",
                    "Use the class of a kind as the type argument, such as a subclass of CustomResource.");
        }
        if (annotation.value() != HasMetadata.class && annotation.value() != object) {
            throw invalid(
                    "reconciles " + object.getName() + " by its type argument, but "
                            + annotation.value().getName() + " by @Reconciler(value)",
                    "Remove 'value'.");
        }
        boolean generic = GenericKubernetesResource.class.isAssignableFrom(object);
        if (generic == annotation.kind().isEmpty()) {
            throw invalid(
                    generic
                            ? "reconciles GenericKubernetesResource without naming the kind"
                            : "names the kind '" + annotation.kind() + "', but reconciles " + object.getName(),
                    generic
                            ? "Add 'kind' to @Reconciler, such as 'cert-manager.io/v1/Certificate'."
                            : "Remove 'kind' from @Reconciler.");
        }
        return object.asSubclass(HasMetadata.class);
    }

    private OperatorConfigurationException ownRequests(Class<?> requestClass) {
        return invalid(
                "has requests of its own type " + requestClass.getName()
                        + ", so 'value', 'kind', 'owns' and @Owns cannot be used",
                "Remove these and declare what leads to a request with @Watches methods or a ControllerCustomizer.");
    }

    private @Nullable Class<? extends HasMetadata> requestedType(Class<?> requestClass) {
        Kind<?> named = named("@Reconciler", annotation.value(), annotation.kind());
        if (requestClass != Request.class) {
            if (named != null) {
                throw ownRequests(requestClass);
            }
            return null;
        }
        if (named == null) {
            throw invalid(
                    "implements RequestReconciler<Request> without naming the reconciled kind",
                    "Add 'value' to @Reconciler, or 'kind' for a kind without a class.");
        }
        return annotation.kind().isEmpty() ? annotation.value() : GenericKubernetesResource.class;
    }

    private Kind<? extends HasMetadata> primary(Class<? extends HasMetadata> of) {
        return annotation.kind().isEmpty() ? kindOf(of, "") : parsed("@Reconciler", annotation.kind());
    }

    /**
     * Return the kind that an annotation names, null if it names none.
     *
     * @param where the annotation and its place, for errors
     */
    @Nullable
    Kind<? extends HasMetadata> named(String where, Class<? extends HasMetadata> named, String name) {
        if (named != HasMetadata.class && !name.isEmpty()) {
            throw invalid(
                    "names two kinds in " + where + ": " + named.getSimpleName() + ".class and '" + name + "'",
                    "Keep either 'value' or 'kind'.");
        }
        if (named != HasMetadata.class) {
            return kindOf(named, where);
        }
        return name.isEmpty() ? null : parsed(where, name);
    }

    private Kind<GenericKubernetesResource> parsed(String where, String name) {
        try {
            return Kind.parse(name);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    "has " + where + " whose 'kind' is malformed: " + e.getMessage(),
                    "Correct 'kind', or name the class of the kind with 'value'.");
        }
    }

    private static KindInfo register(Kind<?> kind, Scheme scheme) {
        try {
            return scheme.kindOf(kind);
        } catch (UnknownKindException e) {
            KindInfo info =
                    new KindInfo(kind.name(), Pluralize.toPlural(kind.kind().toLowerCase(Locale.ROOT)), true);
            scheme.register(info);
            return info;
        }
    }

    <T extends HasMetadata> Kind<T> kindOf(Class<T> of, String attribute) {
        try {
            return Kind.of(of);
        } catch (UnknownKindException e) {
            throw new OperatorConfigurationException(
                    "The @Reconciler bean '" + beanName + "' "
                            + (attribute.isEmpty() ? "reconciles " : "names in '" + attribute + "' ") + of.getName()
                            + ", whose kind is unknown: " + e.getMessage(),
                    "Annotate the class with @Group and @Version, or name its kind with 'kind'. (R4J-304)",
                    e);
        }
    }

    OperatorConfigurationException invalid(String problem, String action) {
        return new OperatorConfigurationException(
                "The @Reconciler bean '" + beanName + "' " + problem + ".", action + " (R4J-303)");
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
    public Set<KindName> ownedKinds() {
        return Set.copyOf(owned);
    }

    /** Return the kinds of {@link Watches @Watches} and {@link References @References}. */
    public Set<KindName> watchedKinds() {
        return Set.copyOf(watched);
    }

    /** Return the reconciled, owned and watched kinds. */
    public Set<KindName> kinds() {
        Set<KindName> kinds = new LinkedHashSet<>(owned);
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

    /** Return the reconciled kind in its form; null if the reconciler has its own type of request. */
    @Nullable
    Kind<? extends HasMetadata> primary() {
        return primary;
    }

    /** Return the owned kinds with what their annotations say. */
    List<ReconcilerMethods.OwnedKind> owned() {
        return ownedKinds;
    }

    /** Return the kinds that a class prunes and does not create any more. */
    List<Kind<?>> prunedBy(Class<?> instanceType) {
        return new ReconcilerMethods(this).pruned(ClassUtils.getUserClass(instanceType));
    }

    /** Return the watches that a class declares. */
    List<ReconcilerMethods.WatchMethod> watchesOf(Class<?> instanceType) {
        return new ReconcilerMethods(this).watches(ClassUtils.getUserClass(instanceType));
    }

    /** Return the references that a class declares. */
    List<ReconcilerMethods.ReferenceMethod> referencesOf(Class<?> instanceType) {
        return new ReconcilerMethods(this).references(ClassUtils.getUserClass(instanceType));
    }

    Reconciler annotation() {
        return annotation;
    }

    @Override
    public String toString() {
        return name() + " (bean '" + beanName + "')";
    }
}
