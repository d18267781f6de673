package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyncFailureTests {

    private static final KindInfo INFO = new KindInfo(KindName.of("example.io/v1", "Sheep"), "sheep", true);

    private final Scope all = new Scope(INFO, "", ObjectSelector.everything(), List.of());
    private final Scope one = new Scope(INFO, "a", ObjectSelector.everything(), List.of());

    private static ApiException refused(int code) {
        return new ApiException("refused", ErrorDetails.of(code, "").withRetryAfter(Duration.ofSeconds(3)));
    }

    @Test
    void ofWhenAPermissionIsMissingNamesTheRoleAndTheRule() {
        String rule = " of this operator's ServiceAccount: apiGroups: [\"example.io\"], resources: [\"sheep\"],"
                + " verbs: [\"list\", \"watch\"] (R4J-001)";
        assertThat(SyncFailure.of(refused(403), all, "list").message())
                .isEqualTo("cannot list " + all + ": the permission to list is missing; add to a ClusterRole" + rule);
        assertThat(SyncFailure.of(refused(403), one, "watch").message())
                .isEqualTo("cannot watch " + one + ": the permission to watch is missing; add to a Role in namespace a"
                        + rule);
    }

    @Test
    void ofWhenTheKindIsMissingNamesResourceAndVersion() {
        SyncFailure failure = SyncFailure.of(refused(404), all, "list");
        assertThat(failure.message())
                .isEqualTo(
                        "cannot list " + all + ": the API server does not serve " + INFO.resource()
                                + " in version v1; install its CustomResourceDefinition, or use a version that is served (R4J-010)");
        assertThat(failure.type()).isEqualTo(SyncFailure.Type.MISSING);
        assertThat(failure.code()).isEqualTo(404);
        assertThat(failure.retryAfter()).contains(Duration.ofSeconds(3));
    }

    @Test
    void ofWhenTheKindIsServedOtherwiseSaysHow() {
        SyncFailure failure = SyncFailure.of(new KindMismatchException("sheep are not namespaced"), all, "list");
        assertThat(failure.type()).isEqualTo(SyncFailure.Type.MISSING);
        assertThat(failure.message()).isEqualTo("cannot list " + all + ": sheep are not namespaced");
    }

    @Test
    void ofWhenTheTextHasLinesIsOneLine() {
        for (Exception failure :
                List.of(new StreamCorruptedException("cut\nFORGED"), new IOException("cut\r\u2028FORGED"))) {
            assertThat(SyncFailure.of(failure, all, "list").message())
                    .contains("cut", "FORGED")
                    .doesNotContainPattern("\\R");
        }
    }

    @Test
    void ofWhenTheResponseIsBrokenSaysWhatIsWrongWithIt() {
        assertThat(SyncFailure.of(new StreamCorruptedException("it is empty"), all, "list")
                        .message())
                .isEqualTo("cannot list " + all + ": it is empty");
        assertThat(SyncFailure.of(new StreamCorruptedException(), all, "list").message())
                .isEqualTo("cannot list " + all + ": java.io.StreamCorruptedException");
        assertThat(SyncFailure.of(new IOException("broken pipe"), all, "list").message())
                .isEqualTo("cannot list " + all + ": java.io.IOException: broken pipe");
    }

    @Test
    void typeWhenOnlyAPersonCanHelpRequiresAction() {
        for (int code : new int[] {401, 403, 404}) {
            assertThat(SyncFailure.of(refused(code), all, "list").type().requiresAction())
                    .as("%d", code)
                    .isTrue();
        }
        for (int code : new int[] {0, 410, 429, 500}) {
            assertThat(SyncFailure.of(refused(code), all, "list").type().requiresAction())
                    .as("%d", code)
                    .isFalse();
        }
        assertThat(SyncFailure.of(refused(410), all, "list").type()).isEqualTo(SyncFailure.Type.GONE);
        assertThat(SyncFailure.of(refused(401), all, "list").message()).contains("renew the token");
    }
}
