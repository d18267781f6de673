package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.source.ResyncSource;
import io.github.reconciler4j.source.ScheduleSource;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/** What the sources of a controller look like. */
final class SourceUse {

    private SourceUse() {}

    /** A system that calls a listener with the names of changed greetings. */
    interface Inbox {

        /** Returns what removes the listener. */
        AutoCloseable listen(Consumer<String> names);
    }

    /** Reconciles a greeting when the inbox names it. */
    record InboxSource(String name, Inbox inbox) implements RequestSource<Request> {

        @Override
        public Running start(RequestSink<Request> sink) {
            AutoCloseable listener = inbox.listen(name -> sink.add(new Request("guests", name)));
            return () -> close(listener);
        }

        private static void close(AutoCloseable listener) {
            try {
                listener.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void periodic(Manager manager) {
        var greetings = manager.cache().informer(Greeting.class);
        ControllerBuilder.of(Greeting.class)
                .source(ResyncSource.every(Duration.ofMinutes(10), greetings)
                        .filtered(greeting -> greeting.labels().containsKey("urgent")))
                .source(ScheduleSource.at(
                        now -> now.truncatedTo(ChronoUnit.DAYS).plusDays(1), ZoneId.of("Europe/Berlin"), greetings))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static void handling(Manager manager) {
        EventHandler<Secret, Request> later = (event, sink) ->
                sink.addAfter(Request.of(event.snapshot().key()), Duration.ofSeconds(30), WorkQueue.LOW_PRIORITY);
        ControllerBuilder.of(Greeting.class)
                .watches(Watch.kind(Secret.class).handler(later))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static void further(Manager manager) {
        var controller = ControllerBuilder.of(Greeting.class)
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
        controller.watch(new KindSource<>(
                manager.cache().informer(ConfigMap.class), EventHandlers.forObject(), EventPredicates.created()));
    }
}
