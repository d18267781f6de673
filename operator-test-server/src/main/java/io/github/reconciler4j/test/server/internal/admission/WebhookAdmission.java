package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpression;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpression.EvaluationException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.InvalidExpressionException;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.AdmissionExpressions.Result;
import io.github.reconciler4j.test.server.internal.apimachinery.patch.JsonPatch;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The admission webhooks of the cluster. Safe for use by multiple threads. */
final class WebhookAdmission implements AutoCloseable {
    private static final ResourceId MUTATING = new ResourceId(Admission.GROUP, "mutatingwebhookconfigurations");
    private static final ResourceId VALIDATING = new ResourceId(Admission.GROUP, "validatingwebhookconfigurations");

    private final Admission.Parts parts;
    private final Matching matching;
    private final ReviewCall calls;
    private final Map<String, List<Hook>> known = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "kubernetes-server-webhooks");
        thread.setDaemon(true);
        return thread;
    });

    WebhookAdmission(Admission.Parts parts, Matching matching) {
        this.parts = parts;
        this.matching = matching;
        calls = new ReviewCall(parts.caller());
    }

    /** A webhook of a configuration. Immutable. */
    record Hook(String key, String name, JsonNode json, List<AdmissionExpression> conditions) {
        static Hook of(String configuration, int index, JsonNode json) {
            List<AdmissionExpression> conditions = new ArrayList<>();
            AdmissionExpressions compiler = new AdmissionExpressions(false);
            for (JsonNode condition : json.path("matchConditions")) {
                try {
                    conditions.add(compiler.compile(condition.path("expression").asText(), Result.BOOL));
                } catch (InvalidExpressionException e) {
                    throw new IllegalStateException(e);
                }
            }
            String name = json.path("name").asText();
            return new Hook(configuration + "/" + name + "/" + index, name, json, conditions);
        }

        boolean ignoresFailures() {
            return json.path("failurePolicy").asText().equals("Ignore");
        }

        boolean isReinvoked() {
            return json.path("reinvocationPolicy").asText().equals("IfNeeded");
        }
    }

    /** A call that could not be made or gave nothing usable: the failure policy decides. */
    static final class FailedCallException extends Exception {
        private static final long serialVersionUID = 1L;

        FailedCallException(String message) {
            super(message);
        }
    }

    private List<Hook> hooks(ResourceId resource) {
        if (parts.store().count(resource) == 0) {
            return List.of();
        }
        List<Hook> hooks = new ArrayList<>();
        for (StoredObject stored :
                parts.store().list(resource, ListQuery.all("")).items()) {
            String key = resource + "/" + stored.name().name() + "/" + stored.version();
            hooks.addAll(known.computeIfAbsent(key, none -> read(stored)));
        }
        return hooks;
    }

    private static List<Hook> read(StoredObject stored) {
        List<Hook> hooks = new ArrayList<>();
        for (JsonNode json : Json.items(stored.tree(), "webhooks")) {
            hooks.add(Hook.of(stored.name().name(), hooks.size(), json));
        }
        return hooks;
    }

    /** Return the type as which a webhook gets the object; null if it is not called. */
    private @Nullable ResourceType target(Hook hook, AdmissionRequest request) {
        ResourceType type = matching.matches(hook.json(), Json.items(hook.json(), "rules"), request);
        if (type == null || hook.conditions().isEmpty()) {
            return type;
        }
        AdmissionExpressions.Input input = new AdmissionExpressions.Input(
                Admission.inVersion(type, request.object()),
                Admission.inVersion(type, request.old()),
                request.describe(type),
                null,
                null);
        try {
            return Matching.holds(hook.conditions(), input) ? type : null;
        } catch (EvaluationException e) {
            if (hook.ignoresFailures()) {
                return null;
            }
            throw StatusException.forbidden(
                    request.type().group(), request.type().plural(), request.name(), e.getMessage());
        }
    }

    AdmissionRequest mutate(AdmissionRequest request, Admission.Pass pass) {
        AdmissionRequest current = request;
        pass.webhooks().starts(pass.isSecond(), request.object());
        for (Hook hook : hooks(MUTATING)) {
            ResourceType type = target(hook, current);
            if (type == null || pass.isSecond() && !pass.webhooks().isDue(hook.key())) {
                continue;
            }
            AdmissionRequest before = current;
            ObjectNode changed = guarded(hook, () -> mutated(hook, type, before));
            if (changed != null) {
                current = current.with(changed);
                pass.webhooks().changed();
                pass.changed();
            }
            if (hook.isReinvoked()) {
                pass.webhooks().called(hook.key());
            }
        }
        pass.webhooks().ends(current.object());
        return current;
    }

    /** A call of a webhook. */
    @FunctionalInterface
    private interface Guarded<T> {
        @Nullable
        T call() throws FailedCallException;
    }

    private static <T> @Nullable T guarded(Hook hook, Guarded<T> call) {
        try {
            return call.call();
        } catch (FailedCallException e) {
            if (hook.ignoresFailures()) {
                return null;
            }
            throw StatusException.internal(
                    "failed calling webhook " + FieldError.quoted(hook.name()) + ": " + e.getMessage());
        }
    }

    /** Return the object as a webhook changed it; null if it did not. */
    private @Nullable ObjectNode mutated(Hook hook, ResourceType type, AdmissionRequest request)
            throws FailedCallException {
        JsonNode patch = calls.send(hook, type, request, true);
        if (patch == null || patch.isEmpty()) {
            return null;
        }
        ObjectNode object = request.object();
        if (object == null) {
            throw StatusException.internal("admission webhook " + FieldError.quoted(hook.name())
                    + " attempted to modify the object, which is not supported for this operation");
        }
        ObjectNode before = Admission.versioned(type, object);
        if (!(patched(before, patch) instanceof ObjectNode after)) {
            throw StatusException.internal("the patch of a webhook does not leave an object");
        }
        if (Json.text(after, "kind").equals(type.kind())) {
            parts.decoder().accept(type, after);
        }
        return Json.same(before, after) ? null : Admission.versioned(request.type(), after);
    }

    private static JsonNode patched(ObjectNode before, JsonNode patch) {
        try {
            return JsonPatch.apply(before, patch);
        } catch (StatusException e) {
            throw StatusException.internal("the patch of a webhook does not fit the object: " + patch);
        }
    }

    /** Call all webhooks at once. The warnings come in the order of the webhooks; the first failure counts. */
    void validate(AdmissionRequest request) {
        List<Callable<Void>> pending = new ArrayList<>();
        List<List<String>> warnings = new ArrayList<>();
        for (Hook hook : hooks(VALIDATING)) {
            ResourceType type = target(hook, request);
            if (type != null) {
                List<String> own = new ArrayList<>();
                warnings.add(own);
                pending.add(() -> {
                    guarded(hook, () -> calls.send(hook, type, request.withWarnings(own::add), false));
                    return null;
                });
            }
        }
        try {
            callAll(pending);
        } finally {
            warnings.forEach(own -> own.forEach(request.warnings()));
        }
    }

    private void callAll(List<Callable<Void>> pending) {
        StatusException first = null;
        for (Future<Void> one : submitAll(pending)) {
            try {
                one.get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof StatusException status)) {
                    throw new IllegalStateException(e);
                }
                first = first == null ? status : first;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw StatusException.internal("the server stops");
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Start all calls; one alone runs in this thread. */
    private List<Future<Void>> submitAll(List<Callable<Void>> pending) {
        List<Future<Void>> running = new ArrayList<>();
        for (Callable<Void> call : pending) {
            FutureTask<Void> task = new FutureTask<>(call);
            running.add(task);
            if (pending.size() == 1) {
                task.run();
            } else {
                threads.execute(task);
            }
        }
        return running;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
