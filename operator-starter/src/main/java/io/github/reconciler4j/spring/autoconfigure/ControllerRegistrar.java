package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.source.ResyncSource;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Makes a controller of each {@link Reconciler} bean once all beans exist, and adds it to the manager. */
final class ControllerRegistrar implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerRegistrar.class);

    private final ConfigurableListableBeanFactory beans;
    private final Manager manager;
    private final OperatorProperties properties;
    private final OperatorControllers controllers;

    /**
     * Creates it.
     *
     * @param controllers is told of what was made
     */
    ControllerRegistrar(
            ConfigurableListableBeanFactory beans,
            Manager manager,
            OperatorProperties properties,
            OperatorControllers controllers) {
        this.beans = beans;
        this.manager = manager;
        this.properties = properties;
        this.controllers = controllers;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, ReconcilerBean> known = findAll();
        ControllerSelection selection = selection(known.keySet());
        Map<String, Controller<Request>> made = new LinkedHashMap<>();
        Set<String> off = new TreeSet<>();
        known.forEach((name, bean) -> {
            if (isEnabled(bean, selection)) {
                made.put(name, register(bean, bean.type()));
            } else {
                off.add(name);
            }
        });
        if (!off.isEmpty()) {
            LOG.info("Controllers that are switched off: {}", off);
        }
        controllers.set(made, off);
    }

    private Map<String, ReconcilerBean> findAll() {
        Map<String, ReconcilerBean> byName = new LinkedHashMap<>();
        for (ReconcilerBean bean : ReconcilerBean.findAll(beans)) {
            ReconcilerBean other = byName.putIfAbsent(bean.controllerName(), bean);
            if (other != null) {
                throw new IllegalStateException("The @Reconciler beans '" + other.beanName() + "' and '"
                        + bean.beanName() + "' are both named '" + bean.controllerName()
                        + "': give one of them another @Reconciler(name = ...)");
            }
        }
        return byName;
    }

    private ControllerSelection selection(Set<String> known) {
        TreeSet<String> unknown = new TreeSet<>(properties.getControllers().keySet());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new InvalidOperatorPropertyException(
                    "reconciler4j.controllers." + unknown.first(),
                    "is for a controller that does not exist; known are " + new TreeSet<>(known));
        }
        return Setting.of(OperatorProperties.ENABLED_CONTROLLERS, () -> {
            ControllerSelection selection = ControllerSelection.of(properties.getEnabledControllers());
            selection.check(known);
            return selection;
        });
    }

    private boolean isEnabled(ReconcilerBean bean, ControllerSelection selection) {
        Boolean own = own(bean).getEnabled();
        return own != null
                ? own
                : selection.selects(bean.controllerName(), bean.annotation().enabledByDefault());
    }

    private <T extends HasMetadata> Controller<Request> register(ReconcilerBean bean, Class<T> type) {
        Object reconciler = beans.getBean(bean.beanName());
        ControllerBuilder<T> builder = ControllerBuilder.forType(type)
                .named(bean.controllerName())
                .customizeOptions(common -> options(bean, common));
        for (Class<? extends HasMetadata> owned : bean.annotation().owns()) {
            builder.owns(owned);
        }
        builder.requiredPermissions(bean.requiredPermissions());
        resync(bean, builder, type);
        if (bean.takesObjects()) {
            builder.reconciler(objectReconciler(reconciler));
        } else {
            builder.requestReconciler(requestReconciler(reconciler));
        }
        if (reconciler instanceof ControllerConfigurer<?> configurer) {
            ControllerRegistrar.<T>configurer(configurer).configure(builder);
        }
        return builder.addTo(manager);
    }

    private <T extends HasMetadata> void resync(ReconcilerBean bean, ControllerBuilder<T> builder, Class<T> type) {
        Duration resync = own(bean).getResync();
        if (resync != null) {
            builder.source(Setting.of(
                    prefix(bean) + ".resync",
                    () -> ResyncSource.every(resync, manager.cache().informer(type))));
        }
    }

    private ControllerOptions options(ReconcilerBean bean, ControllerOptions common) {
        String workers = bean.annotation().maxConcurrentReconciles();
        ControllerOptions options =
                workers.isEmpty() ? common : common.withMaxConcurrentReconciles(number(bean, workers));
        return own(bean).applyTo(options, prefix(bean));
    }

    private int number(ReconcilerBean bean, String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        try {
            return Integer.parseInt(String.valueOf(resolved).trim());
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    "@Reconciler(maxConcurrentReconciles) of the bean '" + bean.beanName() + "' must be a number, was '"
                            + resolved + "'",
                    e);
        }
    }

    private static String prefix(ReconcilerBean bean) {
        return "reconciler4j.controllers." + bean.controllerName();
    }

    private NamedControllerProperties own(ReconcilerBean bean) {
        return properties.getControllers().getOrDefault(bean.controllerName(), new NamedControllerProperties());
    }

    // The bean's declared type argument was read from its definition, so these casts cannot fail.

    @SuppressWarnings("unchecked")
    private static <T extends HasMetadata> ObjectReconciler<T> objectReconciler(Object bean) {
        return (ObjectReconciler<T>) bean;
    }

    @SuppressWarnings("unchecked")
    private static RequestReconciler<Request> requestReconciler(Object bean) {
        return (RequestReconciler<Request>) bean;
    }

    @SuppressWarnings("unchecked")
    private static <T extends HasMetadata> ControllerConfigurer<T> configurer(ControllerConfigurer<?> bean) {
        return (ControllerConfigurer<T>) bean;
    }
}
