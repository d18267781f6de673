package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerMethods.IndexMethod;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerMethods.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Adds the annotated watches and indexes of a reconciler to the builder of its controller. */
final class ControllerWiring {

    private final ReconcilerBean bean;
    private final Object reconciler;
    private final ConfigurableListableBeanFactory beans;
    private final List<Watch> watches;
    private final List<IndexMethod> indexes;

    /** Read the class of the instance, which can be more specific than the declared type of its bean. */
    ControllerWiring(ReconcilerBean bean, Object reconciler, ConfigurableListableBeanFactory beans) {
        this.bean = bean;
        this.reconciler = reconciler;
        this.beans = beans;
        Class<?> type = AopUtils.getTargetClass(reconciler);
        watches = bean.watchesOf(type);
        indexes = new ReconcilerMethods(bean).indexes(type);
    }

    <T extends HasMetadata> void applyTo(ControllerBuilder<T> builder) {
        for (IndexMethod index : indexes) {
            addIndex(builder, index);
        }
        for (Watch watch : watches) {
            EventPredicate<Object> predicate = predicate(watch);
            if (watch.method() != null) {
                addTo(new KindBuilder(builder), watch, this.<Request>mapper(watch), predicate);
            } else if (watch.type() != null) {
                builder.watchesIndexed(watch.type(), watch.annotation().index(), predicate);
            } else {
                builder.watchesIndexed(
                        Objects.requireNonNull(watch.kind()), watch.annotation().index(), predicate);
            }
        }
    }

    <R> void applyTo(RequestControllerBuilder<R> builder) {
        for (Watch watch : watches) {
            addTo(new OwnRequestBuilder<>(builder), watch, this.<R>mapper(watch), predicate(watch));
        }
    }

    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> void addIndex(ControllerBuilder<T> builder, IndexMethod index) {
        MethodCall call = new MethodCall(reconciler, bean.beanName(), index.method());
        Function<Object, List<String>> terms =
                object -> call.elements(object).stream().map(Object::toString).toList();
        boolean ofPrimary = bean.type().filter(index.type()::isAssignableFrom).isPresent();
        if (ofPrimary) {
            builder.index(index.name(), terms);
        } else {
            builder.index(index.type(), index.name(), terms);
        }
    }

    private <R> void addTo(
            WatchBuilder<R> builder, Watch watch, Function<Object, List<R>> mapper, EventPredicate<Object> predicate) {
        if (watch.type() != null) {
            builder.watch(watch.type(), watch.metadata(), mapper, predicate);
        } else {
            builder.watch(Objects.requireNonNull(watch.kind()), watch.metadata(), mapper, predicate);
        }
    }

    private <R> Function<Object, List<R>> mapper(Watch watch) {
        MethodCall call = new MethodCall(reconciler, bean.beanName(), Objects.requireNonNull(watch.method()));
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
    private EventPredicate<Object> predicate(Watch watch) {
        List<EventPredicate<Object>> all =
                new ArrayList<>(List.of(watch.annotation().reconcileOn()));
        for (Class<? extends EventPredicate<?>> type : watch.annotation().predicates()) {
            EventPredicate<?> bean = beans.getBeanProvider(type).getIfAvailable();
            all.add((EventPredicate<Object>) (bean != null ? bean : beans.createBean(type)));
        }
        return EventPredicates.allOf(all.toArray(EventPredicate[]::new));
    }

    /** What the two builders have in common. */
    private interface WatchBuilder<R> {

        <S extends HasMetadata> void watch(
                Class<S> type, boolean metadata, Function<Object, List<R>> mapper, EventPredicate<Object> predicate);

        void watch(
                GroupVersionKind kind,
                boolean metadata,
                Function<Object, List<R>> mapper,
                EventPredicate<Object> predicate);
    }

    private record KindBuilder(ControllerBuilder<?> builder) implements WatchBuilder<Request> {

        @Override
        public <S extends HasMetadata> void watch(
                Class<S> type,
                boolean metadata,
                Function<Object, List<Request>> mapper,
                EventPredicate<Object> predicate) {
            if (metadata) {
                builder.watchesMetadata(type, mapper::apply, predicate);
            } else {
                builder.watches(type, mapper, predicate);
            }
        }

        @Override
        public void watch(
                GroupVersionKind kind,
                boolean metadata,
                Function<Object, List<Request>> mapper,
                EventPredicate<Object> predicate) {
            if (metadata) {
                builder.watchesMetadata(kind, mapper::apply, predicate);
            } else {
                builder.watches(kind, mapper, predicate);
            }
        }
    }

    private record OwnRequestBuilder<R>(RequestControllerBuilder<R> builder) implements WatchBuilder<R> {

        @Override
        public <S extends HasMetadata> void watch(
                Class<S> type, boolean metadata, Function<Object, List<R>> mapper, EventPredicate<Object> predicate) {
            if (metadata) {
                builder.watchesMetadata(type, mapper::apply, predicate);
            } else {
                builder.watches(type, mapper, predicate);
            }
        }

        @Override
        public void watch(
                GroupVersionKind kind,
                boolean metadata,
                Function<Object, List<R>> mapper,
                EventPredicate<Object> predicate) {
            if (metadata) {
                builder.watchesMetadata(kind, mapper::apply, predicate);
            } else {
                builder.watches(kind, mapper, predicate);
            }
        }
    }
}
