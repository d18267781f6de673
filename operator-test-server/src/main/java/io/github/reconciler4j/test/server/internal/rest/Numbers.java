package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.StatusException;

/** Reads the numbers of query parameters. */
final class Numbers {
    private Numbers() {}

    /** A whole number, or a refusal in the words of the real server. */
    static long parse(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            String problem = text.matches("[-+]?\\d+") ? "value out of range" : "invalid syntax";
            throw StatusException.badRequest("strconv.ParseInt: parsing " + FieldError.quoted(text) + ": " + problem);
        }
    }
}
