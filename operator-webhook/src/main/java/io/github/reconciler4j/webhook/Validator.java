package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Decides whether objects of one kind may be stored. The API server calls validators after all defaulters, in parallel, and
 * denies the request if one of them reports a problem.
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
 * <p>Updates include those that remove a finalizer. A validator that denies them prevents the deletion of the object.
 *
 * <p>Implementations must be thread-safe. An exception other than {@link AdmissionDeniedException} is a failure of the
 * webhook: the failure policy decides what happens to the request.
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface Validator<T extends HasMetadata> {

    /**
     * Validate a new object, and by default an updated one.
     *
     * @param object a copy of the object
     * @param validation receives problems and warnings, and describes the request
     * @throws AdmissionDeniedException to deny the request with one message
     * @throws Exception if the validation failed
     */
    void validate(T object, Validation validation) throws Exception;

    /**
     * Validate an update. The default calls {@link #validate}. If the stored object does not fit its class, {@link #validate}
     * is called instead, so that the object can be corrected.
     *
     * @param oldObject a copy of the object as it is stored
     * @param object a copy of the object as it is to be stored
     * @throws AdmissionDeniedException to deny the request with one message
     * @throws Exception if the validation failed
     */
    default void validateUpdate(T oldObject, T object, Validation validation) throws Exception {
        validate(object, validation);
    }

    /**
     * Validate a deletion. The default allows it. The API server calls the webhook for deletions only if a class overrides
     * this method, or the options name {@link Operation#DELETE}.
     *
     * @param object a copy of the object as it is stored
     * @throws AdmissionDeniedException to deny the request with one message
     * @throws Exception if the validation failed
     */
    default void validateDelete(T object, Validation validation) throws Exception {}

    /** Return the options of the webhook. */
    default WebhookOptions options() {
        return WebhookOptions.defaults();
    }
}
