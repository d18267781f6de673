package io.github.reconciler4j.brake;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.brake.DeletionCounts.Place;
import io.github.reconciler4j.brake.DeletionCounts.Reservation;
import io.github.reconciler4j.brake.DeletionCounts.Verdict;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the stops of a manager, reads whether a person has released one, and reports them. Thread-safe. */
final class BrakeStops {

    private static final Logger LOG = LoggerFactory.getLogger(Brake.class);

    /** How old the stored stops may be that a counted deletion relies on. */
    private static final Duration MAX_AGE = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(30);

    private final Manager manager;
    private final BrakeOptions options;
    private final DeletionCounts counts;
    private final TimeSource time;
    private final LogLimiter warnings;
    private final Map<String, Meters> meters = new ConcurrentHashMap<>();

    /** The stopped controllers that the log of this process names. */
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    private final AtomicLong nextRead = new AtomicLong();
    private final AtomicLong nextWrite = new AtomicLong();
    private final AtomicReference<String> uid = new AtomicReference<>("");
    private volatile boolean everRead;
    private volatile @Nullable StopLease lease;

    BrakeStops(Manager manager, BrakeOptions options, DeletionCounts counts) {
        this.manager = manager;
        this.options = options;
        this.counts = counts;
        this.time = manager.options().timeSource();
        this.warnings = new LogLimiter(Duration.ofMinutes(10), time);
        this.nextRead.set(time.nanoTime());
        this.nextWrite.set(time.nanoTime());
        manager.addLeadershipListener(new LeadershipListener() {
            @Override
            public void elected(String elected) { // another replica may have stopped meanwhile
                everRead = false;
                nextRead.set(time.nanoTime());
            }
        });
    }

    /** The measurements of a controller. */
    record Meters(OperatorMetrics.Registration stopped, OperatorMetrics.Counter refused) {}

    private Optional<StopLease> lease() {
        StopLease known = lease;
        if (known == null) {
            known = key().map(key -> new StopLease(manager.home().connection(), key))
                    .orElse(null);
            lease = known;
        }
        return Optional.ofNullable(known);
    }

    private Optional<ObjectKey> key() {
        return options.lease()
                .or(() -> manager.status().leases().stream()
                        .filter(each -> each.name().isEmpty())
                        .map(LeaseStatus::key)
                        .findFirst())
                .or(() -> podNamespace()
                        .map(namespace ->
                                ObjectKey.of(namespace, manager.options().name() + "-brake")));
    }

    private static Optional<String> podNamespace() {
        try {
            return Optional.of(Files.readString(Path.of(Config.KUBERNETES_NAMESPACE_PATH), StandardCharsets.UTF_8)
                            .strip())
                    .filter(namespace -> !namespace.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Learn what is stored, unless that is known since a moment.
     *
     * @throws ApiException if it was never known and cannot be read now, for another reason than a missing permission
     */
    void refresh() {
        Optional<StopLease> stored = lease();
        long due = nextRead.get();
        long now = time.nanoTime();
        boolean mine = due - now <= 0 && nextRead.compareAndSet(due, now + MAX_AGE.toNanos());
        if (stored.isEmpty() || everRead && !mine) {
            return;
        }
        long before = counts.changes();
        try {
            StopLease.Stored read = stored.get().read();
            everRead = true;
            String known = uid.getAndSet(read.uid());
            if (known.isEmpty() || known.equals(read.uid())) {
                counts.stored(read.reasons(), before).forEach(this::released);
            } else { // no person has removed the annotations of a Lease that was deleted
                counts.storedAnew(read.reasons(), before);
                nextWrite.set(time.nanoTime());
            }
        } catch (ForbiddenException e) {
            everRead = true;
            warn(stored.get(), "Cannot read", e);
        } catch (ApiException e) {
            if (!everRead) {
                throw e;
            }
            warn(stored.get(), "Cannot read", e);
        }
    }

    private void warn(StopLease stored, String what, ApiException e) {
        String rule = e instanceof ForbiddenException
                ? "; let the role of the operator get and update the Lease, and create Leases"
                : "";
        warnings.log(
                what,
                occurrence -> LOG.warn(
                        "{} the stops of deletions in Lease {}, so a stop does not survive a restart: {}{} (R4J-812){}",
                        what,
                        stored.key(),
                        Causes.message(e),
                        rule,
                        occurrence.suffix()));
    }

    /** Store and report a refused deletion; return what to throw. */
    BrakeException refused(Place place, Reservation reservation, @Nullable HasMetadata owner) {
        String controller = place.controller();
        Meters its = measure(controller);
        DeletionStop stop = counts.stop(controller);
        if (reservation.verdict() == Verdict.STOPPING) {
            nextWrite.set(time.nanoTime());
        }
        if (stop != null && !stop.persisted()) {
            persist(stop);
        }
        String text = "The deletions of controller " + controller + " have stopped, because it deleted too much ("
                + reservation.reason() + "). Find out why, and release it: " + howToRelease(controller) + " (R4J-811)";
        if (logged.add(controller)) { // at the stop, or at the first refusal after a restart
            LOG.error("{}", Texts.escaped(text));
        }
        its.refused.increment();
        HasMetadata regarding = owner == null ? leaseObject() : owner;
        if (regarding != null) {
            manager.recorder(controller).warning(regarding, "DeletionsStopped", "Delete", text);
        }
        long jitter = ThreadLocalRandom.current().nextLong(RETRY.toMillis() / 2);
        return new BrakeException(text, RETRY.plusMillis(jitter));
    }

    private String howToRelease(String controller) {
        return lease().map(stored -> "kubectl annotate lease " + stored.key().name() + " -n "
                        + stored.key().namespace() + " " + StopLease.PREFIX + controller + "-")
                .orElse("with the endpoint, or by a restart");
    }

    private @Nullable HasMetadata leaseObject() {
        return lease().map(stored -> new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(stored.key().namespace())
                        .withName(stored.key().name())
                        .endMetadata()
                        .build())
                .orElse(null);
    }

    /** Refused deletions try to store the stop until that has succeeded. */
    private void persist(DeletionStop stop) {
        Optional<StopLease> stored = lease();
        long due = nextWrite.get();
        long now = time.nanoTime();
        if (stored.isEmpty() || due - now > 0 || !nextWrite.compareAndSet(due, now + MAX_AGE.toNanos())) {
            return;
        }
        try {
            stored.get().write(stop.controller(), stop.reason());
            if (!counts.persisted(stop.controller())) {
                stored.get().write(stop.controller(), null);
            }
        } catch (ApiException e) {
            warn(stored.get(), "Cannot store", e);
        }
    }

    boolean release(String controller) {
        lease().ifPresent(stored -> stored.write(controller, null));
        boolean stopped = counts.release(controller);
        if (stopped) {
            released(controller);
        }
        return stopped;
    }

    private void released(String controller) {
        logged.remove(controller);
        LOG.warn("A person has released the deletions of controller {}", Texts.inOneLine(controller));
    }

    /** Stop reporting a controller that was removed. */
    void forget(String controller) {
        Meters its = meters.remove(controller);
        if (its != null) {
            its.stopped.close();
        }
    }

    /** Report a controller from now on. */
    Meters measure(String controller) {
        return meters.computeIfAbsent(controller, name -> {
            OperatorMetrics metrics = manager.options().metrics();
            return new Meters(
                    metrics.gauge(
                            "reconciler4j_deletions_stopped",
                            "Whether the deletions of a controller have stopped, because it deleted too much.",
                            () -> counts.stop(name) == null ? 0 : 1,
                            "controller",
                            name),
                    metrics.counter(
                            "reconciler4j_deletions_refused_total",
                            "Total number of deletions that were refused, because the controller had deleted too much.",
                            "controller",
                            name));
        });
    }
}
