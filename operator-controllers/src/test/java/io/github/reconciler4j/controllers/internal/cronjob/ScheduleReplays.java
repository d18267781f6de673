package io.github.reconciler4j.controllers.internal.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.controllers.internal.cronjob.CronField.Unit;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of the tests of the library that parses schedules for Kubernetes. */
final class ScheduleReplays {

    /** The bit that says that a field stands for all values. */
    private static final int ANY = 63;

    private ScheduleReplays() {}

    static void addTo(Replays replays) {
        parsing(replays);
        nextTimes(replays);
    }

    private static void parsing(Replays replays) {
        replays.replay("cron.ParseStandard", call -> {
            String text = call.in("standardSpec").asText();
            if (!call.out(1).isNull()) {
                assertThatThrownBy(() -> CronSchedule.parse(text, ZoneOffset.UTC))
                        .isInstanceOf(IllegalArgumentException.class);
                return;
            }
            assertSchedule(CronSchedule.parse(text, ZoneOffset.UTC), call.out(0));
        });
        replays.replay("cron.getField", call -> {
            Unit unit = unit(call).orElseThrow();
            String text = call.in("field").asText();
            if (!call.out(1).isNull()) {
                assertThatThrownBy(() -> CronField.parse(text, unit)).isInstanceOf(IllegalArgumentException.class);
            } else {
                assertThat(CronField.parse(text, unit)).isEqualTo(field(call.out(0)));
            }
        });
        replays.except(
                "cron.getField", call -> unit(call).isEmpty(), "the test has a field with limits that no schedule has");
    }

    private static void nextTimes(Replays replays) {
        replays.replay("cron.SpecSchedule.Next", call -> {
            JsonNode fields = call.note("fields");
            CalendarSchedule schedule = new CalendarSchedule(
                    field(fields.get(1)),
                    field(fields.get(2)),
                    field(fields.get(3)),
                    field(fields.get(4)),
                    field(fields.get(5)),
                    zone(call).orElseThrow());
            assertThat(schedule.next(Instant.parse(call.in("t").asText()))).isEqualTo(time(call.out(0)));
        });
        replays.except(
                "cron.SpecSchedule.Next",
                call -> call.note("fields").get(0).asLong() != 1
                        || call.in("t").isNull()
                        || zone(call).isEmpty(),
                "the schedule has seconds, or a time zone without a name");
        replays.replay("cron.ConstantDelaySchedule.Next", call -> {
            CronSchedule schedule = new CronSchedule.Interval(
                    Duration.ofNanos(call.note("receiver").get("Delay").asLong()));
            assertThat(schedule.next(Instant.parse(call.in("t").asText()))).isEqualTo(time(call.out(0)));
        });
    }

    private static void assertSchedule(CronSchedule schedule, JsonNode expected) {
        if (schedule instanceof CronSchedule.Interval interval) {
            assertThat(interval.interval().toNanos())
                    .isEqualTo(expected.get("Delay").asLong());
            return;
        }
        CalendarSchedule calendar = (CalendarSchedule) schedule;
        assertThat(calendar.minutes()).isEqualTo(field(expected.get("Minute")));
        assertThat(calendar.hours()).isEqualTo(field(expected.get("Hour")));
        assertThat(calendar.days()).isEqualTo(field(expected.get("Dom")));
        assertThat(calendar.months()).isEqualTo(field(expected.get("Month")));
        assertThat(calendar.weekdays()).isEqualTo(field(expected.get("Dow")));
    }

    /** A schedule of Go. */
    static CronSchedule schedule(JsonNode fields) {
        if (fields.has("Delay")) {
            return new CronSchedule.Interval(
                    Duration.ofNanos(fields.get("Delay").asLong()));
        }
        String name = fields.path("Location").path("name").asText("Local");
        return new CalendarSchedule(
                field(fields.get("Minute")),
                field(fields.get("Hour")),
                field(fields.get("Dom")),
                field(fields.get("Month")),
                field(fields.get("Dow")),
                name.equals("Local") ? ZoneOffset.UTC : TimeZones.find(name).orElseThrow());
    }

    private static Optional<Unit> unit(UpstreamCase call) {
        int min = call.in("r").get("min").asInt();
        int max = call.in("r").get("max").asInt();
        return Arrays.stream(Unit.values())
                .filter(unit -> unit.min() == min && unit.max() == max)
                .findFirst();
    }

    private static CronField field(JsonNode bits) {
        BigInteger number = bits.bigIntegerValue();
        BitSet values = new BitSet();
        for (int i = 0; i < ANY; i++) {
            values.set(i, number.testBit(i));
        }
        return new CronField(values, number.testBit(ANY));
    }

    private static Optional<ZoneId> zone(UpstreamCase call) {
        String name = call.note("scheduleZone").asText();
        String used = name.equals("Local") ? call.note("zone").asText("Local") : name;
        return used.equals("Local")
                ? Optional.of(ZoneOffset.UTC)
                : used.isEmpty() ? Optional.empty() : TimeZones.find(used);
    }

    private static @Nullable Instant time(JsonNode time) {
        return time.isNull() ? null : Instant.parse(time.asText());
    }
}
