package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxySettingsTests {

    private static final ServerAddress SERVER = ServerAddress.of("https://server.example:6443");

    private static Config config(String httpsProxy, String... excluded) {
        Config config = Config.empty();
        config.setHttpsProxy(httpsProxy);
        config.setNoProxy(excluded);
        return config;
    }

    @ParameterizedTest
    @CsvSource({
        "http://proxy:3128, proxy:3128",
        "proxy:3128, proxy:3128",
        "HTTPS://proxy:0, proxy:0",
        "http://[::1]:3128, ::1:3128"
    })
    void proxyHasItsHostAndPort(String url, String text) {
        assertThat(ProxySettings.of(config(url), SERVER)).hasToString(text);
    }

    @Test
    void proxyIsThatOfTheSchemeOfTheServer() {
        Config config = config("http://secure:1");
        config.setHttpProxy("http://plain:2");
        assertThat(ProxySettings.of(config, SERVER)).hasToString("secure:1");
        assertThat(ProxySettings.of(config, ServerAddress.of("http://server"))).hasToString("plain:2");
    }

    @Test
    void proxyWhenNoneIsConfiguredIsNone() {
        assertThat(ProxySettings.of(config(null), SERVER)).isNull();
        assertThat(ProxySettings.of(config(""), SERVER)).isNull();
        Config config = config("http://proxy:1");
        config.setNoProxy(null);
        assertThat(ProxySettings.of(config, SERVER)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://proxy:1", "http://proxy", "http:///x", "http://u:hunter2@a b:1"})
    void proxyWhenItCannotBeUsedSaysSoWithoutThePassword(String url) {
        assertThatThrownBy(() -> ProxySettings.of(config(url), SERVER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void userOfTheProxyIsThatOfItsAddressOrOfTheConfiguration() {
        Config config = config("http://aladdin:opensesame@proxy:1");
        config.setProxyUsername("other");
        config.setProxyPassword("other");
        String basic = "Basic YWxhZGRpbjpvcGVuc2VzYW1l";
        assertThat(ProxySettings.of(config, SERVER).authorization()).isEqualTo(basic);
        config.setHttpsProxy("http://proxy:1");
        config.setProxyUsername("aladdin");
        config.setProxyPassword("opensesame");
        assertThat(ProxySettings.of(config, SERVER).authorization()).isEqualTo(basic);
        config.setProxyUsername(null);
        assertThat(ProxySettings.of(config, SERVER).authorization()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "server.example, server.example, true",
        "server.example, .example, true",
        "server.example, ' .example ', true",
        "server.example, other.example, false",
        "server.example, '', false",
        "server.example, ' ', false",
        "server.example, 10.0.0.0/8, false",
        "10.1.2.3, 10.0.0.0/8, true",
        "10.1.2.3, 10.1.2.3, true",
        "11.1.2.3, 10.0.0.0/8, false",
        "10.1.2.3, 2.3, false",
    })
    void serverWhenExcludedHasNoProxy(String host, String excluded, boolean direct) {
        ServerAddress server = ServerAddress.of("https://" + host);
        assertThat(ProxySettings.of(config("http://proxy:1", "first.test", excluded), server) == null)
                .isEqualTo(direct);
    }
}
