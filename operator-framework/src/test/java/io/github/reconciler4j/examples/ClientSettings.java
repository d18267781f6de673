package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Throttle;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.WriteObserver;
import java.time.Duration;
import java.util.function.Consumer;

/** What the options of a client and its interceptors look like. */
final class ClientSettings {

    private ClientSettings() {}

    static ClientOptions options() {
        return ClientOptions.defaults()
                .withTimeout(Duration.ofSeconds(10))
                .withThrottle(Throttle.off().withRate(50, 100).withMaxConcurrent(20))
                .withUncached(Secret.class);
    }

    static ClientOptions observing(Consumer<String> log) {
        WriteObserver observer = write -> log.accept(write.effect() + " " + write.object());
        return ClientOptions.defaults().withMode(WriteMode.OBSERVE).withWriteObserver(observer);
    }

    static Client withoutDeletions(Client client) {
        return client.intercepted((call, next) -> {
            if (call.verb() == ClientCall.Verb.DELETE) {
                throw new IllegalStateException("This client deletes nothing");
            }
            return next.proceed(call);
        });
    }

    static ClientInterceptor audit(Consumer<String> log) {
        return (call, next) -> {
            if (call.verb().isWrite() && !call.dryRun()) {
                log.accept(call.verb().word() + " " + call.kind().plural() + " " + call.key());
            }
            return next.proceed(call);
        };
    }
}
