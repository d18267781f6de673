package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import java.io.IOException;
import java.util.Base64;
import java.util.List;

/**
 * Where a list goes on.
 *
 * @param version the version of the whole list; -1 to go on with whatever is there now
 * @param after the key of the last object that was sent
 */
record ContinueToken(long version, String after) {
    private static final String FORM = "meta.k8s.io/v1";

    String encode() {
        byte[] json = Json.bytes(Json.object().put("v", FORM).put("rv", version).put("start", after));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    static ContinueToken decode(String text) {
        JsonNode token = parse(text);
        String form = Json.text(token, "v");
        if (!form.equals(FORM)) {
            throw invalid("server does not recognize this encoded version " + form);
        }
        long version = Json.number(token, 0, "rv");
        String start = Json.text(token, "start");
        if (version == 0) {
            throw invalid("incorrect encoded start resourceVersion (version " + FORM + ")");
        }
        if (start.isEmpty()) {
            throw invalid("encoded start key empty (version " + FORM + ")");
        }
        if (List.of(start.split("/")).contains("..")) {
            throw invalid(start);
        }
        return new ContinueToken(version, start);
    }

    private static JsonNode parse(String text) {
        try {
            return Json.parse(Base64.getUrlDecoder().decode(text));
        } catch (IOException | IllegalArgumentException e) {
            throw invalid("not the token of a list");
        }
    }

    private static StatusException invalid(String why) {
        return StatusException.badRequest("invalid continue token: continue key is not valid: " + why);
    }
}
