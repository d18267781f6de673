package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.github.reconciler4j.scheme.UnknownKindException;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.JakartaValidator;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.Webhooks;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/** Collects the validator, defaulter and converter beans. Their type arguments name the kinds. */
final class WebhookBeans {

    private final ConfigurableListableBeanFactory beans;
    private final Webhooks.Builder webhooks = Webhooks.builder();
    private final Set<Class<? extends HasMetadata>> types = new LinkedHashSet<>();
    private final Set<Class<? extends HasMetadata>> constrained = new HashSet<>();

    private WebhookBeans(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Collect all beans, and add validators for the constraints on the classes of the application's kinds.
     *
     * @param constraints null if Jakarta Validation is missing or disabled
     * @throws OperatorConfigurationException if a bean has no type argument or its kind is unknown, or if two beans are for the
     *     same kind
     */
    static Webhooks collect(
            ConfigurableListableBeanFactory beans,
            ReconcilerRegistry registry,
            @Nullable ConstraintWebhooks constraints) {
        WebhookBeans found = new WebhookBeans(beans);
        registry.reconcilers().values().forEach(reconciler -> reconciler.type().ifPresent(found.types::add));
        for (Class<?> type : new Class<?>[] {Defaulter.class, Validator.class, Converter.class}) {
            for (String name : beans.getBeanNamesForType(type, true, false)) {
                try {
                    found.add(name, type);
                } catch (UnknownKindException | IllegalArgumentException e) {
                    throw new OperatorConfigurationException(
                            "The webhook bean '" + name + "' cannot be used: " + e.getMessage() + ".",
                            "Correct the bean or its options. (R4J-404)",
                            e);
                }
            }
        }
        if (constraints != null) {
            found.types.removeAll(found.constrained);
            found.types.removeIf(type -> !CustomResource.class.isAssignableFrom(type));
            constraints.addTo(found.webhooks, found.types);
        }
        return found.webhooks.build();
    }

    private void add(String name, Class<?> type) {
        if (type == Defaulter.class) {
            addDefaulter(argument(name, type, 0), beans.getBean(name, Defaulter.class));
        } else if (type == Validator.class) {
            addValidator(argument(name, type, 0), beans.getBean(name, Validator.class));
        } else {
            addConverter(argument(name, type, 0), argument(name, type, 1), beans.getBean(name, Converter.class));
        }
    }

    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> void addDefaulter(Class<T> type, Defaulter<?> bean) {
        types.add(type);
        webhooks.defaulter(type, (Defaulter<T>) bean);
    }

    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> void addValidator(Class<T> type, Validator<?> bean) {
        types.add(type);
        if (bean instanceof JakartaValidator) {
            constrained.add(type);
        }
        webhooks.validator(type, (Validator<T>) bean);
    }

    @SuppressWarnings("unchecked")
    private <H extends HasMetadata, S extends HasMetadata> void addConverter(
            Class<H> hub, Class<S> spoke, Converter<?, ?> bean) {
        types.add(hub);
        webhooks.converter(hub, spoke, (Converter<H, S>) bean);
    }

    private Class<? extends HasMetadata> argument(String name, Class<?> type, int index) {
        Class<?> argument = resolve(name, type, index);
        if (argument == null || argument == HasMetadata.class) {
            throw new OperatorConfigurationException(
                    "The bean '" + name + "' is a " + type.getSimpleName() + " without a type argument.",
                    "Declare the return type of the @Bean method with its type argument, for instance "
                            + type.getSimpleName() + "<WebApp>. (R4J-405)");
        }
        return argument.asSubclass(HasMetadata.class);
    }

    private @Nullable Class<?> resolve(String name, Class<?> type, int index) {
        Class<?> fallback = beans.getType(name, false);
        ResolvableType declared = beans.containsBeanDefinition(name)
                ? beans.getMergedBeanDefinition(name).getResolvableType()
                : ResolvableType.NONE;
        ResolvableType best =
                declared.resolve() != null || fallback == null ? declared : ResolvableType.forClass(fallback);
        return best.as(type).getGeneric(index).resolve();
    }
}
