package io.github.reconciler4j.cache.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Only texts that come back unchanged are packed. */
class PackingTests {

    @Test
    void uuidWhenItIsInTheFormOfTheServerIsPacked() {
        String text = "0a9bcdef-ffff-aaaa-0909-abcdef012345";
        assertThat(Packing.uuid(text)).isEqualTo(UUID.fromString(text)).hasToString(text);
    }

    @Test
    void uuidInAnotherFormIsNot() {
        assertThat(Packing.uuid("0a9bcdef-ffff-aaaa-0909-abcdef01234g")).isNull();
        assertThat(Packing.uuid("0A9bcdef-ffff-aaaa-0909-abcdef012345")).isNull();
        assertThat(Packing.uuid("`a9bcdef-ffff-aaaa-0909-abcdef012345")).isNull();
        assertThat(Packing.uuid("0a9bcdef0ffff-aaaa-0909-abcdef012345")).isNull();
        assertThat(Packing.uuid("0a9bcdef-ffff-aaaa-0909-abcdef01234")).isNull();
        assertThat(Packing.uuid("")).isNull();
    }

    @Test
    void numberWhenItHasAtMostEighteenDigitsIsPacked() {
        assertThat(Packing.number("0")).isZero();
        assertThat(Packing.number("9")).isEqualTo(9);
        assertThat(Packing.number("999999999999999999")).isEqualTo(999_999_999_999_999_999L);
        for (String other :
                new String[] {"", "01", "-1", "1000000000000000000", "1a", "/", ":", "99999999999999999999"}) {
            assertThat(Packing.number(other)).as(other).isEqualTo(-1);
        }
    }

    @Test
    void timeFromTheFirstSecondIsPacked() {
        for (String text : new String[] {"1970-01-01T00:00:00Z", "2026-12-31T23:59:59Z", "2106-02-07T06:28:14Z"}) {
            assertThat(Packing.time(Packing.time(text))).isEqualTo(text);
        }
        int none = Packing.time("no time");
        for (String text : new String[] {"1969-12-31T23:59:59Z", "2106-02-07T06:28:16Z", "2026-02-30T00:00:00Z"}) {
            assertThat(Packing.time(text)).as(text).isEqualTo(none);
        }
    }
}
