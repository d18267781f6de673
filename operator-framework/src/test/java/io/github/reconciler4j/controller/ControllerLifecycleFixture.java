package io.github.reconciler4j.controller;

import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;

/** Controllers that do nothing, and a watch of pods whose events the test delivers. */
abstract class ControllerLifecycleFixture {

    static final KindInfo POD = new KindInfo(KindName.of("v1", "Pod"), "pods", true);

    final TestInformer<String> pods = new TestInformer<>(POD);

    RequestSource<Request> podSource() {
        return new KindSource<>(pods, EventHandlers.forObject(), EventPredicates.allOf());
    }

    RequestSource<Request> podSource(EventHandler<Object, Request> handler) {
        return new KindSource<>(pods, handler, EventPredicates.allOf());
    }

    static ControllerFixture doingNothing(ControllerOptions options) {
        return new ControllerFixture(options, (request, context) -> Result.done());
    }

    static ControllerOptions syncTimeout(Duration timeout) {
        return ControllerOptions.defaults().withCacheSyncTimeout(timeout);
    }

    /** Does something at start and nothing afterwards. */
    record StartSource(String name, Start atStart) implements RequestSource<Request> {

        interface Start {
            void run(RequestSink<Request> target) throws Exception;
        }

        @Override
        public Running start(RequestSink<Request> target) throws Exception {
            atStart.run(target);
            return () -> {};
        }
    }
}
