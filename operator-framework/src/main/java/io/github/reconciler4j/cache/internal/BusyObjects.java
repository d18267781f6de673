package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter.Occurrence;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the objects of a kind that change all the time: the log has a line of them once a minute. Thread-safe. */
final class BusyObjects {

    private static final Logger LOG = LoggerFactory.getLogger(BusyObjects.class);
    private static final int MAX_LOGGED = 3;

    private final KindInfo info;
    private final CacheContext context;

    BusyObjects(KindInfo info, CacheContext context) {
        this.info = info;
        this.context = context;
    }

    /** Report what was found, the busiest first. */
    void report(List<BusyKeys.Rate<ObjectKey>> found) {
        context.log().log("busy objects of " + info.resource(), occurrence -> report(found, occurrence));
    }

    /** The thread that reads the watch must not wait for the API server. If it can start no other thread, it says less. */
    private void report(List<BusyKeys.Rate<ObjectKey>> found, Occurrence occurrence) {
        ObjectKey busiest = found.get(0).key();
        try {
            Threads.daemon("busy-" + info.resource(), () -> warn(found, rivals(busiest), occurrence))
                    .start();
        } catch (Throwable e) {
            warn(found, "", occurrence);
        }
    }

    private void warn(List<BusyKeys.Rate<ObjectKey>> found, String rivals, Occurrence occurrence) {
        LOG.warn(
                "Objects of {} change all the time: {}. {} If the changes do not matter to a controller, keep them from it with"
                        + " ReconcileOn.GENERATION or an EventPredicate (R4J-102){}",
                info.resource(),
                found.stream()
                        .limit(MAX_LOGGED)
                        .map(rate -> rate.key() + " (" + rate.perSecond() + " changes per second)")
                        .collect(Collectors.joining(", ")),
                rivals.isEmpty()
                        ? "Their managedFields show who writes them."
                        : "Fields of " + found.get(0).key() + " and who writes them: " + rivals + ".",
                occurrence.suffix());
    }

    /** Ask the API server, on a thread that may wait. */
    private String rivals(ObjectKey key) {
        try {
            return new FieldRivals(context.reflectors().connection(), info, TimeSource.system()).find(key);
        } catch (Throwable e) { // an Error as well, such as that of an answer that is nested too deeply
            LOG.debug("It is not known who writes {} {}: {}", info.resource(), key, Causes.message(e));
            return "";
        }
    }
}
