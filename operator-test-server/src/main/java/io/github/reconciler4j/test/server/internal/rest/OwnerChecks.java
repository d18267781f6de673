package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.ArrayList;
import java.util.List;

/** The rules for owner references. */
final class OwnerChecks {
    private static final List<String> REQUIRED = List.of("apiVersion", "kind", "name", "uid");
    private static final String FIELD = "metadata.ownerReferences";

    private OwnerChecks() {}

    static List<FieldError> check(List<JsonNode> owners) {
        List<FieldError> causes = new ArrayList<>();
        String controller = "";
        for (int i = 0; i < owners.size(); i++) {
            JsonNode owner = owners.get(i);
            String place = FIELD + "[" + i + "]";
            causes.addAll(checkOne(owner, place));
            if (owner.path("controller").asBoolean()) {
                String name = Json.text(owner, "kind") + "/" + Json.text(owner, "name");
                if (!controller.isEmpty()) {
                    causes.add(FieldError.invalid(FIELD, shown(owners), twice(controller, name)));
                }
                controller = name;
            }
        }
        return causes;
    }

    private static List<FieldError> checkOne(JsonNode owner, String place) {
        List<FieldError> causes = new ArrayList<>();
        for (String field : REQUIRED) {
            if (Json.text(owner, field).isEmpty()) {
                causes.add(FieldError.required(place + "." + field, "must not be empty"));
            }
        }
        if (Json.text(owner, "kind").equals("Event")
                && Json.text(owner, "apiVersion").equals("v1")) {
            causes.add(
                    FieldError.invalid(place, owner.toString(), "/v1, Kind=Event is disallowed from being an owner"));
        }
        return causes;
    }

    private static String shown(List<JsonNode> owners) {
        return Json.array().addAll(owners).toString();
    }

    private static String twice(String one, String other) {
        return "Only one reference can have Controller set to true. Found \"true\" in references for " + one + " and "
                + other;
    }
}
