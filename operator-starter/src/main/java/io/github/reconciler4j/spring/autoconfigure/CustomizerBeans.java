package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.ControllerCustomizers;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Assigns {@link ControllerCustomizer} beans to controllers by their type argument, and by a {@link Qualifier} with the name of a
 * controller.
 */
final class CustomizerBeans {

    private static final ResolvableType OF_ALL =
            ResolvableType.forClassWithGenerics(ControllerCustomizer.class, ConfigurableController.class);

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, ReconcilerBean> reconcilers;
    private final Map<String, List<String>> byController = new LinkedHashMap<>();

    /**
     * Assign all customizers.
     *
     * @throws OperatorConfigurationException if a customizer is for no controller
     */
    CustomizerBeans(ConfigurableListableBeanFactory beans, Map<String, ReconcilerBean> reconcilers) {
        this.beans = beans;
        this.reconcilers = reconcilers;
        List<ReconcilerBean> all = List.copyOf(reconcilers.values());
        for (String name : beans.getBeanNamesForType(ControllerCustomizer.class, true, false)) {
            List<ReconcilerBean> own =
                    all.stream().filter(its -> its.beanName().equals(name)).toList();
            List<ReconcilerBean> chosen = own.isEmpty() ? chosen(name) : own;
            List<ReconcilerBean> matching = chosen.stream()
                    .filter(reconciler -> argument(name).isAssignableFrom(builder(reconciler)))
                    .toList();
            if (matching.isEmpty() && !isOfAll(name)) {
                throw ofNone(name, chosen);
            }
            matching.forEach(reconciler -> byController
                    .computeIfAbsent(reconciler.name(), ignored -> new ArrayList<>())
                    .add(name));
        }
    }

    /** Return the customizers of all controllers, after those that the options of the manager have already. */
    static ControllerCustomizers ofAll(ConfigurableListableBeanFactory beans, ControllerCustomizers before) {
        return beans.<ControllerCustomizer<ConfigurableController>>getBeanProvider(OF_ALL)
                .orderedStream()
                .reduce(before, ControllerCustomizers::withDefaults, (a, b) -> b);
    }

    private boolean isOfAll(String name) {
        return argument(name).resolve() == ConfigurableController.class;
    }

    /** Return the controllers among which the type argument decides. */
    private List<ReconcilerBean> chosen(String name) {
        Qualifier qualifier = beans.findAnnotationOnBean(name, Qualifier.class, false);
        if (argument(name).resolve(Object.class) == Object.class) {
            throw new OperatorConfigurationException(
                    "The bean '" + name + "' is a ControllerCustomizer without a type argument.",
                    "Declare the return type of the @Bean method with its type argument, such as"
                            + " ControllerCustomizer<ControllerBuilder<YourKind>>. (R4J-318)");
        }
        if (qualifier == null || qualifier.value().isEmpty()) {
            return List.copyOf(reconcilers.values());
        }
        ReconcilerBean reconciler = reconcilers.get(qualifier.value());
        if (reconciler == null || isOfAll(name)) {
            throw new OperatorConfigurationException(
                    "The bean '" + name + "' customizes the controller '" + qualifier.value() + "', "
                            + (reconciler == null
                                    ? "which does not exist; known controllers are "
                                            + new TreeSet<>(reconcilers.keySet())
                                    : "but its type argument stands for all controllers")
                            + ".",
                    "Correct @Qualifier or the type argument. (R4J-319)");
        }
        return List.of(reconciler);
    }

    private OperatorConfigurationException ofNone(String name, List<ReconcilerBean> chosen) {
        return new OperatorConfigurationException(
                "The bean '" + name + "' customizes " + argument(name) + ", but "
                        + (chosen.size() == 1
                                ? "the controller '" + chosen.get(0).name() + "' has a " + builder(chosen.get(0)) + "."
                                : "no @Reconciler bean has a controller of that type."),
                "Correct the type argument or remove the bean. It is ControllerBuilder with the reconciled kind,"
                        + " RequestControllerBuilder with a type of request of your own, or ConfigurableController for all"
                        + " controllers. (R4J-320)");
    }

    private static ResolvableType builder(ReconcilerBean reconciler) {
        return reconciler
                .type()
                .map(type -> ResolvableType.forClassWithGenerics(ControllerBuilder.class, type))
                .orElseGet(() ->
                        ResolvableType.forClassWithGenerics(RequestControllerBuilder.class, reconciler.request()));
    }

    private ResolvableType argument(String name) {
        Class<?> fallback = beans.getType(name, false);
        ResolvableType declared = beans.containsBeanDefinition(name)
                ? beans.getMergedBeanDefinition(name).getResolvableType()
                : ResolvableType.NONE;
        ResolvableType best =
                declared.resolve() != null || fallback == null ? declared : ResolvableType.forClass(fallback);
        return best.as(ControllerCustomizer.class).getGeneric(0);
    }

    /** Call the customizers of a controller in their order, after the reconciler itself if it is one. */
    <B> void customize(ReconcilerBean bean, B builder) {
        List<String> names = byController.getOrDefault(bean.name(), List.of());
        if (names.isEmpty()) {
            return;
        }
        Map<Object, Integer> order = new IdentityHashMap<>();
        beans.getBeanProvider(ControllerCustomizer.class)
                .orderedStream()
                .forEach(customizer -> order.put(customizer, order.size()));
        names.stream()
                .sorted(Comparator.comparing((String name) -> !name.equals(bean.beanName()))
                        .thenComparing(name -> order.getOrDefault(beans.getBean(name), order.size())))
                .forEach(name -> CustomizerBeans.<B>cast(beans.getBean(name)).customize(builder));
    }

    @SuppressWarnings("unchecked") // the type argument was compared with the builder
    private static <B> ControllerCustomizer<B> cast(Object bean) {
        return (ControllerCustomizer<B>) bean;
    }
}
