package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.spring.Index;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.References;
import io.github.reconciler4j.spring.Watches;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Registers what reflection needs of {@link Reconciler} beans in a native image: the classes of the kinds that they reconcile,
 * own and watch with all classes of their fields, the annotated methods, and the predicates; and of webhooks the classes of their
 * kinds. It checks nothing, since a scheme
 * may know kinds that are unknown at build time.
 */
final class ReconcilerHints implements BeanFactoryInitializationAotProcessor {

    private static final List<String> WEBHOOKS = List.of(
            "io.github.reconciler4j.webhook.Defaulter",
            "io.github.reconciler4j.webhook.Validator",
            "io.github.reconciler4j.webhook.Converter");

    ReconcilerHints() {}

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        Declarations declarations = new Declarations();
        for (String name : beans.getBeanDefinitionNames()) {
            Reconciler annotation = ReconcilerRegistry.annotation(name, beans);
            if (annotation != null) {
                declarations.add(name, annotation, beans);
            }
        }
        WEBHOOKS.stream()
                .filter(webhook -> ClassUtils.isPresent(webhook, beans.getBeanClassLoader()))
                .forEach(webhook -> declarations.addWebhooks(
                        ClassUtils.resolveClassName(webhook, beans.getBeanClassLoader()), beans));
        return declarations.isEmpty() ? null : (context, code) -> declarations.register(context.getRuntimeHints());
    }

    /** What the beans name. */
    private static final class Declarations {

        /** Classes whose methods are looked at: those of beans, and those with the methods that create them. */
        private final Set<Class<?>> beans = new LinkedHashSet<>();

        private final Set<Type> decoded = new LinkedHashSet<>();
        private final Set<Class<?>> predicates = new LinkedHashSet<>();
        private final Set<Method> called = new LinkedHashSet<>();

        boolean isEmpty() {
            return beans.isEmpty() && decoded.isEmpty();
        }

        void add(String name, Reconciler annotation, ConfigurableListableBeanFactory factory) {
            ResolvableType declared = ReconcilerRegistry.declaredType(name, factory);
            Class<?> type = ClassUtils.getUserClass(declared.resolve(Object.class));
            beans.add(type);
            addKind(declared.as(ObjectReconciler.class).getGeneric(0).resolve());
            addKind(annotation.value());
            List.of(annotation.owns()).forEach(this::addKind);
            ReconcilerRegistry.owns(name, factory).forEach(owned -> add(owned.value(), owned.predicates()));
            Method method = ReconcilerRegistry.factoryMethod(name, factory);
            if (method != null) {
                beans.add(method.getDeclaringClass());
            }
            MethodIntrospector.selectMethods(type, (ReflectionUtils.MethodFilter) this::isAnnotated)
                    .forEach(this::addCalled);
        }

        /** The type arguments of a webhook are its kinds. */
        void addWebhooks(Class<?> webhook, ConfigurableListableBeanFactory factory) {
            for (String name : factory.getBeanNamesForType(webhook, true, false)) {
                for (ResolvableType kind : ReconcilerRegistry.declaredType(name, factory)
                        .as(webhook)
                        .getGenerics()) {
                    addKind(kind.resolve());
                }
            }
        }

        private boolean isAnnotated(Method method) {
            return AnnotatedElementUtils.hasAnnotation(method, Index.class)
                    || AnnotatedElementUtils.hasAnnotation(method, References.class)
                    || !AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Watches.class)
                            .isEmpty();
        }

        private void addCalled(Method method) {
            called.add(method);
            List.of(method.getParameterTypes()).forEach(this::addKind);
            AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Watches.class)
                    .forEach(watch -> add(watch.value(), watch.predicates()));
            References references = AnnotatedElementUtils.findMergedAnnotation(method, References.class);
            if (references != null) {
                add(references.value(), references.predicates());
            }
        }

        private void add(Class<?> kind, Class<?>[] accepting) {
            addKind(kind);
            predicates.addAll(List.of(accepting));
        }

        private void addKind(@Nullable Class<?> type) {
            if (type != null && type != HasMetadata.class && HasMetadata.class.isAssignableFrom(type)) {
                decoded.add(type);
                addTypeArguments(ResolvableType.forClass(type));
            }
        }

        /** The classes of spec and status of a custom resource are known from the arguments of its superclass alone. */
        private void addTypeArguments(ResolvableType type) {
            for (ResolvableType each = type; each != ResolvableType.NONE; each = each.getSuperType()) {
                for (ResolvableType argument : each.getGenerics()) {
                    if (argument.resolve() != null) {
                        decoded.add(argument.getType());
                    }
                }
            }
        }

        void register(RuntimeHints hints) {
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(hints.reflection(), decoded.toArray(Type[]::new));
            hints.resources().registerPattern("io/github/reconciler4j/scheme/built-in-kinds.txt");
            beans.forEach(type -> hints.reflection().registerType(type));
            called.forEach(method -> hints.reflection().registerMethod(method, ExecutableMode.INVOKE));
            predicates.forEach(
                    type -> hints.reflection().registerType(type, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
        }
    }
}
