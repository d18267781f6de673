package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.objectset.ObjectSet;
import io.github.reconciler4j.objectset.ObjectSetResult;
import io.github.reconciler4j.objectset.ObjectSets;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What an object set at rest costs: its children are compared with the cache, and no request is sent. */
@SuppressWarnings("NullAway.Init") // JMH calls create first
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ObjectSetBenchmark {

    /** The number of children, half of them Secrets and half ServiceAccounts. */
    @Param({"2", "10"})
    public int children;

    private KubernetesServer server;
    private Manager manager;
    private ObjectSets sets;
    private ConfigMap owner;

    /** Create the owner and its children. */
    @Setup
    public void create() {
        server =
                KubernetesServer.builder().https(false).garbageCollection(false).start();
        manager = Manager.create(server.clientConfig());
        manager.cache().informer(ConfigMap.class);
        manager.cache().informer(Secret.class);
        manager.cache().informer(ServiceAccount.class);
        manager.start();
        Client client = manager.client();
        owner = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("owner")
                .endMetadata()
                .build());
        sets = ObjectSets.create(manager);
        for (int i = 0; i < 3; i++) {
            reconcile();
        }
        server.requests().clear();
    }

    /** Stop, and fail if something was sent. */
    @TearDown
    public void stop() {
        long sent = server.requests().all().stream()
                .filter(logged -> !logged.request().verb().equals("watch"))
                .count();
        manager.close();
        server.close();
        if (sent > 0) {
            throw new IllegalStateException(sent + " requests were sent at rest");
        }
    }

    /** Declare and reconcile the set. */
    @Benchmark
    public ObjectSetResult reconcile() {
        ObjectSet set = ObjectSet.ownedBy(owner);
        for (int i = 0; i < children / 2; i++) {
            set = set.apply(secret("child-" + i)).apply(account("child-" + i));
        }
        ObjectSetResult result = sets.reconcile(set);
        if (!result.isReady()) {
            throw new IllegalStateException(result.toString());
        }
        return result;
    }

    private static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app", "shop")
                .endMetadata()
                .addToData("password", "c2VjcmV0")
                .build();
    }

    private static ServiceAccount account(String name) {
        return new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app", "shop")
                .endMetadata()
                .withAutomountServiceAccountToken(false)
                .build();
    }
}
