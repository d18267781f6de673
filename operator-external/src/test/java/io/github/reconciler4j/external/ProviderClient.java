package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.external.FakeProvider.Thing;
import java.util.Optional;

/** The resource of the tests: it passes each call through a place where things go wrong. The owner says the policies. */
class ProviderClient implements ExternalResource<ConfigMap, Thing> {

    /** What goes wrong before and after calls. Nothing does by default. */
    interface Way {

        /** Before a request leaves. */
        default void before(String verb) throws Exception {}

        /** After a request was carried out, and before its answer arrives. */
        default void after(String verb) throws Exception {}

        /** Carry out a creation, or let it be carried out later and throw. */
        default Thing create(FakeProvider provider, ConfigMap owner, ExternalId id) throws Exception {
            return provider.create(owner, id, 0);
        }
    }

    private final FakeProvider provider;
    private final Way way;

    ProviderClient(FakeProvider provider, Way way) {
        this.provider = provider;
        this.way = way;
    }

    @Override
    public Creation creation() {
        return provider.creation;
    }

    @Override
    public Optional<Thing> observe(ConfigMap owner, ExternalId id) throws Exception {
        way.before("observe");
        Optional<Thing> found = provider.observe(id);
        way.after("observe");
        return found;
    }

    @Override
    public Thing create(ConfigMap owner, ExternalId id) throws Exception {
        way.before("create");
        Thing created = way.create(provider, owner, id);
        way.after("create");
        return created;
    }

    @Override
    public void update(ConfigMap owner, ExternalId id, Thing observed) throws Exception {
        way.before("update");
        observed.value = FakeProvider.data(owner, "value");
        way.after("update");
    }

    @Override
    public void delete(ConfigMap owner, ExternalId id, Thing observed) throws Exception {
        way.before("delete");
        observed.deleted = true;
        way.after("delete");
    }

    @Override
    public String idOf(Thing observed) {
        return observed.id;
    }

    @Override
    public boolean isUpToDate(ConfigMap owner, Thing observed) {
        return observed.value.equals(FakeProvider.data(owner, "value"));
    }

    @Override
    public String variant(ConfigMap owner) {
        return FakeProvider.data(owner, "variant");
    }

    @Override
    public DeletionPolicy deletionPolicy(ConfigMap owner) {
        return FakeProvider.data(owner, "orphan").isEmpty() ? DeletionPolicy.DELETE : DeletionPolicy.ORPHAN;
    }

    @Override
    public ManagementPolicy managementPolicy(ConfigMap owner) {
        return FakeProvider.data(owner, "observe").isEmpty() ? ManagementPolicy.FULL : ManagementPolicy.OBSERVE_ONLY;
    }
}
