package io.github.reconciler4j.installer;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The requests of a replica, which ends at one of them, and others of which someone is faster than. */
final class MigrationReplica implements ClientInterceptor {

    /** A replica that is killed does nothing any more. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final MigrationHistory history;
    private final int kill;
    private final Set<Integer> edits;
    private final boolean before;
    private final @Nullable Runnable what;
    private boolean dead;
    private int requests;

    /**
     * Creates a replica.
     *
     * @param kill the request that it ends at, 0 for none
     * @param edits the requests that someone does something at
     * @param before whether this happens before the request, or else before its response arrives
     */
    MigrationReplica(MigrationHistory history, int kill, Set<Integer> edits, boolean before, @Nullable Runnable what) {
        this.history = history;
        this.kill = kill;
        this.edits = edits;
        this.before = before;
        this.what = what;
    }

    @Override
    public String toString() {
        return "killed at request " + kill + ", edited at requests " + edits + (before ? " before" : " after")
                + " it is sent";
    }

    /** The request that it ends at, 0 for none. */
    int lastRequest() {
        return kill;
    }

    /** Do what someone does at a request. */
    void disturb(int request) {
        if (edits.contains(request) && what != null) {
            what.run();
        }
    }

    @Override
    public ApiResponse intercept(ClientCall call, Next next) {
        requests++;
        interfere(before);
        ApiResponse response = next.proceed(call);
        interfere(!before);
        return response;
    }

    private void interfere(boolean now) {
        if (now) {
            disturb(requests);
        }
        if (dead || now && requests == kill) {
            dead = true;
            throw new Killed();
        }
    }
}
