package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.ScaleClient;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.SubresourceClient;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.apply.ConditionalApply;
import io.github.reconciler4j.client.internal.read.ServerReader;
import io.github.reconciler4j.client.internal.request.CallSender;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ClientCore.KnownObjects;
import io.github.reconciler4j.client.internal.request.ConflictBackoff;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.write.CreateOrUpdate;
import io.github.reconciler4j.client.internal.write.ServerSubresource;
import io.github.reconciler4j.client.internal.write.ServerWriter;
import io.github.reconciler4j.client.internal.write.WriteSender;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.internal.RetryPace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client: reads from a cache or from the server, and writes to the server. Immutable.
 *
 * @since 0.1.0
 */
public final class DefaultClient extends ServerWriter implements Client {

    private static final int MAX_ATTEMPTS = 5;

    private final ClientCore core;
    private final ConditionalApply.Memory applied;
    private final ServerReader live;
    private final @Nullable Reader cache;
    private final WriteSender sender;
    private final ConditionalApply apply;
    private final CreateOrUpdate createOrUpdate;
    private final SubresourceClient status;

    private DefaultClient(ClientCore core, ConditionalApply.Memory applied, @Nullable Reader cache) {
        this(new WriteSender(core), applied, cache);
    }

    private DefaultClient(WriteSender sender, ConditionalApply.Memory applied, @Nullable Reader cache) {
        super(sender);
        this.core = sender.core();
        this.sender = sender;
        this.applied = applied;
        this.live = new ServerReader(core);
        this.cache = cache;
        this.apply = new ConditionalApply(sender, applied, cache, live);
        this.createOrUpdate = new CreateOrUpdate(sender, this);
        this.status = new ServerSubresource(sender, "status");
    }

    static Client create(ClientWiring wiring, ClientOptions options) {
        ClientCore.Shared shared = new ClientCore.Shared(
                new CallSender(wiring.connection, wiring.gate, options),
                wiring.scheme,
                Discovery.of(wiring.connection),
                new ClientCore.WriteContext(
                        wiring.listener,
                        wiring.defaultFieldManager,
                        new KnownObjects(wiring.cache instanceof ReadYourWritesReader own ? own : null)));
        return new DefaultClient(ClientCore.create(shared, options), new ConditionalApply.Memory(), wiring.cache);
    }

    private Reader reader(KindInfo kind) {
        return cache == null || core.options().uncached().contains(kind.kind()) ? live : cache;
    }

    @Override
    public <T> Optional<T> get(Kind<T> kind, ObjectKey key) {
        KindInfo info = core.kindOf(kind);
        return reader(info).get(kind, core.key(info, key));
    }

    @Override
    public <T> List<T> list(Kind<T> kind, Selection options) {
        KindInfo info = core.kindOf(kind);
        return reader(info).list(kind, core.scoped(info, options));
    }

    @Override
    public <T> List<T> listOwned(HasMetadata owner, Kind<T> kind) {
        KindInfo info = core.kindOf(kind);
        List<T> all = reader(info).listOwned(owner, kind);
        String namespace = core.namespace();
        String ownerNamespace = Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
        if (namespace.isEmpty() || !info.namespaced() || namespace.equals(ownerNamespace)) {
            return all;
        }
        return all.stream()
                .filter(object -> namespace.equals(namespaceOf(object)))
                .toList();
    }

    private static @Nullable String namespaceOf(Object object) {
        return object instanceof ObjectHeader header
                ? header.key().namespace()
                : ((HasMetadata) object).getMetadata().getNamespace();
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> applyWithOutcome(T object, ApplyOptions options) {
        return apply.run(object, options);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> createOrUpdate(
            T object, Consumer<T> mutate, WriteOptions options) {
        return createOrUpdate.createOrUpdate(object, mutate, options);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> createOrPatch(
            T object, Consumer<T> mutate, WriteOptions options) {
        return createOrUpdate.createOrPatch(object, mutate, options);
    }

    @Override
    public <T extends HasMetadata> T edit(T object, Consumer<T> change, WriteOptions options) {
        return createOrUpdate.edit(object, change, options);
    }

    @Override
    public <T extends HasMetadata> T editWithStatus(T object, Consumer<T> change, WriteOptions options) {
        return createOrUpdate.editWithStatus(object, change, options);
    }

    @Override
    public boolean serves(Kind<?> kind) {
        Optional<Boolean> watched =
                cache instanceof ReadYourWritesReader own ? own.serves(kind.name()) : Optional.empty();
        return watched.orElseGet(() -> discovery().serves(kind.name()));
    }

    @Override
    public LiveReader live() {
        return live;
    }

    @Override
    public Reader withoutPendingWrites() {
        return cache instanceof ReadYourWritesReader own ? new DefaultClient(core, applied, own.watched()) : this;
    }

    @Override
    public SubresourceClient status() {
        return status;
    }

    @Override
    public ScaleClient scale() {
        return ServerSubresource.scale(sender);
    }

    @Override
    public SubresourceClient subresource(String name) {
        return new ServerSubresource(sender, name);
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
    public boolean isDryRun() {
        return core.isDryRun(false);
    }

    @Override
    public Client inNamespace(String namespace) {
        return new DefaultClient(core.withNamespace(namespace), applied, cache);
    }

    @Override
    public Client intercepted(ClientInterceptor interceptor) {
        List<ClientInterceptor> all = new ArrayList<>(core.options().interceptors());
        all.add(interceptor);
        return with(core.options().withInterceptors(all));
    }

    Client paced(RetryPace pace) {
        return new DefaultClient(core.paced(pace), applied, cache);
    }

    private Client with(ClientOptions options) {
        return new DefaultClient(core.withOptions(options), applied, cache);
    }

    @Override
    public <T extends HasMetadata, R> R retryOnConflict(Class<T> type, ObjectKey key, Function<T, R> attempt) {
        KindInfo kind = core.kindOf(type);
        String object = kind.resource() + " " + core.key(kind, key);
        for (int attempts = 1; ; attempts++) {
            T read = live.get(type, key)
                    .orElseThrow(() -> new NotFoundException("get " + object + ": the object does not exist"));
            try {
                return attempt.apply(read);
            } catch (ConflictException e) {
                if (attempts >= MAX_ATTEMPTS) {
                    throw e;
                }
                ConflictBackoff.await(object, attempts);
            }
        }
    }
}
