package io.github.reconciler4j.examples;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.source.PollSource.Polled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

@Component
class BucketPolls implements ControllerCustomizer<ControllerBuilder<Bucket>> {

    private final Cache cache;
    private final ObjectStorage storage;

    BucketPolls(Cache cache, ObjectStorage storage) {
        this.cache = cache;
        this.storage = storage;
    }

    @Override
    public void customize(ControllerBuilder<Bucket> controller) {
        controller.source(PollSource.perRequest("storage", Duration.ofSeconds(10), this::buckets, this::poll));
    }

    /** Lists the buckets every 10 seconds. An empty namespace means all namespaces. */
    private List<Request> buckets() {
        return cache.informer(Bucket.class).list("").stream()
                .map(bucket -> Request.of(bucket.key()))
                .toList();
    }

    /** Returns the state of one bucket, which is reconciled if its state has changed, and the time until the next poll. */
    private Polled poll(Request request) throws IOException {
        Optional<ObjectHeader> bucket = cache.get(Kind.of(Bucket.class).metadata(), request.key());
        return new Polled(bucket.isEmpty() ? null : storage.version(bucket.get().uid()), Duration.ofMinutes(1));
    }
}
