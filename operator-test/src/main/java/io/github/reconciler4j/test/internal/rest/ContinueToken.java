package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.json.Json;
import java.io.IOException;
import java.util.Base64;

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
        try {
            JsonNode token = Json.parse(Base64.getUrlDecoder().decode(text));
            if (Json.text(token, "v").equals(FORM) && !Json.text(token, "start").isEmpty()) {
                return new ContinueToken(Json.number(token, 0, "rv"), Json.text(token, "start"));
            }
            throw invalid("server does not recognize this encoded version " + Json.text(token, "v"));
        } catch (IOException | IllegalArgumentException e) {
            throw invalid("illegal base64 or JSON");
        }
    }

    private static StatusException invalid(String why) {
        return StatusException.badRequest("continue key is not valid: " + why);
    }
}
