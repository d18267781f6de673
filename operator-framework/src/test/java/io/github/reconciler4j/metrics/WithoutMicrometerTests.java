package io.github.reconciler4j.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator whose class path has no Micrometer. */
@Timeout(180)
class WithoutMicrometerTests {

    /** Runs in the other class loader: an operator that reconciles one object. */
    public static final class Operator implements Callable<Boolean> {

        @Override
        public Boolean call() throws Exception {
            CountDownLatch reconciled = new CountDownLatch(1);
            try (KubernetesServer server = KubernetesServer.start();
                    Manager manager = Manager.create(
                            server.clientConfig(),
                            ManagerOptions.defaults()
                                    .withLeaderElection(
                                            LeaderElectionOptions.named("lock").withLeaseNamespace("default")))) {
                ControllerBuilder.of(ConfigMap.class)
                        .reconciler((map, context) -> {
                            reconciled.countDown();
                            return Result.done();
                        })
                        .addTo(manager);
                manager.start();
                manager.client()
                        .create(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace("default")
                                .withName("one")
                                .endMetadata()
                                .build());
                return reconciled.await(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void managerWhenMicrometerIsNotThereWorks() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.MeterRegistry"))
                    .isInstanceOf(ClassNotFoundException.class);
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(loader);
            try {
                Object operator = loader.loadClass(Operator.class.getName())
                        .getConstructor()
                        .newInstance();
                assertThat(((Callable<?>) operator).call()).isEqualTo(true);
            } finally {
                Thread.currentThread().setContextClassLoader(before);
            }
        }
    }

    private static URL[] classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(entry -> !entry.contains("micrometer"))
                .map(WithoutMicrometerTests::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }
}
