package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * The {@link Reconciler} beans of the application, and the controllers that were created for them and for beans of builders.
 *
 * <p>The declarations are read from bean definitions. They are available without a manager and without a cluster, for
 * instance to tools that generate manifests. The controllers exist once all singletons have been created, just before the
 * manager starts. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ReconcilerRegistry {

    private final Map<String, ReconcilerBean> reconcilers;
    private volatile Map<String, Controller<?>> controllers = Map.of();
    private volatile Set<String> disabled = Set.of();
    private volatile Set<String> built = Set.of();
    private volatile Set<String> builtForKinds = Set.of();

    private ReconcilerRegistry(Map<String, ReconcilerBean> reconcilers) {
        this.reconcilers = Collections.unmodifiableMap(reconcilers);
    }

    /**
     * Read the declarations of all beans.
     *
     * @throws OperatorConfigurationException if a declaration is invalid, or if two have the same name
     */
    static ReconcilerRegistry read(ConfigurableListableBeanFactory beans, Scheme scheme) {
        Map<String, ReconcilerBean> byName = new LinkedHashMap<>();
        for (ReconcilerBean bean : readAll(beans, scheme)) {
            ReconcilerBean other = byName.putIfAbsent(bean.name(), bean);
            if (other != null) {
                throw new OperatorConfigurationException(
                        "The @Reconciler beans '" + other.beanName() + "' and '" + bean.beanName()
                                + "' both have the controller name '" + bean.name() + "'.",
                        "Give one of them another name with @Reconciler(name = ...). (R4J-309)");
            }
        }
        return new ReconcilerRegistry(byName);
    }

    private static Collection<ReconcilerBean> readAll(ConfigurableListableBeanFactory beans, Scheme scheme) {
        Map<String, ReconcilerBean> found = new LinkedHashMap<>();
        Set<String> names = new LinkedHashSet<>(List.of(beans.getBeanDefinitionNames()));
        for (String name : names) {
            if (beans.getBeanDefinition(name).isAbstract() || name.startsWith("scopedTarget.")) {
                continue;
            }
            Reconciler annotation = annotation(name, beans);
            if (annotation != null) {
                found.put(
                        name,
                        ReconcilerBean.read(name, declaredType(name, beans), annotation, owns(name, beans), scheme));
            }
        }
        return new ArrayList<>(found.values());
    }

    /** A {@code @Bean} method says more of its bean than the class does. No bean is created for this. */
    static @Nullable Reconciler annotation(String name, ConfigurableListableBeanFactory beans) {
        Method method = factoryMethod(name, beans);
        Reconciler onMethod =
                method == null ? null : AnnotatedElementUtils.findMergedAnnotation(method, Reconciler.class);
        return onMethod != null ? onMethod : beans.findAnnotationOnBean(name, Reconciler.class, false);
    }

    static Set<Owns> owns(String name, ConfigurableListableBeanFactory beans) {
        Method method = factoryMethod(name, beans);
        Class<?> type = declaredType(name, beans).resolve();
        Set<Owns> owns = new LinkedHashSet<>();
        if (method != null) {
            owns.addAll(AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Owns.class));
        }
        if (type != null) {
            owns.addAll(
                    AnnotatedElementUtils.findMergedRepeatableAnnotations(ClassUtils.getUserClass(type), Owns.class));
        }
        return owns;
    }

    static @Nullable Method factoryMethod(String name, ConfigurableListableBeanFactory beans) {
        beans.getType(name, false); // resolves the factory method
        return beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition root
                ? root.getResolvedFactoryMethod()
                : null;
    }

    /** The type of the definition, since the type of an existing bean can be that of a proxy. */
    static ResolvableType declaredType(String name, ConfigurableListableBeanFactory beans) {
        ResolvableType declared = beans.getMergedBeanDefinition(name).getResolvableType();
        if (declared.resolve() != null) {
            return declared;
        }
        Class<?> type = beans.getType(name, false);
        return type == null ? ResolvableType.NONE : ResolvableType.forClass(type);
    }

    void setBuilders(BuilderBeans builders) {
        built = builders.names();
        builtForKinds = builders.namesOfKinds();
    }

    /** Return whether a bean declares the controller with a name: a reconciler or a builder. */
    boolean isDeclared(String name) {
        return reconcilers.containsKey(name) || built.contains(name);
    }

    /** Return whether the requests of a controller are those of objects of a kind, as far as a bean declares it. */
    public boolean isOfObjects(String name) {
        ReconcilerBean reconciler = reconcilers.get(name);
        return reconciler == null
                ? builtForKinds.contains(name)
                : reconciler.kind().isPresent();
    }

    void setControllers(Map<String, Controller<?>> created, Set<String> notEnabled) {
        controllers = Collections.unmodifiableMap(new TreeMap<>(created));
        disabled = Collections.unmodifiableSet(new TreeSet<>(notEnabled));
    }

    /** Return the declarations by the name of the controller, in the order of the bean definitions. */
    public Map<String, ReconcilerBean> reconcilers() {
        return reconcilers;
    }

    /** Return all kinds that the declarations name. */
    public Set<KindName> kinds() {
        Set<KindName> kinds = new LinkedHashSet<>();
        reconcilers.values().forEach(reconciler -> kinds.addAll(reconciler.kinds()));
        return kinds;
    }

    /** Return the controllers that were added to the manager, sorted by name; empty before they are created. */
    public Map<String, Controller<?>> controllers() {
        return controllers;
    }

    /** Return the controller with a name; empty if it does not exist, is disabled or has not been created yet. */
    public Optional<Controller<?>> controller(String name) {
        return Optional.ofNullable(controllers.get(name));
    }

    /** Return the names of the controllers that are enabled and do not run in the cluster of the manager. */
    Set<String> controllersElsewhere() {
        Set<String> elsewhere = new TreeSet<>(reconcilers.keySet());
        elsewhere.addAll(built);
        elsewhere.removeAll(controllers.keySet());
        elsewhere.removeAll(disabled);
        return elsewhere;
    }

    /** Return the names of the controllers that properties or their annotation disable. */
    public Set<String> disabledControllers() {
        return disabled;
    }
}
