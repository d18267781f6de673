package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.builder.RequestControllerConfigurer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Assigns configurer beans to controllers: by a {@link Qualifier} with the name of the controller, or else by the type
 * argument if only one controller is for that type.
 */
final class ConfigurerBeans {

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, ReconcilerBean> reconcilers;
    private final Map<String, List<String>> byController = new LinkedHashMap<>();

    /**
     * Assign all configurers.
     *
     * @throws OperatorConfigurationException if a configurer is for no controller or for several
     */
    ConfigurerBeans(ConfigurableListableBeanFactory beans, Map<String, ReconcilerBean> reconcilers) {
        this.beans = beans;
        this.reconcilers = reconcilers;
        List<String> own =
                reconcilers.values().stream().map(ReconcilerBean::beanName).toList();
        for (Class<?> type : List.of(ControllerConfigurer.class, RequestControllerConfigurer.class)) {
            for (String name : beans.getBeanNamesForType(type, true, false)) {
                String controller = own.contains(name) ? null : controllerOf(name, type);
                if (controller != null) {
                    byController
                            .computeIfAbsent(controller, ignored -> new ArrayList<>())
                            .add(name);
                }
            }
        }
    }

    private String controllerOf(String name, Class<?> type) {
        Qualifier qualifier = beans.findAnnotationOnBean(name, Qualifier.class, false);
        Class<?> argument = argument(name, type);
        if (qualifier != null && !qualifier.value().isEmpty()) {
            return named(name, type, qualifier.value(), argument);
        }
        if (argument == null) {
            throw new OperatorConfigurationException(
                    "The bean '" + name + "' is a " + type.getSimpleName() + " without a type argument.",
                    "Declare the return type of the @Bean method with its type argument, or add @Qualifier with the name of"
                            + " the controller.");
        }
        List<String> found = reconcilers.values().stream()
                .filter(reconciler -> isFor(type, argument, reconciler))
                .map(ReconcilerBean::name)
                .toList();
        if (found.size() != 1) {
            throw notOne(name, argument, found);
        }
        return found.get(0);
    }

    private static OperatorConfigurationException notOne(String name, Class<?> argument, List<String> found) {
        return new OperatorConfigurationException(
                "The bean '" + name + "' configures controllers of " + argument.getName() + ", but "
                        + (found.isEmpty()
                                ? "no @Reconciler bean is for that type."
                                : "there are several: " + found + "."),
                found.isEmpty()
                        ? "Correct the type argument or remove the bean."
                        : "Add @Qualifier with the name of one of them to the bean.");
    }

    private String named(String name, Class<?> type, String controller, @Nullable Class<?> argument) {
        ReconcilerBean reconciler = reconcilers.get(controller);
        if (reconciler == null || (argument != null && !isFor(type, argument, reconciler))) {
            throw new OperatorConfigurationException(
                    "The bean '" + name + "' is a " + type.getSimpleName() + " for the controller '" + controller
                            + "', "
                            + (reconciler == null
                                    ? "which does not exist; known controllers are "
                                            + new TreeSet<>(reconcilers.keySet())
                                    : "which is not for its type argument " + argument)
                            + ".",
                    "Correct @Qualifier or the type argument.");
        }
        return controller;
    }

    private static boolean isFor(Class<?> configurer, Class<?> argument, ReconcilerBean reconciler) {
        boolean ofKind = configurer == ControllerConfigurer.class;
        return ofKind
                ? reconciler.type().filter(argument::equals).isPresent()
                : reconciler.kind().isEmpty() && reconciler.request().resolve(Object.class) == argument;
    }

    private @Nullable Class<?> argument(String name, Class<?> type) {
        Class<?> fallback = beans.getType(name, false);
        ResolvableType declared = beans.containsBeanDefinition(name)
                ? beans.getMergedBeanDefinition(name).getResolvableType()
                : ResolvableType.NONE;
        ResolvableType best =
                declared.resolve() != null || fallback == null ? declared : ResolvableType.forClass(fallback);
        Class<?> argument = best.as(type).getGeneric(0).resolve();
        return argument == HasMetadata.class || argument == Object.class ? null : argument; // bounds of a raw type
    }

    /** Return the configurers of a controller, the reconciler itself last if it is one. */
    <X> List<X> of(ReconcilerBean bean, Object reconciler, Class<X> type) {
        List<X> configurers = new ArrayList<>();
        for (String name : byController.getOrDefault(bean.name(), List.of())) {
            configurers.add(beans.getBean(name, type));
        }
        if (type.isInstance(reconciler)) {
            configurers.add(type.cast(reconciler));
        }
        return configurers;
    }
}
