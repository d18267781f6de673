package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Config;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainKubeconfigTests {

    private static final String USUAL = """
            apiVersion: v1
            kind: Config
            preferences: {}
            current-context: one
            clusters:
            - {name: one, cluster: {server: "https://one", certificate-authority-data: YQ==, tls-server-name: first}}
            - {name: two, cluster: {server: "https://two", insecure-skip-tls-verify: true, proxy-url: "http://proxy"}}
            - {name: three, cluster: {server: "https://three", certificate-authority: ca.crt}}
            contexts:
            - {name: one, context: {cluster: one, user: one, namespace: shop}}
            users:
            - {name: one, user: {client-certificate-data: Yg==, client-key-data: Yw==}}
            - {name: two, user: {token: secret}}
            - {name: three, user: {username: me, password: mine}}
            - {name: four, user: {}}
            """;

    @Test
    void kubeconfigWhenUsualIsWhatDataBindingReads() {
        Config plain = plain(USUAL);

        assertThat(plain).isNotNull().isEqualTo(KubernetesJson.readYaml(USUAL, Config.class));
        assertThat(plain.getUsers().get(1).getUser().getToken()).isEqualTo("secret");
    }

    @Test
    void kubeconfigWhenItsListsAreMissingIsWhatDataBindingReads() {
        assertThat(plain("kind: Config")).isEqualTo(KubernetesJson.readYaml("kind: Config", Config.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{users: [{name: one, user: {exec: {command: get-token}}}]}",
                "{users: [{name: one, user: {as: other}}]}",
                "{users: [{name: one, user: {tokenFile: token}}]}",
                "{users: [{name: one, user: {token: 1}}]}",
                "{users: [{name: one}]}",
                "{users: [one]}",
                "{users: {}}",
                "{clusters: [{name: one, cluster: {insecure-skip-tls-verify: 'true'}}]}",
                "{preferences: {colors: true}}",
                "{preferences: none}",
                "{extensions: []}",
                "{1: 2}"
            })
    void kubeconfigWhenItHasOtherFieldsOrTypesIsLeftToDataBinding(String yaml) {
        assertThat(plain(yaml)).isNull();
    }

    private static Config plain(String yaml) {
        String noJson = "---\n" + yaml; // a text that starts with a brace is read as JSON
        return PlainKubeconfig.of(KubernetesJson.readYaml(noJson, Map.class));
    }
}
