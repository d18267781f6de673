package io.github.reconciler4j.client.internal.apply;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.write.WriteSender;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An apply on a server that the test answers for. */
abstract class ConditionalApplyFixture {

    static final ObjectKey KEY = ObjectKey.of("shop", "foo");
    static final KindName CONFIG_MAP = KindName.of("v1", "ConfigMap");
    static final String GET = "GET /api/v1/namespaces/shop/configmaps/foo";
    static final String PATCH = "PATCH /api/v1/namespaces/shop/configmaps/foo";
    static final ApplyOptions OPTIONS = ApplyOptions.defaults();

    final AnsweringConnection server = new AnsweringConnection(this::answer);
    final Reader live = mock(Reader.class);
    final ReadYourWritesReader cache = mock(ReadYourWritesReader.class);
    ConditionalApply apply = apply(null);

    @Nullable
    String previous;

    ConditionalApply apply(@Nullable Reader reader) {
        return new ConditionalApply(new WriteSender(server.core()), new ConditionalApply.Memory(), reader, live);
    }

    ApiResponse answer(ApiRequest request) {
        if (request.method().equals("PATCH")) {
            return json(
                    201,
                    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'foo','namespace':'shop',"
                            + "'uid':'u1','resourceVersion':'7'},'data':{'a':'1','other':'x'}}");
        }
        if (previous == null) {
            throw new NotFoundException("no such object");
        }
        return json(200, previous);
    }

    static ConfigMap wanted() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace("shop")
                .endMetadata()
                .addToData("a", "1")
                .build();
    }

    static ConfigMap stored(Consumer<ConfigMap> change) {
        ConfigMap stored = wanted();
        stored.getMetadata().setUid("u1");
        stored.getMetadata().setResourceVersion("7");
        change.accept(stored);
        return stored;
    }

    static String applied(String metadata) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'foo','namespace':'shop','uid':'u1'"
                + ",'resourceVersion':'7'," + metadata + "'managedFields':[{'manager':'operator','operation':'Apply',"
                + "'apiVersion':'v1','fieldsV1':{'f:data':{'f:a':{}}}}]},'data':{'a':'1'}}";
    }

    <T extends HasMetadata> Outcome run(T object) {
        return apply.run(object, OPTIONS).outcome();
    }

    /** Apply once, and forget the requests. */
    void applied() {
        assertThat(run(wanted())).isEqualTo(Outcome.CREATED);
        server.takeRequests();
        clearInvocations(live, cache);
    }

    final ConditionalApply.Memory remembered = new ConditionalApply.Memory();

    /** Return an apply that remembers one of the wanted object. */
    ConditionalApply applyAgain(ClientCore core, @Nullable Reader reader) {
        new ConditionalApply(new WriteSender(core), remembered, null, live).run(wanted(), OPTIONS);
        server.takeRequests();
        return new ConditionalApply(new WriteSender(core), remembered, reader, live);
    }
}
