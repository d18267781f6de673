package io.github.reconciler4j.grid;

import io.github.reconciler4j.grid.Verb.Content;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * A response, not cut into pieces.
 *
 * @param name the name of the test case
 * @param code the status code
 * @param headers additional lines of the head
 * @param body its body, made from that of a correct response
 * @param meaning what a caller can take it for
 */
record Shape(String name, int code, List<String> headers, Function<Content, byte[]> body, Meaning meaning) {

    private static final String JSON = "Content-Type: application/json";

    /** What a caller can take a response for. */
    enum Meaning {
        /** Correct: the call must succeed. */
        RIGHT,
        /** Unusual: the call may succeed, or fail. */
        POSSIBLE,
        /** It must fail. */
        WRONG,
        /** A list without items. */
        EMPTY_LIST,
        /** A Status of success, which is the response to a delete. */
        SUCCESS,
        /** A Status for the code 404 that names the object. */
        ABSENT,
        /** Any other 404: the kind may not exist. */
        UNKNOWN,
        /** 403. */
        FORBIDDEN
    }

    static Shape json(String name, Meaning meaning, Function<String, String> body) {
        return new Shape(
                name,
                200,
                List.of(JSON),
                content -> body.apply(text(content)).getBytes(StandardCharsets.UTF_8),
                meaning);
    }

    static Shape bytes(String name, Meaning meaning, Function<byte[], byte[]> body) {
        return new Shape(name, 200, List.of(JSON), content -> body.apply(content.body()), meaning);
    }

    static Shape fixed(String name, Meaning meaning, int code, String body, String... headers) {
        return new Shape(name, code, List.of(headers), content -> body.getBytes(StandardCharsets.UTF_8), meaning);
    }

    static String text(Content content) {
        return new String(content.body(), StandardCharsets.UTF_8);
    }

    Shape withHeaders(String... lines) {
        return new Shape(name, code, List.of(lines), body, meaning);
    }

    Shape withCode(int newCode) {
        return new Shape(name, newCode, headers, body, meaning);
    }

    /** Whether HTTP forbids a body. */
    boolean isWithoutBody() {
        return code == 204 || code == 304;
    }

    /** Return what this is without a part of its body. */
    Shape truncated() {
        Meaning other = switch (meaning) {
            case RIGHT, POSSIBLE, EMPTY_LIST, SUCCESS -> Meaning.WRONG;
            case ABSENT -> Meaning.UNKNOWN;
            default -> meaning;
        };
        return new Shape(name, code, headers, body, other);
    }

    /** Whether a call may return a result after this response. */
    boolean allows(Verb verb, String result) {
        boolean success = code >= 200 && code < 300;
        return switch (meaning) {
            case RIGHT, POSSIBLE -> result.equals(verb.expected()) || isAny(verb);
            case WRONG -> isAny(verb) && success;
            case EMPTY_LIST ->
                isAny(verb)
                        || result.equals("[]")
                        || result.equals("done") && verb.content().isList();
            case SUCCESS -> isAny(verb) || verb.content() == Content.DELETED || verb.content() == Content.DELETED_ALL;
            case ABSENT -> Verb.isAbsent(result) || verb.content() == Content.READY;
            case UNKNOWN ->
                verb.content() == Content.READY
                        || result.equals("absent")
                                && List.of(Content.RESOURCES, Content.GROUP, Content.LEASE)
                                        .contains(verb.content());
            case FORBIDDEN -> verb.content() == Content.READY;
        };
    }

    private static boolean isAny(Verb verb) {
        return verb.content().isAny();
    }

    @Override
    public String toString() {
        return name;
    }
}
