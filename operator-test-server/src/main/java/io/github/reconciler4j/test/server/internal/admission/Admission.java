package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.Representation;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Admission: policies and webhooks that change what is written, then policies and webhooks that check it, in the order of
 * kube-apiserver. When something changed, those that ask for it are called again. Safe for use by multiple threads.
 */
public final class Admission implements AutoCloseable {
    static final String GROUP = "admissionregistration.k8s.io";

    private final WebhookAdmission webhooks;
    private final PolicyAdmission policies;

    /**
     * The collaborators of admission.
     *
     * @param decoder drops what a type does not know, and adds its defaults
     */
    public record Parts(
            VersionedStore store,
            Registry registry,
            WebhookCaller caller,
            BiConsumer<ResourceType, ObjectNode> decoder) {}

    public Admission(Parts parts) {
        Matching matching = new Matching(parts.store(), parts.registry());
        webhooks = new WebhookAdmission(parts, matching);
        policies = new PolicyAdmission(parts, matching);
    }

    /** The state of one pass through the mutating webhooks and policies. For one thread. */
    static final class Pass {
        private final Reinvocation webhooks = new Reinvocation();
        private final Reinvocation policies = new Reinvocation();
        private boolean again;
        private boolean second;

        Reinvocation webhooks() {
            return webhooks;
        }

        Reinvocation policies() {
            return policies;
        }

        boolean isSecond() {
            return second;
        }

        void changed() {
            again = true;
        }
    }

    /** Return the object as mutating policies and webhooks leave it; the object of the request, or a new one. */
    public ObjectNode mutate(AdmissionRequest request) {
        ObjectNode object = Objects.requireNonNull(request.object());
        return isExempt(request)
                ? object
                : Objects.requireNonNull(passes(request).object());
    }

    private AdmissionRequest passes(AdmissionRequest request) {
        Pass pass = new Pass();
        AdmissionRequest after = webhooks.mutate(policies.mutate(request, pass), pass);
        if (pass.again) {
            pass.second = true;
            after = webhooks.mutate(policies.mutate(after, pass), pass);
        }
        return after;
    }

    /** Let validating policies and webhooks check the request. */
    public void validate(AdmissionRequest request) {
        if (!isExempt(request)) {
            policies.validate(request);
            webhooks.validate(request);
        }
    }

    /** Let all webhooks and policies see a deletion. */
    public void delete(AdmissionRequest request) {
        if (!isExempt(request)) {
            passes(request);
            validate(request);
        }
    }

    private static boolean isExempt(AdmissionRequest request) {
        return request.type().group().equals(GROUP);
    }

    /** Return the object in the version of a type; null for null. */
    static @Nullable ObjectNode inVersion(ResourceType type, @Nullable ObjectNode object) {
        return object == null ? null : versioned(type, object);
    }

    /** Return the object in the version of a type: a new one, or the object itself if it has that version or is no object of the type. */
    static ObjectNode versioned(ResourceType type, ObjectNode object) {
        boolean fits = !Json.text(object, "kind").equals(type.kind())
                || Json.text(object, "apiVersion").equals(type.apiVersion());
        return fits ? object : Representation.converted(type, object.deepCopy());
    }

    @Override
    public void close() {
        webhooks.close();
    }
}
