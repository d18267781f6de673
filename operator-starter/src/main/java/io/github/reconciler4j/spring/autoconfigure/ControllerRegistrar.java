package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ConfigurableController;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.cluster.ClusterProvider;
import io.github.reconciler4j.cluster.ClusterProviders;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.UnknownKindException;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.BuilderBeans.BuilderBean;
import io.github.reconciler4j.spring.autoconfigure.ControllerSettings.Setting.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/** Creates a controller for each {@link Reconciler} bean and builder once all singletons exist, and adds it to the manager. */
final class ControllerRegistrar implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerRegistrar.class);

    private static final String SHARDING_ACTION = " With sharding, what runs on one replica needs"
            + " 'reconciler4j.leader-election.enabled=true', and can watch kinds with"
            + " 'reconciler4j.cache.kinds.<kind>.partition-key=whole' only.";

    private final ConfigurableListableBeanFactory beans;
    private final Manager manager;
    private final OperatorProperties properties;
    private final ReconcilerRegistry registry;
    private final Environment environment;

    ControllerRegistrar(
            ConfigurableListableBeanFactory beans,
            Manager manager,
            OperatorProperties properties,
            ReconcilerRegistry registry,
            Environment environment) {
        this.beans = beans;
        this.manager = manager;
        this.properties = properties;
        this.registry = registry;
        this.environment = environment;
    }

    /**
     * Return options with the form in which the cache keeps the kind of a reconciler. A setting of the kind itself takes
     * precedence.
     */
    static ManagerOptions withStorage(
            ManagerOptions options, ReconcilerBean bean, OperatorProperties properties, ConfigurableBeanFactory beans) {
        Optional<StorageForm> storage = settings(bean, properties, beans).get(ControllerProperties.STORAGE);
        if (storage.isEmpty() || bean.kind().isEmpty()) {
            return options;
        }
        KindName kind = bean.kind().get().kind();
        boolean isSet = properties.cache().kinds().entrySet().stream()
                .anyMatch(entry -> entry.getValue().storage() != null && KindNames.isNameOf(entry.getKey(), kind));
        CacheOptions cache = options.cache();
        return isSet
                ? options
                : options.withCache(
                        cache.withKind(Kind.of(kind), cache.of(Kind.of(kind)).withStorage(storage.get())));
    }

    @Override
    public void afterSingletonsInstantiated() {
        new UnknownProperties().check(environment);
        checkClientAndCache();
        Map<String, ReconcilerBean> known = registry.reconcilers();
        BuilderBeans builders = BuilderBeans.read(beans, manager, known);
        registry.setBuilders(builders);
        Set<String> names = new TreeSet<>(known.keySet());
        names.addAll(builders.names());
        checkProperties(names);
        CustomizerBeans customizers = new CustomizerBeans(beans, known);
        Map<String, Controller<?>> created = new LinkedHashMap<>();
        Set<String> disabled = new TreeSet<>();
        known.forEach((name, bean) -> {
            if (isEnabled(name, bean.enabledByDefault())) {
                register(bean, customizers).ifPresent(controller -> created.put(name, controller));
            } else {
                disabled.add(name);
            }
        });
        for (BuilderBean builder : builders.all()) {
            if (isEnabled(builder.name(), true)) {
                register(builder).ifPresent(controller -> created.put(builder.name(), controller));
            } else {
                disabled.add(builder.name());
            }
        }
        if (!disabled.isEmpty()) {
            LOG.info("Disabled controllers: {}", disabled);
        }
        registry.setControllers(created, disabled);
        warnOfReconcilersWithoutController(created.keySet());
        checkUnusedSettings(addClusterProviders());
    }

    /** Add the beans that provide other clusters; returns whether there are any. */
    private boolean addClusterProviders() {
        List<ClusterProvider> providers =
                beans.getBeanProvider(ClusterProvider.class).orderedStream().toList();
        providers.forEach(provider -> ClusterProviders.add(manager, provider));
        return !providers.isEmpty();
    }

    private void checkUnusedSettings(boolean hasClusterProviders) {
        UnusedSettings unused = new UnusedSettings(manager, registry);
        unused.checkClusters(hasClusterProviders);
        Set<String> kinds = properties.cache().kinds().keySet();
        if (!kinds.isEmpty()) {
            unused.checkKinds(kinds);
        }
    }

    /** Controllers use those of the manager, so another bean would be used by half of the operator. */
    private void checkClientAndCache() {
        if (!beans.containsBean(OperatorAutoConfiguration.CACHE)) {
            throw replaced(Cache.class, "'reconciler4j.cache.*' or ManagerOptions.withCache");
        }
        if (!beans.containsBean(OperatorAutoConfiguration.CLIENT)) {
            throw replaced(
                    Client.class,
                    "'reconciler4j.client.*', or ManagerOptions.withClient, for instance with a ClientInterceptor");
        }
    }

    private OperatorConfigurationException replaced(Class<?> type, String settings) {
        return new OperatorConfigurationException(
                "The application defines its own " + type.getSimpleName() + " bean "
                        + List.of(beans.getBeanNamesForType(type, true, false))
                        + ", but controllers use the one of the Manager.",
                "Remove the bean and configure the one of the Manager with " + settings
                        + " in a ManagerOptionsCustomizer bean. If the bean is for another cluster, declare it with"
                        + " @Bean(defaultCandidate = false) and inject it by a qualifier. (R4J-313)");
    }

    private void checkProperties(Set<String> known) {
        TreeSet<String> unknown = new TreeSet<>(properties.controllers().keySet());
        unknown.removeAll(known);
        manager.components().stream()
                .filter(Controller.class::isInstance)
                .forEach(builtByHand -> unknown.remove(builtByHand.name()));
        if (!unknown.isEmpty()) {
            String property = "reconciler4j.controllers." + unknown.first();
            throw OperatorConfigurationException.property(
                    property,
                    "refers to a controller that does not exist; known controllers are " + new TreeSet<>(known),
                    null);
        }
        OperatorConfigurationException.fromProperty(OperatorProperties.ENABLED_CONTROLLERS, () -> {
            ControllerSelection.of(properties.enabledControllers()).check(known);
            return known;
        });
    }

    private boolean isEnabled(String name, boolean enabledByDefault) {
        boolean byDefault = properties
                .allControllersLayer()
                .get(ControllerProperties.ENABLED)
                .orElse(enabledByDefault);
        return properties
                .controllerLayer(name)
                .get(ControllerProperties.ENABLED)
                .orElseGet(() ->
                        ControllerSelection.of(properties.enabledControllers()).selects(name, byDefault));
    }

    private Optional<Controller<?>> register(BuilderBean bean) {
        ControllerSettings settings =
                new ControllerSettings(properties.controllerLayer(bean.name()), properties.allControllersLayer());
        bean.apply(settings);
        return added(bean.name(), "builder in the bean '" + bean.beanName() + "'", settings, bean.builder());
    }

    private Optional<Controller<?>> register(ReconcilerBean bean, CustomizerBeans customizers) {
        Object reconciler = beans.getBean(bean.beanName());
        Kind<? extends HasMetadata> primary = bean.primary();
        return primary == null
                ? registerRequests(bean, reconciler, customizers)
                : registerKind(bean, reconciler, customizers, ControllerBuilder.of(primary));
    }

    private <T extends HasMetadata> Optional<Controller<?>> registerKind(
            ReconcilerBean bean, Object reconciler, CustomizerBeans customizers, ControllerBuilder<T> builder) {
        builder.named(bean.name());
        builder.requiredPermissions(bean.declaredPermissions().toArray(RequiredPermission[]::new));
        if (bean.takesObjects()) {
            builder.reconciler(ControllerRegistrar.<ObjectReconciler<T>>cast(reconciler));
        } else {
            builder.requestReconciler(ControllerRegistrar.<RequestReconciler<Request>>cast(reconciler));
        }
        new ControllerWiring(bean, reconciler, beans).applyToKind(builder);
        customizers.customize(bean, builder);
        ControllerSettings settings = settings(bean, properties, beans);
        settings.applyTo(builder);
        return added(bean.name(), "@Reconciler bean '" + bean.beanName() + "'", settings, builder);
    }

    private <R> Optional<Controller<?>> registerRequests(
            ReconcilerBean bean, Object reconciler, CustomizerBeans customizers) {
        Class<R> requestType = cast(bean.request().resolve(Object.class));
        RequestControllerBuilder<R> builder = ControllerBuilder.forRequests(bean.name(), requestType);
        builder.reconciler(ControllerRegistrar.<RequestReconciler<R>>cast(reconciler));
        builder.requiredPermissions(bean.declaredPermissions().toArray(RequiredPermission[]::new));
        new ControllerWiring(bean, reconciler, beans).applyTo(builder);
        customizers.customize(bean, builder);
        ControllerSettings settings = settings(bean, properties, beans);
        settings.refuse(scope -> scope == Scope.CONTROLLER_OF_A_KIND, "with requests of its own type");
        builder.customizeOptions(settings::applyTo);
        return added(bean.name(), "@Reconciler bean '" + bean.beanName() + "'", settings, builder);
    }

    /** Adds the controller, or those of the selected clusters; returns that of the cluster of the manager. */
    private Optional<Controller<?>> added(
            String name, String bean, ControllerSettings settings, AbstractControllerBuilder<?, ?> builder) {
        Optional<Predicate<Cluster>> clusters = settings.clusters();
        try { // the builder checks what annotations and customizers declare together
            if (clusters.isEmpty()) {
                return Optional.of(builder.addTo(manager));
            }
            Clusters.of(manager).addControllers(builder, clusters.get());
            return manager.components().stream()
                    .filter(component -> component.name().equals(name))
                    .filter(Controller.class::isInstance)
                    .<Controller<?>>map(component -> (Controller<?>) component)
                    .findFirst();
        } catch (IllegalStateException | IllegalArgumentException | UnknownKindException e) {
            throw new OperatorConfigurationException(
                    "The " + bean + " cannot have a controller: " + e.getMessage(),
                    "Correct the annotations, the customizer or the builder."
                            + (manager.options().division().isPresent() ? SHARDING_ACTION : "") + " (R4J-314)",
                    e);
        }
    }

    /** Return what gives controllers that the application builds itself the values of properties. */
    static ControllerCustomizer<ConfigurableController> overrides(
            OperatorProperties properties, ReconcilerRegistry registry) {
        return controller -> {
            if (!registry.isDeclared(controller.name())) {
                ControllerSettings settings = new ControllerSettings(
                        properties.controllerLayer(controller.name()), properties.allControllersLayer());
                settings.refuse(scope -> scope != Scope.CONTROLLER, "that the application builds itself");
                controller.customizeOptions(settings::applyTo);
            }
        };
    }

    private static ControllerSettings settings(
            ReconcilerBean bean, OperatorProperties properties, ConfigurableBeanFactory beans) {
        return new ControllerSettings(
                properties.controllerLayer(bean.name()),
                properties.allControllersLayer(),
                new ReconcilerAnnotation(
                                bean.annotation(),
                                bean.beanName(),
                                text -> Objects.requireNonNullElse(beans.resolveEmbeddedValue(text), ""))
                        .layer());
    }

    /** Controllers that are built by hand may use such beans, so this is no error, and not reported if there are any. */
    private void warnOfReconcilersWithoutController(Set<String> created) {
        boolean builtByHand = manager.components().stream()
                .anyMatch(component -> component instanceof Controller<?> && !created.contains(component.name()));
        if (builtByHand) {
            return;
        }
        Set<String> used = new TreeSet<>(registry.reconcilers().values().stream()
                .map(ReconcilerBean::beanName)
                .toList());
        for (Class<?> type : List.of(ObjectReconciler.class, RequestReconciler.class)) {
            for (String name : beans.getBeanNamesForType(type, true, false)) {
                if (used.add(name)) {
                    LOG.warn(
                            "The bean '{}' implements {} but no controller uses it: annotate its class or @Bean method with"
                                    + " @Reconciler (R4J-315)",
                            name,
                            type.getSimpleName());
                }
            }
        }
    }

    /** The type arguments come from the definition of the bean, so the cast cannot fail. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X> X cast(Object bean) {
        return (X) bean;
    }
}
