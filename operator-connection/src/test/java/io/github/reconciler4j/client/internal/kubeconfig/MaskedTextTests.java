package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown of the errors of plug-ins. */
class MaskedTextTests {

    private static String masked(String text, String... secrets) {
        return MaskedText.of(text.getBytes(StandardCharsets.UTF_8), List.of(secrets));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "please run login first",
                "You aren't logged in (yet), \u00fcbrigens.",
                "'quoted' \"words\" - exit 127",
                "sixteencharacter is short",
            })
    void plainWordsAreShown(String text) {
        assertThat(masked(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user s3cr3t failed | user *** failed",
                "user aBc failed | user *** failed",
                "see https://idp.test/x now | see *** now",
                "code 1234 sent | *** sent",
                "exit 1234 | exit ***",
                "sixteencharacters is long | *** is long",
                "the token expired | the ***",
                "the token expired yesterday | the *** yesterday",
                "this: is shown | *** is shown",
            })
    void otherWordsAreMasked(String text, String shown) {
        assertThat(masked(text)).isEqualTo(shown);
    }

    /** One word after a word such as password, and all up to the end of the sentence if it is introduced. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "password hunter then more | *** then more",
                "password: hunter then more. And so on | *** And so on",
                "password= hunter then | ***",
                "password is hunter then; and so on | *** and so on",
                "password was hunter then! and so on | *** and so on",
                "password hunter: then? and so on | *** and so on",
                "password for: hunter then? and so on | *** and so on",
            })
    void wordsAfterAPasswordAreMasked(String text, String shown) {
        assertThat(masked(text)).isEqualTo(shown);
    }

    @Test
    void valuesOfTheKubeconfigAreMasked() {
        assertThat(masked("user jane of a team", "jane-doe", "a", "x=team")).isEqualTo("user *** of a ***");
        assertThat(masked("said ab once", "ab")).isEqualTo("said *** once");
        assertThat(masked("said 'jane', once", "jane")).isEqualTo("said *** once");
    }

    @Test
    void textIsOneLineWithoutControls() {
        assertThat(masked(" one\r\n\ttwo \u001b[31mthree\u001b[0m \u0007four\u200b "))
                .isEqualTo("one two three four");
        assertThat(masked(" \n ")).isEmpty();
        assertThat(masked("")).isEmpty();
    }

    @Test
    void textWhenLongIsCut() {
        String words = "abcdefghi ".repeat(20);
        assertThat(masked(words + "z")).isEqualTo(words + "...");
        assertThat(masked(words.strip() + "j")).isEqualTo(words.strip() + "j").hasSize(200);
    }
}
