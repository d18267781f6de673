package io.github.reconciler4j.plan;

import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.ObjectPatch.Operation;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a controller does with one object, in one or more writes. */
enum GridVerb {
    CREATE(it -> it.client().create(it.desired())),
    CREATE_TWICE(it -> {
        it.client().create(it.desired());
        it.client().create(it.desired());
    }),
    CREATE_THEN_EDIT(it -> {
        var created = it.client().create(it.desired());
        it.client().edit(created, changed -> changed.getMetadata().setLabels(Map.of("edited", "yes")));
    }),
    CREATE_THEN_DELETE(it -> it.client().delete(it.client().create(it.desired()))),
    CREATE_THEN_APPLY(it -> {
        it.client().create(it.desired());
        it.client().apply(it.labeled("applied", "yes"));
    }),
    CREATE_THEN_SCALE(it -> {
        it.client().create(it.desired());
        it.client().scale().set(it.desired(), 5);
    }),
    CREATE_THEN_STATUS(it -> it.client().status().edit(it.client().create(it.desired()), it::changeStatus)),
    APPLY(it -> it.client().apply(it.desired(), ApplyOptions.defaults().withoutForce())),
    APPLY_WITH_FORCE(it -> it.client().apply(it.desired())),
    APPLY_UNCONDITIONALLY(it -> it.client().applyUnconditionally(it.desired(), ApplyOptions.defaults())),
    APPLY_AS_ANOTHER(it -> it.client().withFieldManager("another").apply(it.desired())),
    APPLY_TWICE(it -> {
        it.client().apply(it.labeled("first", "yes"));
        it.client().apply(it.desired());
    }),
    CREATE_OR_UPDATE(it -> it.client().createOrUpdate(it.desired(), it::change)),
    CREATE_OR_PATCH(it -> it.client().createOrPatch(it.desired(), it::change)),
    UPDATE(it -> it.client().update(it.changed())),
    UPDATE_UNREAD(it -> it.client().update(it.desired())),
    UPDATE_TWICE(it -> {
        var updated = it.client().update(it.changed());
        updated.getMetadata().setLabels(Map.of("second", "yes"));
        it.client().update(updated);
    }),
    EDIT(it -> it.client().edit(it.read(), it::change)),
    EDIT_TWICE(it -> {
        it.client().edit(it.read(), changed -> changed.getMetadata().setLabels(Map.of("edited", "yes")));
        it.client().edit(it.read(), it::change);
    }),
    EDIT_THEN_APPLY(it -> {
        it.client().edit(it.read(), changed -> changed.getMetadata().getLabels().put("edited", "yes"));
        it.client().apply(it.desired());
    }),
    EDIT_AND_BACK(it -> {
        var read = it.read();
        var labels = read.getMetadata().getLabels();
        var edited = it.client().edit(read, changed -> changed.getMetadata().setLabels(Map.of("edited", "yes")));
        it.client().edit(edited, changed -> changed.getMetadata().setLabels(labels));
    }),
    EDIT_THEN_DELETE(it -> it.client().delete(it.client().edit(it.read(), it::change))),
    EDIT_WITH_STATUS(it -> it.client().editWithStatus(it.read(), it::change)),
    EDIT_ORDER(it -> it.client()
            .edit(it.read(), changed -> Collections.reverse(changed.get("spec", "template", "spec", "containers")))),
    EDIT_EMPTY_OBJECT(it -> it.client()
            .edit(it.read(), changed -> it.container(changed).put("securityContext", new LinkedHashMap<>()))),
    EDIT_END_OF_LONG_VALUE(it -> it.client()
            .edit(it.read(), changed -> changed.getMetadata().setAnnotations(Map.of("long", GridTarget.LONG + "2")))),
    PATCH_MERGE(it -> it.client().patch(it.desired(), ObjectPatch.merge(it.tree()))),
    PATCH_STRATEGIC(it -> it.client().patch(it.desired(), ObjectPatch.strategic(it.tree()))),
    PATCH_JSON(it -> it.client()
            .patch(it.desired(), ObjectPatch.json(Operation.add("/metadata/labels", Map.of("patched", "yes"))))),
    STATUS_EDIT(it -> it.client().status().edit(it.read(), it::changeStatus)),
    STATUS_UPDATE(it -> {
        var read = it.read();
        it.changeStatus(read);
        it.client().status().update(read);
    }),
    STATUS_PATCH(it -> it.client()
            .status()
            .patch(it.desired(), ObjectPatch.merge(Map.of("status", Map.of("observedGeneration", 7))))),
    STATUS_APPLY(it -> {
        var status = it.bare();
        it.changeStatus(status);
        it.client().status().apply(status);
    }),
    SCALE(it -> it.client().scale().set(it.desired(), 5)),
    SCALE_SUBRESOURCE(it -> it.client()
            .subresource("scale")
            .patch(it.desired(), ObjectPatch.merge(Map.of("spec", Map.of("replicas", 4))))),
    DELETE(it -> it.client().delete(it.desired())),
    DELETE_BY_KEY(it -> it.client().delete(it.kind(), it.key(), DeletionOptions.defaults())),
    DELETE_EXACTLY(it -> it.client().delete(it.read(), DeletionOptions.exactly(it.read()))),
    DELETE_ANOTHER_UID(it ->
            it.client().delete(it.kind(), it.key(), DeletionOptions.defaults().withUid("another"))),
    DELETE_ANOTHER_VERSION(it ->
            it.client().delete(it.kind(), it.key(), DeletionOptions.defaults().withResourceVersion("1"))),
    DELETE_DRY(it ->
            it.client().delete(it.kind(), it.key(), DeletionOptions.defaults().asDryRun())),
    DELETE_IN_FOREGROUND(it -> it.client()
            .delete(it.kind(), it.key(), DeletionOptions.defaults().withPropagation(Propagation.FOREGROUND))),
    DELETE_TWICE(it -> {
        it.client().delete(it.desired());
        it.client().delete(it.desired());
    }),
    DELETE_ALL_OF_A_LABEL(it -> it.client()
            .deleteAll(
                    it.kind(),
                    Selection.inNamespace(it.key().namespace())
                            .withLabelSelector("cell=" + it.key().name()),
                    DeletionOptions.defaults())),
    DELETE_THEN_CREATE(it -> {
        it.client().delete(it.desired());
        it.client().create(it.desired());
    }),
    DELETE_THEN_APPLY(it -> {
        it.client().delete(it.desired());
        it.client().apply(it.desired());
    }),
    DELETE_THEN_EDIT(it -> {
        var read = it.read();
        it.client().delete(it.desired());
        it.client().edit(read, it::change);
    }),
    CREATE_DRY(it -> it.client().create(it.desired(), WriteOptions.defaults().asDryRun())),
    EVENT(it -> it.recorder().normal(it.read(), "Planned", "Plan", "An event about " + it.key())),
    ADD_FINALIZER(it ->
            it.client().edit(it.read(), changed -> changed.getMetadata().setFinalizers(List.of("example.com/new")))),
    REMOVE_FINALIZERS(it ->
            it.client().edit(it.read(), changed -> changed.getMetadata().setFinalizers(List.of())));

    private final Consumer<GridTarget> work;

    GridVerb(Consumer<GridTarget> work) {
        this.work = work;
    }

    void run(GridTarget target) {
        work.accept(target);
    }

    /** Return whether the verb makes sense for what is there. */
    boolean fits(GridState state) {
        boolean isOfDeployment = name().contains("SCALE") || this == EDIT_ORDER || this == EDIT_EMPTY_OBJECT;
        boolean isTerminating = state.name().startsWith("TERMINATING");
        if (this == DELETE_IN_FOREGROUND && isTerminating) {
            return false; // the API server adds a finalizer of its own
        }
        return !(isOfDeployment && state.isSecret()) && !(name().contains("STATUS") && state.isSecret());
    }
}
