package io.github.reconciler4j.support.internal;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The events of the framework in recordings of the JDK Flight Recorder. A factory method returns null unless a recording with
 * the event is running, so that nothing is paid without one; the caller sets the fields and calls {@code commit()}. The classes of
 * the events are not loaded before the recorder is used for the first time: with them come 130 of the JDK. Runtime images without
 * the module {@code jdk.jfr} have no events.
 *
 * @since 0.1.0
 */
public final class FlightEvents {

    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private static final String CATEGORY = "Reconciler4j";

    private FlightEvents() {}

    /** Start the event of a reconciliation; null if it is off. */
    public static @Nullable Reconcile reconcile() {
        return isUsed() ? started(new Reconcile()) : null;
    }

    /** Start the event of a request to the API server; null if it is off. */
    public static @Nullable ApiCall apiCall() {
        return isUsed() ? started(new ApiCall()) : null;
    }

    /** Start the event of a list of all objects of a kind; null if it is off. */
    public static @Nullable List list() {
        return isUsed() ? started(new List()) : null;
    }

    /** Start the event of the time without a watch; null if it is off. */
    public static @Nullable WatchGap watchGap() {
        return isUsed() ? started(new WatchGap()) : null;
    }

    /** Start the event of a change of leadership; null if it is off. */
    public static @Nullable Lease lease() {
        return isUsed() ? started(new Lease()) : null;
    }

    private static boolean isUsed() {
        return AVAILABLE && FlightRecorder.isInitialized();
    }

    private static <E extends Event> @Nullable E started(E event) {
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /**
     * A reconciliation.
     *
     * @since 0.1.0
     */
    @Name("io.github.reconciler4j.Reconcile")
    @Label("Reconciliation")
    @Description("One call of a reconciler")
    @Category(CATEGORY)
    @StackTrace(false)
    public static final class Reconcile extends Event {
        /** The name of the controller. */
        @Label("Controller")
        public String controller = "";

        /** The namespace of the request. */
        @Label("Namespace")
        public String namespace = "";

        /** The name of the request. */
        @Label("Name")
        public String name = "";

        /** The id of the reconciliation, as in logs. */
        @Label("Reconcile id")
        public String reconcileId = "";

        /** The number of the attempt. */
        @Label("Attempt")
        public int attempt;

        /** How long the request was ready in the queue, in nanoseconds. */
        @Label("Queue wait")
        @Timespan(Timespan.NANOSECONDS)
        public long queueWait;

        /** The outcome. */
        @Label("Outcome")
        public String outcome = "";
    }

    /**
     * A request to the API server.
     *
     * @since 0.1.0
     */
    @Name("io.github.reconciler4j.ApiCall")
    @Label("API request")
    @Description("One request to the API server, without watches")
    @Category(CATEGORY)
    @StackTrace(false)
    public static final class ApiCall extends Event {
        /** The Kubernetes verb. */
        @Label("Verb")
        public String verb = "";

        /** The path, without the query. */
        @Label("Path")
        public String path = "";

        /** The status, 0 without a response. */
        @Label("Status")
        public int status;

        /** The bytes of the response. */
        @Label("Response size")
        @DataAmount
        public long responseSize;
    }

    /**
     * A list of all objects of a kind.
     *
     * @since 0.1.0
     */
    @Name("io.github.reconciler4j.List")
    @Label("List")
    @Description("The cache read all objects of a kind")
    @Category(CATEGORY)
    @StackTrace(false)
    public static final class List extends Event {
        /** The kind and the scope. */
        @Label("Kind")
        public String kind = "";

        /** The number of objects. */
        @Label("Objects")
        public int objects;
    }

    /**
     * The time from the end of a watch to the next one.
     *
     * @since 0.1.0
     */
    @Name("io.github.reconciler4j.WatchGap")
    @Label("Watch gap")
    @Description("A kind had no watch, so its cache received no changes")
    @Category(CATEGORY)
    @StackTrace(false)
    public static final class WatchGap extends Event {
        /** The kind and the scope. */
        @Label("Kind")
        public String kind = "";

        /** Why the watch ended. */
        @Label("Reason")
        public String reason = "";
    }

    /**
     * A change of leadership.
     *
     * @since 0.1.0
     */
    @Name("io.github.reconciler4j.Lease")
    @Label("Leadership")
    @Description("This replica started or stopped leading")
    @Category(CATEGORY)
    @StackTrace(false)
    public static final class Lease extends Event {
        /** The name of the lease. */
        @Label("Lease")
        public String lease = "";

        /** Whether this replica leads now. */
        @Label("Leading")
        public boolean leading;
    }
}
