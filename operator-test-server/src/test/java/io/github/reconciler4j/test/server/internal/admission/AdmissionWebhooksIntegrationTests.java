package io.github.reconciler4j.test.server.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Drawn configurations and requests on our server and a real one: the same answers, and the same questions to webhooks. */
@NewestKubernetes
class AdmissionWebhooksIntegrationTests extends BothServersFixture {
    private static final int CASES = Integer.getInteger("webhook.cases", 40);
    private static final long SEED = Long.getLong("webhook.seed", 1);
    private static final String WIDGETS = "/apis/adm.example.com/%s/namespaces/default/widgets";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private ScriptedWebhooks webhooks;

    static String definition(String conversion) {
        String schema =
                "schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {count:"
                        + " {type: 'integer'}, mode: {type: 'string'}, fill: {type: 'string', default: 'filled'}, %s}}, status: {type:"
                        + " 'object', properties: {seen: {type: 'integer'}}}}}}, subresources: {status: {}}";
        return "{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {name:"
                + " 'widgets.adm.example.com'}, spec: {group: 'adm.example.com', scope: 'Namespaced', names: {plural:"
                + " 'widgets', kind: 'Widget'}, conversion: " + conversion
                + ", versions: [{name: 'v1', served: true, storage:"
                + " true, " + schema.replace("%s", "one: {type: 'string'}")
                + "}, {name: 'v1beta1', served: true, storage:"
                + " false, " + schema.replace("%s", "other: {type: 'string'}, one: {type: 'string'}") + "}]}}";
    }

    @Override
    protected void define() {
        servers.define(TestJson.of(definition("{strategy: 'None'}")), WIDGETS.formatted("v1"));
    }

    @BeforeAll
    void startWebhooks() throws Exception {
        webhooks = new ScriptedWebhooks();
    }

    @AfterAll
    void stopWebhooks() {
        webhooks.close();
    }

    private void install(ObjectNode configuration) {
        String path = "/apis/admissionregistration.k8s.io/v1/"
                + configuration.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
        for (RealApi api : List.of(servers.real(), servers.ours())) {
            RealApi.Answer answer = api.create(path, configuration);
            assertThat(answer.status()).as(answer.message()).isEqualTo(201);
        }
    }

    /** Waits until the real server calls webhooks that were installed last. */
    private void awaitWebhooks() {
        ObjectNode probe = (ObjectNode) TestJson.of("{apiVersion: 'admissionregistration.k8s.io/v1', kind:"
                + " 'ValidatingWebhookConfiguration', metadata: {name: 'zz-probe'}, webhooks: [{name: 'probe.example.com',"
                + " admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig: {url: '" + webhooks.url("probe")
                + "', caBundle: '" + webhooks.caBundle()
                + "'}, rules: [{operations: ['*'], apiGroups: [''], apiVersions:"
                + " ['v1'], resources: ['configmaps']}], objectSelector: {matchLabels: {probe: 'yes'}}}]}");
        webhooks.script("probe", Responses.denying(new Random(1)));
        install(probe);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> servers.real()
                                .create(
                                        MAPS + "?dryRun=All",
                                        TestJson.of("{metadata: {name: 'probe', labels: {probe: 'yes'}}}"))
                                .status()
                        >= 400);
        await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
    }

    @Test
    void requestsWhenWebhooksAreDrawnGetTheSameAnswersAndAskTheSame() {
        for (int i = 0; i < CASES; i++) {
            new RandomWebhooks(SEED * 1_000 + i, i, webhooks).draw().forEach(this::install);
        }
        awaitWebhooks();
        AdmissionPlayer player = new AdmissionPlayer(servers, webhooks);
        for (int i = 0; i < CASES; i++) {
            play(player, i, new Random(SEED * 1_000 + i));
        }
        assertThat(servers.differences())
                .as(() -> servers.differences().size() + " differences:\n" + String.join("\n", servers.differences()))
                .isEmpty();
    }

    @Test
    void pathWhenItHasEmptyPartsIsAskedWithoutThem() {
        webhooks.script("double/deep", Responses.denying(new Random(1)));
        install((ObjectNode) TestJson.of("{apiVersion: 'admissionregistration.k8s.io/v1', kind:"
                + " 'ValidatingWebhookConfiguration', metadata: {name: 'double'}, webhooks: [{name: 'double.example.com',"
                + " admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig: {url: '"
                + webhooks.url("/double//deep/") + "', caBundle: '" + webhooks.caBundle()
                + "'}, rules: [{operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}],"
                + " objectSelector: {matchLabels: {double: 'yes'}}}]}"));
        for (RealApi api : List.of(servers.real(), servers.ours())) {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                api.create(MAPS + "?dryRun=All", TestJson.of("{metadata: {name: 'double', labels: {double: 'yes'}}}"));
                return webhooks.take().stream()
                        .anyMatch(review -> review.path("path").asText().equals("/double/deep"));
            });
        }
    }

    private void play(AdmissionPlayer player, int number, Random random) {
        String title = "case " + number;
        String dryRun = random.nextInt(4) == 0 ? "&dryRun=All" : "";
        String labels = "labels: {case: '" + number + "'}";
        String name = "o" + number;
        String map = "{metadata: {name: '" + name + "', " + labels + "}, data: {a: 'b'}}";
        String generated = "{metadata: {generateName: 'gen-', " + labels + "}}";
        String widget = "{apiVersion: 'adm.example.com/%s', kind: 'Widget', metadata: {name: '%s', " + labels
                + "}, spec: {count: " + random.nextInt(3) + "}}";
        String version = random.nextBoolean() ? "v1" : "v1beta1";
        String widgets = WIDGETS.formatted(version);
        String v1 = WIDGETS.formatted("v1");
        player.create(title, MAPS + "?fieldManager=m" + dryRun, map);
        player.create(title, widgets + "?fieldManager=m", widget.formatted(version, name));
        player.create(title, MAPS + "?dryRun=All", generated);
        player.merge(title, MAPS + "/" + name + "?fieldManager=m", "{metadata: {labels: {changed: 'yes'}}}");
        player.merge(title, v1 + "/" + name + "?fieldManager=n" + dryRun, "{spec: {one: 'x'}}");
        player.merge(
                title,
                WIDGETS.formatted("v1beta1") + "/" + name + "/status?fieldManager=m",
                "{status: {seen: 1}, spec: {count: 9}}");
        player.apply(title, v1 + "/a" + name + "?fieldManager=applier", widget.formatted("v1", "a" + name));
        player.delete(title, MAPS + "/" + name + "?dryRun=All", null);
        player.delete(title, MAPS + "/" + name, "{gracePeriodSeconds: 0}");
        player.delete(title, widgets + "/" + name + "?propagationPolicy=Background", null);
        player.delete(title, v1 + "?labelSelector=case%3D" + number, null);
    }
}
