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

    @ParameterizedTest
    @CsvSource({
        "https://host, true, host, 443, host, https://host/",
        "http://host:8080/, false, host, 8080, host:8080, http://host:8080/",
        "https://[::1]:6443/x, true, ::1, 6443, [::1]:6443, https://[::1]:6443/x/",
        "HTTPS://user:hunter2@host:1, true, host, 1, host:1, https://host:1/",
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
