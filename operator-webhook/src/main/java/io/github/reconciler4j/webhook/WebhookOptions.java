package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.PathSegments;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options of one {@link Validator} or {@link Defaulter}: what the API server calls it for, and what happens if the call fails.
 * Immutable and thread-safe.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * return WebhookOptions.defaults()
 *         .withOperations(Operation.CREATE)
 *         .withFailurePolicy(WebhookOptions.FailurePolicy.IGNORE)
 *         .withMatchCondition("people", "!request.userInfo.username.startsWith('system:')");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WebhookOptions {

    private static final WebhookOptions DEFAULTS = new WebhookOptions(new Values());
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(30);

    private final Values values;

    private WebhookOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static WebhookOptions defaults() {
        return DEFAULTS;
    }

    /** Return the name of the webhook among those for the same kind. The default is {@code ""}. */
    public String name() {
        return values.name;
    }

    /** Return the kind, if the class of the objects does not declare it. The default is empty. */
    public Optional<KindInfo> kind() {
        return Optional.ofNullable(values.kind);
    }

    /**
     * Return the operations that the API server calls the webhook for. The default is empty: creations and updates, and
     * deletions if the validator overrides {@link Validator#validateDelete}.
     */
    public Set<Operation> operations() {
        return values.operations;
    }

    /**
     * Return the subresources that the API server calls the webhook for, for instance {@code status}; {@code ""} stands for
     * the object itself. The default is the object itself alone.
     */
    public Set<String> subresources() {
        return values.subresources;
    }

    /** Return what happens if a call fails. The default is {@link FailurePolicy#FAIL}. */
    public FailurePolicy failurePolicy() {
        return values.failurePolicy;
    }

    /** Return the time that the API server waits for a response. The default is 10 seconds, the maximum 30 seconds. */
    public Duration timeout() {
        return values.timeout;
    }

    /** Return the CEL expressions that a request must meet, by name. By default there are none. */
    public Map<String, String> matchConditions() {
        return values.matchConditions;
    }

    /**
     * Return the selector of the namespaces. The default is empty: all namespaces, but for kinds of Kubernetes itself not
     * {@code kube-system} and not the namespace of the operator, so that a failing webhook never prevents its own restart.
     */
    public Optional<LabelSelector> namespaceSelector() {
        return Optional.ofNullable(values.namespaceSelector);
    }

    /** Return the selector of the objects. The default is empty: all objects. */
    public Optional<LabelSelector> objectSelector() {
        return Optional.ofNullable(values.objectSelector);
    }

    /** Return whether the webhook has side effects, which it avoids in dry runs. The default is false. */
    public boolean sideEffects() {
        return values.sideEffects;
    }

    /**
     * Return whether the API server calls a defaulter again if another webhook has changed the object since. The default is
     * false.
     */
    public boolean reinvocation() {
        return values.reinvocation;
    }

    /**
     * Return a copy of these options with the given name, which is needed if there are several webhooks of the same type for a
     * kind.
     *
     * @throws IllegalArgumentException if it is not a DNS label
     */
    public WebhookOptions withName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'name' must consist of lower-case letters, digits and hyphens, was '" + name + "'");
        }
        return change(copy -> copy.name = name);
    }

    /** Return a copy of these options for the given kind, for classes that do not declare their kind. */
    public WebhookOptions withKind(KindInfo kind) {
        return change(copy -> copy.kind = kind);
    }

    /** Return a copy of these options with the given operations. */
    public WebhookOptions withOperations(Operation... operations) {
        return change(copy -> copy.operations = Set.of(operations));
    }

    /**
     * Return a copy of these options with the given subresources; {@code ""} stands for the object itself.
     *
     * @throws IllegalArgumentException if the array is empty, or contains what no subresource can be called
     */
    public WebhookOptions withSubresources(String... subresources) {
        if (subresources.length == 0) {
            throw new IllegalArgumentException("'subresources' must not be empty");
        }
        for (String subresource : subresources) {
            if (!subresource.isEmpty()) {
                PathSegments.check("subresources", subresource);
            }
        }
        return change(copy -> copy.subresources = Set.of(subresources));
    }

    /** Return a copy of these options with the given failure policy. */
    public WebhookOptions withFailurePolicy(FailurePolicy policy) {
        return change(copy -> copy.failurePolicy = policy);
    }

    /**
     * Return a copy of these options with the given timeout.
     *
     * @throws IllegalArgumentException if it is not a number of seconds between 1 and 30
     */
    public WebhookOptions withTimeout(Duration timeout) {
        if (timeout.getNano() != 0 || timeout.toSeconds() < 1 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("'timeout' must be 1 to 30 whole seconds, was " + timeout);
        }
        return change(copy -> copy.timeout = timeout);
    }

    /**
     * Return a copy of these options with an additional match condition.
     *
     * @param name a name that is unique within the webhook
     * @param expression the CEL expression
     * @throws IllegalArgumentException if one of them is blank
     */
    public WebhookOptions withMatchCondition(String name, String expression) {
        if (name.isBlank() || expression.isBlank()) {
            throw new IllegalArgumentException("'" + (name.isBlank() ? "name" : "expression") + "' must not be blank");
        }
        Map<String, String> conditions = new LinkedHashMap<>(values.matchConditions);
        conditions.put(name, expression);
        return change(copy -> copy.matchConditions = conditions);
    }

    /** Return a copy of these options with the given selector of namespaces. */
    public WebhookOptions withNamespaceSelector(LabelSelector selector) {
        return change(copy -> copy.namespaceSelector = selector);
    }

    /** Return a copy of these options with the given selector of objects. */
    public WebhookOptions withObjectSelector(LabelSelector selector) {
        return change(copy -> copy.objectSelector = selector);
    }

    /** Return a copy of these options for a webhook with side effects that it avoids in dry runs. */
    public WebhookOptions withSideEffects() {
        return change(copy -> copy.sideEffects = true);
    }

    /** Return a copy of these options for a defaulter that is called again after changes of other webhooks. */
    public WebhookOptions withReinvocation() {
        return change(copy -> copy.reinvocation = true);
    }

    private WebhookOptions change(Consumer<Values> change) {
        return new WebhookOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "WebhookOptions[name=" + values.name + ", kind=" + values.kind + ", operations=" + values.operations
                + ", subresources="
                + values.subresources + ", failurePolicy=" + values.failurePolicy + ", timeout=" + values.timeout
                + ", matchConditions="
                + values.matchConditions.keySet() + ", sideEffects=" + values.sideEffects + ", reinvocation="
                + values.reinvocation + "]";
    }

    /**
     * What happens to a request if the webhook fails: if it cannot be reached, takes too long or has an internal error.
     *
     * @since 0.1.0
     */
    public enum FailurePolicy {
        /** The API server rejects the request. */
        FAIL,
        /** The API server continues without the webhook. */
        IGNORE
    }

    private static final class Values extends OptionValues<Values> {
        private String name = "";
        private @Nullable KindInfo kind;
        private Set<Operation> operations = Set.of();
        private Set<String> subresources = Set.of("");
        private FailurePolicy failurePolicy = FailurePolicy.FAIL;
        private Duration timeout = Duration.ofSeconds(10);
        private Map<String, String> matchConditions = Map.of();
        private @Nullable LabelSelector namespaceSelector;
        private @Nullable LabelSelector objectSelector;
        private boolean sideEffects;
        private boolean reinvocation;
    }
}
