package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.internal.metrics.KindMetrics.Restart;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.support.Texts;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.Optional;

/**
 * Why a reflector cannot make progress, with advice. Immutable.
 *
 * @param type what it is
 * @param message what it is and what to do about it, never the content of an object
 * @param code the HTTP status, 0 if there was no response
 * @param retryAfter how long the API server asks to wait
 * @since 0.1.0
 */
public record SyncFailure(Type type, String message, int code, Optional<Duration> retryAfter) {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

    /** Put the message, of which servers write a part, into one line. */
    public SyncFailure {
        message = Texts.escaped(message);
    }

    /** Kinds of failures, the most severe first. */
    public enum Type {
        /** The API server does not serve the kind. */
        MISSING,
        /** A permission is missing. */
        FORBIDDEN,
        /** The credentials are not accepted. */
        UNAUTHORIZED,
        /** The API server no longer has the version asked for. */
        GONE,
        /** Anything else; usually transient. */
        OTHER;

        /** Return whether it does not recover without a person. */
        public boolean requiresAction() {
            return this == MISSING || this == FORBIDDEN || this == UNAUTHORIZED;
        }

        /** Return why a watch is restarted after it. */
        Restart restart() {
            if (this == GONE) {
                return Restart.GONE;
            }
            return requiresAction() ? Restart.REFUSED : Restart.FAILED;
        }
    }

    /** Return what an exception means for a reflector. */
    static SyncFailure of(Throwable exception, Scope scope, String verb) {
        if (exception instanceof ApiException refused) {
            return of(refused, scope, verb);
        }
        String text = exception instanceof StreamCorruptedException && exception.getMessage() != null
                ? exception.getMessage()
                : Texts.inOneLine(exception.toString());
        return new SyncFailure(Type.OTHER, "cannot " + verb + " " + scope + ": " + text, 0, Optional.empty());
    }

    /** Return the failure of watches that are opened and deliver nothing. */
    static SyncFailure undelivered(Scope scope, int watches) {
        return new SyncFailure(
                Type.OTHER,
                "cannot watch " + scope + ": the last " + watches
                        + " watches ended without delivering anything, so that"
                        + " only lists update the cache; check the proxies between this process and the API server (R4J-041)",
                0,
                Optional.empty());
    }

    /** Return the failure of an API server that ends again and again what it has just answered. */
    static SyncFailure shortRounds(Scope scope, ShortRounds rounds, String last) {
        String gone = rounds.gone() == 0
                ? ""
                : ", " + rounds.gone() + " of them because the version that it had just sent is gone (410)";
        return new SyncFailure(
                Type.OTHER,
                "cannot follow " + scope + ": the API server ends each watch at once. It ended the last "
                        + rounds.count()
                        + " within seconds" + gone + (last.isEmpty() ? "" : "; the last time: " + last)
                        + ". Requests are made less often until a watch lasts; check the API server and the proxies in front"
                        + " of it (R4J-042)",
                0,
                Optional.empty());
    }

    /** Return the failure of an exception that cannot even be described. */
    static SyncFailure undescribed(Scope scope, Throwable exception) {
        return new SyncFailure(
                Type.OTHER,
                "cannot watch " + scope + ": " + exception.getClass().getName(),
                0,
                Optional.empty());
    }

    private static SyncFailure of(ApiException refused, Scope scope, String verb) {
        Type type = refused instanceof KindMismatchException ? Type.MISSING : type(refused.code());
        String advice = switch (type) {
            case FORBIDDEN -> forbidden(scope, verb);
            case UNAUTHORIZED -> "the credentials are not accepted; renew the token or client certificate (R4J-004)";
            case MISSING -> refused instanceof KindMismatchException ? refused.getMessage() : missing(scope);
            case GONE, OTHER -> refused.getMessage();
        };
        String message = "cannot " + verb + " " + scope + ": " + advice;
        return new SyncFailure(type, message, refused.code(), refused.retryAfter());
    }

    private static String missing(Scope scope) {
        return "the API server does not serve " + scope.info().resource() + " in version "
                + scope.info().kind().version() + "; install its CustomResourceDefinition, or use a"
                + " version that is served (R4J-010)";
    }

    private static String forbidden(Scope scope, String verb) {
        String role = scope.namespace().isEmpty() ? "a ClusterRole" : "a Role in namespace " + scope.namespace();
        return "the permission to " + verb + " is missing; add to " + role
                + " of this operator's ServiceAccount: apiGroups: [\""
                + scope.info().kind().group() + "\"], resources: [\""
                + scope.info().plural()
                + "\"], verbs: [\"list\", \"watch\"] (R4J-001)";
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
}
