package io.github.reconciler4j.cache.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceVersionsTests {

    @ParameterizedTest
    @ValueSource(strings = {"0", "9", "10", "123456789012345678901234567890"})
    void isNumberWhenItHasDigitsOnlyIsTrue(String text) {
        assertThat(ResourceVersions.isNumber(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "00", "-1", "1.5", "v1", "1/", "1:", "1a"})
    void isNumberWhenItHasAnythingElseIsFalse(String text) {
        assertThat(ResourceVersions.isNumber(text)).isFalse();
        assertThat(ResourceVersions.compare(text, "1")).isEmpty();
        assertThat(ResourceVersions.compare("1", text)).isEmpty();
        assertThat(ResourceVersions.isNotAfter(text, "1")).isFalse();
        assertThat(ResourceVersions.isBefore("1", text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"9, 10", "99, 100", "10, 19", "123456789012345678901234567890, 123456789012345678901234567891"})
    void compareOrdersNumbersOfAnyLength(String less, String more) {
        assertThat(ResourceVersions.compare(less, more)).hasValue(-1);
        assertThat(ResourceVersions.compare(more, less)).hasValue(1);
        assertThat(ResourceVersions.isBefore(less, more)).isTrue();
        assertThat(ResourceVersions.isBefore(more, less)).isFalse();
        assertThat(ResourceVersions.isNotAfter(less, more)).isTrue();
        assertThat(ResourceVersions.isNotAfter(more, less)).isFalse();
    }

    @Test
    void compareWhenEqualIsNeitherBeforeNorAfter() {
        assertThat(ResourceVersions.compare("77", "77")).hasValue(0);
        assertThat(ResourceVersions.isBefore("77", "77")).isFalse();
        assertThat(ResourceVersions.isNotAfter("77", "77")).isTrue();
    }
}
