package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/**
 * One request of a client, for interceptors. Immutable.
 *
 * @param verb what it does
 * @param kind the kind it is about
 * @param key the object it is about; empty for lists, for deletions of many and for names the server chooses
 * @param subresource for instance {@code status}, {@code ""} for the object itself
 * @param dryRun whether it changes nothing
 * @param idempotent whether sending it twice has the effect of sending it once, so that it may be repeated
 * @param request the request that will be sent
 * @since 0.1.0
 */
public record ClientCall(
        Verb verb,
        KindInfo kind,
        Optional<ObjectKey> key,
        String subresource,
        boolean dryRun,
        boolean idempotent,
        ApiRequest request) {

    /** The same with another request. */
    public ClientCall withRequest(ApiRequest newRequest) {
        return new ClientCall(verb, kind, key, subresource, dryRun, idempotent, newRequest);
    }

    /**
     * What a request does.
     *
     * @since 0.1.0
     */
    public enum Verb {
        /** Reads one object. */
        GET("get", false),
        /** Reads a page of a list. */
        LIST("list", false),
        /** Creates an object. */
        CREATE("create", true),
        /** Replaces an object. */
        UPDATE("update", true),
        /** Patches an object. */
        PATCH("patch", true),
        /** Applies an object. */
        APPLY("apply", true),
        /** Deletes an object. */
        DELETE("delete", true),
        /** Deletes many objects. */
        DELETE_ALL("deletecollection", true);

        private final String word;
        private final boolean write;

        Verb(String word, boolean write) {
            this.word = word;
            this.write = write;
        }

        /** The word for it in logs, errors and (apart from apply, which is {@code patch} there) rights. */
        public String word() {
            return word;
        }

        /** Whether it changes something. */
        public boolean isWrite() {
            return write;
        }
    }
}
