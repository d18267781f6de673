package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Owned;
import io.github.reconciler4j.builder.Reference;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerMethods.Filter;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerMethods.IndexMethod;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerMethods.OwnedKind;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerMethods.ReferenceMethod;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerMethods.WatchMethod;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Adds the annotated watches and indexes of a reconciler to the builder of its controller. */
final class ControllerWiring {

    private final ReconcilerBean bean;
    private final Object reconciler;
    private final ConfigurableListableBeanFactory beans;
    private final Class<?> type;

    /** Read the class of the instance, which can be more specific than the declared type of its bean. */
    ControllerWiring(ReconcilerBean bean, Object reconciler, ConfigurableListableBeanFactory beans) {
        this.bean = bean;
        this.reconciler = reconciler;
        this.beans = beans;
        this.type = AopUtils.getTargetClass(reconciler);
    }

    <T extends HasMetadata> void applyToKind(ControllerBuilder<T> builder) {
        for (OwnedKind owned : bean.owned()) {
            builder.owns(owned(owned.kind(), owned));
        }
        bean.prunedBy(type).forEach(builder::prunes);
        for (ReferenceMethod reference : bean.referencesOf(type)) {
            Reference.Builder to = Reference.to(reference.kind()).when(predicate(reference.filter()));
            builder.references((reference.optional() ? to.optional() : to)
                    .<T>by(reference.index(), terms(reference.method())::apply));
        }
        for (IndexMethod index : new ReconcilerMethods(bean).indexes(type)) {
            boolean ofPrimary =
                    bean.type().filter(index.type()::isAssignableFrom).isPresent();
            if (ofPrimary) {
                builder.index(index.name(), terms(index.method()));
            } else {
                builder.index(bean.kindOf(index.type(), "@Index"), index.name(), terms(index.method()));
            }
        }
        applyTo(builder);
    }

    <R> void applyTo(AbstractControllerBuilder<R, ?> builder) {
        for (WatchMethod watch : bean.watchesOf(type)) {
            builder.watches(this.<Object, R>watch(watch.kind(), watch));
        }
    }

    private <S> Owned<S> owned(Kind<S> kind, OwnedKind owned) {
        Owned<S> relation = Owned.of(kind)
                .match(owned.match())
                .when(predicate(owned.filter()))
                .ownWrites(owned.ownWrites());
        return owned.optional() ? relation.optional() : relation;
    }

    private <S, R> Watch<R> watch(Kind<? extends S> kind, WatchMethod watch) {
        Watch.Builder<? extends S> of =
                Watch.kind(kind).when(predicate(watch.filter())).ownWrites(watch.ownWrites());
        return (watch.optional() ? of.optional() : of).map(this.<R>mapper(watch.method()));
    }

    private Function<Object, List<String>> terms(Method method) {
        MethodCall call = new MethodCall(reconciler, bean.beanName(), method);
        return object -> call.elements(object).stream().map(Object::toString).toList();
    }

    private <R> Function<Object, List<R>> mapper(Method method) {
        MethodCall call = new MethodCall(reconciler, bean.beanName(), method);
        Class<?> request = bean.request().resolve(Object.class);
        return object -> {
            List<R> requests = new ArrayList<>();
            for (Object element : call.elements(object)) {
                requests.add(ControllerWiring.<R>request(element, request, call));
            }
            return requests;
        };
    }

    @SuppressWarnings("unchecked")
    private static <R> R request(Object element, Class<?> type, MethodCall call) {
        Object request = type == Request.class && element instanceof ObjectKey key ? Request.of(key) : element;
        if (!type.isInstance(request)) {
            throw new IllegalStateException("@Watches method " + call + " returned "
                    + element.getClass().getName() + " instead of " + type.getName());
        }
        return (R) request;
    }

    @SuppressWarnings("unchecked")
    private EventPredicate<Object> predicate(Filter filter) {
        List<EventPredicate<Object>> all = new ArrayList<>(filter.updates());
        if (filter.fields() != null) {
            all.add((EventPredicate<Object>) (EventPredicate<?>) filter.fields());
        }
        for (Class<? extends EventPredicate<?>> type : filter.predicates()) {
            EventPredicate<?> bean = beans.getBeanProvider(type).getIfAvailable();
            all.add((EventPredicate<Object>) (bean != null ? bean : created(type)));
        }
        return EventPredicates.allOf(all.toArray(EventPredicate[]::new));
    }

    private <P> P created(Class<P> type) {
        try {
            return beans.createBean(type);
        } catch (BeansException e) {
            throw new OperatorConfigurationException(
                    "The predicate " + type.getName() + " of the @Reconciler bean '" + bean.name()
                            + "' cannot be created: " + e.getMessage(),
                    "Declare it as a bean, or give it a constructor whose parameters are beans. (R4J-316)",
                    e);
        }
    }
}
