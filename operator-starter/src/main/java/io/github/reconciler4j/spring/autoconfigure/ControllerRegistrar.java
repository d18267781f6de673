package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.spring.Reconciler;
import java.util.LinkedHashMap;
import java.util.Map;
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
    private final ControllerOptions defaults;

    /**
     * Creates it.
     *
     * @param defaults the options before any property
     */
    ControllerRegistrar(
            ConfigurableListableBeanFactory beans,
            Manager manager,
            OperatorProperties properties,
            ControllerOptions defaults) {
        this.beans = beans;
        this.manager = manager;
        this.properties = properties;
        this.defaults = defaults;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, ReconcilerBean> byName = new LinkedHashMap<>();
        for (ReconcilerBean bean : ReconcilerBean.findAll(beans)) {
            ReconcilerBean other = byName.putIfAbsent(bean.controllerName(), bean);
            if (other != null) {
                throw new IllegalStateException("The @Reconciler beans '" + other.beanName() + "' and '"
                        + bean.beanName() + "' are both named '" + bean.controllerName()
                        + "': give one of them another @Reconciler(name = ...)");
            }
        }
        refuseUnknownNames(byName);
        byName.values().stream().filter(this::isEnabled).forEach(bean -> register(bean, bean.type()));
    }

    private void refuseUnknownNames(Map<String, ReconcilerBean> byName) {
        TreeSet<String> unknown = new TreeSet<>(properties.getControllers().keySet());
        unknown.removeAll(byName.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("There are properties operator.controllers.<name> for " + unknown
                    + ", but no such controllers; known are " + new TreeSet<>(byName.keySet()));
        }
    }

    private boolean isEnabled(ReconcilerBean bean) {
        Boolean own = own(bean).getEnabled();
        Boolean all = properties.getController().getEnabled();
        boolean enabled = own != null ? own : all == null || all;
        if (!enabled) {
            LOG.info("The controller '{}' is switched off by a property", bean.controllerName());
        }
        return enabled;
    }

    private <T extends HasMetadata> void register(ReconcilerBean bean, Class<T> type) {
        Object reconciler = beans.getBean(bean.beanName());
        ControllerBuilder<T> builder =
                ControllerBuilder.forType(type).named(bean.controllerName()).options(options(bean));
        for (Class<? extends HasMetadata> owned : bean.annotation().owns()) {
            builder.owns(owned);
        }
        if (bean.takesObjects()) {
            builder.reconciler(objectReconciler(reconciler));
        } else {
            builder.requestReconciler(requestReconciler(reconciler));
        }
        if (reconciler instanceof ControllerConfigurer<?> configurer) {
            ControllerRegistrar.<T>configurer(configurer).configure(builder);
        }
        builder.addTo(manager);
    }

    private ControllerOptions options(ReconcilerBean bean) {
        ControllerOptions options = properties.getController().applyTo(defaults);
        String workers = bean.annotation().maxConcurrentReconciles();
        if (!workers.isEmpty()) {
            options = options.withMaxConcurrentReconciles(number(bean, workers));
        }
        return own(bean).applyTo(options);
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

    private ControllerProperties own(ReconcilerBean bean) {
        return properties.getControllers().getOrDefault(bean.controllerName(), new ControllerProperties());
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
