package io.github.reconciler4j.generator.policy;

import com.fasterxml.jackson.databind.type.TypeFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.policy.MutationPolicy;
import io.github.reconciler4j.policy.ValidationPolicy;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Generates admission policies and their bindings from {@link ValidationPolicy} and {@link MutationPolicy}. Their names start
 * with {@link io.github.reconciler4j.generator.operator.WebhookSnapshot#NAME}.
 *
 * @since 0.1.0
 */
public final class PolicyGenerator {

    private final KubernetesVersion version;
    private final Set<String> names = new HashSet<>();
    private final List<Map<String, Object>> objects = new ArrayList<>();

    /**
     * Create a generator.
     *
     * @param version the lowest version of Kubernetes that the policies are for
     */
    public PolicyGenerator(KubernetesVersion version) {
        this.version = version;
    }

    /**
     * Generate the policies of classes, each followed by its binding.
     *
     * @throws GeneratorException if an annotation is incomplete, an expression is invalid, or the lowest version of Kubernetes
     *     does not have what a policy uses
     */
    public List<Map<String, Object>> generate(Collection<Class<?>> types) {
        for (Class<?> type : types) {
            for (ValidationPolicy policy : type.getAnnotationsByType(ValidationPolicy.class)) {
                addValidation(type, policy);
            }
            for (MutationPolicy policy : type.getAnnotationsByType(MutationPolicy.class)) {
                addMutation(type, policy);
            }
        }
        return List.copyOf(objects);
    }

    private void addValidation(Class<?> type, ValidationPolicy policy) {
        List<KindInfo> kinds = kinds(type, policy.kinds());
        PolicyTree tree = new PolicyTree("ValidatingAdmissionPolicy", name(type, policy.name(), kinds), version);
        tree.require(KubernetesVersion.VALIDATION);
        if (policy.rules().length == 0) {
            throw new GeneratorException("The " + tree + " on " + type.getName() + " has no rules");
        }
        tree.match(kinds, policy.operations(), policy.matchConditions(), policy.variables(), policy.ignoreFailures());
        List<Map<String, Object>> validations = new ArrayList<>();
        for (ValidationPolicy.Rule rule : policy.rules()) {
            Map<String, Object> validation = new LinkedHashMap<>();
            validation.put("expression", tree.checked(rule.value()));
            if (!rule.message().isEmpty()) {
                validation.put("message", rule.message());
            }
            if (!rule.messageExpression().isEmpty()) {
                validation.put("messageExpression", tree.checked(rule.messageExpression()));
            }
            validation.put("reason", rule.reason());
            validations.add(validation);
        }
        tree.put("validations", validations);
        objects.add(tree.policy());
        objects.add(tree.binding("validationActions", List.of(policy.actions()), kinds));
    }

    private void addMutation(Class<?> type, MutationPolicy policy) {
        List<KindInfo> kinds = kinds(type, policy.kinds());
        PolicyTree tree = new PolicyTree("MutatingAdmissionPolicy", name(type, policy.name(), kinds), version);
        tree.require(KubernetesVersion.MUTATION);
        List<Map<String, Object>> mutations = new ArrayList<>();
        for (String expression : policy.applyConfigurations()) {
            mutations.add(mutation("ApplyConfiguration", "applyConfiguration", tree.checked(expression)));
        }
        for (String expression : policy.jsonPatches()) {
            mutations.add(mutation("JSONPatch", "jsonPatch", tree.checked(expression)));
        }
        if (mutations.isEmpty()) {
            throw new GeneratorException("The " + tree + " on " + type.getName() + " changes nothing: set"
                    + " 'applyConfigurations' or 'jsonPatches' (R4J-719)");
        }
        tree.match(kinds, policy.operations(), policy.matchConditions(), policy.variables(), policy.ignoreFailures());
        tree.put("mutations", mutations);
        tree.put("reinvocationPolicy", policy.reinvocation() ? "IfNeeded" : "Never");
        objects.add(tree.policy());
        objects.add(tree.binding("", List.of(), kinds));
    }

    private static Map<String, Object> mutation(String type, String field, String expression) {
        Map<String, Object> mutation = new LinkedHashMap<>();
        mutation.put("patchType", type);
        mutation.put(field, Map.of("expression", expression));
        return mutation;
    }

    private String name(Class<?> type, String declared, List<KindInfo> kinds) {
        String name = declared.isEmpty() ? kinds.get(0).kind().kind().toLowerCase(Locale.ROOT) : declared;
        if (!names.add(name)) {
            throw new GeneratorException("There are two policies with the name '" + name + "', one of them on "
                    + type.getName() + ": set 'name' of one of them (R4J-751)");
        }
        return name;
    }

    private static List<KindInfo> kinds(Class<?> type, Class<? extends HasMetadata>[] declared) {
        if (declared.length > 0) {
            return List.of(declared).stream().map(Scheme::describe).toList();
        }
        if (HasMetadata.class.isAssignableFrom(type)) {
            return List.of(Scheme.describe(type.asSubclass(HasMetadata.class)));
        }
        Class<?> reconciled = ObjectReconciler.class.isAssignableFrom(type)
                ? TypeFactory.defaultInstance()
                        .constructType(type)
                        .findTypeParameters(ObjectReconciler.class)[0]
                        .getRawClass()
                : Object.class;
        if (!HasMetadata.class.isAssignableFrom(reconciled)) {
            throw new GeneratorException(
                    "The policy on " + type.getName()
                            + " does not say which kind it is for: set 'kinds', or annotate a kind or an ObjectReconciler (R4J-752)");
        }
        return List.of(Scheme.describe(reconciled.asSubclass(HasMetadata.class)));
    }
}
