package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.OnLeader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;

/** Lets methods with {@link OnLeader @OnLeader} return at once on replicas that do not lead. Thread-safe. */
final class OnLeaderMethods extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(OnLeaderMethods.class);

    private final transient ListableBeanFactory beans;
    private final transient Set<String> methods = new TreeSet<>();

    OnLeaderMethods(ListableBeanFactory beans) {
        this.beans = beans;
        this.advisor = new DefaultPointcutAdvisor(
                new AnnotationMatchingPointcut(null, OnLeader.class, true), (MethodInterceptor) this::invoke);
        setProxyTargetClass(true);
        setBeforeExistingAdvisors(true);
        setOrder(Ordered.LOWEST_PRECEDENCE - 1); // before that of @Scheduled, which calls the method of the proxy
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Manager manager = beans.getBeanProvider(Manager.class).getIfAvailable();
        if (manager != null && leads(manager)) {
            return invocation.proceed();
        }
        LOG.debug("{} does not run, because this replica does not lead", invocation.getMethod());
        return null;
    }

    /** An operator that changes nothing runs beside the one that leads. */
    private static boolean leads(Manager manager) {
        return manager.options().client().mode() == WriteMode.NORMAL
                && manager.status().leader();
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        Class<?> type = ClassUtils.getUserClass(bean);
        MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<OnLeader>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, OnLeader.class))
                .keySet()
                .forEach(method -> check(method, type, beanName));
        return bean;
    }

    private void check(Method method, Class<?> type, String bean) {
        String name = type.getSimpleName() + "." + method.getName();
        if (!MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Scheduled.class)) {
            throw invalid(name, bean, "is not annotated with @Scheduled", "Add @Scheduled, or remove @OnLeader.");
        }
        if (method.getReturnType() != void.class) {
            throw invalid(name, bean, "does not return void", "Let the method return void.");
        }
        int modifiers = method.getModifiers();
        if (Modifier.isFinal(modifiers) || Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw invalid(
                    name,
                    bean,
                    "is final, private or static",
                    "Remove this modifier, so that a proxy can override it.");
        }
        if (Modifier.isFinal(type.getModifiers())) {
            throw invalid(name, bean, "is in a final class", "Remove 'final', so that a proxy can extend the class.");
        }
        methods.add(name);
    }

    private static OperatorConfigurationException invalid(String method, String bean, String problem, String action) {
        return new OperatorConfigurationException(
                "The @OnLeader method " + method + " of the bean '" + bean + "' " + problem + ".",
                action + " (R4J-310)");
    }

    /** With shards alone, no replica leads the others, and the manager says of each that it does. */
    @Override
    public void afterSingletonsInstantiated() {
        Manager manager =
                methods.isEmpty() ? null : beans.getBeanProvider(Manager.class).getIfAvailable();
        if (manager != null
                && manager.options().division().isPresent()
                && manager.options().leaderElection().isEmpty()) {
            throw new OperatorConfigurationException(
                    "The @OnLeader methods " + methods
                            + " would run on all replicas, because these share the objects by"
                            + " sharding, and none of them leads.",
                    "Set 'reconciler4j.leader-election.enabled' to true. (R4J-311)");
        }
    }
}
