package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.objectset.Readiness.State;
import io.github.reconciler4j.support.KubernetesJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of kstatus, case by case. */
class StandardReadinessTests {

    private static HasMetadata object(String apiVersion, String kind, String rest) {
        String yaml = "apiVersion: " + apiVersion + "\nkind: " + kind + "\n" + rest;
        return KubernetesJson.readYaml(yaml, GenericKubernetesResource.class);
    }

    private static String of(String apiVersion, String kind, String rest) {
        Readiness.Status status = Readiness.standard().of(object(apiVersion, kind, rest));
        return status.state() + " " + status.message();
    }

    private static String deployment(String status) {
        return of("apps/v1", "Deployment", "metadata: {generation: 2}\nspec: {replicas: 3}\nstatus: " + status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                                    | WAITING its controller has not seen it yet
            {observedGeneration: 1}                                                               | WAITING its controller has seen generation 1 of 2
            {observedGeneration: 2, replicas: 2}                                                  | WAITING 2 of 3 pods exist
            {observedGeneration: 2, replicas: 3, updatedReplicas: 1}                              | WAITING 1 of 3 pods are up to date
            {observedGeneration: 2, replicas: 4, updatedReplicas: 3}                              | WAITING 1 old pods have to stop
            {observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 2}        | WAITING 2 of 3 pods are available
            {observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3, readyReplicas: 3} | READY 3 of 3 pods are ready
            {observedGeneration: 2, conditions: [{type: Progressing, status: 'False', reason: ProgressDeadlineExceeded, message: too slow}]} | FAILED too slow
            """)
    void deploymentIsReadyWhenAllPodsAre(String status, String expected) {
        assertThat(deployment(status)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                                     | WAITING its controller has not seen it yet
            {observedGeneration: 1, replicas: 2, readyReplicas: 1}                                 | WAITING 1 of 2 pods are ready
            {observedGeneration: 1, replicas: 2, readyReplicas: 2, currentReplicas: 1}             | WAITING 1 of 2 pods are current
            {observedGeneration: 1, replicas: 2, readyReplicas: 2, currentReplicas: 2, currentRevision: a, updateRevision: b} | WAITING its pods are being replaced
            {observedGeneration: 1, replicas: 2, readyReplicas: 2, currentReplicas: 2, currentRevision: a, updateRevision: a} | READY 2 of 2 pods are ready
            """)
    void statefulSetIsReadyWhenItsRevisionIsRolledOut(String status, String expected) {
        String rest = "metadata: {generation: 1}\nspec: {replicas: 2}\nstatus: " + status;

        assertThat(of("apps/v1", "StatefulSet", rest)).isEqualTo(expected);
    }

    @Test
    void daemonSetIsReadyWhenItRunsOnEachNode() {
        String some = "status: {observedGeneration: 1, desiredNumberScheduled: 2, currentNumberScheduled: 2,"
                + " updatedNumberScheduled: 2, numberAvailable: 1, numberReady: 1}";

        assertThat(of("apps/v1", "DaemonSet", "status: {}")).startsWith("WAITING");
        assertThat(of("apps/v1", "DaemonSet", some)).isEqualTo("WAITING 1 of 2 pods are available");
        assertThat(of(
                        "apps/v1",
                        "DaemonSet",
                        some.replace(": 1}", ": 2}").replace("numberAvailable: 1", "numberAvailable: 2")))
                .startsWith("READY");
    }

    @Test
    void replicaSetIsReadyWhenItsPodsAre() {
        String status = "spec: {replicas: 1}\nstatus: {observedGeneration: 1, replicas: 1, fullyLabeledReplicas: 1, "
                + "availableReplicas: 1, readyReplicas: %s}";

        assertThat(of("apps/v1", "ReplicaSet", status.formatted(0))).isEqualTo("WAITING 0 of 1 pods are ready");
        assertThat(of("apps/v1", "ReplicaSet", status.formatted(1))).startsWith("READY");
    }

    @Test
    void jobIsReadyWhenItHasStartedAndFailedWhenItHas() {
        assertThat(of("batch/v1", "Job", "status: {}")).isEqualTo("WAITING has not started");
        assertThat(of("batch/v1", "Job", "status: {startTime: '2026-01-01T00:00:00Z'}"))
                .startsWith("READY");
        assertThat(of("batch/v1", "Job", "status: {conditions: [{type: Failed, status: 'True', message: no luck}]}"))
                .isEqualTo("FAILED no luck");
    }

    @Test
    void podIsReadyWhenItsConditionSaysSo() {
        assertThat(of("v1", "Pod", "status: {phase: Pending}")).isEqualTo("WAITING is Pending and not ready");
        assertThat(of("v1", "Pod", "status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"))
                .startsWith("READY");
        assertThat(
                        of(
                                "v1",
                                "Pod",
                                "status: {phase: Running, containerStatuses: [{name: main, state: {waiting: {reason: CrashLoopBackOff}}}]}"))
                .isEqualTo("FAILED container main keeps failing");
        assertThat(of("v1", "Pod", "status: {phase: Failed}")).startsWith("FAILED");
    }

    @Test
    void claimServiceAndDefinitionHaveTheirOwnRules() {
        assertThat(of("v1", "PersistentVolumeClaim", "status: {phase: Pending}"))
                .startsWith("WAITING");
        assertThat(of("v1", "PersistentVolumeClaim", "status: {phase: Bound}")).startsWith("READY");
        assertThat(of("v1", "Service", "spec: {type: LoadBalancer}")).isEqualTo("WAITING has no address yet");
        assertThat(of("v1", "Service", "spec: {type: ClusterIP}")).startsWith("READY");
        assertThat(of("apiextensions.k8s.io/v1", "CustomResourceDefinition", "status: {}"))
                .startsWith("WAITING");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                        | READY ''
            {observedGeneration: 1}                                                   | WAITING its controller has seen generation 1 of 2
            {conditions: [{type: Ready, status: 'True', message: fine}]}              | READY fine
            {conditions: [{type: Ready, status: 'False', message: not yet}]}          | WAITING not yet
            {conditions: [{type: Ready, status: Unknown}]}                            | WAITING Ready is Unknown
            {conditions: [{type: Reconciling, status: 'True', message: busy}]}        | WAITING busy
            {conditions: [{type: Stalled, status: 'True', message: broken}]}          | FAILED broken
            """)
    void customResourceIsReadyWhenItsStandardConditionsSaySo(String status, String expected) {
        String rest = "metadata: {generation: 2}\nstatus: " + status;

        assertThat(of("example.com/v1", "Bucket", rest)).isEqualTo(expected.replace("''", ""));
    }

    @Test
    void objectThatIsBeingDeletedIsNotReady() {
        assertThat(of("v1", "Secret", "metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}"))
                .isEqualTo("WAITING is being deleted");
    }

    @Test
    void conditionIsLookedAtForTheCurrentGeneration() {
        Readiness complete = Readiness.condition("Complete");
        String condition =
                "metadata: {generation: 2}\nstatus: {conditions: [{type: Complete, status: 'True', observedGeneration: %s}]}";

        assertThat(complete.of(object("batch/v1", "Job", "status: {}")).message())
                .isEqualTo("has no condition Complete yet");
        assertThat(complete.of(object("batch/v1", "Job", condition.formatted(1)))
                        .state())
                .isEqualTo(State.WAITING);
        assertThat(complete.of(object("batch/v1", "Job", condition.formatted(2)))
                        .state())
                .isEqualTo(State.READY);
    }

    @Test
    void readinessOfAClassRefusesOthers() {
        Readiness readiness = Readiness.of(Secret.class, secret -> true, "nothing");

        assertThatIllegalArgumentException().isThrownBy(() -> readiness.of(object("v1", "Pod", "status: {}")));
    }
}
