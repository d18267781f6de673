package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.request.ServerRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The watches that are open now. Safe for use by multiple threads. */
public final class ActiveWatches {
    private final Set<WatchStream> streams = ConcurrentHashMap.newKeySet();

    public ActiveWatches() {}

    void add(WatchStream stream) {
        streams.add(stream);
    }

    void remove(WatchStream stream) {
        streams.remove(stream);
    }

    public int count(Predicate<ServerRequest> match) {
        return (int)
                streams.stream().filter(stream -> match.test(stream.request())).count();
    }

    public int end(Predicate<ServerRequest> match, WatchEnd how) {
        int ended = 0;
        for (WatchStream stream : streams) {
            if (match.test(stream.request())) {
                stream.endFromOutside(how);
                ended++;
            }
        }
        return ended;
    }

    /** End those that match, soon, after they have sent what has happened so far. */
    public void finish(Predicate<ServerRequest> match) {
        for (WatchStream stream : streams) {
            if (match.test(stream.request())) {
                stream.finishFromOutside();
            }
        }
    }
}
