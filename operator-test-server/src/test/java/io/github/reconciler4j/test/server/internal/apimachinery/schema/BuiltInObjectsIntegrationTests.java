package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Objects of built-in kinds written to our server and to a real one: the same defaults, the same complaints. */
class BuiltInObjectsIntegrationTests extends BothServersFixture {
    private static final String ACCEPTED = "! ";

    @Test
    @NewestKubernetes
    void protobufWhenDecodedIsTheSameObject() throws IOException {
        List<String> differences = new ArrayList<>();
        for (String line : BothServers.lines("built-in-objects.txt")) {
            String[] request = line.split(" ", 2);
            String path = request[0] + "?dryRun=All&fieldManager=m";
            RealApi.Answer json = servers.real().create(path, TestJson.of(request[1]));
            if (json.status() == 201) {
                byte[] bytes =
                        servers.real().create(path, TestJson.of(request[1]), "application/vnd.kubernetes.protobuf");
                ObjectNode decoded = ProtobufDecoder.decode(bytes);
                BuiltInDecoder.get()
                        .decode(
                                decoded.path("apiVersion").asText(),
                                decoded.path("kind").asText(),
                                decoded);
                String difference = BothServers.difference(json.body(), TestJson.of(decoded.toString()));
                if (!difference.isEmpty()) {
                    differences.add(line + "\n" + difference);
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    @Test
    @NewestKubernetes
    void newObjectsWhenGoodGetTheSameDefaults() throws IOException {
        for (String line : BothServers.lines("built-in-objects.txt")) {
            String[] request = line.split(" ", 2);
            servers.create(request[0] + "?dryRun=All&fieldManager=m", request[1]);
        }
        assertThat(servers.differences()).isEmpty();
    }

    @Test
    @NewestKubernetes
    void newObjectsWhenBrokenGetTheSameErrors() throws IOException {
        for (String line : BothServers.lines("broken-objects.txt")) {
            if (!line.startsWith(ACCEPTED)) {
                create(line);
            }
        }
        assertThat(servers.differences()).isEmpty();
    }

    /** Rules of rare kinds are left out: this keeps the list of their effects true. */
    @Test
    void newObjectsWhenOnlyTheRealServerRefusesThemAreMarked() throws IOException {
        List<String> marked = BothServers.lines("broken-objects.txt").stream()
                .filter(line -> line.startsWith(ACCEPTED))
                .toList();
        List<String> differing = marked.stream()
                .filter(line -> {
                    int status = create(line.substring(ACCEPTED.length()));
                    return status == 422
                            && servers.differences().removeIf(difference -> difference.contains("422 / 201"));
                })
                .toList();
        assertThat(differing).isNotEmpty().isEqualTo(marked);
    }

    private int create(String line) {
        String[] request = line.split(" ", 2);
        return servers.create(request[0] + "?dryRun=All&fieldManager=m", request[1])
                .status();
    }

    @Test
    @NewestKubernetes
    void objectsWhenChangedKeepWhatIsImmutable() {
        String core = "/api/v1/namespaces/default/";
        String apps = "/apis/apps/v1/namespaces/default/";
        String bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
        String keeper =
                "{metadata: {name: 'u'}, spec: {selector: {matchLabels: {a: 'b'}}, template: {metadata: {labels:"
                        + " {a: 'b'}}, spec: {containers: [{name: 'c', image: 'i'}]}}}}";
        for (String kind : List.of("deployments", "statefulsets", "daemonsets", "replicasets")) {
            servers.create(apps + kind + "?fieldManager=m", keeper);
            servers.merge(
                    apps + kind + "/u?dryRun=All&fieldManager=m",
                    "{spec: {selector: {matchLabels: {a: 'c'}}, template: {metadata: {labels: {a: 'c'}}}}}");
            servers.merge(apps + kind + "/u?dryRun=All&fieldManager=m", "{metadata: {labels: {a: 'c'}}}");
        }
        servers.merge(apps + "statefulsets/u?dryRun=All&fieldManager=m", "{spec: {serviceName: 'x'}}");
        servers.create(core + "configmaps?fieldManager=m", "{metadata: {name: 'u'}, immutable: true, data: {a: 'b'}}");
        servers.merge(core + "configmaps/u?dryRun=All&fieldManager=m", "{data: {a: 'c'}}");
        servers.merge(core + "configmaps/u?dryRun=All&fieldManager=m", "{immutable: false}");
        servers.merge(core + "configmaps/u?dryRun=All&fieldManager=m", "{metadata: {labels: {a: 'c'}}}");
        servers.create(core + "secrets?fieldManager=m", "{metadata: {name: 'u'}}");
        servers.merge(core + "secrets/u?dryRun=All&fieldManager=m", "{type: 'x'}");
        servers.create(bindings + "?fieldManager=m", "{metadata: {name: 'u'}, roleRef: {kind: 'Role', name: 'a'}}");
        servers.merge(bindings + "/u?dryRun=All&fieldManager=m", "{roleRef: {name: 'b'}}");
        assertThat(servers.differences()).isEmpty();
    }

    @Test
    @NewestKubernetes
    void objectsWhenChangedGetTheSameAnswer() throws IOException {
        for (String line : BothServers.lines("changed-objects.txt")) {
            String[] parts = line.split(" \\| ");
            String name = TestJson.of(parts[1]).at("/metadata/name").asText();
            servers.create(parts[0] + "?fieldManager=m", parts[1]);
            servers.merge(parts[0] + "/" + name + "?dryRun=All&fieldManager=m", parts[2]);
        }
        assertThat(servers.differences()).isEmpty();
    }
}
