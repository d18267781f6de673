package io.github.reconciler4j.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Changes objects of one kind before they are stored, usually to fill in defaults that depend on other fields. The API server
 * calls it when an object is created or updated.
 *
 * <p>It must be idempotent: applied to its own result it changes nothing, since the API server can call it several times. Only
 * its changes are sent to the API server. Fields that the class does not have stay as they are.
 *
 * <p>Implementations must be thread-safe. An exception other than {@link AdmissionDeniedException} is a failure of the
 * webhook: the failure policy decides what happens to the request.
 *
 * <!-- snippet: BucketRules -->
 * <pre>{@code
 * Defaulter<Bucket> bucketDefaults() {
 *     return (bucket, request) -> bucket.getMetadata()
 *             .getLabels()
 *             .putIfAbsent("creator", request.user().name());
 * }
 * }</pre>
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface Defaulter<T extends HasMetadata> {

    /**
     * Change an object.
     *
     * @param object the object to change
     * @param request describes the request
     * @throws AdmissionDeniedException to deny the request
     * @throws Exception if the object could not be changed
     */
    void applyDefaults(T object, AdmissionRequest<T> request) throws Exception;

    /** Return the options of the webhook. */
    default WebhookOptions options() {
        return WebhookOptions.defaults();
    }
}
