package io.github.reconciler4j.installer;

import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import org.jspecify.annotations.Nullable;

/** The requests of a replica, which ends at one of them, and another one of which someone is faster than. */
final class MigrationReplica implements ClientInterceptor {

    /** A replica that is killed does nothing any more. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final MigrationHistory history;
    private final int kill;
    private final int edit;
    private final boolean before;
    private final @Nullable Runnable what;
    private boolean dead;
    private int requests;

    /**
     * Creates a replica.
     *
     * @param kill the request that it ends at, 0 for none
     * @param edit the request that someone does something at, 0 for none
     * @param before whether this happens before the request, or else before its response arrives
     */
    MigrationReplica(MigrationHistory history, int kill, int edit, boolean before, @Nullable Runnable what) {
        this.history = history;
        this.kill = kill;
        this.edit = edit;
        this.before = before;
        this.what = what;
    }

    @Override
    public String toString() {
        return "killed at request " + kill + ", edited at request " + edit + (before ? " before" : " after")
                + " it is sent";
    }

    @Override
    public ApiResponse intercept(ClientCall call, Next next) {
        requests++;
        interfere(before);
        ApiResponse response = next.proceed(call);
        history.world().accepted(call);
        interfere(!before);
        return response;
    }

    private void interfere(boolean now) {
        if (now && requests == edit && what != null) {
            what.run();
        }
        if (dead || now && requests == kill) {
            dead = true;
            throw new Killed();
        }
    }
}
