package io.github.reconciler4j.webhook;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the problems and warnings of one call of a {@link Validator}. Fields are paths from the root of the object, for
 * instance {@code spec.ports[0].name}. Users see the messages in the form that the API server uses for its own:
 *
 * <pre>
 * The WebApp "hello" is invalid: spec.replicas: Invalid value: 11: must be at most 10
 * </pre>
 *
 * <p>Users also see the values that are passed to these methods. Do not pass secrets. Used by one call at a time.
 *
 * <!-- snippet: WebPageWebhookTests -->
 * <pre>{@code
 * static class PageRules implements Validator<WebPage> {
 *     @Override
 *     public void validate(WebPage page, Validation validation) {
 *         if (page.getSpec().getHtml().contains("<script>")) {
 *             validation.invalid("spec.html", page.getSpec().getHtml(), "must not have scripts");
 *         }
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Validation {

    /** Return the request. */
    AdmissionRequest<?> request();

    /**
     * Report a problem.
     *
     * @param problem what is wrong with a field
     */
    void report(Problem problem);

    /**
     * Warn the user, for instance about a deprecated field. {@code kubectl} prints warnings, whether the request is allowed or
     * denied. The API server accepts about 4,096 characters in total.
     *
     * @param message one line
     */
    void warn(String message);

    /** Return the problems that were reported so far. */
    List<Problem> problems();

    /**
     * Report that the value of a field is invalid.
     *
     * @param value the value, or null to keep it out of the message
     * @param message for instance {@code must be at most 10}
     */
    default void invalid(String field, @Nullable Object value, String message) {
        report(new Problem(field, Problem.Type.INVALID, Optional.ofNullable(value), message));
    }

    /**
     * Report that a field is missing.
     *
     * @param message additional information, or {@code ""}
     */
    default void required(String field, String message) {
        report(new Problem(field, Problem.Type.REQUIRED, Optional.empty(), message));
    }

    /**
     * Report that a field must not be set, or must not be changed.
     *
     * @param message for instance {@code cannot be changed}
     */
    default void forbidden(String field, String message) {
        report(new Problem(field, Problem.Type.FORBIDDEN, Optional.empty(), message));
    }

    /** Report that a value occurs more than once where values must be unique. */
    default void duplicate(String field, Object value) {
        report(new Problem(field, Problem.Type.DUPLICATE, Optional.of(value), ""));
    }

    /** Report that a value is not one of the supported values. */
    default void notSupported(String field, Object value, Collection<?> supported) {
        String values = supported.stream().map(Problem::quote).collect(Collectors.joining(", "));
        report(new Problem(field, Problem.Type.NOT_SUPPORTED, Optional.of(value), "supported values: " + values));
    }

    /**
     * A problem with a field. Immutable.
     *
     * @param field the path of the field
     * @param type the type of the problem
     * @param value the value of the field, empty if it is not part of the message
     * @param detail additional information, can be {@code ""}
     * @since 0.1.0
     */
    record Problem(String field, Type type, Optional<Object> value, String detail) {

        /** Return the message, for instance {@code Invalid value: 11: must be at most 10}. */
        public String message() {
            StringBuilder text = new StringBuilder(type.text);
            value.ifPresent(shown -> text.append(": ").append(quote(shown)));
            if (!detail.isEmpty()) {
                text.append(": ").append(detail);
            }
            return text.toString();
        }

        private static String quote(Object value) {
            return value instanceof Number || value instanceof Boolean
                    ? value.toString()
                    : '"' + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }

        /**
         * The types of problems, with the reasons that the Kubernetes API defines for them.
         *
         * @since 0.1.0
         */
        public enum Type {
            /** The value is invalid. */
            INVALID("FieldValueInvalid", "Invalid value"),
            /** The field is missing. */
            REQUIRED("FieldValueRequired", "Required value"),
            /** The field must not have this value. */
            FORBIDDEN("FieldValueForbidden", "Forbidden"),
            /** The value occurs more than once. */
            DUPLICATE("FieldValueDuplicate", "Duplicate value"),
            /** The value is not one of the supported ones. */
            NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value");

            private final String reason;
            private final String text;

            Type(String reason, String text) {
                this.reason = reason;
                this.text = text;
            }

            /** Return the reason in the causes of the status. */
            public String reason() {
                return reason;
            }
        }
    }
}
