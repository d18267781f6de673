package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.builder.ControllerDefaults;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Makes {@code reconciler4j.all-controllers.*} the defaults of all controllers of a manager as soon as there is one: of those made of
 * beans, and of those that are added by hand. What the properties leave open is taken from what the manager has already,
 * else from a bean, else from the framework.
 */
final class CommonControllerOptions implements BeanPostProcessor {

    private final ObjectProvider<ControllerDefaults> defaults;
    private final ObjectProvider<OperatorProperties> properties;
    private final boolean virtualThreads;

    /**
     * Creates it.
     *
     * @param virtualThreads whether the application uses virtual threads
     */
    CommonControllerOptions(
            ObjectProvider<ControllerDefaults> defaults,
            ObjectProvider<OperatorProperties> properties,
            boolean virtualThreads) {
        this.defaults = defaults;
        this.properties = properties;
        this.virtualThreads = virtualThreads;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Manager manager) {
            ControllerDefaults before = before(manager);
            ControllerOptions options = virtualThreads ? before.options().withVirtualThreads(true) : before.options();
            before.withOptions(
                            properties.getObject().getAllControllers().applyTo(options, "reconciler4j.all-controllers"))
                    .applyTo(manager);
        }
        return bean;
    }

    private ControllerDefaults before(Manager manager) {
        return manager.attached(ControllerDefaults.class)
                .orElseGet(() -> defaults.getIfAvailable(() -> ControllerDefaults.of(ControllerOptions.defaults())));
    }
}
