package io.github.reconciler4j.grid;

import static io.github.reconciler4j.grid.Shape.bytes;
import static io.github.reconciler4j.grid.Shape.fixed;
import static io.github.reconciler4j.grid.Shape.json;

import io.github.reconciler4j.fixtures.ForgedLines;
import io.github.reconciler4j.grid.Shape.Meaning;
import io.github.reconciler4j.grid.Verb.Content;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** All responses of the grid. */
final class Shapes {

    private static final String JSON = "Content-Type: application/json";
    private static final String HTML = "<html><body>" + Verb.SECRET + " is down for maintenance</body></html>";
    private static final String FORGED =
            ForgedLines.TEXT.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    private static final List<Integer> CODES = List.of(
            300, 301, 302, 304, 307, 400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425, 429, 431, 451, 500,
            501, 502, 503, 504, 511, 599, 999);
    private static final List<String> WAITS = List.of(
            "0",
            "-1",
            "1.5",
            "0x10",
            "NaN",
            "",
            "31536000",
            "9223372036854775807",
            "99999999999999999999",
            "Wed, 21 Oct 2037 07:28:00 GMT");

    private Shapes() {}

    static List<Shape> all() {
        List<Shape> shapes = new ArrayList<>();
        addCorrect(shapes);
        addUnusual(shapes);
        addEmpty(shapes);
        addOtherContent(shapes);
        addLists(shapes);
        addBrokenJson(shapes);
        addNumbers(shapes);
        addCodes(shapes);
        return List.copyOf(shapes);
    }

    private static void addCorrect(List<Shape> shapes) {
        Shape correct = json("correct", Meaning.RIGHT, body -> body);
        shapes.add(correct);
        shapes.add(json("space around", Meaning.RIGHT, body -> " \r\n\t" + body + "\n\n"));
        shapes.add(json("unknown field", Meaning.RIGHT, body -> body.replaceFirst("\\{", "{\"new\":[{\"a\":null}],")));
        shapes.add(named("as HTML", correct.withHeaders("Content-Type: text/html")));
        shapes.add(named("without type", correct.withHeaders()));
        shapes.add(named("other charset", correct.withHeaders(JSON + "; charset=utf-16")));
        shapes.add(named("headers twice", correct.withHeaders(JSON, JSON, "Date: x", "Date: y", "X: " + Verb.SECRET)));
        shapes.add(named("code 201", correct.withCode(201)));
        shapes.add(named("code 202", correct.withCode(202)));
        shapes.add(named("code 203", correct.withCode(203)));
    }

    private static Shape named(String name, Shape shape) {
        return new Shape(name, shape.code(), shape.headers(), shape.body(), shape.meaning());
    }

    private static void addUnusual(List<Shape> shapes) {
        shapes.add(json("byte order mark", Meaning.POSSIBLE, body -> "\uFEFF" + body));
        shapes.add(bytes(
                "UTF-16",
                Meaning.POSSIBLE,
                body -> new String(body, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_16LE)));
        shapes.add(json("kind twice", Meaning.POSSIBLE, body -> body.replaceFirst("\\{", "{\"kind\":\"Secret\",")));
        shapes.add(json(
                "kind again", Meaning.WRONG, body -> body.substring(0, body.length() - 1) + ",\"kind\":\"S\"}"));
        shapes.add(json("lone surrogate", Meaning.POSSIBLE, body -> body.replace(Verb.SECRET, "\\ud800")));
        shapes.add(json("NUL escaped", Meaning.POSSIBLE, body -> body.replace(Verb.SECRET, "\\u0000")));
        shapes.add(json(
                "deep unknown field",
                Meaning.POSSIBLE,
                body -> body.replaceFirst("\\{", "{\"new\":" + "[".repeat(20_000) + "]".repeat(20_000) + ",")));
        shapes.add(json("long string", Meaning.POSSIBLE, body -> body.replace(Verb.SECRET, "x".repeat(1 << 20))));
        shapes.add(json(
                "long name of a field",
                Meaning.POSSIBLE,
                body -> body.replaceFirst("\\{", "{\"" + "n".repeat(100_000) + "\":1,")));
        shapes.add(named("code 206", json("", Meaning.POSSIBLE, body -> body).withCode(206)));
        shapes.add(named(
                "claims to be gzip",
                json("", Meaning.POSSIBLE, body -> body).withHeaders(JSON, "Content-Encoding: gzip")));
        shapes.add(
                named("gzip", bytes("", Meaning.POSSIBLE, Shapes::gzip).withHeaders(JSON, "Content-Encoding: gzip")));
        shapes.add(bytes("gzip in secret", Meaning.WRONG, Shapes::gzip));
    }

    private static void addEmpty(List<Shape> shapes) {
        shapes.add(json("empty", Meaning.WRONG, body -> ""));
        shapes.add(json("space only", Meaning.WRONG, body -> " \n"));
        shapes.add(json("NUL bytes", Meaning.WRONG, body -> "\0".repeat(100)));
        shapes.add(named("code 204", json("", Meaning.WRONG, body -> "").withCode(204)));
        shapes.add(named(
                "code 204 with body", json("", Meaning.WRONG, body -> body).withCode(204)));
        shapes.add(named("code 205", json("", Meaning.WRONG, body -> "").withCode(205)));
        for (String value : List.of("{}", "[]", "[{}]", "null", "true", "42", "\"" + Verb.SECRET + "\"")) {
            shapes.add(json("JSON " + value.replace(Verb.SECRET, "text"), Meaning.WRONG, body -> value));
        }
    }

    private static void addOtherContent(List<Shape> shapes) {
        shapes.add(json("Status of success", Meaning.SUCCESS, body -> status("Success", 200, "{\"name\":\"foo\"}")));
        shapes.add(json("Status of failure", Meaning.WRONG, body -> status("Failure", 500, "{\"name\":\"foo\"}")));
        shapes.add(json("Status without a word", Meaning.WRONG, body -> "{\"kind\":\"Status\",\"apiVersion\":\"v1\"}"));
        shapes.add(json("other kind", Meaning.WRONG, body -> body.replaceAll("\"kind\":\"\\w+", "\"kind\":\"Secret")));
        shapes.add(json("no kind", Meaning.WRONG, body -> body.replaceAll("\"kind\":\"\\w+\",", "")));
        shapes.add(other("other apiVersion", Meaning.WRONG, "\"apiVersion\":\"", "\"apiVersion\":\"x.y/"));
        shapes.add(other("other name", Meaning.WRONG, "\"name\":\"", "\"name\":\"x"));
        shapes.add(other(
                "name of several lines", Meaning.WRONG, "\"name\":\"", "\"name\":\"x" + FORGED.replace("\\", "\\\\")));
        shapes.add(other("name is a number", Meaning.WRONG, "\"name\":\"(foo|lock)\"", "\"name\":5"));
        shapes.add(other("no name", Meaning.WRONG, "\"name\":\"\\w+\",", ""));
        shapes.add(other("metadata is text", Meaning.WRONG, "\"metadata\":\\{", "\"metadata\":\"x\",\"m\":{"));
        shapes.add(other("metadata is a list", Meaning.WRONG, "\"metadata\":\\{", "\"metadata\":[],\"m\":{"));
        shapes.add(json("HTML", Meaning.WRONG, body -> HTML).withHeaders("Content-Type: text/html"));
        shapes.add(json("HTML as JSON", Meaning.WRONG, body -> HTML));
        shapes.add(json("XML", Meaning.WRONG, body -> "<?xml version=\"1.0\"?><a>" + Verb.SECRET + "</a>"));
        shapes.add(json("YAML", Meaning.WRONG, body -> "kind: ConfigMap\ndata: {a: " + Verb.SECRET + "}\n"));
        shapes.add(bytes("protobuf", Meaning.WRONG, body -> "k8s\0\n\f\n\002v1".getBytes(StandardCharsets.UTF_8)));
        shapes.add(new Shape("list or object", 200, List.of(JSON), Shapes::listOrObject, Meaning.WRONG));
    }

    /** A replacement that applies to objects only. */
    private static Shape other(String name, Meaning meaning, String pattern, String replacement) {
        return new Shape(
                name,
                200,
                List.of(JSON),
                content -> (content.kind.isEmpty()
                                        || content.isList()
                                        || content == Content.EVENT
                                        || content == Content.SCALE && name.equals("no name")
                                ? "{\"a\":\"" + Verb.SECRET + "\"}"
                                : Shape.text(content).replaceAll(pattern, replacement))
                        .getBytes(StandardCharsets.UTF_8),
                meaning);
    }

    private static byte[] listOrObject(Content content) {
        return content.isList() ? Content.OBJECT.body() : Content.LIST.body();
    }

    private static void addLists(List<Shape> shapes) {
        shapes.add(list("items are null", Meaning.EMPTY_LIST, "\"items\":.*", "\"items\":null}"));
        shapes.add(list("items are empty", Meaning.EMPTY_LIST, "\"items\":.*", "\"items\":[]}"));
        shapes.add(list("no items", Meaning.WRONG, ",\"items\":.*", "}"));
        shapes.add(list("items are an object", Meaning.WRONG, "\"items\":.*", "\"items\":{\"a\":1}}"));
        shapes.add(list("items are text", Meaning.WRONG, "\"items\":.*", "\"items\":\"" + Verb.SECRET + "\"}"));
        shapes.add(list("no resourceVersion", Meaning.WRONG, "\"resourceVersion\":\"9\"", ""));
        shapes.add(list("item is text", Meaning.WRONG, "\"items\":\\[", "\"items\":[\"" + Verb.SECRET + "\","));
        shapes.add(list("item is null", Meaning.WRONG, "\"items\":\\[", "\"items\":[null,"));
        shapes.add(list("item is empty", Meaning.WRONG, "\"items\":\\[", "\"items\":[{},"));
        shapes.add(list(
                "item of another kind",
                Meaning.WRONG,
                "\"items\":\\[",
                "\"items\":[{\"kind\":\"Pod\"," + "\"metadata\":{\"name\":\"p\"}},"));
        shapes.add(list("list of another kind", Meaning.WRONG, "ConfigMapList", "SecretList"));
        shapes.add(list("list of another version", Meaning.WRONG, "\"apiVersion\":\"v1\"", "\"apiVersion\":\"v9\""));
    }

    /** A replacement that applies to lists only; objects become {@code null}. */
    private static Shape list(String name, Meaning meaning, String pattern, String replacement) {
        return new Shape(
                name,
                200,
                List.of(JSON),
                content -> (content.isList() ? Shape.text(content).replaceFirst(pattern, replacement) : "null")
                        .getBytes(StandardCharsets.UTF_8),
                meaning);
    }

    private static void addBrokenJson(List<Shape> shapes) {
        shapes.add(json("half", Meaning.WRONG, body -> body.substring(0, body.length() / 2)));
        shapes.add(json("all but the last byte", Meaning.WRONG, body -> body.substring(0, body.length() - 1)));
        shapes.add(json("one brace more", Meaning.WRONG, body -> body + "}"));
        shapes.add(json("three times", Meaning.WRONG, body -> body.repeat(3))); // half of two is a correct one
        shapes.add(json("HTML behind", Meaning.WRONG, body -> body + HTML));
        shapes.add(json("HTML before", Meaning.WRONG, body -> HTML + body));
        shapes.add(json("comment", Meaning.WRONG, body -> "/* " + Verb.SECRET + " */" + body));
        shapes.add(json("single quotes", Meaning.WRONG, body -> body.replace('"', '\'')));
        shapes.add(json("comma at the end", Meaning.WRONG, body -> body.substring(0, body.length() - 1) + ",}"));
        shapes.add(json("bare control character", Meaning.WRONG, body -> body.replace(Verb.SECRET, "a\u0001b")));
        shapes.add(json("deep", Meaning.WRONG, body -> "[".repeat(200_000)));
        shapes.add(json("deep object", Meaning.WRONG, body -> "{\"a\":".repeat(100_000)));
        shapes.add(bytes("invalid UTF-8", Meaning.WRONG, body -> invalid(body, 0xFF)));
        shapes.add(bytes("overlong UTF-8", Meaning.WRONG, body -> invalid(body, 0xC0)));
        shapes.add(bytes("bare continuation", Meaning.WRONG, body -> invalid(body, 0x80)));
    }

    /** Damage the secret, which is within a string. */
    private static byte[] invalid(byte[] body, int with) {
        byte[] damaged = body.clone();
        int at = new String(body, StandardCharsets.ISO_8859_1).indexOf(Verb.SECRET);
        if (at < 0) {
            return new byte[] {(byte) with};
        }
        Arrays.fill(damaged, at, at + 2, (byte) with);
        return damaged;
    }

    private static void addNumbers(List<Shape> shapes) {
        for (String number : List.of(
                "99999999999999999999", "-1", "1e400", "1e999999999", "9".repeat(5000), "4294967311", "0.5", "\"x\"")) {
            String name = number.length() > 30 ? "5000 digits" : number;
            shapes.add(json("number " + name, Meaning.POSSIBLE, body -> number(body, number)));
        }
        shapes.add(json("number NaN", Meaning.WRONG, body -> body.replaceFirst("\\{", "{\"new\":NaN,")));
        shapes.add(json("number 01", Meaning.WRONG, body -> body.replaceFirst("\\{", "{\"new\":01,")));
    }

    /** Put a number where the kind has one, and into an unknown field. */
    private static String number(String body, String number) {
        return body.replaceFirst("\\{", "{\"new\":" + number + ",")
                .replaceFirst("\"metadata\":\\{", "\"metadata\":{\"generation\":" + number + ",")
                .replace("\"leaseDurationSeconds\":15", "\"leaseDurationSeconds\":" + number);
    }

    private static void addCodes(List<Shape> shapes) {
        for (int code : CODES) {
            Meaning bare = switch (code) {
                case 403 -> Meaning.FORBIDDEN;
                case 404 -> Meaning.UNKNOWN;
                default -> Meaning.WRONG;
            };
            String elsewhere = "Location: http://127.0.0.1:9/" + Verb.SECRET;
            shapes.add(fixed(
                    code + " Status",
                    code == 404 ? Meaning.ABSENT : bare,
                    code,
                    status("Failure", code, "{\"name\":\"foo\"}"),
                    JSON,
                    elsewhere));
            shapes.add(fixed(code + " HTML", bare, code, HTML, "Content-Type: text/html", elsewhere));
            shapes.add(new Shape(code + " correct body", code, List.of(JSON), Content::body, bare));
        }
        shapes.add(fixed("404 empty", Meaning.UNKNOWN, 404, ""));
        shapes.add(fixed("404 Status without name", Meaning.UNKNOWN, 404, status("Failure", 404, "{}"), JSON));
        for (String wait : WAITS) {
            for (int code : List.of(429, 503)) {
                shapes.add(fixed(
                        code + " Retry-After " + wait,
                        Meaning.WRONG,
                        code,
                        status("Failure", code, "{\"retryAfterSeconds\":0}"),
                        JSON,
                        "Retry-After: " + wait));
            }
        }
        for (String wait : List.of("9223372036854775807", "99999999999999999999", "-5", "1e30", "\"x\"")) {
            shapes.add(fixed(
                    "503 retryAfterSeconds " + wait,
                    Meaning.WRONG,
                    503,
                    status("Failure", 503, "{\"retryAfterSeconds\":" + wait + "}"),
                    JSON));
        }
    }

    private static String status(String outcome, int code, String details) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"" + outcome
                + "\",\"message\":\"a message " + FORGED + "\",\"reason\":\"AReason\",\"details\":" + details
                + ",\"code\":" + code
                + "}";
    }

    private static byte[] gzip(byte[] body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
