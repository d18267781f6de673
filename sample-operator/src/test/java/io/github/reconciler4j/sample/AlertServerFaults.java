package io.github.reconciler4j.sample;

import static io.github.reconciler4j.sample.AlertStage.ROUTINE;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.util.Optional;

/** Faults of the API server and of other writers that an alert is due for. */
final class AlertServerFaults {

    private static final String LIMIT_RANGE = "LimitRange";
    private static final String CONFIG_MAP = "ConfigMap";
    private static final int MANY = 1100;
    private static final int UPDATES_PER_MINUTE = 10;

    private AlertServerFaults() {}

    static AlertFault unansweredList() {
        return AlertFault.of("unanswered list", 12, "OperatorCacheNotSynced{kind=\"resourcequotas\"}")
                .starts(stage -> {
                    disturb(stage, "ResourceQuota", Fault.stall());
                    stage.operator().manager().cache().informer(ResourceQuota.class);
                });
    }

    private static void disturb(AlertStage stage, String kind, Fault fault) {
        stage.server()
                .faults()
                .add(FaultRule.of(RequestMatch.verbs("list", "watch").kind(kind), fault));
        stage.server().endWatches(RequestMatch.watches().kind(kind), WatchEnd.ORDERLY);
    }

    static AlertFault refusedWatch() {
        return AlertFault.of("refused watch", 8, "OperatorCacheBlocked{kind=\"limitranges\"}")
                .silencing(LIMIT_RANGE)
                .starts(stage -> disturb(stage, LIMIT_RANGE, Fault.forbidden()));
    }

    static AlertFault silentWatch() {
        return AlertFault.of("silent watch", 18, "OperatorWatchSilent{kind=\"limitranges\"}")
                .silencing(LIMIT_RANGE)
                .starts(stage -> disturb(stage, LIMIT_RANGE, Fault.stall()));
    }

    static AlertFault strangeObject() {
        String odd = "odd";
        return AlertFault.of("strange object", 8, "OperatorUndecodableObjects{kind=\"webapps.apps.reconciler4j.io\"}")
                .starts(stage -> {
                    stage.reconcileWebApp(odd);
                    setUrl(stage, odd, "{\"of\": \"a newer version\"}");
                })
                .ends(stage -> setUrl(stage, odd, "\"http://odd\""));
    }

    private static void setUrl(AlertStage stage, String name, String json) {
        stage.server().corrupt("apps.reconciler4j.io", "webapps", stage.namespace(), name, "/status/url", json);
    }

    /** Each second update meets a change that another writer has made. */
    static AlertFault otherWriter() {
        return AlertFault.of("other writer", 28, "OperatorConflicts")
                .starts(stage -> {
                    stage.client().resource(stage.map("shared").build()).create();
                    ObjectKey key = ObjectKey.of(stage.namespace(), "shared");
                    stage.hooks().reconciling = (account, client) ->
                            update(client, key, account.getMetadata().getResourceVersion());
                    stage.server()
                            .faults()
                            .add(FaultRule.of(
                                            RequestMatch.verbs("update")
                                                    .kind(CONFIG_MAP)
                                                    .name("shared"),
                                            Fault.conflict())
                                    .everyNth(2));
                })
                .repeats(stage -> stage.reconcileAccount(ROUTINE));
    }

    private static void update(Client client, ObjectKey key, String version) {
        for (int i = 0; i < UPDATES_PER_MINUTE; i++) {
            String value = version + "-" + i;
            client.retryOnConflict(ConfigMap.class, key, map -> {
                map.getData().put("value", value);
                return client.update(map);
            });
        }
    }

    /** The reconciler reads something that it can do without. */
    static AlertFault apiErrors(String name, Fault fault) {
        return AlertFault.of(name, 26, "OperatorApiErrors")
                .starts(stage -> {
                    ObjectKey key = ObjectKey.of(stage.namespace(), "optional");
                    stage.hooks().reconciling = (account, client) -> readOptional(client, key);
                    stage.server()
                            .faults()
                            .add(FaultRule.of(RequestMatch.verbs("get").name("optional"), fault));
                })
                .repeats(stage -> stage.reconcileAccount(ROUTINE));
    }

    private static void readOptional(Client client, ObjectKey key) {
        try {
            Optional<ConfigMap> found = client.live().get(ConfigMap.class, key); // with retries
            throw new AssertionError("answered in spite of the fault: " + found.isPresent());
        } catch (ApiException e) {
            // it can do without
        }
    }

    /** The watch of a kind is silent while the operator writes many of its objects. */
    static AlertFault undeliveredWrites() {
        return AlertFault.of(
                        "undelivered writes",
                        18,
                        "OperatorPendingWrites{kind=\"configmaps\"}",
                        "OperatorWatchSilent{kind=\"configmaps\"}")
                .silencing(CONFIG_MAP)
                .starts(stage -> {
                    disturb(stage, CONFIG_MAP, Fault.stall());
                    stage.hooks().reconciling = (account, client) -> {
                        for (int i = 0; i < MANY; i++) {
                            client.apply(stage.map("many-" + i).build());
                        }
                        stage.hooks().clear();
                    };
                    stage.reconcileAccount(ROUTINE);
                });
    }
}
