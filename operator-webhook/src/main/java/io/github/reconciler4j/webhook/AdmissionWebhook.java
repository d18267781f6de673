package io.github.reconciler4j.webhook;

import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.util.Locale;
import java.util.Set;

/**
 * A {@link Validator} or {@link Defaulter} that is registered for a kind. Immutable.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * return webhooks.admission().stream().map(AdmissionWebhook::path).toList();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class AdmissionWebhook {

    private final Type type;
    private final KindInfo kind;
    private final Set<Operation> operations;
    private final WebhookOptions options;

    AdmissionWebhook(Type type, KindInfo kind, Set<Operation> operations, WebhookOptions options) {
        this.type = type;
        this.kind = kind;
        this.operations = Set.copyOf(operations);
        this.options = options;
    }

    /** Return whether it validates or changes objects. */
    public Type type() {
        return type;
    }

    /** Return the kind. */
    public KindInfo kind() {
        return kind;
    }

    /** Return the operations that the API server calls it for. */
    public Set<Operation> operations() {
        return operations;
    }

    /** Return its options. */
    public WebhookOptions options() {
        return options;
    }

    /** Return its path on the server, for instance {@code /validate-example-com-v1-webapp}. */
    public String path() {
        KindName gvk = kind.kind();
        return "/" + type.verb + "-" + gvk.group().replace('.', '-') + "-" + gvk.version() + "-" + lower(gvk.kind())
                + suffix();
    }

    /**
     * Return its name in the configuration and in messages for users, for instance
     * {@code validate-webapp-v1.example.com}.
     */
    public String name() {
        KindName gvk = kind.kind();
        String group = gvk.group().isEmpty() ? "core" : gvk.group();
        return type.verb + "-" + lower(gvk.kind()) + "-" + gvk.version() + suffix() + "."
                + (group.contains(".") ? group : group + ".k8s.io");
    }

    private String suffix() {
        return options.name().isEmpty() ? "" : "-" + options.name();
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return name();
    }

    /**
     * The types of admission webhooks.
     *
     * @since 0.1.0
     */
    public enum Type {
        /** Changes objects; called first. */
        MUTATING("mutate"),
        /** Validates objects; called after all changes. */
        VALIDATING("validate");

        private final String verb;

        Type(String verb) {
            this.verb = verb;
        }
    }
}
