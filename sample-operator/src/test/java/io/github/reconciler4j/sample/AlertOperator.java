package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.spring.autoconfigure.ManagerOptionsCustomizer;
import io.github.reconciler4j.test.cluster.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A replica of the sample operator with {@link FaultyParts} and a clock of its own, in this JVM. */
final class AlertOperator implements AutoCloseable {

    static final Duration RENEW_DEADLINE = Duration.ofMinutes(20);

    private static final String ELECTOR = "leader-elector-sample-operator";
    private static final Duration FRESH = Duration.ofSeconds(90);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final List<String> ARGUMENTS = List.of(
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--management.endpoint.reconciler4j.access=unrestricted",
            "--reconciler4j.leader-election.enabled=true",
            "--reconciler4j.leader-election.namespace=default",
            "--reconciler4j.leader-election.lease-duration=30m",
            "--reconciler4j.leader-election.renew-deadline=" + RENEW_DEADLINE,
            "--reconciler4j.leader-election.retry-period=1m",
            "--reconciler4j.leader-election.on-lost=rejoin");

    private final String pod;
    private final AlertClock clock;
    private final ConfigurableApplicationContext application;
    private final URI address;

    private AlertOperator(String pod, AlertClock clock, ConfigurableApplicationContext application) {
        this.pod = pod;
        this.clock = clock;
        this.application = application;
        this.address =
                URI.create("http://127.0.0.1:" + application.getEnvironment().getRequiredProperty("local.server.port"));
    }

    static AlertOperator start(TestCluster cluster, FaultyParts.Hooks hooks, String pod, List<String> more) {
        AlertClock clock = new AlertClock();
        List<String> arguments = new ArrayList<>(ARGUMENTS);
        arguments.addAll(more);
        return new AlertOperator(
                pod,
                clock,
                new SpringApplicationBuilder(SampleOperatorApplication.class, FaultyParts.class)
                        .initializers(context -> register((GenericApplicationContext) context, cluster, hooks, clock))
                        .run(arguments.toArray(String[]::new)));
    }

    private static void register(
            GenericApplicationContext context, TestCluster cluster, FaultyParts.Hooks hooks, AlertClock clock) {
        context.registerBean(Config.class, cluster::operatorConfig);
        context.registerBean(FaultyParts.Hooks.class, () -> hooks);
        context.registerBean(
                ManagerOptionsCustomizer.class,
                () -> options -> options.withTimeSource(clock)
                        .withCache(options.cache()
                                .withWatch(options.cache()
                                        .watch()
                                        .withBackoff(Duration.ofMillis(20), Duration.ofMillis(100)))));
    }

    String pod() {
        return pod;
    }

    AlertClock clock() {
        return clock;
    }

    Manager manager() {
        return application.getBean(Manager.class);
    }

    boolean isRunning() {
        return application.isActive();
    }

    boolean isLeader() {
        return manager().status().leader();
    }

    /**
     * Lets a minute pass unless the elector is busy: a lease must not expire while it is acquired, and what ran under a lost one
     * has seconds to end.
     */
    void passMinuteOfElection() {
        clock.advanceFor(ELECTOR, Duration.ofMinutes(1));
    }

    /** Whether it does not lead and all that it did as the leader has ended. */
    boolean standsBy() {
        return !isLeader()
                && manager().status().components().stream()
                        .filter(component -> component.group() == StartGroup.LEADER_ELECTED)
                        .allMatch(component -> component.state() == ComponentState.State.STANDBY);
    }

    /** What has not been renewed, or has received nothing, within the last minute or so. */
    List<String> outdated(String silentKind) {
        List<String> outdated = new ArrayList<>();
        for (LeaseStatus lease : manager().status().leases()) {
            Duration remaining = lease.replica().remaining();
            if (lease.leading() && remaining.compareTo(RENEW_DEADLINE.minus(FRESH)) < 0) {
                outdated.add("lease: " + remaining);
            }
        }
        for (KindStatus kind : manager().cache().kinds()) {
            Duration staleness = kind.activity().staleness();
            if (!kind.kind().kind().kind().equals(silentKind) && staleness.compareTo(FRESH) > 0) {
                outdated.add(kind.kind().kind() + ": " + staleness + ", " + kind.failure());
            }
        }
        return outdated;
    }

    /** The metrics as Prometheus gets them; empty if nothing listens. */
    Optional<String> scrape() {
        try {
            HttpResponse<String> response = send(HttpRequest.newBuilder(address.resolve("/actuator/prometheus")));
            assertThat(response.statusCode()).isEqualTo(200);
            return Optional.of(response.body());
        } catch (ConnectException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Pauses or resumes a controller. */
    void operate(String controller, String action) {
        try {
            HttpResponse<String> response =
                    send(HttpRequest.newBuilder(address.resolve("/actuator/reconciler4j/" + controller))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"" + action + "\"}")));
            assertThat(response.statusCode()).isEqualTo(200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        application.close();
    }
}
