package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.error.StatusException;
import io.github.reconciler4j.test.server.internal.json.GoJson;
import io.github.reconciler4j.test.server.internal.json.Json;
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

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

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
        byte[] json = decoded(text);
        String problem = GoJson.problem(json);
        if (problem != null) {
            throw invalid(problem);
        }
        try {
            return Json.parse(json);
        } catch (IOException e) {
            throw invalid("not the token of a list");
        }
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            int bad = 0;
            while (bad < text.length() && ALPHABET.indexOf(text.charAt(bad)) >= 0) {
                bad++;
            }
            throw invalid("illegal base64 data at input byte " + bad);
        }
    }

    private static StatusException invalid(String why) {
        return StatusException.badRequest("invalid continue token: continue key is not valid: " + why);
    }
}
