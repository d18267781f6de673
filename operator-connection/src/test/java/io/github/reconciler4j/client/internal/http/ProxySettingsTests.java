package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
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
        "http://proxy:3128, http://proxy:3128",
        "proxy:3128, http://proxy:3128",
        "proxy, http://proxy:80",
        "HTTPS://proxy:0, https://proxy:0",
        "https://proxy/path, https://proxy:443",
        "socks5://proxy, socks5://proxy:1080",
        "http://[::1]:3128, http://[::1]:3128",
        "http://u:p@ss@proxy:1, http://proxy:1",
        "u:p@proxy:1, http://proxy:1",
        "127.0.0.1:3128, http://127.0.0.1:3128"
    })
    void proxyHasItsHostAndPort(String url, String text) {
        assertThat(ProxySettings.of(config(url), SERVER, null)).hasToString(text);
    }

    @Test
    void proxyIsThatOfTheSchemeOfTheServer() {
        Config config = config("http://secure:1");
        config.setHttpProxy("http://plain:2");
        assertThat(ProxySettings.of(config, SERVER, null)).hasToString("http://secure:1");
        assertThat(ProxySettings.of(config, ServerAddress.of("http://server"), null))
                .hasToString("http://plain:2");
    }

    @Test
    void proxyWhenNoneIsConfiguredIsNone() {
        assertThat(ProxySettings.of(config(null), SERVER, null)).isNull();
        assertThat(ProxySettings.of(config(""), SERVER, null)).isNull();
        Config config = config("http://proxy:1");
        config.setNoProxy(null);
        assertThat(ProxySettings.of(config, SERVER, null)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://u:hunter2@proxy:1",
                "http:///x",
                "http://u:hunter2@a b:1",
                "http://u:hunter2@",
                "http://u:hunter2@proxy:x",
                "http://u:hunter2@proxy:70000",
                "http://u:hunter2%zz@proxy:1",
                "http://u:hunter2@::1:3128"
            })
    void proxyWhenItCannotBeUsedSaysSoWithoutThePassword(String url) {
        assertThatThrownBy(() -> ProxySettings.of(config(url), SERVER, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void userOfTheProxyIsThatOfItsAddressOrOfTheConfiguration() {
        Config config = config("http://aladdin:opensesame@proxy:1");
        config.setProxyUsername("other");
        config.setProxyPassword("other");
        String basic = "Basic YWxhZGRpbjpvcGVuc2VzYW1l";
        assertThat(ProxySettings.of(config, SERVER, null).authorization()).isEqualTo(basic);
        config.setHttpsProxy("http://proxy:1");
        config.setProxyUsername("aladdin");
        config.setProxyPassword("opensesame");
        assertThat(ProxySettings.of(config, SERVER, null).authorization()).isEqualTo(basic);
        config.setProxyUsername(null);
        assertThat(ProxySettings.of(config, SERVER, null).authorization()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "server.example, server.example, true",
        "server.example, .example, true",
        "server.example, ample, false",
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
        assertThat(ProxySettings.of(config("http://proxy:1", "first.test", excluded), server, null) == null)
                .isEqualTo(direct);
    }

    @ParameterizedTest
    @CsvSource({"u:p, u, p", "u%3A:p%40%2F, u:, p@/", "u, u, ''", "u:, u, ''", "%C3%BC:p:q, ü, p:q"})
    void userOfTheProxyWhenEscapedIsUnescaped(String userInfo, String user, String password) {
        ProxySettings proxy = ProxySettings.of(config("http://" + userInfo + "@proxy:1"), SERVER, null);
        assertThat(proxy.authorization())
                .isEqualTo("Basic "
                        + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
        assertThat(proxy).hasToString("http://proxy:1");
    }

    /** As in Go, the environment has no proxy for this machine; a program may want one. */
    @ParameterizedTest
    @CsvSource({"localhost, false", "127.0.0.1, false", "127.9.9.9, false", "server.example, true", "10.0.0.1, true"})
    void proxyOfTheEnvironmentIsNotForThisMachine(String host, boolean used) {
        System.setProperty("https.proxy", "http://proxy:1");
        try {
            Config config = config("http://proxy:1");
            config.setAutoConfigure(true);
            ServerAddress server = ServerAddress.of("https://" + host);
            assertThat(ProxySettings.of(config, server, null) != null).isEqualTo(used);
            config.setAutoConfigure(false);
            assertThat(ProxySettings.of(config, server, null)).hasToString("http://proxy:1 (HTTPS_PROXY)");
        } finally {
            System.clearProperty("https.proxy");
        }
    }

    @Test
    void proxyUrlOfAKubeconfigIsUsedForEveryServer() {
        Config config = config("http://other:1", "server.example");
        assertThat(ProxySettings.of(config, SERVER, "socks5://proxy:1"))
                .hasToString("socks5://proxy:1 ('proxy-url' of the kubeconfig)");
    }
}
