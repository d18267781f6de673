package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.internal.ConstraintViolations;
import jakarta.validation.groups.Default;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks the constraints of Jakarta Validation on the class of a custom resource and on the class of its spec. Problems name
 * fields as users write them, for instance {@code spec.ports[0].name}, even if the Java property has another name.
 *
 * <p>New objects are validated in the groups {@link Default} and {@link OnCreate}, updated ones in {@link Default} and
 * {@link OnUpdate}. An update is not denied for a problem that the stored object has too, so a new constraint does not prevent
 * other changes, or the deletion of an object with a finalizer.
 *
 * <p>With the starter, kinds with a reconciler or a webhook have such a validator if their class has constraints. Needs
 * {@code jakarta.validation-api} and an implementation on the class path. Immutable and thread-safe.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * return JakartaValidator.of(Page.class, jakarta).withOptions(options());
 * }</pre>
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
public final class JakartaValidator<T extends HasMetadata> implements Validator<T> {

    private static final WebhookOptions OPTIONS = WebhookOptions.defaults().withName("constraints");

    private final Class<T> type;
    private final jakarta.validation.Validator constraints;
    private final WebhookOptions options;

    private JakartaValidator(Class<T> type, jakarta.validation.Validator constraints, WebhookOptions options) {
        this.type = type;
        this.constraints = constraints;
        this.options = options;
    }

    /**
     * Create a validator. The name of its webhook is {@code constraints}, so that the kind can have another validator.
     *
     * @param type the class of the objects
     * @param constraints the implementation of Jakarta Validation
     */
    public static <T extends HasMetadata> JakartaValidator<T> of(
            Class<T> type, jakarta.validation.Validator constraints) {
        return new JakartaValidator<>(type, constraints, OPTIONS);
    }

    /** Return a copy of this validator with the given options. */
    public JakartaValidator<T> withOptions(WebhookOptions options) {
        return new JakartaValidator<>(type, constraints, options);
    }

    /** Return the class of the objects. */
    public Class<T> type() {
        return type;
    }

    /** Return whether the class of the objects or the class of their spec has constraints. */
    public boolean hasConstraints() {
        return isConstrained(type) || isConstrained(specType());
    }

    private Class<?> specType() {
        return CustomResource.class.isAssignableFrom(type)
                ? KubernetesJson.mapper()
                        .constructType(type)
                        .findTypeParameters(CustomResource.class)[0]
                        .getRawClass()
                : type;
    }

    private boolean isConstrained(Class<?> objects) {
        return constraints.getConstraintsForClass(objects).isBeanConstrained();
    }

    @Override
    public void validate(T object, Validation validation) {
        problems(object, OnCreate.class).forEach(validation::report);
    }

    @Override
    public void validateUpdate(T oldObject, T object, Validation validation) {
        List<Validation.Problem> found = problems(object, OnUpdate.class);
        if (!found.isEmpty()) {
            Set<Validation.Problem> stored = Set.copyOf(problems(oldObject, OnUpdate.class));
            found.stream().filter(problem -> !stored.contains(problem)).forEach(validation::report);
        }
    }

    private List<Validation.Problem> problems(T object, Class<?> group) {
        List<Validation.Problem> problems = new ArrayList<>();
        if (isConstrained(type)) {
            problems.addAll(
                    ConstraintViolations.problems("", object, constraints.validate(object, Default.class, group)));
        }
        if (object instanceof CustomResource<?, ?> resource && resource.getSpec() != null) {
            Object spec = resource.getSpec();
            problems.addAll(
                    ConstraintViolations.problems("spec", spec, constraints.validate(spec, Default.class, group)));
        }
        return problems.stream().distinct().toList();
    }

    @Override
    public WebhookOptions options() {
        return options;
    }

    /**
     * The group of constraints that apply to new objects only.
     *
     * @since 0.1.0
     */
    public interface OnCreate {}

    /**
     * The group of constraints that apply to updated objects only.
     *
     * @since 0.1.0
     */
    public interface OnUpdate {}
}
