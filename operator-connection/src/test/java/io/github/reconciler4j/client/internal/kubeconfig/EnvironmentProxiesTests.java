package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which proxy the environment names, and which hosts need none. */
class EnvironmentProxiesTests {

    private final Map<String, String> environment = new HashMap<>();

    @AfterEach
    void clear() {
        System.clearProperty("https.proxy");
    }

    @Test
    void valueIsThatOfTheFirstPlaceThatHasOne() {
        assertThat(EnvironmentProxies.value("HTTPS_PROXY", environment::get)).isNull();
        environment.put("HTTPS_PROXY", "upper");
        assertThat(EnvironmentProxies.value("HTTPS_PROXY", environment::get)).isEqualTo("upper");
        environment.put("https_proxy", "");
        assertThat(EnvironmentProxies.value("HTTPS_PROXY", environment::get)).isEqualTo("upper");
        environment.put("https_proxy", "lower");
        assertThat(EnvironmentProxies.value("HTTPS_PROXY", environment::get)).isEqualTo("lower");
        System.setProperty("https.proxy", "property");
        assertThat(EnvironmentProxies.value("HTTPS_PROXY", environment::get)).isEqualTo("property");
    }

    @Test
    void configurationUsesTheProxiesOfTheEnvironment() {
        Config config = Config.empty();
        config.setHttpProxy("before");
        config.setHttpsProxy("before");
        config.setNoProxy(new String[] {"before"});

        EnvironmentProxies.apply(config, environment::get);

        assertThat(config.getHttpProxy()).isNull();
        assertThat(config.getHttpsProxy()).isNull();
        assertThat(config.getNoProxy()).isNull();
        environment.putAll(Map.of("HTTP_PROXY", "plain", "HTTPS_PROXY", "tls", "NO_PROXY", "a,b"));
        EnvironmentProxies.apply(config, environment::get);
        assertThat(config.getHttpProxy()).isEqualTo("plain");
        assertThat(config.getHttpsProxy()).isEqualTo("tls");
        assertThat(config.getNoProxy()).containsExactly("a", "b");
    }

    @Test
    void nameIsThatOfTheVariableWithThisValue() {
        System.setProperty("https.proxy", "http://proxy");
        assertThat(EnvironmentProxies.nameOf("http://proxy", true)).isEqualTo("HTTPS_PROXY");
        assertThat(EnvironmentProxies.nameOf("http://other", true)).isNull();
        assertThat(EnvironmentProxies.nameOf("http://proxy", false)).isNull();
        System.setProperty("http.proxy", "http://proxy");
        try {
            assertThat(EnvironmentProxies.nameOf("http://proxy", false)).isEqualTo("HTTP_PROXY");
        } finally {
            System.clearProperty("http.proxy");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.1.2.3", "::1", "::1%lo", "0:0:0:0:0:0:0:1"})
    void thisMachineNeedsNoProxy(String host) {
        assertThat(EnvironmentProxies.isLoopback(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost.example", "128.0.0.1", "127.0.0.256", "127.1", "::2", "example"})
    void otherHostsCanNeedOne(String host) {
        assertThat(EnvironmentProxies.isLoopback(host)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.255, 10.0.0.255",
        "255.0.100.9, 255.0.100.9",
        "fd00::1%eth0, fd00:0:0:0:0:0:0:1",
    })
    void addressIsThatOfTheText(String text, String address) {
        assertThat(EnvironmentProxies.address(text).getHostAddress()).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0", "10.0.0.256", "10.0.0.01", "10.0.0.00", "10.0.0.x", "a.b.c.d", "x:y", ":", "", "%"})
    void addressOfANameIsNone(String text) {
        assertThat(EnvironmentProxies.address(text)).isNull();
    }
}
