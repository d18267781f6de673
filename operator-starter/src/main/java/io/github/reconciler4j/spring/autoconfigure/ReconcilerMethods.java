package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Index;
import io.github.reconciler4j.spring.Watches;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Reads and checks {@link Watches} and {@link Index} of a reconciler. */
final class ReconcilerMethods {

    private final ReconcilerBean bean;

    ReconcilerMethods(ReconcilerBean bean) {
        this.bean = bean;
    }

    /**
     * A watch.
     *
     * @param method returns the requests; null if an index does
     * @param type the watched class; null for a kind without a class
     * @param kind the watched kind; null for a class
     * @param metadata whether the watch needs nothing but metadata
     */
    record Watch(
            Watches annotation,
            @Nullable Method method,
            @Nullable Class<? extends HasMetadata> type,
            @Nullable GroupVersionKind kind,
            boolean metadata) {}

    /**
     * An index.
     *
     * @param type the indexed class
     */
    record IndexMethod(String name, Method method, Class<? extends HasMetadata> type) {}

    /** Return the watches of a class; its bean definition may have more. */
    List<Watch> watches(Class<?> type, Set<Watches> ofDefinition) {
        List<Watch> watches = new ArrayList<>();
        ofDefinition.forEach(annotation -> watches.add(ofClass(annotation)));
        Map<Method, Set<Watches>> methods =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<Set<Watches>>) method -> {
                    Set<Watches> found = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Watches.class);
                    return found.isEmpty() ? null : found;
                });
        sorted(methods)
                .forEach(entry ->
                        entry.getValue().forEach(annotation -> watches.add(ofMethod(annotation, entry.getKey()))));
        return watches;
    }

    /** Return the indexes of a class. */
    List<IndexMethod> indexes(Class<?> type) {
        Map<Method, Index> methods = MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<Index>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, Index.class));
        return sorted(methods)
                .map(entry -> index(entry.getValue(), entry.getKey()))
                .toList();
    }

    private static <A> Stream<Map.Entry<Method, A>> sorted(Map<Method, A> methods) {
        return methods.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().toString()));
    }

    private Watch ofClass(Watches annotation) {
        if (annotation.index().isEmpty()) {
            throw bean.invalid(
                    "has @Watches on its class or @Bean method without an index",
                    "Set 'index', or put @Watches on a method that returns the requests of a changed object.");
        }
        Class<? extends HasMetadata> type = annotation.value() == HasMetadata.class ? null : annotation.value();
        GroupVersionKind kind = kind(annotation, "on its class");
        if ((type == null) == (kind == null)) {
            throw bean.invalid(
                    "has @Watches on its class that names " + (type == null ? "no kind" : "two kinds"),
                    "Set either 'value' or 'apiVersion' and 'kind'.");
        }
        if (bean.kind().isEmpty()) {
            throw bean.invalid(
                    "has its own type of request, so it has no index for @Watches(index = \"" + annotation.index()
                            + "\")",
                    "Put @Watches on a method that returns the requests of a changed object.");
        }
        return new Watch(annotation, null, type, kind, true);
    }

    private void checkMethodAnnotation(Watches annotation, String where) {
        if (!annotation.index().isEmpty()) {
            throw bean.invalid(
                    "has @Watches with 'index' " + where, "Move the annotation to the class, or remove 'index'.");
        }
    }

    private Watch ofMethod(Watches annotation, Method method) {
        String where = "on the method " + text(method);
        Class<?> parameter = parameter(method, "@Watches", "the object or of type ObjectHeader");
        boolean header = parameter == ObjectHeader.class;
        GroupVersionKind kind = kind(annotation, where);
        Class<? extends HasMetadata> type = annotation.value() == HasMetadata.class ? null : annotation.value();
        checkMethodAnnotation(annotation, where);
        if (kind != null && (type != null || !(header || parameter == GenericKubernetesResource.class))) {
            throw bean.invalid(
                    "has @Watches with 'apiVersion' and 'kind' " + where + ", which takes " + parameter.getName(),
                    "Use a parameter of type ObjectHeader or GenericKubernetesResource, and no 'value'.");
        }
        if (type == null && kind == null) {
            type = ofParameter(parameter, where);
        }
        if (type != null && !header && !parameter.isAssignableFrom(type)) {
            throw bean.invalid(
                    "has @Watches(" + type.getSimpleName() + ".class) " + where + ", which takes "
                            + parameter.getName(),
                    "Use a parameter of type " + type.getSimpleName() + " or ObjectHeader.");
        }
        Class<?> request = bean.request().resolve(Object.class);
        checkResult(
                method,
                "@Watches",
                request == Request.class ? List.of(Request.class, ObjectKey.class) : List.of(request));
        return new Watch(annotation, method, type, kind, header);
    }

    private Class<? extends HasMetadata> ofParameter(Class<?> parameter, String where) {
        if (!HasMetadata.class.isAssignableFrom(parameter)
                || parameter == HasMetadata.class
                || GenericKubernetesResource.class.isAssignableFrom(parameter)) {
            throw bean.invalid(
                    "has @Watches " + where + " that does not name a kind",
                    "Name the class of the kind, such as @Watches(Secret.class), or set 'apiVersion' and 'kind'.");
        }
        return parameter.asSubclass(HasMetadata.class);
    }

    private @Nullable GroupVersionKind kind(Watches annotation, String where) {
        if (annotation.apiVersion().isEmpty() != annotation.kind().isEmpty()) {
            throw bean.invalid(
                    "has @Watches " + where + " that names its kind only in part", "Set both 'apiVersion' and 'kind'.");
        }
        if (annotation.reconcileOn().length > 1) {
            throw bean.invalid("has @Watches " + where + " with several values of 'reconcileOn'", "Keep one of them.");
        }
        return annotation.kind().isEmpty() ? null : GroupVersionKind.of(annotation.apiVersion(), annotation.kind());
    }

    private IndexMethod index(Index annotation, Method method) {
        Class<?> parameter = parameter(method, "@Index", "the object");
        if (!HasMetadata.class.isAssignableFrom(parameter) || parameter == HasMetadata.class) {
            throw bean.invalid(
                    "has @Index on the method " + text(method) + ", which takes " + parameter.getName(),
                    "Use a parameter of the class of the indexed kind.");
        }
        if (bean.kind().isEmpty()) {
            throw bean.invalid(
                    "has its own type of request, so @Index on the method " + text(method) + " has no kind",
                    "Declare the index with 'Cache.informer(...).addIndex(...)'.");
        }
        checkResult(method, "@Index", List.of(String.class, ObjectKey.class));
        return new IndexMethod(annotation.value(), method, parameter.asSubclass(HasMetadata.class));
    }

    private Class<?> parameter(Method method, String annotation, String what) {
        if (method.getParameterCount() != 1) {
            throw bean.invalid(
                    "has " + annotation + " on the method " + text(method) + ", which takes "
                            + method.getParameterCount() + " parameters",
                    "Declare exactly one parameter: " + what + ".");
        }
        return method.getParameterTypes()[0];
    }

    /** Types that are not known at compile time are checked when the method returns. */
    private void checkResult(Method method, String annotation, List<Class<?>> allowed) {
        Class<?> element = element(ResolvableType.forMethodReturnType(method)).resolve();
        boolean valid = element == null
                || element == Object.class
                || allowed.stream().anyMatch(type -> type.isAssignableFrom(element));
        if (!valid) {
            List<String> names = allowed.stream().map(Class::getSimpleName).toList();
            throw bean.invalid(
                    "has " + annotation + " on the method " + text(method) + ", which returns "
                            + ResolvableType.forMethodReturnType(method),
                    "Return " + String.join(" or ", names) + ", or a collection, stream, array or Optional of it.");
        }
    }

    private static ResolvableType element(ResolvableType returned) {
        if (returned.isArray()) {
            return returned.getComponentType();
        }
        for (Class<?> container : List.of(Iterable.class, Stream.class, Optional.class)) {
            ResolvableType found = returned.as(container);
            if (found != ResolvableType.NONE) {
                return found.getGeneric(0);
            }
        }
        return returned;
    }

    private static String text(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName() + "("
                + String.join(
                        ", ",
                        Arrays.stream(method.getParameterTypes())
                                .map(Class::getSimpleName)
                                .toList()) + ")";
    }
}
