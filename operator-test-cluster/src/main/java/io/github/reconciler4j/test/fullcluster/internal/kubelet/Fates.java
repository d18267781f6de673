package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.ChannelSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** What a test wants its pods to do: rules for many pods, and commands for one. Safe for use by many threads. */
public final class Fates {

    private static final String MISSING = "missing.example/";

    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    /** The exit codes of running containers that end now, by the uid of the pod. */
    private final Map<String, Integer> exits = new ConcurrentHashMap<>();

    private final Map<String, Boolean> readiness = new ConcurrentHashMap<>();
    private final Map<String, String> logs = new ConcurrentHashMap<>();
    /** The uids of the pods on nodes. */
    private final Map<ObjectKey, String> pods = new ConcurrentHashMap<>();

    private final ChannelSource<Request, Request> changes = ChannelSource.ofRequests("pod-rules");

    /** Create one without rules. */
    public Fates() {}

    /** Return the source of requests for pods that do something else now. */
    ChannelSource<Request, Request> changes() {
        return changes;
    }

    /** Add a rule. Later rules win over earlier ones. */
    public void add(Rule rule) {
        rules.add(rule);
        wakeAll();
    }

    /** Remove a rule; nothing if it is not there. */
    public void remove(Rule rule) {
        if (rules.remove(rule)) {
            wakeAll();
        }
    }

    /** Remove all rules. */
    public void clear() {
        rules.clear();
        wakeAll();
    }

    /** Let the running containers of a pod end. */
    public void exit(Pod pod, int code) {
        exits.put(pod.getMetadata().getUid(), code);
        wake(ObjectKey.of(pod));
    }

    /** Let the containers of a pod be ready, or not. */
    public void ready(Pod pod, boolean ready) {
        readiness.put(pod.getMetadata().getUid(), ready);
        wake(ObjectKey.of(pod));
    }

    /** Set what the containers of a pod have written. */
    public void log(Pod pod, String text) {
        logs.put(pod.getMetadata().getUid(), text);
    }

    private void wakeAll() {
        pods.keySet().forEach(this::wake);
    }

    private void wake(ObjectKey pod) {
        changes.send(Request.of(pod));
    }

    /** Note that a pod is on a node. */
    void arrived(Pod pod) {
        pods.put(ObjectKey.of(pod), pod.getMetadata().getUid());
    }

    /** Forget a pod that is gone, and return its uid; null if it was on no node. */
    @Nullable
    String left(ObjectKey pod) {
        String uid = pods.remove(pod);
        if (uid != null) {
            exits.remove(uid);
            readiness.remove(uid);
            logs.remove(uid);
        }
        return uid;
    }

    /** Return with which code the running containers of a pod end now; null if they do not. */
    @Nullable
    Integer exitCode(Pod pod) {
        return exits.get(pod.getMetadata().getUid());
    }

    /** Note that the running containers of a pod have ended with a code. */
    void hasEnded(Pod pod, int code) {
        exits.remove(pod.getMetadata().getUid(), code);
    }

    /** Return how a container behaves. */
    Behavior behavior(ContainerPlace place) {
        Behavior behavior = usual(place);
        for (Rule rule : rules) {
            behavior = rule.apply(place, behavior);
        }
        Boolean ready = readiness.get(place.pod().getMetadata().getUid());
        return ready == null ? behavior : behavior.withReady(ready);
    }

    /** Containers run on, except that those of Jobs and init containers complete, and that images of one host are missing. */
    private static Behavior usual(ContainerPlace place) {
        boolean completes = place.isInit() && !place.isSidecar() || !place.isInit() && isOfJob(place.pod());
        Behavior behavior = completes ? Behavior.RUNS.withExitCode(0) : Behavior.RUNS;
        return behavior.withPullable(!place.image().startsWith(MISSING));
    }

    private static boolean isOfJob(Pod pod) {
        return OwnerReferences.controllerOf(pod)
                .map(OwnerReference::getKind)
                .filter("Job"::equals)
                .isPresent();
    }

    /** Return what a container has written. */
    String log(ContainerPlace place) {
        String own = logs.get(place.pod().getMetadata().getUid());
        if (own != null) {
            return own;
        }
        String text = "";
        for (Rule rule : rules) {
            text = rule.log(place, text);
        }
        return text;
    }
}
