package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.KindMismatchException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.Optional;

/**
 * What keeps a reflector from working, in words for people. Immutable.
 *
 * @param type what it is
 * @param message what it is and what to do about it, never the content of an object
 * @param code the HTTP status, 0 if there was no answer
 * @param retryAfter how long the server asks to wait
 */
record SyncFailure(Type type, String message, int code, Optional<Duration> retryAfter) {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

    /** What can be wrong. */
    enum Type {
        /** The server does not know the kind. */
        MISSING,
        /** The right is missing. */
        FORBIDDEN,
        /** The credentials are not accepted. */
        UNAUTHORIZED,
        /** The server no longer has the version asked for. */
        GONE,
        /** Anything else; usually it passes. */
        OTHER;

        /** Whether a person has to do something before it works. */
        boolean requiresAction() {
            return this == MISSING || this == FORBIDDEN || this == UNAUTHORIZED;
        }
    }

    /** What a failure means for a reflector. */
    static SyncFailure of(Throwable failure, Scope scope, String verb) {
        if (failure instanceof ApiException refused) {
            return of(refused, scope, verb);
        }
        String text = failure instanceof StreamCorruptedException && failure.getMessage() != null
                ? failure.getMessage()
                : failure.toString();
        return new SyncFailure(Type.OTHER, "cannot " + verb + " " + scope + ": " + text, 0, Optional.empty());
    }

    /** The failure of watches that are opened and deliver nothing. */
    static SyncFailure undelivered(Scope scope, int watches) {
        return new SyncFailure(
                Type.OTHER,
                "cannot watch " + scope + ": the last " + watches
                        + " watches ended without delivering anything, so that"
                        + " only lists update the cache; check the proxies between this process and the API server",
                0,
                Optional.empty());
    }

    private static SyncFailure of(ApiException refused, Scope scope, String verb) {
        Type type = refused instanceof KindMismatchException ? Type.MISSING : type(refused.code());
        String advice = switch (type) {
            case FORBIDDEN -> forbidden(scope, verb);
            case UNAUTHORIZED -> "the credentials are not accepted; renew the token or client certificate";
            case MISSING -> refused instanceof KindMismatchException ? refused.getMessage() : missing(scope);
            case GONE, OTHER -> refused.getMessage();
        };
        String message = "cannot " + verb + " " + scope + ": " + advice;
        return new SyncFailure(type, message, refused.code(), refused.retryAfter());
    }

    private static String missing(Scope scope) {
        return "the server does not serve " + scope.info().resource() + " in version "
                + scope.info().kind().version() + "; install its CustomResourceDefinition, or use a"
                + " version that is served";
    }

    private static String forbidden(Scope scope, String verb) {
        String role = scope.namespace().isEmpty() ? "a ClusterRole" : "a Role in namespace " + scope.namespace();
        return "the right to " + verb + " is missing; add to " + role
                + " of this operator's ServiceAccount: apiGroups: [\""
                + scope.info().kind().group() + "\"], resources: [\""
                + scope.info().plural()
                + "\"], verbs: [\"list\", \"watch\"]";
    }

    private static Type type(int code) {
        return switch (code) {
            case NOT_FOUND -> Type.MISSING;
            case FORBIDDEN -> Type.FORBIDDEN;
            case UNAUTHORIZED -> Type.UNAUTHORIZED;
            case GONE -> Type.GONE;
            default -> Type.OTHER;
        };
    }

    /** Whether it is only that a connection ended. */
    static boolean isCut(Throwable failure) {
        return failure instanceof IOException;
    }
}
