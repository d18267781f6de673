package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.writes.WritesFixture;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers see of this program's own writes when parts come and go, and the API server selects. */
class GainedWritesTests extends GainedWritesFixture {

    @Test
    void addWhenTheObjectWasLookedUpInAPartNotHeldShowsIt() {
        hold(0);
        listed(10);
        responses.refused(X);
        answer(NOTHING, list(20, "", x(MOVED, 15)));
        assertThat(seen()).isEqualTo("nothing");

        hold(0, 1);
        listed(30, x(MOVED, 15));

        assertThat(seen()).isEqualTo("15");
    }

    @Test
    void addWhenAnObjectWrittenInAFormerTermIsNotListedHidesIt() {
        hold(0, 1);
        listed(10);
        written(MOVED, 12);
        assertThat(seen()).isEqualTo("12");
        hold(0);
        assertThat(seen()).isEqualTo("nothing");

        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenTheLossWasNotNoticedAndAWrittenObjectIsNotListedHidesIt() {
        hold(0, 1);
        listed(10);
        written(MOVED, 12);

        change(0);
        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenAWrittenObjectIsNotListedKeepsAnOlderOneOfItsNameHidden() throws IOException {
        hold(0, 1);
        listed(10, x(KEPT, 5));
        written(MOVED, 12);

        change(0);
        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");

        event("DELETED", KEPT, 11);
        event("ADDED", KEPT, 28);
        assertThat(seen()).isEqualTo("28");
    }

    @Test
    void addWhenAnObjectOfAKeptPartIsHiddenKeepsItHidden() {
        hold(0);
        listed(10, x(KEPT, 5));
        written(MOVED, 12);
        assertThat(seen()).isEqualTo("nothing");

        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenAnObjectWasWrittenAfterTheListShowsTheWrite() {
        hold(0);
        listed(10);
        hold(0, 1);
        written(MOVED, 40);

        listed(30, x(MOVED, 15));

        assertThat(seen()).isEqualTo("40");
        assertThat(writes.size()).isEqualTo(1);
    }

    @Test
    void writtenWhenALaterListOfItsPartDoesNotContainTheObjectHidesIt() {
        hold(0);
        listed(10);
        hold(0, 1);
        listed(30);

        written(MOVED, 12);
        assertThat(seen()).isEqualTo("nothing");

        written(MOVED, 31);
        assertThat(seen()).isEqualTo("31");
    }

    @Test
    void writtenWhenThePartIsLostMeanwhileAsksTheServer() {
        hold(0, 1);
        listed(10);
        duringDecoding = () -> hold(0);
        answer(NOTHING, list(20, "", x(MOVED, 12)));

        written(MOVED, 12);

        assertThat(seen()).isEqualTo("nothing");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void getWhenThePartIsGainedDuringALookupAsksAgain(boolean answered) {
        hold(0);
        listed(10);
        Consumer<ObjectKey> response = answered ? responses::refused : responses::unanswered;
        response.accept(X);
        answer(
                () -> {
                    hold(0, 1);
                    listed(18, x(MOVED, 15));
                },
                list(20, "", x(MOVED, 15)));
        view.get(X);
        assertThat(seen()).isEqualTo("15");
    }

    @Test
    void getWhenAGainedPartIsListedDuringALookupAsksAgain() {
        hold(0);
        listed(10);
        responses.refused(X);
        hold(0, 1);
        answer(
                () -> {
                    listed(30);
                    answer(NOTHING, list(31, ""));
                },
                list(20, "", x(MOVED, 15)));
        view.get(X);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void selectWhenAnObjectIsLostKeepsAWriteOfAnotherOneOfItsName() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        written(KEPT, 12); // it was deleted, and created again in another part

        hold(0);

        assertThat(seen()).isEqualTo("12");
    }

    @Test
    void selectWhenAnObjectIsLostKeepsThatAWriteOfItsNameGotNoAnswer() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        responses.unanswered(X);
        answer(NOTHING, list(20, "", x(KEPT, 12)));

        hold(0);

        assertThat(seen()).isEqualTo("12");
    }

    @Test
    void writtenWhenAnOlderAnswerComesAfterThePartWasLostAndGainedDoesNotShowIt() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        written(MOVED, 14);
        hold(0);
        hold(0, 1);

        written(MOVED, 12);

        assertThat(seen()).isNotEqualTo("12");
        listed(30, x(MOVED, 14));
        assertThat(seen()).isEqualTo("14");
    }

    @Test
    void selectedNothingForgetsAllWritesAndTakesNoMore() {
        hold(0, 1);
        listed(10);
        written(MOVED, 12);
        responses.unanswered(ObjectKey.of("a", "y"));

        hold();
        scoped.selectedNothing();
        assertThat(WritesFixture.isEmpty(writes)).isTrue();

        written(MOVED, 14);
        responses.refused(X);
        responses.unanswered(X);
        assertThat(WritesFixture.isEmpty(writes)).isTrue();
    }

    @Test
    void unansweredWhenAllPartsAreLostAndStillStoredAsksTheServer() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        answer(NOTHING, list(20, ""));
        duringChange = () -> {
            responses.unanswered(X);
            assertThat(seen()).isEqualTo("nothing");
        };

        hold();

        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenAnotherPartWasGainedBeforeKeepsWhatWasLookedUpThere() {
        hold(0);
        listed(10);
        hold(0, 1);
        listed(20, x(MOVED, 15));
        responses.refused(X);
        answer(NOTHING, list(20, "", x(MOVED, 15)));
        assertThat(seen()).isEqualTo("15");

        hold(1);
        hold(0, 1);
        listed(21);

        assertThat(seen()).isEqualTo("15");
    }
}
