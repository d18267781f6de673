package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.OwnWrites;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Index;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Prunes;
import io.github.reconciler4j.spring.References;
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

/** Reads and checks {@link Owns}, {@link Watches}, {@link References} and {@link Index} of a reconciler. */
final class ReconcilerMethods {

    private final ReconcilerBean bean;

    ReconcilerMethods(ReconcilerBean bean) {
        this.bean = bean;
    }

    /**
     * Which events count.
     *
     * @param seen what predicates receive
     * @param fields accepts updates of the fields that count; null if all do
     */
    record Filter(
            Class<?> seen,
            List<ReconcileOn> updates,
            @Nullable EventPredicate<? extends HasMetadata> fields,
            List<Class<? extends EventPredicate<?>>> predicates) {

        static Filter none(Class<?> seen) {
            return new Filter(seen, List.of(), null, List.of());
        }
    }

    /** An owned kind. */
    record OwnedKind(Kind<?> kind, OwnerMatch match, Filter filter, boolean optional, OwnWrites ownWrites) {}

    /**
     * A watched kind, in the form that the method takes.
     *
     * @param method returns the requests
     */
    record WatchMethod(Kind<?> kind, Method method, Filter filter, boolean optional, OwnWrites ownWrites) {}

    /**
     * A named kind.
     *
     * @param method returns the names
     */
    record ReferenceMethod(Kind<?> kind, String index, Method method, Filter filter, boolean optional) {}

    /**
     * An index.
     *
     * @param type the indexed class
     */
    record IndexMethod(String name, Method method, Class<? extends HasMetadata> type) {}

    /** Return the owned kinds that the annotations of a class and its bean definition name. */
    List<OwnedKind> owned(Set<Owns> annotations) {
        List<OwnedKind> owned = new ArrayList<>();
        for (Class<? extends HasMetadata> type : bean.annotation().owns()) {
            owned.add(new OwnedKind(
                    bean.kindOf(type, "owns"), OwnerMatch.CONTROLLER, Filter.none(type), false, OwnWrites.DELIVER));
        }
        for (Owns annotation : annotations) {
            String where = "@Owns";
            Kind<?> kind = required(bean.named(where, annotation.value(), annotation.kind()), where);
            owned.add(new OwnedKind(
                    kind,
                    annotation.match(),
                    filter(
                            where,
                            seen(kind),
                            annotation.reconcileOn(),
                            annotation.onChangeOf(),
                            annotation.predicates()),
                    annotation.optional(),
                    annotation.ownWrites()));
        }
        return owned;
    }

    /** Return the kinds that a class prunes and does not create any more. */
    List<Kind<?>> pruned(Class<?> type) {
        List<Kind<?>> pruned = new ArrayList<>();
        for (Prunes annotation : AnnotatedElementUtils.findMergedRepeatableAnnotations(type, Prunes.class)) {
            String where = "@Prunes";
            pruned.add(required(bean.named(where, annotation.value(), annotation.kind()), where));
        }
        return pruned;
    }

    /** Return the watches of a class. */
    List<WatchMethod> watches(Class<?> type) {
        Map<Method, Set<Watches>> methods =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<Set<Watches>>) method -> {
                    Set<Watches> found = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Watches.class);
                    return found.isEmpty() ? null : found;
                });
        return sorted(methods)
                .flatMap(entry -> entry.getValue().stream().map(annotation -> watch(annotation, entry.getKey())))
                .toList();
    }

    /** Return the references of a class. */
    List<ReferenceMethod> references(Class<?> type) {
        Map<Method, References> methods =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<References>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, References.class));
        return sorted(methods)
                .map(entry -> reference(entry.getValue(), entry.getKey()))
                .toList();
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

    WatchMethod watch(Watches annotation, Method method) {
        String where = "@Watches on the method " + text(method);
        Class<?> parameter = parameter(method, "@Watches", "the object or of type ObjectHeader");
        boolean header = parameter == ObjectHeader.class;
        Kind<?> kind = bean.named(where, annotation.value(), annotation.kind());
        if (kind == null) {
            kind = ofParameter(parameter, where);
        }
        if (!header && !parameter.isAssignableFrom(seen(kind))) {
            throw bean.invalid(
                    "watches " + kind + " by " + where + ", which takes " + parameter.getName(),
                    "Use a parameter of type " + seen(kind).getSimpleName() + " or ObjectHeader.");
        }
        Class<?> request = bean.request().resolve(Object.class);
        checkResult(
                method,
                "@Watches",
                request == Request.class ? List.of(Request.class, ObjectKey.class) : List.of(request));
        Kind<?> form = header ? kind.metadata() : kind;
        return new WatchMethod(
                form,
                method,
                filter(where, seen(form), annotation.reconcileOn(), annotation.onChangeOf(), annotation.predicates()),
                annotation.optional(),
                annotation.ownWrites());
    }

    private Kind<?> ofParameter(Class<?> parameter, String where) {
        boolean namesNone = !HasMetadata.class.isAssignableFrom(parameter)
                || parameter == HasMetadata.class
                || GenericKubernetesResource.class.isAssignableFrom(parameter);
        return required(namesNone ? null : bean.kindOf(parameter.asSubclass(HasMetadata.class), where), where);
    }

    ReferenceMethod reference(References annotation, Method method) {
        String where = "@References on the method " + text(method);
        Class<?> parameter = parameter(method, "@References", "the reconciled object");
        Kind<?> kind = required(bean.named(where, annotation.value(), annotation.kind()), where);
        Class<? extends HasMetadata> reconciled = bean.type().orElse(null);
        if (reconciled == null) {
            throw bean.invalid(
                    "has its own type of request, so there are no objects for " + where,
                    "Put @Watches on a method that returns the requests of a changed object.");
        }
        if (!parameter.isAssignableFrom(reconciled)) {
            throw bean.invalid(
                    "has " + where + ", which takes " + parameter.getName(),
                    "Use a parameter of the reconciled type " + reconciled.getSimpleName()
                            + ", and return the names in 'value' or 'kind'.");
        }
        checkResult(method, "@References", List.of(String.class, ObjectKey.class));
        String index = annotation.index().isEmpty() ? method.getName() : annotation.index();
        return new ReferenceMethod(
                kind.metadata(),
                index,
                method,
                filter(where, ObjectHeader.class, annotation.reconcileOn(), new String[0], annotation.predicates()),
                annotation.optional());
    }

    private Kind<?> required(@Nullable Kind<?> kind, String where) {
        if (kind == null) {
            throw bean.invalid(
                    "has " + where + " that does not name a kind",
                    "Name the class of the kind with 'value', such as Secret.class, or its name with 'kind', such as"
                            + " 'cert-manager.io/v1/Certificate'.");
        }
        return kind;
    }

    /** Return the class of the objects of a kind in its form. */
    private static Class<?> seen(Kind<?> kind) {
        if (kind.isMetadata()) {
            return ObjectHeader.class;
        }
        return kind.type().isPresent() ? kind.type().get() : GenericKubernetesResource.class;
    }

    /** A predicate of other objects would fail at the first event. */
    private Filter filter(
            String where,
            Class<?> seen,
            ReconcileOn[] updates,
            String[] fields,
            Class<? extends EventPredicate<?>>[] predicates) {
        if (updates.length > 1) {
            throw bean.invalid("has " + where + " with several values of 'reconcileOn'", "Keep one of them.");
        }
        for (Class<? extends EventPredicate<?>> predicate : predicates) {
            Class<?> takes = ResolvableType.forClass(predicate)
                    .as(EventPredicate.class)
                    .getGeneric(0)
                    .resolve(Object.class);
            if (!takes.isAssignableFrom(seen)) {
                throw bean.invalid(
                        "has " + where + " with the predicate " + predicate.getName() + " of " + takes.getSimpleName()
                                + ", but the events are those of " + seen.getSimpleName(),
                        "Let the predicate implement EventPredicate<" + seen.getSimpleName()
                                + "> or EventPredicate<Object>.");
            }
        }
        return new Filter(seen, List.of(updates), fields(where, seen, fields), List.of(predicates));
    }

    private @Nullable EventPredicate<? extends HasMetadata> fields(String where, Class<?> seen, String[] paths) {
        if (paths.length == 0) {
            return null;
        }
        if (!HasMetadata.class.isAssignableFrom(seen)) {
            throw bean.invalid(
                    "has " + where + " with 'onChangeOf', but watches only the metadata of the kind",
                    "Let the method take the object instead of its ObjectHeader.");
        }
        try {
            return EventPredicates.fieldsChanged(seen.asSubclass(HasMetadata.class), paths);
        } catch (IllegalArgumentException e) {
            throw bean.invalid(
                    "has " + where + " with 'onChangeOf' that is not valid: " + e.getMessage(),
                    "Use names of fields as in the JSON of the object, such as 'spec.tls'.");
        }
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
