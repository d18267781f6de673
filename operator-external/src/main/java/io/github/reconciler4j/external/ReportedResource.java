package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.external.ExternalReports.Verb;
import java.util.Optional;

/** Calls a resource, and reports what becomes of the calls to the provider. */
record ReportedResource<T extends HasMetadata, I>(ExternalResource<T, I> resource, ExternalReports reports)
        implements ExternalResource<T, I> {

    @Override
    public Optional<I> observe(T owner, ExternalId id) throws Exception {
        return reports.call(Verb.OBSERVE, owner, () -> resource.observe(owner, id));
    }

    @Override
    public I create(T owner, ExternalId id) throws Exception {
        return reports.call(Verb.CREATE, owner, () -> resource.create(owner, id));
    }

    @Override
    public void update(T owner, ExternalId id, I observed) throws Exception {
        reports.call(Verb.UPDATE, owner, () -> {
            resource.update(owner, id, observed);
            return true;
        });
    }

    @Override
    public void delete(T owner, ExternalId id, I observed) throws Exception {
        reports.call(Verb.DELETE, owner, () -> {
            resource.delete(owner, id, observed);
            return true;
        });
    }

    @Override
    public Creation creation() {
        return resource.creation();
    }

    @Override
    public String idOf(I observed) {
        return resource.idOf(observed);
    }

    @Override
    public boolean isUpToDate(T owner, I observed) {
        return resource.isUpToDate(owner, observed);
    }

    @Override
    public boolean isReady(I observed) {
        return resource.isReady(observed);
    }

    @Override
    public String variant(T owner) {
        return resource.variant(owner);
    }

    @Override
    public DeletionPolicy deletionPolicy(T owner) {
        return resource.deletionPolicy(owner);
    }

    @Override
    public ManagementPolicy managementPolicy(T owner) {
        return resource.managementPolicy(owner);
    }
}
