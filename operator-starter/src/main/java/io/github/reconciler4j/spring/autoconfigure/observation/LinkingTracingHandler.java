package io.github.reconciler4j.spring.autoconfigure.observation;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.observation.ReconcileObservationContext;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.TracingObservationHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Links the span of a reconciliation to the spans that wrote what triggered it: an annotation of the object that changed contains
 * the context of such a span, in the form of the W3C header {@code traceparent}. The annotation is read from the cache, of kinds
 * that have synced, and ignored if it is malformed. Everything else about the span is left to the handler that creates all spans.
 * Thread-safe.
 */
final class LinkingTracingHandler implements TracingObservationHandler<ReconcileObservationContext> {

    /** The tag of a link with the trigger that it is about. */
    static final String TRIGGER = "trigger";

    private final DefaultTracingObservationHandler spans;
    private final Supplier<@Nullable Manager> manager;
    private final String annotation;

    /**
     * Create the handler.
     *
     * @param spans creates the spans of other observations
     * @param manager returns the manager with the cache, which needs the registry of this handler and is created later
     * @param annotation the name of the annotation
     */
    LinkingTracingHandler(
            DefaultTracingObservationHandler spans, Supplier<@Nullable Manager> manager, String annotation) {
        this.spans = spans;
        this.manager = manager;
        this.annotation = annotation;
    }

    /** The ids of a span. */
    private record TraceParent(String traceId, String spanId, boolean sampled) {

        private static final Pattern FORMAT = Pattern.compile(
                "(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

        /** Return the ids in a text; null if it is malformed. Version 00 ends with the flags, later ones may continue. */
        static @Nullable TraceParent parse(String text) {
            Matcher matcher = FORMAT.matcher(text);
            if (!matcher.matches() || matcher.group(1).equals("00") && matcher.group(5) != null) {
                return null;
            }
            boolean sampled = (Integer.parseInt(matcher.group(4), 16) & 1) != 0;
            return new TraceParent(matcher.group(2), matcher.group(3), sampled);
        }

        TraceContext context(Tracer tracer) {
            return tracer.traceContextBuilder()
                    .traceId(traceId)
                    .spanId(spanId)
                    .sampled(sampled)
                    .build();
        }
    }

    @Override
    public void onStart(ReconcileObservationContext context) {
        List<Link> links = links(context.run().context().triggers());
        if (links.isEmpty()) {
            spans.onStart(context);
            return;
        }
        Span.Builder builder = getTracer().spanBuilder();
        Span parent = spans.getParentSpan(context);
        if (parent != null) {
            builder.setParent(parent.context());
        }
        links.forEach(builder::addLink);
        spans.getTracingContext(context).setSpan(builder.start());
    }

    /** Return a link to each writer, the first one of several to the same. */
    private List<Link> links(List<Trigger> triggers) {
        Manager running = triggers.isEmpty() ? null : manager.get();
        if (running == null) {
            return List.of();
        }
        Map<TraceParent, Trigger> writers = new LinkedHashMap<>();
        for (Trigger trigger : triggers) {
            TraceParent writer = writer(running.cache(), trigger);
            if (writer != null) {
                writers.putIfAbsent(writer, trigger);
            }
        }
        List<Link> links = new ArrayList<>();
        writers.forEach((writer, trigger) ->
                links.add(new Link(writer.context(getTracer()), Map.of(TRIGGER, trigger.toString()))));
        return links;
    }

    private @Nullable TraceParent writer(Cache cache, Trigger trigger) {
        boolean written = switch (trigger.change()) {
            case INITIAL, CREATED, UPDATED -> true;
            case DELETED, RESYNC, SCHEDULED, EXTERNAL -> false; // nothing to read, or no change
        };
        Optional<ObjectKey> object = trigger.object();
        if (!written || object.isEmpty()) {
            return null;
        }
        try {
            return synced(cache, trigger.source())
                    .flatMap(kind -> cache.get(Kind.of(kind).metadata(), object.get()))
                    .map(ObjectHeader::annotations)
                    .map(annotations -> annotations.get(annotation))
                    .map(TraceParent::parse)
                    .orElse(null);
        } catch (RuntimeException e) {
            return null; // the kind has left the cache, or the cache is closed
        }
    }

    /** Return the kind of a trigger if it can be read without waiting; a source that is not a kind has none. */
    private static Optional<KindName> synced(Cache cache, String source) {
        return cache.kinds().stream()
                .filter(KindStatus::synced)
                .map(status -> status.kind().kind())
                .filter(kind -> kind.toString().equals(source))
                .findFirst();
    }

    @Override
    public void onError(ReconcileObservationContext context) {
        spans.onError(context);
    }

    @Override
    public void onEvent(Observation.Event event, ReconcileObservationContext context) {
        spans.onEvent(event, context);
    }

    @Override
    public void onScopeOpened(ReconcileObservationContext context) {
        spans.onScopeOpened(context);
    }

    @Override
    public void onScopeClosed(ReconcileObservationContext context) {
        spans.onScopeClosed(context);
    }

    @Override
    public void onStop(ReconcileObservationContext context) {
        spans.onStop(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ReconcileObservationContext;
    }

    @Override
    public Tracer getTracer() {
        return spans.getTracer();
    }
}
