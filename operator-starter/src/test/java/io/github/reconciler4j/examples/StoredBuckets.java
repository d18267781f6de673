package io.github.reconciler4j.examples;

import io.github.reconciler4j.external.ExternalId;
import io.github.reconciler4j.external.ExternalResource;
import java.io.IOException;
import java.util.Optional;

/** The bucket of each object: the key is its name, so a repeated creation finds what is there. */
class StoredBuckets implements ExternalResource<Bucket, StoredBuckets.StoredBucket> {

    private final Storage storage;

    StoredBuckets(Storage storage) {
        this.storage = storage;
    }

    /** What the storage says about a bucket. */
    record StoredBucket(String name, boolean versioned) {}

    /** A system outside of Kubernetes. */
    interface Storage {

        Optional<StoredBucket> find(String name) throws IOException;

        StoredBucket create(String name) throws IOException;

        void enableVersions(String name) throws IOException;

        void delete(String name) throws IOException;
    }

    @Override
    public Creation creation() {
        return Creation.IDEMPOTENT;
    }

    @Override
    public Optional<StoredBucket> observe(Bucket owner, ExternalId id) throws IOException {
        return storage.find(id.key());
    }

    @Override
    public StoredBucket create(Bucket owner, ExternalId id) throws IOException {
        return storage.create(id.key());
    }

    @Override
    public boolean isUpToDate(Bucket owner, StoredBucket observed) {
        return observed.versioned();
    }

    @Override
    public void update(Bucket owner, ExternalId id, StoredBucket observed) throws IOException {
        storage.enableVersions(id.key());
    }

    @Override
    public void delete(Bucket owner, ExternalId id, StoredBucket observed) throws IOException {
        storage.delete(id.key());
    }

    @Override
    public String idOf(StoredBucket observed) {
        return observed.name();
    }
}
