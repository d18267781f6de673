package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.fixtures.HostExtension;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the requests of a manager arrive at the API server. */
@Timeout(60)
class ManagerConnectionTests {

    private static ScriptedServer server() {
        byte[] answer = ScriptedServer.json(
                200,
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"default\",\"name\":\"any\"}}");
        return ScriptedServer.start((request, out) -> out.write(answer));
    }

    private static Map<String, String> headersOf(ScriptedServer server, ManagerOptions options) {
        try (Manager manager = Manager.create(server.config(), options)) {
            read(manager.client());
            Map<String, String> own = server.requests().get(0).headers();
            read(HostExtension.connect(manager, "far", server.config()).client());
            assertThat(server.requests().get(1).headers())
                    .as("of another cluster")
                    .isEqualTo(own);
            return own;
        }
    }

    private static void read(Client client) {
        assertThat(client.live().get(ConfigMap.class, ObjectKey.of("default", "any")))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({"shop,1.2.3,shop/1.2.3", "My Shöp/2,1.0 (beta),My-Sh-p-2/1.0--beta-"})
    void userAgentIsNameAndVersionOfTheOperator(String name, String version, String expected) {
        try (ScriptedServer server = server()) {
            ManagerOptions options = ManagerOptions.defaults().withName(name).withVersion(version);
            assertThat(headersOf(server, options).get("user-agent"))
                    .matches("\\Q" + expected + "\\E reconciler4j(/\\S+)?");
        }
    }

    @Test
    void versionComesFromTheManifestOfTheApplication() {
        ManagerOptions options = ManagerOptions.defaults();
        assertThat(options.version()).isEqualTo("unknown");
        assertThat(options.withVersionOf(Test.class).version())
                .isEqualTo(Test.class.getPackage().getImplementationVersion())
                .startsWith("6.");
        assertThat(options.withVersionOf(ManagerConnectionTests.class).version())
                .isEqualTo("unknown");
        assertThatIllegalArgumentException().isThrownBy(() -> options.withVersion(" "));
    }
}
