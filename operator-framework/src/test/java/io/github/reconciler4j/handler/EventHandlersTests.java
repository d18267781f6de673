package io.github.reconciler4j.handler;

import static io.github.reconciler4j.fixtures.TestSnapshot.created;
import static io.github.reconciler4j.fixtures.TestSnapshot.deleted;
import static io.github.reconciler4j.fixtures.TestSnapshot.generic;
import static io.github.reconciler4j.fixtures.TestSnapshot.updated;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.OwnerRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventHandlersTests {

    private static final TestHeader POD = TestHeader.of("default", "pod");
    private static final KindInfo REPLICA_SET = new KindInfo(KindName.of("apps/v1", "ReplicaSet"), "replicasets", true);
    private static final KindInfo NODE = new KindInfo(KindName.of("v1", "Node"), "nodes", false);

    private final List<Request> added = new ArrayList<>();

    private final RequestSink<Request> sink = new RequestSink<>() {
        @Override
        public int priority() {
            return 7;
        }

        @Override
        public void add(Request request, Duration delay, int priority, Trigger trigger) {
            assertThat(priority).isEqualTo(7);
            added.add(request);
        }
    };

    private static OwnerRef owner(String apiVersion, String kind, String name, boolean controller) {
        return new OwnerRef(apiVersion, kind, name, "uid", controller);
    }

    @Test
    void forObjectEnqueuesTheObjectOfEveryEvent() {
        EventHandler<Object, Request> handler = EventHandlers.forObject();
        handler.onEvent(created(POD), sink);
        handler.onEvent(updated(TestHeader.of("default", "old"), POD), sink);
        handler.onEvent(deleted(POD), sink);
        handler.onEvent(generic(POD), sink);
        assertThat(added).hasSize(4).containsOnly(new Request("default", "pod"));
    }

    @Test
    void forOwnerEnqueuesOwnersBeforeAndAfterOnceEach() {
        TestHeader before = POD.withOwners(
                owner("apps/v1beta2", "ReplicaSet", "one", true), owner("apps/v1", "ReplicaSet", "two", false));
        TestHeader after = POD.withOwners(
                owner("apps/v1", "ReplicaSet", "two", false), owner("apps/v1", "ReplicaSet", "three", false));
        EventHandlers.forOwner(REPLICA_SET, OwnerMatch.ANY).onEvent(updated(before, after), sink);
        assertThat(added)
                .containsExactly(
                        new Request("default", "one"), new Request("default", "two"), new Request("default", "three"));
    }

    @Test
    void forOwnerWhenControllerOnlyLeavesOutTheOthers() {
        TestHeader owned = POD.withOwners(
                owner("apps/v1", "ReplicaSet", "one", false), owner("apps/v1", "ReplicaSet", "two", true));
        EventHandlers.forOwner(REPLICA_SET, OwnerMatch.CONTROLLER).onEvent(created(owned), sink);
        assertThat(added).containsExactly(new Request("default", "two"));
    }

    @Test
    void forOwnerIgnoresOtherGroupsKindsAndMalformedVersions() {
        TestHeader owned = POD.withOwners(
                owner("apps/v1", "Deployment", "a", true),
                owner("other/v1", "ReplicaSet", "b", true),
                owner("v1", "ReplicaSet", "c", true),
                owner("apps/v1/v2", "ReplicaSet", "d", true),
                owner("", "ReplicaSet", "e", true),
                owner("/v1", "Node", "f", true));
        EventHandlers.forOwner(REPLICA_SET, OwnerMatch.ANY).onEvent(created(owned), sink);
        EventHandlers.forOwner(NODE, OwnerMatch.ANY).onEvent(created(owned), sink);
        assertThat(added).isEmpty();
    }

    /** The API server checks only that such a name is not empty, and any user who can create an object chooses it. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", ".", "..", "a/b", "../../v1/secrets", "%2e", "a\nERROR forged", "a\u0000", "\u0085"})
    void forOwnerIgnoresNamesThatNoObjectCanHave(String name) {
        TestHeader owned = POD.withOwners(
                owner("apps/v1", "ReplicaSet", name, true), owner("apps/v1", "ReplicaSet", "\ud83d\ude00", true));
        EventHandlers.forOwner(REPLICA_SET, OwnerMatch.ANY).onEvent(created(owned), sink);
        assertThat(added).containsExactly(new Request("default", "\ud83d\ude00"));
    }

    @Test
    void forOwnerWhenOwnerIsClusterScopedEnqueuesNoNamespace() {
        EventHandlers.forOwner(NODE, OwnerMatch.ANY)
                .onEvent(deleted(POD.withOwners(owner("v1", "Node", "node-1", false))), sink);
        assertThat(added).containsExactly(new Request("", "node-1"));
    }

    @Test
    void mappingMapsBothSidesOfAnUpdateAndEnqueuesEachOnce() {
        EventHandler<String, Request> handler =
                EventHandlers.mapping(name -> List.of(new Request("", name), new Request("", "both")));
        handler.onEvent(updated(TestHeader.of("default", "old"), POD), sink);
        assertThat(added).containsExactly(new Request("", "old"), new Request("", "both"), new Request("", "pod"));
    }

    @Test
    void mappingWhenNullEnqueuesNothing() {
        EventHandlers.<String, Request>mapping(name -> null).onEvent(created(POD), sink);
        assertThat(added).isEmpty();
    }

    @Test
    void headerHandlersDecodeNothing() {
        TestSnapshot<String> snapshot = TestSnapshot.of(POD.withOwners(owner("apps/v1", "ReplicaSet", "one", true)));
        ObjectEvent<String> event = new ObjectEvent.Updated<>(snapshot, snapshot, false);
        EventHandlers.forObject().onEvent(event, sink);
        EventHandlers.forOwner(REPLICA_SET, OwnerMatch.ANY).onEvent(event, sink);
        EventHandlers.mappingHeader(header -> List.of(new Request("", header.uid())))
                .onEvent(event, sink);
        assertThat(added).hasSize(3);
        assertThat(snapshot.decodes()).isZero();
    }
}
