package io.github.reconciler4j.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReconcileObservationContextTests {

    private static final int HISTORIES = 3000;
    private static final int STEPS = 8;
    private static final String KEYS = "abcd";

    /** Does the same to two contexts. */
    private record Step(int call, KeyValues several, KeyValue one, String key) {

        static final int CALLS = 12;

        static Step random(Random random) {
            List<KeyValue> several = new ArrayList<>();
            int size = random.nextInt(KEYS.length());
            for (int i = 0; i < size; i++) {
                several.add(keyValue(random));
            }
            return new Step(random.nextInt(CALLS), KeyValues.of(several), keyValue(random), key(random));
        }

        private static KeyValue keyValue(Random random) {
            return KeyValue.of(key(random), Integer.toString(random.nextInt(100)));
        }

        private static String key(Random random) {
            return KEYS.substring(random.nextInt(KEYS.length())).substring(0, 1);
        }

        /** Do it, and return what it returns unless that is the context. */
        Object applyTo(Observation.Context context) {
            return switch (call) {
                case 0 -> unless(context, context.addLowCardinalityKeyValues(several));
                case 1 -> unless(context, context.addHighCardinalityKeyValues(several));
                case 2 -> unless(context, context.addLowCardinalityKeyValue(one));
                case 3 -> unless(context, context.addHighCardinalityKeyValue(one));
                case 4 -> unless(context, context.removeLowCardinalityKeyValue(key));
                case 5 -> unless(context, context.removeHighCardinalityKeyValue(key));
                case 6 -> unless(context, context.removeLowCardinalityKeyValues(key, "a"));
                case 7 -> unless(context, context.removeHighCardinalityKeyValues(key, "a"));
                case 8 -> Optional.ofNullable(context.getLowCardinalityKeyValue(key));
                case 9 -> Optional.ofNullable(context.getHighCardinalityKeyValue(key));
                case 10 -> context.getLowCardinalityKeyValues();
                default -> context.getHighCardinalityKeyValues();
            };
        }

        private static String unless(Observation.Context context, Observation.Context returned) {
            return returned == context ? "itself" : "another";
        }
    }

    @Test
    void keyValuesAreThoseOfAnyContextAfterTheSameCalls() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            Observation.Context expected = new Observation.Context();
            Observation.Context actual = new ReconcileObservationContext(new TestRun("apps", ""));
            List<Step> steps = new ArrayList<>();
            for (int i = 0; i < STEPS; i++) {
                Step step = Step.random(random);
                steps.add(step);
                assertThat(step.applyTo(actual)).as(steps::toString).isEqualTo(step.applyTo(expected));
            }
            assertThat(actual.getAllKeyValues()).as(steps::toString).isEqualTo(expected.getAllKeyValues());
            assertThat(actual.toString()).isEqualTo(expected.toString());
        }
    }

    @Test
    void keyValuesOfAConventionAreKeptTogether() {
        Observation.Context context = new ReconcileObservationContext(new TestRun("apps", ""));
        KeyValues start = KeyValues.of("controller", "apps", "outcome", "none");
        KeyValues end = KeyValues.of("controller", "apps", "outcome", "success");
        context.addLowCardinalityKeyValues(start);
        assertThat(context.getLowCardinalityKeyValues()).isSameAs(start);
        context.addLowCardinalityKeyValues(end);
        assertThat(context.getLowCardinalityKeyValues()).isSameAs(end);
    }

    /** A key value of a user, whose key comes from another thread that reads the context. */
    private record Nosy(String key, Observation.Context context, AtomicInteger reads, AtomicBoolean isAsking)
            implements KeyValue {

        @Override
        public String getKey() {
            if (isAsking.getAndSet(true)) {
                return key; // the other thread asks for it
            }
            CompletableFuture<Object> other = new CompletableFuture<>();
            Thread reader = new Thread(() -> {
                context.getLowCardinalityKeyValue("a");
                context.getHighCardinalityKeyValue("a");
                other.complete(true);
            });
            reader.start();
            other.orTimeout(30, TimeUnit.SECONDS).join();
            reads.incrementAndGet();
            isAsking.set(false);
            return key;
        }

        @Override
        public String getValue() {
            return "value";
        }
    }

    @Test
    void keyValuesWhenTheyAskAnotherThreadForTheirKeyDoNotBlockIt() {
        Observation.Context context = new ReconcileObservationContext(new TestRun("apps", ""));
        AtomicInteger reads = new AtomicInteger();
        KeyValue nosy = new Nosy("nosy", context, reads, new AtomicBoolean());
        context.addLowCardinalityKeyValues(KeyValues.of("a", "1"));
        context.addLowCardinalityKeyValues(KeyValues.of(nosy));
        context.addHighCardinalityKeyValues(KeyValues.of("a", "1"));
        context.addHighCardinalityKeyValues(KeyValues.of(nosy));
        int first = reads.get();
        assertThat(first).as("calls of getKey").isPositive();

        KeyValue low = new Nosy("one", context, reads, new AtomicBoolean());
        context.addLowCardinalityKeyValue(low);
        context.addHighCardinalityKeyValue(low);
        assertThat(reads.get()).isGreaterThan(first);
        assertThat(context.getLowCardinalityKeyValues().stream().map(KeyValue::getValue))
                .containsExactly("1", "value", "value");
        context.removeLowCardinalityKeyValue("one");
        assertThat(context.getLowCardinalityKeyValue("one")).isNull();
        assertThat(context.getHighCardinalityKeyValue("one")).isSameAs(low);
    }
}
