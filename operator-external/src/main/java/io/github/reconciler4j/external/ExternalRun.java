package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.external.ExternalRecord.UnclearRecordException;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.ExternalResource.DeletionPolicy;
import io.github.reconciler4j.external.ExternalResource.ManagementPolicy;
import io.github.reconciler4j.external.ExternalResult.State;
import io.github.reconciler4j.external.OwnerWriter.OwnerGoneException;
import io.github.reconciler4j.finalizer.FinalizerNames;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Texts;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One reconciliation of an owner's resource. For one thread. */
final class ExternalRun<T extends HasMetadata, I> {

    private static final Logger LOG = LoggerFactory.getLogger(ExternalResources.class);
    private static final Pattern VARIANT = Pattern.compile("[-a-z0-9]{0,20}");

    private final String name;
    private final ExternalResource<T, I> resource;
    private final ExternalReports reports;
    private final ExternalOptions options;
    private final Sightings sightings;
    private final OwnerWriter<T> writer;
    private final String annotation;
    private final String uid;
    private final String variant;
    private final boolean observesOnly;
    private T owner;

    /** What the owner remembers; without an annotation, the key alone. */
    private ExternalRecord record;

    private boolean recorded;

    ExternalRun(
            String name,
            ExternalResource<T, I> resource,
            ExternalReports reports,
            ExternalOptions options,
            Sightings sightings,
            OwnerWriter<T> writer,
            String annotation,
            T owner) {
        this.name = name;
        this.resource = new ReportedResource<>(resource, reports);
        this.reports = reports;
        this.options = options;
        this.sightings = sightings;
        this.writer = writer;
        this.annotation = annotation;
        this.owner = owner;
        this.uid = Objects.requireNonNull(owner.getMetadata().getUid(), "'owner' must have a uid");
        this.variant = resource.variant(owner);
        if (!VARIANT.matcher(variant).matches()) {
            throw new IllegalArgumentException(
                    "'variant' must be at most 20 characters of a-z, 0-9 and -, was '" + variant + "'");
        }
        this.observesOnly =
                resource.managementPolicy(owner) == ManagementPolicy.OBSERVE_ONLY || writer.isWithoutEffect();
        String key = name + "-" + uid + (variant.isEmpty() ? "" : "-" + variant);
        this.record = ExternalRecord.empty(owner, key, variant);
    }

    ExternalResult<I> run() throws Exception {
        boolean isDeleted = owner.getMetadata().getDeletionTimestamp() != null;
        try {
            return run(isDeleted);
        } catch (OwnerGoneException e) {
            sightings.forget(uid);
            return released("has no owner any more");
        }
    }

    private ExternalResult<I> run(boolean isDeleted) throws Exception {
        try {
            Optional<ExternalRecord> read = ExternalRecord.read(owner, annotation, record);
            recorded = read.isPresent();
            record = read.orElse(record);
        } catch (UnclearRecordException e) {
            return unclear(Causes.message(e), isDeleted);
        }
        return isDeleted ? ownerDeleted() : ownerExists();
    }

    /** An unreadable record is not taken for none. One that is copied from another owner does not keep the copy. */
    private ExternalResult<I> unclear(String problem, boolean isDeleted) throws Exception {
        if (observesOnly && !isDeleted) {
            return onlyObserved();
        }
        if (isDeleted && (leaves() || !FinalizerNames.has(owner, annotation))) {
            return release("stays at the provider");
        }
        return stalled(problem);
    }

    private ExternalResult<I> ownerExists() throws Exception {
        if (observesOnly) {
            return onlyObserved();
        }
        note();
        if (recorded && (record.isDeleting() || !record.variant().equals(variant))) {
            return remove(true);
        }
        long asked = sightings.now();
        Optional<I> found = isUnobservable() ? Optional.empty() : observe();
        return found.isPresent() ? found(found.get(), asked) : missing(asked);
    }

    private ExternalResult<I> ownerDeleted() throws Exception {
        if (!recorded && !FinalizerNames.has(owner, annotation)) {
            return released("does not exist");
        }
        note();
        return remove(false);
    }

    /** Remember the creation in the record, and its id if this process could not record it. */
    private void note() {
        if (record.isAttempted()) {
            sightings.attempted(uid, record.attempt());
            if (record.id().isEmpty()) {
                record = record.named(sightings.createdId(uid, record.attempt()));
            }
        }
    }

    /** Without id and without key, nothing can be looked for. */
    private boolean isUnobservable() {
        return resource.creation() == Creation.UNKNOWN && record.id().isEmpty();
    }

    private boolean isUnknown() {
        return isUnobservable() && record.isAttempted();
    }

    private boolean leaves() {
        return observesOnly || resource.deletionPolicy(owner) == DeletionPolicy.ORPHAN;
    }

    private Optional<I> observe() throws Exception {
        Optional<I> found = observe(record.external());
        if (found.isEmpty() && record.earlier() && !record.id().isEmpty()) {
            // an earlier creation that arrives after the deletion makes a resource with the same key and another id
            found = observe(new ExternalId(record.key(), "", record.variant()));
        }
        if (found.isPresent()) {
            sightings.found(uid);
        } else {
            sightings.missing(uid, record);
        }
        return found;
    }

    private Optional<I> observe(ExternalId id) throws Exception {
        return Objects.requireNonNull(
                resource.observe(owner, id), "observe of resource '" + name + "' must not return null");
    }

    private String idOf(I observed) {
        return ExternalIds.checked(name, resource.idOf(observed));
    }

    private ExternalResult<I> onlyObserved() throws Exception {
        Optional<I> found = observe();
        return found.isPresent()
                ? shown(found.get(), drift())
                : result(State.NOT_FOUND, "the provider does not have it", null, drift());
    }

    private ExternalResult<I> found(I observed, long asked) throws Exception {
        ExternalRecord now = seen(record.named(idOf(observed)), asked);
        if (!now.json().equals(text()) || !FinalizerNames.has(owner, annotation)) {
            write(now);
        }
        if (!record.isAttempted()) {
            sightings.confirmed(uid);
        }
        if (!resource.isUpToDate(owner, observed)) {
            checkWrites();
            resource.update(owner, record.external(), observed);
            return shown(observed, options.waitInterval());
        }
        boolean isDone = !record.isAttempted() && resource.isReady(observed);
        return shown(observed, isDone ? drift() : options.waitInterval());
    }

    private String text() {
        return Objects.requireNonNullElse(owner.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(annotation, "");
    }

    /** A resource that is there ends its creation, unless another creation may be under way that would make it again. */
    private ExternalRecord seen(ExternalRecord now, long asked) {
        return !now.earlier() || sightings.isSettled(uid, now.attempt(), asked) ? now.settled() : now;
    }

    private ExternalResult<I> missing(long asked) throws Exception {
        if (isUnknown()) {
            return stalled(unknownResult());
        }
        if (!record.isBegun()) {
            return create(false);
        }
        boolean isSettled = sightings.isSettled(uid, record.attempt(), asked);
        if (isSettled && sightings.isMissing(uid, asked)) {
            LOG.info("The resource of {} is not at the provider; creating it", this);
            return create(false);
        }
        if (record.id().isEmpty() && resource.creation() == Creation.IDEMPOTENT) {
            return create(true);
        }
        return record.isAttempted() || sightings.isCreated(uid, record.id())
                ? result(State.CREATING, "is being created", null, options.waitInterval())
                : result(State.NOT_FOUND, "the provider does not show it", null, options.waitInterval());
    }

    /** @param others whether an earlier creation may be under way */
    private ExternalResult<I> create(boolean others) throws Exception {
        String token = UUID.randomUUID().toString();
        ExternalRecord attempt = record.started(token, others);
        long startedAt = sightings.now();
        write(attempt);
        if (!mayCall(startedAt)) {
            return result(State.CREATING, "waits for its creation", null, options.waitInterval());
        }
        I created;
        String id = "";
        try {
            created = resource.create(owner, record.external());
            Objects.requireNonNull(created, "create of resource '" + name + "' must not return null");
            id = idOf(created);
        } catch (Exception e) {
            sightings.ended(uid, token, "");
            if (!others && isNothingCreated(e)) {
                forgetAttempt(attempt, e);
            }
            throw e;
        }
        sightings.ended(uid, token, id);
        return created(created, attempt, id);
    }

    private ExternalResult<I> created(I created, ExternalRecord attempt, String id) throws Exception {
        ExternalRecord named = attempt.named(id);
        Optional<T> now = writer.complete(owner, attempt, attempt.earlier() ? named : named.settled());
        if (now.isEmpty()) {
            if (!leaves()) {
                resource.delete(owner, named.external(), created);
            }
            throw new OwnerGoneException();
        }
        owner = now.get();
        record = named;
        LOG.info("Created {} for {}", Texts.of(id), this);
        reports.created(owner, id);
        return shown(created, options.waitInterval());
    }

    /** If this fails, the next process waits for a creation that never was. */
    private void forgetAttempt(ExternalRecord attempt, Exception reason) {
        try {
            writer.complete(owner, attempt, attempt.settled());
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    private static boolean isNothingCreated(Exception e) {
        return Causes.contains(e, TerminalException.class) || Causes.contains(e, RequeueException.class);
    }

    /** @param isReplaced whether another resource follows, so that the finalizer stays */
    private ExternalResult<I> remove(boolean isReplaced) throws Exception {
        long asked = sightings.now();
        if (leaves() && (!isReplaced || sightings.isSettled(uid, record.attempt(), asked))) {
            return isReplaced ? replace() : release("stays at the provider");
        }
        if (isUnknown()) {
            return stalled(unknownResult());
        }
        if (leaves()) {
            return result(State.CREATING, "waits for an earlier creation", null, options.waitInterval());
        }
        Optional<I> found = isUnobservable() ? Optional.empty() : observe();
        if (found.isPresent()) {
            delete(found.get(), asked);
            return result(State.DELETING, "is being deleted", found.get(), options.waitInterval());
        }
        if (!isGone(asked)) {
            return result(State.DELETING, "may still appear", null, options.waitInterval());
        }
        return isReplaced ? replace() : release("is deleted");
    }

    /** Return whether nothing is there, and nothing can appear any more. */
    private boolean isGone(long asked) {
        if (isUnobservable() || (recorded && !record.isBegun())) {
            return true;
        }
        boolean isDeleted = record.isDeleting() && sightings.isDeleted(uid, record.deletion());
        return sightings.isSettled(uid, record.attempt(), asked) && (isDeleted || sightings.isMissing(uid, asked));
    }

    private void delete(I observed, long asked) throws Exception {
        if (record.isDeleting() && sightings.isDeleting(uid, record.deletion(), asked)) {
            return;
        }
        String token = UUID.randomUUID().toString();
        long startedAt = sightings.now();
        write(seen(record.named(idOf(observed)), asked).deleting(token));
        if (mayCall(startedAt)) {
            resource.delete(owner, record.external(), observed);
            sightings.deleted(uid, token);
        }
    }

    private ExternalResult<I> replace() throws OwnerGoneException {
        boolean isLeft = leaves();
        owner = writer.release(owner, true);
        reportEnd(isLeft);
        sightings.forget(uid);
        LOG.info("Another resource follows for {}, whose variant has changed", this);
        return result(State.CREATING, "is created as another variant", null, Duration.ZERO);
    }

    private ExternalResult<I> release(String why) throws OwnerGoneException {
        if (recorded || FinalizerNames.has(owner, annotation)) {
            boolean isLeft = leaves();
            owner = writer.release(owner, false);
            LOG.info("The resource of {} {}", this, why);
            reportEnd(isLeft);
        }
        sightings.forget(uid);
        return released(why);
    }

    private void reportEnd(boolean isLeft) {
        if (isLeft && record.isBegun()) {
            reports.orphaned(owner, record.id());
        } else if (record.isDeleting()) {
            reports.deleted(owner, record.id());
        }
    }

    private void write(ExternalRecord now) throws OwnerGoneException {
        owner = writer.write(owner, now);
        record = now;
        recorded = true;
    }

    /** What was recorded is started at once or not at all: other processes rely on it. */
    private boolean mayCall(long recordedAt) throws InterruptedException {
        checkWrites();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return sightings.isInTime(recordedAt);
    }

    /** Only the leader changes something at the provider. */
    private static void checkWrites() {
        WriteScope.current().ifPresent(WriteScope::check);
    }

    private ExternalResult<I> shown(I observed, Duration delay) {
        boolean isReady = resource.isReady(observed);
        String text = isReady ? "can be used" : "is not ready";
        return result(isReady ? State.AVAILABLE : State.CREATING, text, observed, delay);
    }

    private ExternalResult<I> released(String why) {
        return new ExternalResult<>(State.RELEASED, name + " " + why, record.id(), null, null);
    }

    private ExternalResult<I> stalled(String problem) {
        return new ExternalResult<>(State.STALLED, problem, record.id(), null, null);
    }

    private String unknownResult() {
        return "It is not known whether a " + name
                + " was created. Look for it at the provider. If there is one, set annotation " + annotation
                + " to {\"id\":\"...\"}, otherwise remove the annotation (R4J-280)";
    }

    private ExternalResult<I> result(State state, String text, @Nullable I observed, Duration delay) {
        String called = record.id().isEmpty() ? name : name + " " + Texts.of(record.id());
        return new ExternalResult<>(state, called + ": " + text, record.id(), observed, delay);
    }

    /** Return the drift interval, with a difference of up to a tenth that each owner keeps. */
    private Duration drift() {
        long nanos = Nanos.of(options.driftInterval());
        long spread = Math.floorMod(uid.hashCode(), 201) - 100;
        return Duration.ofNanos(nanos + nanos / 1000 * spread);
    }

    /** Return the kind, key and resource name of the owner. */
    @Override
    public String toString() {
        String namespace = owner.getMetadata().getNamespace();
        return owner.getKind() + " " + (namespace == null ? "" : namespace + "/")
                + owner.getMetadata().getName() + " (" + name + ")";
    }
}
