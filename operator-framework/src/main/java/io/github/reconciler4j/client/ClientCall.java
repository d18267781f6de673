package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/**
 * A request of a client as interceptors and observers see it. Immutable and thread-safe.
 *
 * <!-- snippet: ClientSettings -->
 * <pre>{@code
 * return (call, next) -> {
 *     if (call.verb().isWrite() && !call.dryRun()) {
 *         log.accept(call.verb().word() + " " + call.kind().plural() + " " + call.key());
 *     }
 *     return next.proceed(call);
 * };
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ClientCall {

    /** Return the verb. */
    Verb verb();

    /** Return the kind of the object. */
    KindInfo kind();

    /** Return the key of the object; empty for lists, for deletions of many objects and for generated names. */
    Optional<ObjectKey> key();

    /** Return the subresource, for example {@code status}, {@code ""} for the object itself. */
    String subresource();

    /** Return whether the server only validates and answers the write. */
    boolean dryRun();

    /** Return whether the caller asked for the dry run. It is false if a client sends dry runs only because it observes or plans. */
    boolean callerDryRun();

    /** Return whether sending the request twice has the same effect as sending it once, so that it may be retried. */
    boolean idempotent();

    /** Return the request. */
    ApiRequest request();

    /** Return a copy of this call with the given request. */
    ClientCall withRequest(ApiRequest request);

    /**
     * The verb of a request.
     *
     * @since 0.1.0
     */
    enum Verb {
        /** Read an object. */
        GET("get", false),
        /** Read a page of a list. */
        LIST("list", false),
        /** Create an object. */
        CREATE("create", true),
        /** Replace an object. */
        UPDATE("update", true),
        /** Patch an object. */
        PATCH("patch", true),
        /** Apply an object. */
        APPLY("apply", true),
        /** Delete an object. */
        DELETE("delete", true),
        /** Delete many objects. */
        DELETE_ALL("deletecollection", true);

        private final String word;
        private final boolean write;

        Verb(String word, boolean write) {
            this.word = word;
            this.write = write;
        }

        /** Return the verb as logs and errors show it and, except for apply, which is {@code patch}, as RBAC names it. */
        public String word() {
            return word;
        }

        /** Return whether the verb changes objects. */
        public boolean isWrite() {
            return write;
        }
    }
}
