package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTests {

    @Test
    void targetKeepsThePathOfTheServerAndEncodesTheRest() {
        ServerAddress server = ServerAddress.of("https://host/k8s/c-1/");
        assertThat(server.target("/api/v1/nodes/a b", Map.of("q", List.of("ä&=", "2"))))
                .isEqualTo("/k8s/c-1/api/v1/nodes/a%20b?q=%C3%A4%26%3D&q=2");
    }

    /** The first and last of each range that stays as it is, and the characters next to it. */
    @Test
    void targetKeepsWhatNeedsNoEncoding() {
        ServerAddress server = ServerAddress.of("https://host");
        assertThat(server.target("/azAZ09-_/:@", Map.of())).isEqualTo("/azAZ09-_/:@");
        assertThat(server.target("/[`{", Map.of("a-", List.of("azAZ09-,/:", "@[`{"))))
                .isEqualTo("/%5B%60%7B?a-=azAZ09-,/:&a-=%40%5B%60%7B");
    }

    @ParameterizedTest
    @CsvSource({
        "https://host, host:443",
        "http://host, host:80",
        "https://host:0, host:0",
        "https://[::1]:1, [::1]:1",
    })
    void addressForProxiesHasAPort(String url, String text) {
        assertThat(ServerAddress.of(url).hostAndPort()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "https://host, true, host, 443, host, https://host/",
        "http://host:8080/, false, host, 8080, host:8080, http://host:8080/",
        "https://[::1]:6443/x, true, ::1, 6443, [::1]:6443, https://[::1]:6443/x/",
        "HTTPS://user:hunter2@host:1, true, host, 1, host:1, https://host:1/",
        "https://host//, true, host, 443, host, https://host/",
        "https://host//a//./b/../c//, true, host, 443, host, https://host/a/c/",
    })
    void addressHasItsParts(String url, boolean secure, String host, int port, String authority, String text) {
        ServerAddress server = ServerAddress.of(url);
        assertThat(server.secure()).isEqualTo(secure);
        assertThat(server.host()).isEqualTo(host);
        assertThat(server.port()).isEqualTo(port);
        assertThat(server.authority()).isEqualTo(authority);
        assertThat(server).hasToString(text);
    }

    @Test
    void addressWhenItNamesAUserAuthenticatesWithIt() {
        assertThat(ServerAddress.of("https://aladdin:open%20sesame@host").userInfo())
                .isEqualTo("Basic YWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assertThat(ServerAddress.of("https://aladdin@host").userInfo()).isEqualTo("Basic YWxhZGRpbjo=");
        assertThat(ServerAddress.of("https://host").userInfo()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://u:hunter2@host", "host:6443", "https://u:hunter2@ho st", "https://", ""})
    void addressWhenInvalidThrowsWithoutThePassword(String url) {
        assertThatThrownBy(() -> ServerAddress.of(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("address of the API server")
                .hasMessageNotContaining("hunter2");
    }
}
