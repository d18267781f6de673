package io.github.reconciler4j.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.recorder.EventWriter.EventAggregator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventAggregatorTests {

    private final EventAggregator aggregator =
            new EventAggregator(EventOptions.defaults().withRate(3, Duration.ofMinutes(5)));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private static ConfigMap object(String name, String version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid("uid-" + name)
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }

    private PendingEvent event(String name, String version, String note) {
        EventEntry entry = EventEntry.of(EventEntry.NORMAL, object(name, version), "Reason", "Action", note);
        return PendingEvent.of("controller", entry, now);
    }

    @Test
    void addWhenEventsAreEqualCountsOneSeriesWhateverTheVersion() {
        EventSeries first = aggregator.add(event("a", "1", "note")).orElseThrow();
        now = now.plusSeconds(60);
        EventSeries second = aggregator.add(event("a", "2", "note")).orElseThrow();
        assertThat(second).isSameAs(first);
        assertThat(second.count()).isEqualTo(2);
        assertThat(second.lastSeen()).isEqualTo(now);
        assertThat(second.first().regarding().resourceVersion()).isEqualTo("1");
    }

    @Test
    void addWhenNoteDiffersStartsAnotherSeries() {
        EventSeries first = aggregator.add(event("a", "1", "note")).orElseThrow();
        assertThat(aggregator.add(event("a", "1", "other")).orElseThrow()).isNotSameAs(first);
    }

    @Test
    void addWhenTheAccountDiffersStartsAnotherSeries() {
        EventSeries first = aggregator.add(event("a", "1", "note")).orElseThrow();
        List<EventSeries> others = new ArrayList<>();

        WorkScope.withServiceAccount(
                        "ns/writer",
                        () -> others.add(aggregator.add(event("a", "1", "note")).orElseThrow()))
                .run();

        assertThat(others)
                .doesNotContain(first)
                .extracting(series -> series.first().account())
                .containsExactly("ns/writer");
    }

    @Test
    void addWhenSeriesHasEndedStartsANewOne() {
        EventSeries first = aggregator.add(event("a", "1", "note")).orElseThrow();
        now = now.plus(Duration.ofMinutes(6));
        EventSeries second = aggregator.add(event("a", "1", "note")).orElseThrow();
        assertThat(second).isNotSameAs(first);
        assertThat(second.count()).isEqualTo(1);
    }

    @Test
    void addWhenObjectHasTooManyDifferentEventsDropsThemUntilTheBucketRefills() {
        for (int i = 0; i < 3; i++) {
            assertThat(aggregator.add(event("a", "1", "note " + i))).isPresent();
        }
        assertThat(aggregator.add(event("a", "1", "note 3"))).isEmpty();
        assertThat(aggregator.add(event("a", "1", "note 1")))
                .as("an equal one costs nothing")
                .isPresent();
        assertThat(aggregator.add(event("b", "1", "note 3")))
                .as("another object")
                .isPresent();
        now = now.plus(Duration.ofMinutes(5));
        assertThat(aggregator.add(event("a", "1", "note 3"))).isPresent();
        assertThat(aggregator.add(event("a", "1", "note 4"))).isEmpty();
    }

    @Test
    void isDueWhenCountDoublesIsTrue() {
        EventSeries series = aggregator.add(event("a", "1", "note")).orElseThrow();
        StringBuilder due = new StringBuilder();
        for (int i = 1; i <= 9; i++) {
            if (series.isDue()) {
                due.append(series.count()).append(' ');
                series.written("event");
            }
            aggregator.add(event("a", "1", "note"));
        }
        assertThat(due).hasToString("1 2 4 8 ");
    }

    @Test
    void endedWhenLastCountIsUnwrittenReturnsTheSeriesOnce() {
        EventSeries series = aggregator.add(event("a", "1", "note")).orElseThrow();
        series.written("event");
        aggregator.add(event("a", "1", "note"));
        assertThat(aggregator.unwritten()).containsExactly(series);
        assertThat(aggregator.ended(now.plus(Duration.ofMinutes(5)))).isEmpty();
        assertThat(aggregator.ended(now.plus(Duration.ofMinutes(6)))).containsExactly(series);
        assertThat(aggregator.ended(now.plus(Duration.ofMinutes(7)))).isEmpty();
    }

    @Test
    void endedWhenThereAreTooManySeriesForgetsTheOldest() {
        for (int i = 0; i < EventAggregator.MEMORY + 10; i++) {
            aggregator.add(event("object-" + i, "1", "note")).orElseThrow();
        }
        List<EventSeries> forgotten = aggregator.ended(now);
        assertThat(forgotten).hasSize(10);
        assertThat(forgotten.get(0).first().regarding().name()).isEqualTo("object-0");
    }

    @Test
    void noteWhenTooLongIsCutAtACharacter() {
        String note = "ä".repeat(600);
        String cut = event("a", "1", note).note();
        assertThat(cut).startsWith("ää").endsWith("ä...");
        assertThat(cut.getBytes(java.nio.charset.StandardCharsets.UTF_8)).hasSizeBetween(1000, 1024);
    }
}
