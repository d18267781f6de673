package io.github.reconciler4j.cache.internal.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callbacks that run after every change of a state. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Followers {

    private static final Logger LOG = LoggerFactory.getLogger(Followers.class);

    private final List<Runnable> followers = new CopyOnWriteArrayList<>();

    Followers() {}

    /** Call a follower after every change, under no lock. */
    public void add(Runnable follower) {
        followers.add(follower);
    }

    /** Stop calling a follower. */
    public void remove(Runnable follower) {
        followers.remove(follower);
    }

    /** Call all followers. To be called under no lock. */
    void run() {
        for (Runnable follower : followers) {
            try {
                follower.run();
            } catch (RuntimeException | Error e) { // must not fail the reflector that reports
                LOG.error("A follower of the state of a kind failed", e);
            }
        }
    }
}
