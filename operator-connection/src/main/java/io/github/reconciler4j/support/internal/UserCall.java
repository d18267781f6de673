package io.github.reconciler4j.support.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Texts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A call of user code that is in progress on a thread of the framework. {@link CallWatch} names those that do not return.
 *
 * <pre>{@code
 * UserCall call = UserCall.enter(UserCall.Kind.PREDICATE, name, header);
 * try {
 *     return predicate.test(event);
 * } finally {
 *     call.exit();
 * }
 * }</pre>
 *
 * <p>Each thread has a place for its current call, which only that thread writes. A call takes no lock and reads no clock: who
 * watches sees how long the same call is there. The writes are ordered but not waited for ({@code setRelease}): a watch may see a
 * call a moment late, and sees all of it. So a call costs an allocation and two plain writes.
 *
 * <p>One lock guards which places there are. A thread takes it once, for its first call; the place of a thread that has ended
 * leaves with it.
 *
 * @since 0.1.0
 */
public final class UserCall {

    private static final ReentrantLock LOCK = new ReentrantLock();

    @GuardedBy("LOCK")
    private static final Set<CallSite> PLACES = Collections.newSetFromMap(new WeakHashMap<>());

    private static final ThreadLocal<CallSite> PLACE = ThreadLocal.withInitial(UserCall::newPlace);

    private static final String FRAMEWORK = "io.github.reconciler4j.";

    private final CallSite place;
    private final @Nullable UserCall outer;
    private final Kind kind;
    private final String owner;
    private final @Nullable Object subject;

    /** Whether a log line says that it does not return; two watches can both say it. */
    private volatile boolean reported;

    private UserCall(CallSite place, @Nullable UserCall outer, Kind kind, String owner, @Nullable Object subject) {
        this.place = place;
        this.outer = outer;
        this.kind = kind;
        this.owner = owner;
        this.subject = subject;
    }

    /**
     * What user code is called for.
     *
     * @since 0.1.0
     */
    public enum Kind {
        /** A listener of a cache; the outermost call of an event. */
        LISTENER("listener"),
        /** An event predicate. */
        PREDICATE("event predicate"),
        /** An event handler. */
        HANDLER("event handler"),
        /** A function that maps an object to requests. */
        MAPPER("mapper"),
        /** A function of an index. */
        INDEX("index function"),
        /** A transform of objects before they are cached. */
        TRANSFORM("transform"),
        /** A function that returns the partition key of an object or the part of a request. */
        PARTITION_KEY("partition key function"),
        /** A rate limiter. */
        RATE_LIMITER("rate limiter"),
        /** A function that returns the group of a request. */
        FAIRNESS("fairness function"),
        /** An observer of reconciliations. */
        OBSERVER("observer"),
        /** A listener of leadership. */
        LEADERSHIP_LISTENER("leadership listener"),
        /** A listener of clusters. */
        CLUSTER_LISTENER("cluster listener"),
        /** What a source polls. It may take long, and delays that source alone. */
        POLL("poll"),
        /** A reconciliation, with cleaners and finalizers. Its controller watches it, with limits of its own. */
        RECONCILER("reconciler");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Return whether the process cannot work as it should as long as such a call does not return. */
        boolean isVital() {
            return this != POLL && this != CLUSTER_LISTENER;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Where a thread shows its current call. */
    private static final class CallSite {
        private final Thread thread = Thread.currentThread();
        private final AtomicReference<@Nullable UserCall> current = new AtomicReference<>();
    }

    private static CallSite newPlace() {
        CallSite place = new CallSite();
        LOCK.lock();
        try {
            PLACES.add(place);
        } finally {
            LOCK.unlock();
        }
        return place;
    }

    /**
     * Say that the calling thread calls user code. Call {@link #exit} on the same thread when that has returned or thrown.
     *
     * @param owner who calls it, as a log line names it, for instance a controller; {@code ""} for that of the call around it
     * @param subject what it is called for, for instance the header of an object; null for that of the call around it. Only
     *     the text of classes of the framework is shown, because that of others is user code, too.
     */
    public static UserCall enter(Kind kind, String owner, @Nullable Object subject) {
        CallSite place = PLACE.get();
        UserCall call = new UserCall(place, place.current.getPlain(), kind, owner, subject);
        place.current.setRelease(call);
        return call;
    }

    /** Say that user code has returned. */
    public void exit() {
        place.current.setRelease(outer);
    }

    /** Return the calls that are in progress now, one per thread. */
    static List<UserCall> current() {
        List<UserCall> calls = new ArrayList<>();
        LOCK.lock();
        try {
            for (CallSite each : PLACES) {
                UserCall call = each.current.get();
                if (call != null) {
                    calls.add(call);
                }
            }
        } finally {
            LOCK.unlock();
        }
        return calls;
    }

    /** Return the call around this one that has to return: that of the framework itself, except a reconciliation. */
    UserCall outermost() {
        UserCall call = this;
        for (UserCall next = outer; next != null && next.kind != Kind.RECONCILER; next = next.outer) {
            call = next;
        }
        return call;
    }

    Kind kind() {
        return kind;
    }

    /** Return who calls, {@code ""} if only the calls around this one know. */
    String owner() {
        return owner;
    }

    Thread thread() {
        return place.thread;
    }

    /** Return whether it has not returned. */
    boolean isRunning() {
        for (UserCall call = place.current.get(); call != null; call = call.outer) {
            if (call == this) {
                return true;
            }
        }
        return false;
    }

    /** Take note that a log line says it; return whether it is the first. */
    boolean report() {
        boolean first = !reported;
        reported = true;
        return first;
    }

    /** Return its kind, its owner and what it is called for, in one line. */
    String describe() {
        String of = "";
        Object on = null;
        for (UserCall call = this; call != null && call.kind != Kind.RECONCILER; call = call.outer) {
            of = of.isEmpty() ? call.owner : of;
            on = on == null ? call.subject : on;
        }
        if (kind == Kind.RECONCILER) {
            of = owner;
            on = subject;
        }
        return Texts.inOneLine(kind + (of.isEmpty() ? "" : " of " + of) + (on == null ? "" : " for " + text(on)));
    }

    /** The text of a user's object may not return either. */
    private static String text(Object subject) {
        boolean own = subject instanceof String || subject.getClass().getName().startsWith(FRAMEWORK);
        return own
                ? Texts.of(subject)
                : "an object of class " + subject.getClass().getName();
    }

    @Override
    public String toString() {
        return "UserCall[" + describe() + "]";
    }
}
