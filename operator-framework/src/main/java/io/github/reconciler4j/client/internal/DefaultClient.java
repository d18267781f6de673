package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeleteOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.ScaleClient;
import io.github.reconciler4j.client.SubresourceClient;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client: a cache to read from, and a server to read from and write to.
 *
 * @since 0.1.0
 */
public final class DefaultClient implements Client {

    private final ClientCore core;
    private final ServerReader live;
    private final ServerWriter writer;
    private final @Nullable Reader cache;

    private DefaultClient(ClientCore core, @Nullable Reader cache) {
        this.core = core;
        this.live = new ServerReader(core);
        this.writer = new ServerWriter(core);
        this.cache = cache;
    }

    static Client create(ClientWiring wiring, ClientOptions options) {
        ClientCore core = new ClientCore(
                new CallSender(wiring, options),
                new AppliedMemory(),
                new ObjectCodec(),
                wiring.scheme,
                Discovery.of(wiring.connection),
                wiring,
                options,
                "");
        return new DefaultClient(core, wiring.cache);
    }

    private Reader reader(KindInfo kind) {
        return cache == null || core.options().uncached().contains(kind.kind()) ? live : cache;
    }

    @Override
    public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
        KindInfo kind = core.kindOf(type);
        return reader(kind).get(type, core.key(kind, key));
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options) {
        KindInfo kind = core.kindOf(type);
        return reader(kind).list(type, core.scoped(kind, options));
    }

    @Override
    public Optional<GenericKubernetesResource> get(GroupVersionKind gvk, ObjectKey key) {
        KindInfo kind = core.kindOf(gvk);
        return reader(kind).get(gvk, core.key(kind, key));
    }

    @Override
    public List<GenericKubernetesResource> list(GroupVersionKind gvk, ListOptions options) {
        KindInfo kind = core.kindOf(gvk);
        return reader(kind).list(gvk, core.scoped(kind, options));
    }

    @Override
    public <T extends HasMetadata> List<T> listOwned(HasMetadata owner, Class<T> type) {
        KindInfo kind = core.kindOf(type);
        return owned(owner, kind, reader(kind).listOwned(owner, type));
    }

    @Override
    public List<GenericKubernetesResource> listOwned(HasMetadata owner, GroupVersionKind gvk) {
        KindInfo kind = core.kindOf(gvk);
        return owned(owner, kind, reader(kind).listOwned(owner, gvk));
    }

    /** Leave out what is not in the namespace of this client. */
    private <T extends HasMetadata> List<T> owned(HasMetadata owner, KindInfo kind, List<T> all) {
        String namespace = core.namespace();
        String ownerNamespace = Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
        if (namespace.isEmpty() || !kind.namespaced() || namespace.equals(ownerNamespace)) {
            return all;
        }
        return all.stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .toList();
    }

    @Override
    public Optional<ObjectHeader> header(Class<? extends HasMetadata> type, ObjectKey key) {
        KindInfo kind = core.kindOf(type);
        return reader(kind).header(type, core.key(kind, key));
    }

    @Override
    public List<ObjectHeader> headers(Class<? extends HasMetadata> type, ListOptions options) {
        KindInfo kind = core.kindOf(type);
        return reader(kind).headers(type, core.scoped(kind, options));
    }

    @Override
    public Optional<ObjectHeader> header(GroupVersionKind gvk, ObjectKey key) {
        KindInfo kind = core.kindOf(gvk);
        return reader(kind).header(gvk, core.key(kind, key));
    }

    @Override
    public List<ObjectHeader> headers(GroupVersionKind gvk, ListOptions options) {
        KindInfo kind = core.kindOf(gvk);
        return reader(kind).headers(gvk, core.scoped(kind, options));
    }

    @Override
    public <T extends HasMetadata> T create(T object, WriteOptions options) {
        return writer.create(object, options);
    }

    @Override
    public <T extends HasMetadata> T update(T object, WriteOptions options) {
        return writer.update(object, options);
    }

    @Override
    public <T extends HasMetadata> T patch(T object, Patch patch, WriteOptions options) {
        return writer.patch(object, patch, options);
    }

    @Override
    public <T extends HasMetadata> T patch(Class<T> type, ObjectKey key, Patch patch, WriteOptions options) {
        return writer.patch(type, key, patch, options);
    }

    @Override
    public GenericKubernetesResource patch(GroupVersionKind kind, ObjectKey key, Patch patch, WriteOptions options) {
        return writer.patch(kind, key, patch, options);
    }

    @Override
    public <T extends HasMetadata> T applyUnconditionally(T object, ApplyOptions options) {
        return writer.apply(object, options);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> applyWithOutcome(T object, ApplyOptions options) {
        return new ChangedApply(core, cache, live, writer).run(object, options);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> createOrUpdate(
            T object, Consumer<T> mutate, WriteOptions options) {
        return new CreateOrUpdate(core, this).createOrUpdate(object, mutate, options);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> createOrPatch(
            T object, Consumer<T> mutate, WriteOptions options) {
        return new CreateOrUpdate(core, this).createOrPatch(object, mutate, options);
    }

    @Override
    public boolean delete(HasMetadata object, DeleteOptions options) {
        return writer.delete(object, options);
    }

    @Override
    public boolean delete(Class<? extends HasMetadata> type, ObjectKey key, DeleteOptions options) {
        return writer.delete(type, key, options);
    }

    @Override
    public boolean delete(GroupVersionKind kind, ObjectKey key, DeleteOptions options) {
        return writer.delete(kind, key, options);
    }

    @Override
    public void deleteAll(Class<? extends HasMetadata> type, ListOptions select, DeleteOptions options) {
        writer.deleteAll(type, select, options);
    }

    @Override
    public void deleteAll(GroupVersionKind kind, ListOptions select, DeleteOptions options) {
        writer.deleteAll(kind, select, options);
    }

    @Override
    public LiveReader live() {
        return live;
    }

    @Override
    public Reader withoutPendingWrites() {
        return cache instanceof ReadYourWritesReader own ? new DefaultClient(core, own.watched()) : this;
    }

    @Override
    public SubresourceClient status() {
        return subresource("status");
    }

    @Override
    public ScaleClient scale() {
        return new ServerScale(core);
    }

    @Override
    public SubresourceClient subresource(String name) {
        return new ServerSubresource(core, name);
    }

    @Override
    public Discovery discovery() {
        return core.discovery();
    }

    @Override
    public Scheme scheme() {
        return core.scheme();
    }

    @Override
    public Client withFieldManager(String fieldManager) {
        return with(core.options().withFieldManager(fieldManager));
    }

    @Override
    public Client dryRun() {
        return with(core.options().withMode(WriteMode.DRY_RUN));
    }

    @Override
    public Client inNamespace(String namespace) {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("'namespace' must not be blank");
        }
        return new DefaultClient(core.withNamespace(namespace), cache);
    }

    @Override
    public Client intercepted(ClientInterceptor interceptor) {
        List<ClientInterceptor> all = new ArrayList<>(core.options().interceptors());
        all.add(interceptor);
        return with(core.options().withInterceptors(all));
    }

    private Client with(ClientOptions options) {
        return new DefaultClient(core.withOptions(options), cache);
    }

    @Override
    public <T extends HasMetadata, R> R retryOnConflict(Class<T> type, ObjectKey key, Function<T, R> attempt) {
        KindInfo kind = core.kindOf(type);
        return ConflictRetries.run(kind, core.key(kind, key), () -> live.get(type, key), attempt);
    }
}
