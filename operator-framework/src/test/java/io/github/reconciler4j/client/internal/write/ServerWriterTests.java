package io.github.reconciler4j.client.internal.write;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What responses to writes mean to the listener, and what the caller gets. */
class ServerWriterTests {

    private static final String HEAD =
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'foo','namespace':'shop'";
    private static final String STORED = HEAD + ",'uid':'u'}}";
    private static final String ENDING = HEAD + ",'uid':'u','deletionTimestamp':'2026-01-01T00:00:00Z'";

    private final AnsweringConnection server = new AnsweringConnection(request -> json(200, STORED));
    private final List<String> notified = new ArrayList<>();
    private final Client client = ClientWiring.of(server, Scheme.create())
            .withWriteListener(new WriteListener() {
                @Override
                public void written(KindInfo kind, byte[] json) {
                    notified.add("written " + kind.plural() + " " + text(json));
                }

                @Override
                public void deleted(KindInfo kind, ObjectKey key, String uid, byte[] json) {
                    notified.add("deleted " + kind.plural() + " " + key + " " + uid + " "
                            + Optional.ofNullable(json)
                                    .map(ServerWriterTests::text)
                                    .orElse("-"));
                }

                @Override
                public void refused(KindInfo kind, ObjectKey key) {
                    notified.add("refused " + kind.plural() + " " + key);
                }
            })
            .create(ClientOptions.defaults());

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8).replace('"', '\'');
    }

    private void answer(String text) {
        server.answer(request -> json(200, text));
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("foo")
                .endMetadata()
                .build();
    }

    private void checkNotified(String... lines) {
        assertThat(notified).containsExactly(lines);
        notified.clear();
    }

    @Test
    void writesNotifyOfTheirResultUnlessTheyAreTried() {
        ObjectPatch patch = ObjectPatch.merge(Map.of("a", "b"));
        for (Consumer<Client> write : List.<Consumer<Client>>of(
                c -> c.create(map()),
                c -> c.update(map()),
                c -> c.patch(map(), patch),
                c -> c.applyUnconditionally(map(), ApplyOptions.defaults()),
                c -> c.status().update(map()),
                c -> c.status().patch(map(), patch),
                c -> c.status().apply(map()))) {
            write.accept(client.dryRun());
            checkNotified();
            write.accept(client);
            checkNotified("written configmaps " + STORED);
        }
    }

    @ParameterizedTest
    @CsvSource({"201, CREATED", "200, UPDATED"})
    void applyReportsWhetherTheObjectIsNew(int code, Outcome outcome) {
        server.answer(request -> json(request.method().equals("GET") ? 200 : code, STORED));
        assertThat(client.applyWithOutcome(map(), ApplyOptions.defaults()).outcome())
                .isEqualTo(outcome);
        assertThat(client.dryRun()
                        .applyWithOutcome(map(), ApplyOptions.defaults())
                        .object()
                        .getMetadata()
                        .getUid())
                .isEqualTo("u");
    }

    @Test
    void patchWhenEmptySendsNothingAndReturnsACopy() {
        ConfigMap given = map();
        ObjectPatch empty = ObjectPatch.between(given, map());
        assertThat(client.patch(given, empty)).isEqualTo(given).isNotSameAs(given);
        assertThat(client.status().patch(given, empty)).isEqualTo(given).isNotSameAs(given);
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"'finalizers':['f']", "'deletionGracePeriodSeconds':1"})
    void writeWhenTheTerminatingObjectRemainsIsAWrite(String reason) {
        String held = ENDING + "," + reason + "}}";
        answer(held);
        client.update(map());
        checkNotified("written configmaps " + held);
        client.delete(map());
        checkNotified("written configmaps " + held);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",'finalizers':[]", ",'deletionGracePeriodSeconds':0"})
    void writeWhenNothingHoldsTheTerminatingObjectIsItsEnd(String rest) {
        String gone = ENDING + rest + "}}";
        answer(gone);
        client.update(map());
        checkNotified("deleted configmaps shop/foo u " + gone);
        client.delete(map());
        checkNotified("deleted configmaps shop/foo u " + gone);
    }

    /** It has been deleted before it could become terminating. */
    @Test
    void deletionWhenTheObjectWasNotTerminatingIsItsEnd() {
        answer(HEAD + ",'uid':'u','finalizers':['f']}}");
        assertThat(client.delete(map())).isTrue();
        checkNotified("deleted configmaps shop/foo u " + HEAD + ",'uid':'u','finalizers':['f']}}");
    }

    @Test
    void namespaceWhenItsSpecHasFinalizersRemains() {
        String held = "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop','deletionTimestamp':"
                + "'2026-01-01T00:00:00Z'},'spec':{'finalizers':['kubernetes']}}";
        answer(held);
        Namespace shop = new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .endMetadata()
                .build();
        client.delete(shop);
        client.update(shop);
        checkNotified("written namespaces " + held, "written namespaces " + held);
    }

    @Test
    void deletionWhenAnsweredWithAStatusIsTheEndOfTheObject() {
        answer("{'kind':'Status','status':'Success','details':{'uid':'u1'}}");
        client.dryRun().delete(map());
        checkNotified();
        assertThat(client.delete(map())).isTrue();
        checkNotified("deleted configmaps shop/foo u1 -");
        answer("{'kind':'Status','status':'Success'}");
        client.delete(map());
        checkNotified("deleted configmaps shop/foo  -");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'kind':'Status','status':'Failure'}",
                "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'foo'}}",
                "{}"
            })
    void deletionWhenAnsweredWithSomethingElseThrows(String answer) {
        answer(answer);
        assertThatThrownBy(() -> client.delete(map())).isInstanceOf(UnexpectedResponseException.class);
        assertThatThrownBy(() -> deleteAll(client)).isInstanceOf(UnexpectedResponseException.class);
        checkNotified();
    }

    @Test
    void deletionWhenTheObjectDoesNotExistIsFalseAndWhenTheKindIsNotServedThrows() {
        server.answer(request -> {
            throw new NotFoundException("no such object");
        });
        assertThat(client.delete(map())).isFalse();
        server.answer(request -> {
            throw new KindNotServedException("not served");
        });
        assertThatThrownBy(() -> client.delete(map())).isInstanceOf(KindNotServedException.class);
    }

    private static void deleteAll(Client client) {
        client.deleteAll(Kind.of(ConfigMap.class), Selection.inNamespace("shop"), DeletionOptions.defaults());
    }

    @Test
    void deletionOfManyNotifiesOfEach() {
        String head = "{'metadata':{'name':'";
        answer("{'apiVersion':'v1','kind':'ConfigMapList','metadata':{'resourceVersion':'9'},'items':["
                + head + "gone','namespace':'shop','uid':'u1'}}," + head + "held','namespace':'shop','uid':'u2',"
                + "'deletionTimestamp':'2026-01-01T00:00:00Z','finalizers':['f']}}]}");
        deleteAll(client.dryRun());
        checkNotified();
        deleteAll(client);
        assertThat(notified).hasSize(2);
        assertThat(notified.get(0))
                .startsWith("deleted configmaps shop/gone u1 {")
                .contains("'apiVersion':'v1'", "'kind':'ConfigMap'");
        assertThat(notified.get(1)).startsWith("written configmaps ").contains("held", "'kind':'ConfigMap'");
        notified.clear();
        answer("{'kind':'Status','status':'Success'}");
        deleteAll(client);
        checkNotified();
    }

    /** The response shows the objects before their deletion, without the time of their deletion. */
    @Test
    void deletionOfManyWhenAnObjectMayRemainDoesNotSayThatItIsGone() {
        String list = "{'apiVersion':'v1','kind':'%sList','metadata':{'resourceVersion':'9'},'items':["
                + "{'metadata':{'name':'a','namespace':'shop','uid':'u1'%s}}]}";
        answer(list.formatted("ConfigMap", ",'finalizers':['f']"));
        deleteAll(client);
        checkNotified("refused configmaps shop/a");

        answer(list.formatted("ConfigMap", ""));
        Selection shop = Selection.inNamespace("shop");
        DeletionOptions foreground = DeletionOptions.defaults().withPropagation(Propagation.FOREGROUND);
        client.deleteAll(Kind.of(ConfigMap.class), shop, foreground);
        checkNotified("refused configmaps shop/a");

        answer(list.formatted("Pod", ""));
        client.deleteAll(Kind.of(Pod.class), shop, DeletionOptions.defaults());
        checkNotified("refused pods shop/a");
        client.deleteAll(Kind.of(Pod.class), shop, DeletionOptions.defaults().withGracePeriod(Duration.ZERO));
        assertThat(notified).singleElement().asString().startsWith("deleted pods shop/a u1 {");
    }

    /** The API server orphans what belongs to these kinds by default, and waits for the garbage collector. */
    @ParameterizedTest
    @ValueSource(classes = {Job.class, ReplicationController.class})
    void deletionOfManyWhenItsKindOrphansByDefaultDoesNotSayThatTheyAreGone(Class<? extends HasMetadata> type) {
        Selection shop = Selection.inNamespace("shop");
        boolean isJob = type == Job.class;
        String plural = isJob ? "jobs" : "replicationcontrollers";
        answer(("{'apiVersion':'%s','kind':'%sList','metadata':{'resourceVersion':'9'},'items':["
                        + "{'metadata':{'name':'a','namespace':'shop','uid':'u1'}}]}")
                .formatted(isJob ? "batch/v1" : "v1", type.getSimpleName()));
        client.deleteAll(Kind.of(type), shop, DeletionOptions.defaults());
        checkNotified("refused " + plural + " shop/a");

        client.deleteAll(Kind.of(type), shop, DeletionOptions.defaults().withPropagation(Propagation.BACKGROUND));
        assertThat(notified).singleElement().asString().startsWith("deleted " + plural + " shop/a u1 {");
    }

    /** The write has been carried out. */
    @Test
    void writeWhenTheResponseDoesNotFitTheClassNotifiesAndThrows() {
        String odd = HEAD + "},'data':[1]}";
        List<String> warnings = new ArrayList<>();
        server.answer(request -> new ApiResponse(200, json(200, odd).body(), List.of("careful")));
        WriteOptions options = WriteOptions.defaults().withOnWarning(warnings::add);
        assertThatThrownBy(() -> client.update(map(), options)).isInstanceOf(UndecodableObjectException.class);
        checkNotified("written configmaps " + odd);
        assertThat(warnings).containsExactly("careful");

        String gone = ENDING + "},'data':[1]}";
        answer(gone);
        assertThatThrownBy(() -> client.update(map())).isInstanceOf(UndecodableObjectException.class);
        checkNotified("deleted configmaps shop/foo u " + gone);
    }

    @Test
    void warningsReachTheConsumerAndItsFailuresDoNotFailTheWrite() {
        server.answer(request -> new ApiResponse(200, json(200, STORED).body(), List.of("careful", "old")));
        List<String> warnings = new ArrayList<>();
        WriteOptions options = WriteOptions.defaults().withOnWarning(warning -> {
            warnings.add(warning);
            throw new AssertionError("broken consumer of " + getClass());
        });
        try (CapturedLog log = CapturedLog.of(WriteSender.class.getName())) {
            assertThat(client.update(map(), options)).isNotNull();
            client.applyUnconditionally(map(), ApplyOptions.defaults().withWrite(options));
            client.subresource("x").post(map(), map(), ConfigMap.class, options);
            assertThat(log.lines(Level.WARN))
                    .first()
                    .asString()
                    .contains("The consumer of warnings failed on update configmaps shop/foo");
        }
        assertThat(warnings).containsExactly("careful", "old", "careful", "old", "careful", "old");
    }

    @Test
    void applyWhenTheObjectWasReadWarnsOncePerKind() {
        ConfigMap read = map();
        read.getMetadata().setCreationTimestamp("2026-01-01T00:00:00Z");
        ConfigMap built = map();
        built.getMetadata().setUid("u");
        try (CapturedLog log = CapturedLog.of(ApplyTrees.class.getName())) {
            client.apply(built);
            client.applyUnconditionally(built, ApplyOptions.defaults());
            client.status().apply(read);
            assertThat(log.lines(Level.WARN)).isEmpty();
            client.apply(read);
            client.applyUnconditionally(read, ApplyOptions.defaults());
            client.withFieldManager("other").apply(read);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("An applied ConfigMap was read from the server")
                    .contains("use edit or update");
        }
    }

    @Test
    void editSendsTheDifferenceToTheSubresource() {
        ConfigMap before = map();
        assertThat(client.subresource("x").edit(before, same -> {})).isEqualTo(before);
        assertThat(server.requests()).isEmpty();
        assertThat(client.subresource("x")
                        .edit(before, map -> map.setData(Map.of("a", "b")))
                        .getMetadata()
                        .getUid())
                .isEqualTo("u");
        assertThat(before.getData()).isEmpty();
        assertThat(text(server.requests().get(0).body())).isEqualTo("{'data':{'a':'b'}}");
        assertThatThrownBy(() -> client.status().edit(before, map -> map.setData(Map.of("a", "b"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[data]");
    }
}
