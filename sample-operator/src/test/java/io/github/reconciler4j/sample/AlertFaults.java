package io.github.reconciler4j.sample;

import static io.github.reconciler4j.sample.AlertStage.ROUTINE;
import static io.github.reconciler4j.sample.AlertStage.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.CutPoint;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A fault for each alert, in the API server, in the code of the user, or in what surrounds the operator. */
final class AlertFaults {

    private static final String LEASE = "{name=\"sample-operator\"}";
    private static final String ACCOUNTS = "{controller=\"accounts\"}";
    private static final String WEBHOOK = "{webhook=\"/validate--v1-serviceaccount\"}";
    private static final int RETRIES_PER_MINUTE = 1000;
    private static final int MINUTES_PER_SLOW_RUN = 4;
    private static final int CALLS_PER_SLOW_REVIEW = 3;
    private static final long SLOW_REVIEW_MILLIS = 2100;
    private static final Pattern EXPIRY = Pattern.compile("(?m)^ssl_chain_expiry_seconds\\{.*} (\\S+)$");
    private static final double WEEK_SECONDS = 604_800;

    private AlertFaults() {}

    static List<AlertFault> all() {
        return List.of(
                noLeader(),
                twoLeaders(),
                slowReconciler(),
                pausedController(),
                stuckReconciler(),
                failingReconciler(),
                endlessReconciler(),
                tooManyDeletions(),
                AlertServerFaults.unansweredList(),
                AlertServerFaults.refusedWatch(),
                AlertServerFaults.silentWatch(),
                AlertServerFaults.strangeObject(),
                failingPredicate(),
                AlertServerFaults.otherWriter(),
                AlertServerFaults.apiErrors("the API server answers with 503", Fault.unavailable()),
                AlertServerFaults.apiErrors("the API server closes connections", Fault.cut(CutPoint.BEFORE)),
                AlertServerFaults.undeliveredWrites(),
                expiringCertificate(),
                slowWebhook(),
                failingWebhook(),
                stoppedOperator());
    }

    /** A replica that has crashed holds the lease for a day. */
    private static AlertFault noLeader() {
        return AlertFault.of("no leader", 5, "OperatorHasNoLeader" + LEASE)
                .starts(stage -> {
                    holdLease(stage, "crashed", 86_400);
                    await("the lease is lost").until(() -> {
                        stage.operator().passMinuteOfElection();
                        return !stage.operator().isLeader();
                    });
                    stage.awaitStandby();
                })
                .ends(stage -> {
                    holdLease(stage, "", 1);
                    stage.awaitLeader(stage.operator());
                });
    }

    private static void holdLease(AlertStage stage, String holder, int seconds) {
        stage.client()
                .leases()
                .inNamespace("default")
                .withName("sample-operator")
                .edit(lease -> lease.edit()
                        .editSpec()
                        .withHolderIdentity(holder)
                        .withLeaseDurationSeconds(seconds)
                        .endSpec()
                        .build());
    }

    /** The clock of the leader stands still, so that it does not notice that its lease has expired. */
    private static AlertFault twoLeaders() {
        return AlertFault.of("two leaders", 4, "OperatorHasTwoLeaders" + LEASE)
                .starts(stage -> {
                    stage.startStandby();
                    stage.operator().clock().stop();
                    stage.awaitLeader(stage.standby());
                })
                .ends(stage -> {
                    stage.operator().clock().resume();
                    stage.awaitStandby();
                    stage.stopStandby();
                    stage.awaitLeader(stage.operator());
                });
    }

    /** Each reconciliation takes minutes, and many objects wait. */
    private static AlertFault slowReconciler() {
        Semaphore ends = new Semaphore(0);
        AtomicInteger minute = new AtomicInteger();
        return AlertFault.of("slow reconciler", 24, "OperatorQueueAge" + ACCOUNTS)
                .starts(stage -> {
                    stage.hooks().reconciling = (account, client) -> ends.acquireUninterruptibly();
                    for (int i = 0; i < 15; i++) {
                        stage.changeAccount("slow-" + i);
                    }
                })
                .repeats(stage -> {
                    if (minute.incrementAndGet() % MINUTES_PER_SLOW_RUN == 0) {
                        ends.release();
                    }
                })
                .ends(stage -> ends.release(1000));
    }

    /** A reconciler deletes more than the brake allows. */
    private static AlertFault tooManyDeletions() {
        List<ObjectKey> maps = IntStream.range(0, 12)
                .mapToObj(number -> ObjectKey.of("default", "deleted-" + number))
                .toList();
        return AlertFault.of("too many deletions", 5, "OperatorDeletionsStopped" + ACCOUNTS)
                .starts(stage -> {
                    maps.forEach(key -> stage.client()
                            .configMaps()
                            .resource(new ConfigMapBuilder()
                                    .withNewMetadata()
                                    .withNamespace(key.namespace())
                                    .withName(key.name())
                                    .endMetadata()
                                    .build())
                            .create());
                    stage.hooks().reconciling = (account, client) -> maps.forEach(
                            key -> client.delete(Kind.of(ConfigMap.class), key, DeletionOptions.defaults()));
                    stage.changeAccount(ROUTINE);
                })
                .ends(stage -> stage.operator().operate(FaultyParts.ACCOUNTS, "RELEASE"));
    }

    private static AlertFault pausedController() {
        return AlertFault.of("paused controller", 28, "OperatorQueueBlocked" + ACCOUNTS)
                .starts(stage -> stage.operator().operate(FaultyParts.ACCOUNTS, "PAUSE"))
                .repeats(stage -> stage.changeAccount(ROUTINE))
                .ends(stage -> stage.operator().operate(FaultyParts.ACCOUNTS, "RESUME"));
    }

    private static AlertFault stuckReconciler() {
        CountDownLatch end = new CountDownLatch(1);
        return AlertFault.of("stuck reconciler", 17, "OperatorReconcileStuck" + ACCOUNTS)
                .starts(stage -> {
                    CountDownLatch started = new CountDownLatch(1);
                    stage.hooks().reconciling = (account, client) -> {
                        started.countDown();
                        awaitUninterruptibly(end);
                    };
                    stage.changeAccount(ROUTINE);
                    started.await();
                })
                .ends(stage -> end.countDown());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static AlertFault failingReconciler() {
        return AlertFault.of("failing reconciler", 22, "OperatorReconcileErrors" + ACCOUNTS)
                .starts(stage -> stage.hooks().reconciling = (account, client) -> {
                    throw new IllegalStateException("injected");
                })
                .repeats(stage -> stage.changeAccount(ROUTINE));
    }

    /** The rate limiter has no backoff. */
    private static AlertFault endlessReconciler() {
        return AlertFault.of("endless reconciler", 24, "OperatorRetryStorm{controller=\"limits\"}")
                .starts(stage -> {
                    stage.hooks().repeating = true;
                    stage.client()
                            .limitRanges()
                            .inNamespace(stage.namespace())
                            .withName(ROUTINE)
                            .edit(limits -> limits.edit()
                                    .editMetadata()
                                    .addToLabels("storm", "true")
                                    .endMetadata()
                                    .build());
                })
                .repeats(stage -> {
                    long enough = stage.hooks().limitsReconciled.get() + RETRIES_PER_MINUTE;
                    await("the retries of a minute")
                            .until(() -> stage.hooks().limitsReconciled.get() > enough);
                });
    }

    private static AlertFault failingPredicate() {
        return AlertFault.of("failing predicate", 18, "OperatorUndeliveredChanges" + ACCOUNTS)
                .starts(stage -> stage.hooks().filtering = () -> {
                    throw new IllegalStateException("injected");
                })
                .repeats(stage -> stage.changeAccount(ROUTINE))
                .ends(stage -> {
                    stage.hooks().clear();
                    stage.changeAccount(ROUTINE); // is delivered at once, with what was not
                });
    }

    private static AlertFault expiringCertificate() {
        return AlertFault.of("expiring certificate", 64, "OperatorCertificateExpires{bundle=\"web\"}")
                .starts(stage -> {
                    stage.renewCertificate(3);
                    await("the bundle is loaded").until(() -> expiry(stage) < WEEK_SECONDS);
                })
                .ends(stage -> {
                    stage.renewCertificate(365);
                    await("the bundle is loaded").until(() -> expiry(stage) > WEEK_SECONDS);
                });
    }

    private static double expiry(AlertStage stage) {
        Matcher matcher = EXPIRY.matcher(stage.operator().scrape().orElseThrow());
        if (!matcher.find()) {
            throw new AssertionError("The bundle has no metric");
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static AlertFault slowWebhook() {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        return AlertFault.of("slow webhook", 12, "OperatorWebhookSlow" + WEBHOOK)
                .starts(stage -> stage.hooks().reviewing = () -> {
                    if (calls.getAndIncrement() % CALLS_PER_SLOW_REVIEW == 0) {
                        try {
                            never.await(SLOW_REVIEW_MILLIS, TimeUnit.MILLISECONDS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                })
                .repeats(stage -> stage.changeAccount(ROUTINE));
    }

    private static AlertFault failingWebhook() {
        return AlertFault.of("failing webhook", 13, "OperatorWebhookErrors" + WEBHOOK)
                .starts(stage -> stage.hooks().reviewing = () -> {
                    throw new IllegalStateException("injected");
                })
                .repeats(stage -> {
                    try {
                        stage.changeAccount(ROUTINE);
                        throw new AssertionError("written in spite of the fault");
                    } catch (KubernetesClientException e) {
                        // the API server refuses what the webhook could not review
                    }
                });
    }

    private static AlertFault stoppedOperator() {
        return AlertFault.of("stopped operator", 12, "OperatorDown")
                .starts(AlertStage::stopOperator)
                .ends(AlertStage::restartOperator);
    }
}
