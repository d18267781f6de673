package io.github.reconciler4j.objectset;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.util.Optional;
import java.util.Set;

/** What is known of the kinds of sets at a place: which of them changes are noticed of, and which exist. Thread-safe. */
interface SetKinds {

    /** Return the client to read and write with. */
    Client client();

    /** Return the kind, in any version, if the controller of the calling thread watches it. */
    Optional<KindName> watched(KindName kind);

    /** Watch a kind that is served and that the controller does not watch, until it is not served any more. */
    void follow(Kind<?> kind, KindInfo owner);

    /** Return whether the API server serves a kind. */
    boolean serves(Kind<?> kind);

    /** Return whether all objects of a watched kind can be read now. */
    boolean isSynced(Kind<?> kind);

    /** Let lists find the objects with a label fast. */
    void indexLabel(Kind<?> kind, String label);

    /** Return the kinds that are declared as not created any more. */
    Set<KindName> pruned();

    /** Return the name of the controller of the calling thread, for messages. */
    String controller();

    /** Kinds without a controller: everything is read, and nothing is watched. */
    record Unwatched(Client client) implements SetKinds {

        @Override
        public Optional<KindName> watched(KindName kind) {
            return Optional.of(kind);
        }

        @Override
        public void follow(Kind<?> kind, KindInfo owner) {
            // read each time
        }

        @Override
        public boolean serves(Kind<?> kind) {
            return client.discovery().find(kind.name()).isPresent();
        }

        @Override
        public boolean isSynced(Kind<?> kind) {
            return true;
        }

        @Override
        public void indexLabel(Kind<?> kind, String label) {
            // the client selects
        }

        @Override
        public Set<KindName> pruned() {
            return Set.of();
        }

        @Override
        public String controller() {
            return "";
        }
    }
}
