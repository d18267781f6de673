package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The subresource {@code scale}: how many replicas an object wants and has, in the same form for all kinds. */
final class Scales {
    private static final String API = "autoscaling/v1";
    /** The number of replicas while an object has none: a change of its scale has to set it. */
    private static final int UNSET = Integer.MIN_VALUE;

    private final ObjectAccess access;

    Scales(ObjectAccess access) {
        this.access = access;
    }

    /**
     * The fields of a kind that hold its numbers.
     *
     * @param wanted the path of the wish
     * @param actual the path of what there is
     * @param selector the path of the label selector; empty for none
     */
    private record Paths(String wanted, String actual, String selector) {
        static Paths of(ResourceType type) {
            CustomVersion custom = type.custom();
            return custom == null
                    ? new Paths(".spec.replicas", ".status.replicas", ".spec.selector")
                    : new Paths(
                            Json.text(custom.scale(), "specReplicasPath"),
                            Json.text(custom.scale(), "statusReplicasPath"),
                            Json.text(custom.scale(), "labelSelectorPath"));
        }

        static String[] steps(String path) {
            return path.replaceFirst("^\\.", "").split("\\.");
        }
    }

    /** Return the value at a path of fields such as {@code .spec.replicas}. */
    static @Nullable JsonNode at(ObjectNode object, String path) {
        return Json.at(object, Paths.steps(path));
    }

    Response handle(Call call) {
        return switch (call.info().verb()) {
            case "get" -> {
                ObjectNode object = existing(call);
                if (isUnset(call.type(), object)) {
                    throw StatusException.internal(specReplicas(call.type()) + " does not exist");
                }
                yield Response.json(200, scale(call.type(), object));
            }
            case "update" -> {
                ObjectNode wish = Bodies.object(call.request(), API, "Scale");
                yield change(call, scale -> wish, Writing.context(call, "UpdateOptions"));
            }
            default -> {
                WriteContext context = Writing.context(call, "PatchOptions");
                yield change(call, Patches.ofForeign(call.request(), API, "Scale"), context);
            }
        };
    }

    private ObjectNode existing(Call call) {
        ObjectNode object = access.find(call.type(), call.object());
        if (object == null) {
            throw StatusException.notFound(
                    call.type().group(), call.type().plural(), call.object().name());
        }
        return object;
    }

    private Response change(Call call, UnaryOperator<ObjectNode> change, WriteContext context) {
        ResourceType type = call.type();
        UnaryOperator<ObjectNode> whole = object -> {
            ObjectNode before = scale(type, object);
            if (isUnset(type, object)) {
                Json.child(before, "spec").put("replicas", UNSET);
            }
            AdmissionCalls admission = AdmissionCalls.ofScale(access, type, call.object(), context);
            ObjectNode scale = admission.mutate(change.apply(before.deepCopy()), before);
            String version = Json.text(scale, "metadata", "resourceVersion");
            if (!version.isEmpty()) {
                Json.metadata(object).put("resourceVersion", version);
            }
            long wanted = Json.number(scale, 0, "spec", "replicas");
            if (wanted == UNSET) {
                throw StatusException.badRequest(specReplicas(type) + " cannot be empty");
            }
            if (wanted < 0) {
                FieldError cause = FieldError.invalid(
                        "spec.replicas", Long.toString(wanted), "must be greater than or equal to 0");
                throw StatusException.invalid(
                        "autoscaling", "Scale", call.object().name(), List.of(cause));
            }
            admission.validate(scale, scale(type, object));
            set(object, Paths.steps(Paths.of(type).wanted()), wanted);
            return object;
        };
        ObjectNode written =
                access.update(type, call.object(), "scale", whole, context).object();
        return Response.json(200, scale(type, written));
    }

    /** Return whether an object of a custom kind does not say how many replicas it wants. */
    private static boolean isUnset(ResourceType type, ObjectNode object) {
        return type.custom() != null && at(object, Paths.of(type).wanted()) == null;
    }

    private static String specReplicas(ResourceType type) {
        return "the spec replicas field " + FieldError.quoted(Paths.of(type).wanted());
    }

    private static void set(ObjectNode object, String[] steps, long value) {
        ObjectNode parent = object;
        for (int i = 0; i < steps.length - 1; i++) {
            parent = Json.child(parent, steps[i]);
        }
        parent.set(steps[steps.length - 1], LongNode.valueOf(value));
    }

    private static ObjectNode scale(ResourceType type, ObjectNode object) {
        Paths paths = Paths.of(type);
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", API);
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            Json.setOrRemove(metadata, field, Json.at(object, "metadata", field));
        }
        ObjectNode spec = scale.putObject("spec");
        JsonNode wanted = at(object, paths.wanted());
        if (wanted != null && (type.custom() != null || wanted.asLong() != 0)) {
            spec.set("replicas", wanted);
        }
        JsonNode actual = at(object, paths.actual());
        ObjectNode status = scale.putObject("status").put("replicas", actual == null ? 0 : actual.asLong());
        String selector = selector(object, paths);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    private static String selector(ObjectNode object, Paths paths) {
        JsonNode selector = paths.selector().isEmpty() ? null : at(object, paths.selector());
        if (selector == null || selector.isTextual()) {
            return selector == null ? "" : selector.textValue();
        }
        boolean full = selector.has("matchLabels") || selector.has("matchExpressions");
        JsonNode node = full ? selector : Json.object().set("matchLabels", selector);
        return LabelSelector.of(node == null ? MissingNode.getInstance() : node).toString();
    }
}
