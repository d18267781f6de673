package io.github.reconciler4j.manager.internal.leadership;

import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.internal.UserCall;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether this replica may run elected components: with leases, or always. Thread-safe. */
public interface Leadership {

    /** A component under this lease was added. */
    void require(String lease);

    /** Start to campaign. */
    void campaign();

    /** Stop campaigning; a leader continues to lead. */
    void resign();

    /** End, and release the leases if allowed. */
    void close(boolean mayRelease);

    /** Notify a listener of changes, and immediately of leases that are held. */
    void add(LeadershipListener listener);

    /** Report what listeners throw. */
    default void onListenerFailure(Consumer<Throwable> receiver) {
        notifier().failures = receiver;
    }

    /** Return what notifies the listeners. */
    Notifier notifier();

    boolean isLeader(String lease);

    /** Return the gate for writes of components under a lease. */
    WriteGate gate(String lease);

    /** Return the gate for writes of threads that belong to no component. */
    WriteGate unscopedGate();

    List<LeaseStatus> statuses();

    /** Notifies listeners; reports and logs what they throw. Thread-safe. */
    final class Notifier {

        private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

        private final LogLimiter warnings = new LogLimiter();
        private volatile Consumer<Throwable> failures = failure -> {};

        public void notify(LeadershipListener listener, Consumer<LeadershipListener> event) {
            UserCall call = UserCall.enter(
                    UserCall.Kind.LEADERSHIP_LISTENER, listener.getClass().getName(), null);
            try {
                event.accept(listener);
            } catch (Throwable e) {
                failures.accept(e);
                warnings.log( // whatever the log does with an exception of a user, the others are notified
                        LogLimiter.cause(e),
                        occurrence ->
                                LOG.error("A leadership listener failed{}", occurrence.suffix(e), occurrence.trace(e)));
            } finally {
                call.exit();
            }
        }
    }
}
