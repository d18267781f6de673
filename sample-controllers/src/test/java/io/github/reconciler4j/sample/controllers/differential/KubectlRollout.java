package io.github.reconciler4j.sample.controllers.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controllers.differential.TwoClusters;
import java.util.List;
import java.util.regex.Pattern;

/** The commands of {@code kubectl rollout}, which read and write what the Deployment controller maintains. */
final class KubectlRollout {

    private static final String NAMESPACE = "kubectl";
    private static final Pattern HASH = Pattern.compile("pod-template-hash=\\S+");
    private static final Pattern RESTARTED = Pattern.compile("restartedAt: \\S+");

    private final TwoClusters clusters;

    KubectlRollout(TwoClusters clusters) {
        this.clusters = clusters;
    }

    void run() {
        clusters.createNamespace(NAMESPACE);
        kubectl("create", "deployment", "web", "--image=app:1", "--replicas=3");
        awaitRolledOut();
        kubectl("set", "image", "deployment/web", "app=app:2");
        kubectl("annotate", "deployment/web", "kubernetes.io/change-cause=second image");
        awaitRolledOut();
        assertThat(history()).contains("1         <none>", "2         second image");
        undo();
        restart();
        pauseAndResume();
        undoToRevision();
        clusters.deleteNamespace(NAMESPACE);
    }

    private void undo() {
        assertThat(kubectl("rollout", "undo", "deployment/web")).contains("rolled back");
        awaitRolledOut();
        assertThat(podImages()).isEqualTo("app:1 app:1 app:1");
        assertThat(history()).contains("\n2 ", "\n3 ").doesNotContain("\n1 ");
    }

    private void restart() {
        kubectl("rollout", "restart", "deployment/web");
        awaitRolledOut();
        assertThat(history()).contains("\n2 ", "\n3 ", "\n4 ");
        assertThat(kubectl("rollout", "history", "deployment/web", "--revision=4"))
                .contains("kubectl.kubernetes.io/restartedAt", "app:1");
    }

    private void pauseAndResume() {
        kubectl("rollout", "pause", "deployment/web");
        kubectl("set", "image", "deployment/web", "app=app:3");
        kubectl(
                "wait", "--for=jsonpath={.status.conditions[?(@.reason==\"DeploymentPaused\")].type}=Progressing",
                "deployment/web", "--timeout=60s");
        assertThat(podImages()).isEqualTo("app:1 app:1 app:1");
        assertThat(history()).doesNotContain("\n5 ");
        kubectl("rollout", "resume", "deployment/web");
        awaitRolledOut();
        assertThat(podImages()).isEqualTo("app:3 app:3 app:3");
        assertThat(history()).contains("\n5 ");
    }

    private void undoToRevision() {
        kubectl("rollout", "undo", "deployment/web", "--to-revision=2");
        awaitRolledOut();
        assertThat(podImages()).isEqualTo("app:2 app:2 app:2");
        assertThat(history()).contains("6         second image");
    }

    /** What the command prints before the last line depends on how fast the pods start. */
    private void awaitRolledOut() {
        for (String printed :
                clusters.kubectl("rollout", "status", "deployment/web", "-n", NAMESPACE, "--timeout=60s")) {
            assertThat(printed.lines().reduce("", (first, second) -> second))
                    .isEqualTo("deployment \"web\" successfully rolled out");
        }
    }

    private String history() {
        return kubectl("rollout", "history", "deployment/web");
    }

    private String podImages() {
        String template =
                "jsonpath={range .items[?(@.status.phase==\"Running\")]}{.spec.containers[0].image}{\"\\n\"}{end}";
        // pods of old ReplicaSets are deleted after the rollout is complete
        kubectl("wait", "--for=jsonpath={.status.terminatingReplicas}=0", "deployment/web", "--timeout=60s");
        return String.join(
                " ",
                kubectl("get", "pods", "-l", "app=web", "-o", template).lines().toList());
    }

    /** Run a command on both clusters, and return what it printed after checking that this is the same. */
    private String kubectl(String... arguments) {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "-n";
        all[arguments.length + 1] = NAMESPACE;
        List<String> printed = clusters.kubectl(all).stream()
                .map(text -> HASH.matcher(text).replaceAll("pod-template-hash=HASH"))
                .map(text -> RESTARTED.matcher(text).replaceAll("restartedAt: TIME"))
                .toList();
        assertThat(printed.get(1)).as("kubectl " + String.join(" ", arguments)).isEqualTo(printed.get(0));
        return printed.get(1);
    }
}
