package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExpectedKindTests {

    private static final String VERSION = "example.io/v1";

    private final Discovery discovery = mock(Discovery.class);
    private final ExpectedKind sheep = expect(VERSION, "Sheep", "sheep");

    private ExpectedKind expect(String apiVersion, String kind, String plural) {
        return new ExpectedKind(new KindInfo(KindName.of(apiVersion, kind), plural, true), discovery);
    }

    @BeforeEach
    void serve() {
        when(discovery.find(any())).thenAnswer(call -> {
            KindName asked = call.getArgument(0);
            boolean served = Set.of("Sheep", "Goat", "GoatFarm").contains(asked.kind());
            return served
                    ? Optional.of(new Discovery.ServedKind(new KindInfo(asked, "any", true), Set.of(), Set.of("list")))
                    : Optional.empty();
        });
    }

    @Test
    void checkServedAsksOnceAndAgainAfterTheKindWasMissing() {
        sheep.missing();
        verify(discovery, never()).forget();
        sheep.checkServed(() -> {});
        sheep.checkServed(() -> {});
        verify(discovery, times(1)).check(any());
        sheep.missing();
        verify(discovery, times(1)).forget();
        sheep.checkServed(() -> {});
        verify(discovery, times(2)).check(any());
    }

    @Test
    void checkServedWhenTheServerCannotBeAskedAsksTheNextTime() {
        doThrow(new ApiException("away", ErrorDetails.of(503, "")))
                .when(discovery)
                .check(any());
        assertThatCode(() -> sheep.checkServed(() -> {})).doesNotThrowAnyException();
        sheep.checkServed(() -> {});
        verify(discovery, times(2)).check(any());
        doThrow(new KindMismatchException("sheep are not namespaced"))
                .when(discovery)
                .check(any());
        assertThatThrownBy(() -> sheep.checkServed(() -> {})).isInstanceOf(KindMismatchException.class);
    }

    @Test
    void checkListWhenNameIsTheUsualOnePasses() {
        assertThatCode(() -> sheep.checkList(VERSION, "SheepList")).doesNotThrowAnyException();
        assertThatCode(() -> sheep.checkList("meta.k8s.io/v1", "PartialObjectMetadataList"))
                .doesNotThrowAnyException();
    }

    @Test
    void checkListWhenDefinitionNamesTheListOtherwisePasses() {
        assertThatCode(() -> sheep.checkList(VERSION, "FlockOfSheep")).doesNotThrowAnyException();
        assertThatCode(() -> sheep.checkList(VERSION, "FlockList")).doesNotThrowAnyException();
    }

    @Test
    void checkListWhenNameBelongsToAnotherKindOfTheGroupFails() {
        assertThatThrownBy(() -> sheep.checkList(VERSION, "GoatList"))
                .hasMessage("the response is not a list of Sheep: its kind is 'GoatList' in 'example.io/v1'");
        assertThatThrownBy(() -> sheep.checkList(VERSION, "GoatFarm")).hasMessageContaining("'GoatFarm'");
        assertThatThrownBy(() -> sheep.checkList("other.io/v1", "SheepList")).hasMessageContaining("'other.io/v1'");
        assertThatThrownBy(() -> sheep.checkList(VERSION, "")).hasMessageContaining("its kind is ''");
    }

    @Test
    void checkListWhenKindIsBuiltInAcceptsNoOtherName() {
        assertThatThrownBy(() -> expect("v1", "Pod", "pods").checkList("v1", "Pods"))
                .hasMessageContaining("'Pods'");
        assertThatThrownBy(() -> expect("apps/v1", "Deployment", "deployments").checkList("apps/v1", "Deployments"))
                .hasMessageContaining("'Deployments'");
    }

    @Test
    void checkListWhenKindHoldsOtherTextDoesNotShowIt() {
        assertThatThrownBy(() -> sheep.checkList(VERSION, "pass word <secret>"))
                .hasMessageContaining("'?'")
                .hasMessageNotContaining("secret");
    }
}
