package io.github.reconciler4j.spring.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** Calls an annotated method of a bean, which may be a proxy. Thread-safe. */
final class MethodCall {

    private final Object bean;
    private final Method method;

    /**
     * Create a call.
     *
     * @throws OperatorConfigurationException if the bean is a proxy that does not have the method
     */
    MethodCall(Object bean, String beanName, Method declared) {
        this.bean = bean;
        try {
            method = AopUtils.selectInvocableMethod(declared, bean.getClass());
        } catch (IllegalStateException e) {
            throw new OperatorConfigurationException(
                    "The @Reconciler bean '" + beanName + "' is a proxy without the annotated method " + declared + ".",
                    "Declare the method in an interface of the bean, make it non-private, or proxy the class"
                            + " ('spring.aop.proxy-target-class=true'). (R4J-312)",
                    e);
        }
        ReflectionUtils.makeAccessible(method);
    }

    /** Call the method and return the elements of its result. */
    List<Object> elements(Object argument) {
        List<Object> elements = new ArrayList<>();
        addTo(elements, call(argument));
        return elements;
    }

    private static void addTo(List<Object> elements, @Nullable Object result) {
        if (result instanceof Iterable<?> values) {
            values.forEach(value -> addElement(elements, value));
        } else if (result instanceof Stream<?> values) {
            try (values) {
                values.forEach(value -> addElement(elements, value));
            }
        } else if (result instanceof Object[] values) {
            Arrays.stream(values).filter(Objects::nonNull).forEach(elements::add);
        } else if (result instanceof Optional<?> value) {
            value.ifPresent(elements::add);
        } else {
            addElement(elements, result);
        }
    }

    private static void addElement(List<Object> elements, @Nullable Object value) {
        if (value != null) {
            elements.add(value);
        }
    }

    private @Nullable Object call(Object argument) {
        try {
            return method.invoke(bean, argument);
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof RuntimeException exception) {
                throw exception;
            }
            if (e.getTargetException() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(this + " failed", e.getTargetException());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(this + " cannot be called", e);
        }
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
