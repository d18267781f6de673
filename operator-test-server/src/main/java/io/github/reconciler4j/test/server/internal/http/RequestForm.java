package io.github.reconciler4j.test.server.internal.http;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells what is no proper request, as the server's HTTP does before the request is looked at. Stateless. */
final class RequestForm {
    private static final Pattern METHOD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern ABSOLUTE = Pattern.compile("^https?://[^/?]*");

    private RequestForm() {}

    /** The status with which to refuse a request; null for one that can be looked at. */
    static @Nullable HttpResponseStatus refusal(FullHttpRequest message) {
        Throwable failure = message.decoderResult().cause();
        if (failure instanceof TooLongHttpHeaderException || failure instanceof TooLongHttpLineException) {
            return HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
        }
        if (failure != null || !METHOD.matcher(message.method().name()).matches()) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        HttpVersion version = message.protocolVersion();
        if (version.majorVersion() != 1) {
            return HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED;
        }
        int hosts = message.headers().getAll(HttpHeaderNames.HOST).size();
        boolean needsHost = version.minorVersion() > 0;
        if (hosts > 1 || needsHost && hosts == 0 || !hasPath(message)) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        String coding = message.headers().get(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
        return coding.equalsIgnoreCase("chunked") ? null : HttpResponseStatus.NOT_IMPLEMENTED;
    }

    private static boolean hasPath(FullHttpRequest message) {
        String target = target(message.uri());
        if (message.method().name().equals("CONNECT") || target.equals("*")) {
            return true;
        }
        if (!target.startsWith("/") || target.indexOf('\0') >= 0) {
            return false;
        }
        try {
            new QueryStringDecoder(target).path();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** What a request is for, without the name of the server before it. */
    static String target(String uri) {
        String rest = ABSOLUTE.matcher(uri).replaceFirst("");
        return rest.isEmpty() ? "/" : rest;
    }
}
