package io.github.reconciler4j.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.ObjectPatch.Operation;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The ways in which a reconciler can write an object of a kind with a status and a scale, by their names. */
final class WriteForms {

    private static final Map<String, Object> LABELS = Map.of("metadata", Map.of("labels", Map.of("seen", "yes")));
    private static final Map<String, Object> STATUS = Map.of("status", Map.of("observedGeneration", 1));

    private WriteForms() {}

    /**
     * Returns the ways. Each takes an object as the API server has it.
     *
     * @param declared returns the object with a name as a user declares it, with the label {@code app} of the same value
     */
    static <T extends HasMetadata> Map<String, BiConsumer<Client, T>> of(Kind<T> kind, Function<String, T> declared) {
        Map<String, BiConsumer<Client, T>> forms = new LinkedHashMap<>();
        forms.put("create", (client, known) -> client.create(declared.apply(name(known) + "-new")));
        forms.put("update", (client, known) -> client.update(labeled(known)));
        forms.put("merge-patch", (client, known) -> client.patch(known, ObjectPatch.merge(LABELS)));
        forms.put("strategic-patch", (client, known) -> client.patch(known, ObjectPatch.strategic(LABELS)));
        forms.put(
                "json-patch",
                (client, known) -> client.patch(
                        kind,
                        ObjectKey.of(known),
                        ObjectPatch.json(Operation.add("/metadata/labels/seen", "yes")),
                        WriteOptions.defaults()));
        forms.put("apply", (client, known) -> client.apply(declared.apply(name(known))));
        forms.put(
                "unconditional-apply",
                (client, known) -> client.applyUnconditionally(declared.apply(name(known)), ApplyOptions.defaults()));
        forms.put("edit", (client, known) -> client.edit(known, WriteForms::label));
        forms.put("create-or-update", (client, known) -> client.createOrUpdate(known, WriteForms::label));
        forms.put("create-or-patch", (client, known) -> client.createOrPatch(known, WriteForms::label));
        forms.put("status-patch", (client, known) -> client.status().patch(known, ObjectPatch.merge(STATUS)));
        forms.put("status-update", (client, known) -> client.status().update(known));
        forms.put("scale", (client, known) -> client.scale().set(known, 3));
        forms.put("delete", (client, known) -> client.delete(known));
        forms.put(
                "delete-all",
                (client, known) -> client.deleteAll(
                        kind,
                        Selection.inNamespace(known.getMetadata().getNamespace())
                                .withLabelSelector("app=" + name(known)),
                        DeletionOptions.defaults()));
        return forms;
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    private static <T extends HasMetadata> T labeled(T object) {
        label(object);
        return object;
    }

    private static void label(HasMetadata object) {
        Map<String, String> labels =
                new HashMap<>(Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of()));
        labels.put("seen", "yes");
        object.getMetadata().setLabels(labels);
    }
}
