package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.spring.Reconciler;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanDefinitionStoreException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * A bean that carries {@link Reconciler}, and what can be read of it without looking at the instance, which may be a
 * proxy.
 *
 * @param beanName the name of the bean
 * @param annotation its annotation
 * @param takesObjects whether it is an {@link ObjectReconciler}
 * @param type the kind it reconciles
 */
record ReconcilerBean(String beanName, Reconciler annotation, boolean takesObjects, Class<? extends HasMetadata> type) {

    /** All of them, in the order of their definition. */
    static List<ReconcilerBean> findAll(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanNamesForAnnotation(Reconciler.class))
                .map(name -> read(name, beans))
                .toList();
    }

    private static ReconcilerBean read(String name, ConfigurableListableBeanFactory beans) {
        Reconciler annotation = beans.findAnnotationOnBean(name, Reconciler.class);
        if (annotation == null) {
            throw refused(name, "has lost its annotation");
        }
        ResolvableType declared = declaredType(name, beans);
        Class<?> object = typeArgument(declared, ObjectReconciler.class);
        if (object != null) {
            return forObjects(name, annotation, object);
        }
        Class<?> request = typeArgument(declared, RequestReconciler.class);
        if (request != null) {
            return forRequests(name, annotation, request);
        }
        throw refused(
                name,
                "is of the type " + declared + ", from which it cannot be told what it reconciles: implement"
                        + " ObjectReconciler<YourKind> or RequestReconciler<Request>, or declare the @Bean method's return"
                        + " type with its type argument");
    }

    /** The controller's name: what the annotation says, or else the kind in lower case. */
    String controllerName() {
        return annotation.name().isEmpty() ? HasMetadata.getKind(type).toLowerCase(Locale.ROOT) : annotation.name();
    }

    /** The rights that the annotation declares. */
    RequiredPermission[] requiredPermissions() {
        return Arrays.stream(annotation.access())
                .flatMap(access -> Arrays.stream(access.resources())
                        .map(resource -> RequiredPermission.on(access.group(), resource, access.verbs())))
                .toArray(RequiredPermission[]::new);
    }

    private static ReconcilerBean forObjects(String name, Reconciler annotation, Class<?> object) {
        if (!HasMetadata.class.isAssignableFrom(object) || object == HasMetadata.class) {
            throw refused(name, "reconciles " + object.getName() + ", which is not the class of a Kubernetes kind");
        }
        if (annotation.forType() != HasMetadata.class && annotation.forType() != object) {
            throw refused(
                    name,
                    "reconciles " + object.getName() + " by its type argument, but "
                            + annotation.forType().getName() + " by @Reconciler(forType): leave forType out");
        }
        return new ReconcilerBean(name, annotation, true, object.asSubclass(HasMetadata.class));
    }

    private static ReconcilerBean forRequests(String name, Reconciler annotation, Class<?> request) {
        if (request != Request.class) {
            throw refused(
                    name,
                    "takes requests of the type " + request.getName()
                            + ": build its controller with ControllerBuilder and add it to the Manager bean");
        }
        if (annotation.forType() == HasMetadata.class) {
            throw refused(name, "takes requests and must say which kind they are for: @Reconciler(forType = ...)");
        }
        return new ReconcilerBean(name, annotation, false, annotation.forType());
    }

    private static ResolvableType declaredType(String name, ConfigurableListableBeanFactory beans) {
        ResolvableType declared = beans.containsBeanDefinition(name)
                ? beans.getMergedBeanDefinition(name).getResolvableType()
                : null;
        if (declared != null && declared.resolve() != null) {
            return declared;
        }
        Class<?> type = beans.getType(name);
        if (type == null) {
            throw refused(name, "has no type that can be told");
        }
        return ResolvableType.forClass(type);
    }

    private static @Nullable Class<?> typeArgument(ResolvableType declared, Class<?> reconciler) {
        return declared.as(reconciler).getGeneric(0).resolve();
    }

    private static BeanDefinitionStoreException refused(String name, String why) {
        return new BeanDefinitionStoreException("The @Reconciler bean '" + name + "' " + why);
    }
}
