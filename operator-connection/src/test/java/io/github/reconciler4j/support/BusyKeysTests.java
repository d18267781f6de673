package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.support.BusyKeys.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BusyKeysTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final List<List<Rate<String>>> found = new ArrayList<>();
    private final BusyKeys<String> keys = new BusyKeys<>(time);

    private void record(String key) {
        List<Rate<String>> ended = keys.record(key);
        if (!ended.isEmpty()) {
            found.add(ended);
        }
    }

    /** Let a key occur evenly over so many seconds. */
    private void occur(String key, int perSecond, int seconds) {
        for (int i = 0; i < perSecond * seconds; i++) {
            record(key);
            time.advance(Duration.ofNanos(1_000_000_000L / perSecond));
        }
    }

    @Test
    void nowWhenAKeyOccursOftenHasItsRate() {
        occur("hot", 1000, 11);

        assertThat(keys.now()).singleElement().satisfies(rate -> {
            assertThat(rate.key()).isEqualTo("hot");
            assertThat(rate.perSecond()).isBetween(990L, 1000L);
        });
        assertThat(found).hasSize(1);
    }

    @Test
    void nowWhenKeysOccurSeldomIsEmpty() {
        occur("slow", BusyKeys.PER_SECOND - 1, 60);

        assertThat(keys.now()).isEmpty();
        assertThat(found).isEmpty();
    }

    @Test
    void nowWhenAllOfManyKeysOccurEquallyOftenIsEmpty() {
        for (int round = 0; round < 12; round++) {
            for (int i = 0; i < 100_000; i++) {
                record("object-" + i);
            }
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(found).isEmpty();
    }

    @Test
    void nowWhenOneKeyOccursAmongManyOthersHasItAlone() {
        Random random = new Random(1);
        for (int i = 0; i < 120_000; i++) {
            record(random.nextInt(10) < 3 ? "hot" : "object-" + random.nextInt(50_000));
            time.advance(Duration.ofNanos(100_000));
        }

        assertThat(keys.now()).singleElement().satisfies(rate -> {
            assertThat(rate.key()).isEqualTo("hot");
            assertThat(rate.perSecond()).as("3,000 per second").isBetween(2400L, 3100L);
        });
    }

    @Test
    void nowWhenTheKeyHasCalmedDownIsEmpty() {
        occur("hot", 100, 11);
        assertThat(keys.now()).isNotEmpty();
        time.advance(Duration.ofSeconds(21));

        assertThat(keys.now()).isEmpty();
    }

    @Test
    void rateHasText() {
        assertThat(new Rate<>("team/web", 250)).hasToString("team/web: 250/s");
    }
}
