package io.github.reconciler4j.spring.autoconfigure.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;

/**
 * {@link WebEndpoint Web endpoint} with a page that shows what {@link OperatorEndpoint} returns: the operator, the objects of a
 * controller, and one object. The page reads that endpoint with the rights of the browser's user, so both must be exposed. Its
 * buttons exist if that endpoint allows writing. Thread-safe.
 *
 * @since 0.1.0
 */
@WebEndpoint(id = "reconciler4jconsole")
public class OperatorConsoleEndpoint {

    private static final String HTML = "text/html";
    private static final MimeType SCRIPT = new MimeType("text", "javascript", StandardCharsets.UTF_8);
    private static final MimeType STYLE = new MimeType("text", "css", StandardCharsets.UTF_8);

    /** The files of the page besides itself. */
    static final Map<String, MimeType> FILES = Map.of(
            "api.js", SCRIPT,
            "console.js", SCRIPT,
            "dom.js", SCRIPT,
            "keys.js", SCRIPT,
            "list.js", SCRIPT,
            "object.js", SCRIPT,
            "overview.js", SCRIPT,
            "console.css", STYLE,
            "theme.css", STYLE);

    private final EndpointAccessResolver access;

    /** Create the endpoint. */
    public OperatorConsoleEndpoint(EndpointAccessResolver access) {
        this.access = access;
    }

    /** Return the page. */
    @ReadOperation(produces = HTML)
    public String page() {
        Access data = access.accessFor(EndpointId.of("reconciler4j"), Access.UNRESTRICTED);
        return file("console.html").replace("{{writable}}", Boolean.toString(data == Access.UNRESTRICTED));
    }

    /** Return a script or a style sheet of the page; status 404 for other names. */
    @ReadOperation
    public WebEndpointResponse<String> asset(@Selector String name) {
        MimeType type = FILES.get(name);
        return type == null
                ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
                : new WebEndpointResponse<>(file(name), type);
    }

    private static String file(String name) {
        try (InputStream content = OperatorConsoleEndpoint.class.getResourceAsStream(name)) {
            if (content == null) {
                throw new IllegalStateException("The resource " + name + " is missing");
            }
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
