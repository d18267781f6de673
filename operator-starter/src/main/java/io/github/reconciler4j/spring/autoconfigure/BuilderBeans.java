package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.autoconfigure.ControllerSettings.Setting.Scope;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The builders that the application has as beans, or in beans that are collections of builders, by the names of their controllers.
 * Not thread-safe, as builders.
 */
final class BuilderBeans {

    private final Map<String, BuilderBean> builders = new LinkedHashMap<>();

    private BuilderBeans() {}

    /**
     * A builder and where it comes from.
     *
     * @param name the name of the controller
     * @param beanName the bean that is the builder, or contains it
     */
    record BuilderBean(String name, String beanName, AbstractControllerBuilder<?, ?> builder) {

        boolean isOfKind() {
            return builder instanceof ControllerBuilder<?>;
        }

        /** Give the builder the values of properties, which take precedence over its own. */
        void apply(ControllerSettings settings) {
            settings.refuse(
                    scope -> !isOfKind() && scope == Scope.CONTROLLER_OF_A_KIND, "with requests of its own type");
            settings.refuse(ControllerProperties.STORAGE, "that a builder declares: set it for the kind");
            if (builder instanceof ControllerBuilder<?> ofKind) {
                settings.applyTo(ofKind);
            } else {
                builder.customizeOptions(settings::applyTo);
            }
        }
    }

    /**
     * Create the beans, and read the names.
     *
     * @param reconcilers the other controllers by name
     * @throws OperatorConfigurationException if two controllers have the same name
     */
    static BuilderBeans read(
            ConfigurableListableBeanFactory beans, Manager manager, Map<String, ReconcilerBean> reconcilers) {
        BuilderBeans found = new BuilderBeans();
        for (String name : beans.getBeanNamesForType(AbstractControllerBuilder.class, true, false)) {
            found.add(name, beans.getBean(name), manager, reconcilers);
        }
        for (String name : beans.getBeanNamesForType(Collection.class, true, false)) {
            if (isOfBuilders(name, beans)) {
                for (Object builder : beans.getBean(name, Collection.class)) {
                    found.add(name, builder, manager, reconcilers);
                }
            }
        }
        return found;
    }

    private static boolean isOfBuilders(String name, ConfigurableListableBeanFactory beans) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        Class<?> element = ReconcilerRegistry.declaredType(name, beans)
                .as(Collection.class)
                .getGeneric(0)
                .resolve(Object.class);
        return AbstractControllerBuilder.class.isAssignableFrom(element);
    }

    private void add(String beanName, Object bean, Manager manager, Map<String, ReconcilerBean> reconcilers) {
        AbstractControllerBuilder<?, ?> builder = (AbstractControllerBuilder<?, ?>) bean;
        String name = builder.nameIn(manager);
        ReconcilerBean reconciler = reconcilers.get(name);
        BuilderBean other = builders.putIfAbsent(name, new BuilderBean(name, beanName, builder));
        if (reconciler != null || other != null) {
            throw new OperatorConfigurationException(
                    "The beans '" + (reconciler != null ? reconciler.beanName() : other.beanName()) + "' and '"
                            + beanName + "' both have the controller name '" + name + "'.",
                    "Give one of them another name with @Reconciler(name = ...) or ControllerBuilder.named(...). (R4J-329)");
        }
    }

    Collection<BuilderBean> all() {
        return List.copyOf(builders.values());
    }

    Set<String> names() {
        return Set.copyOf(builders.keySet());
    }

    /** Return the names of those with a primary kind. */
    Set<String> namesOfKinds() {
        return builders.values().stream()
                .filter(BuilderBean::isOfKind)
                .map(BuilderBean::name)
                .collect(Collectors.toUnmodifiableSet());
    }
}
