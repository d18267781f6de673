package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.LogLimiter;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The function of a user's index. An object for which it fails has no terms. Safe for use by many threads. */
final class UserTerms<T extends HasMetadata> implements TermFunction {

    private static final Logger LOG = LoggerFactory.getLogger(UserTerms.class);

    private final String index;
    private final KindInfo kind;
    private final LastSnapshot<T> snapshots;
    private final Function<ObjectSnapshot<T>, ? extends Iterable<String>> function;
    private final LogLimiter log;

    UserTerms(
            String index,
            KindInfo kind,
            LastSnapshot<T> snapshots,
            Function<ObjectSnapshot<T>, ? extends Iterable<String>> function,
            LogLimiter log) {
        this.index = index;
        this.kind = kind;
        this.snapshots = snapshots;
        this.function = function;
        this.log = log;
    }

    @Override
    public Collection<String> terms(Entry entry) {
        try {
            Set<String> terms = new HashSet<>();
            function.apply(snapshots.of(entry)).forEach(terms::add);
            return terms;
        } catch (Throwable e) { // also an Error: one object that does not fit must not stop the others
            log.log(
                    index + " " + LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "Index '{}' leaves out {} {}: {}{}",
                            index,
                            kind.kind().kind(),
                            entry,
                            e.getClass().getName(),
                            occurrence.suffix()));
            return List.of();
        } finally {
            Thread.interrupted(); // left by the function; must not end the request that is being read
        }
    }
}
