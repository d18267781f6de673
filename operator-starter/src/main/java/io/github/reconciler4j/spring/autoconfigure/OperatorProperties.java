package io.github.reconciler4j.spring.autoconfigure;

import static io.github.reconciler4j.spring.autoconfigure.OperatorConfigurationException.fromProperty;
import static io.github.reconciler4j.spring.autoconfigure.OperatorConfigurationException.set;

import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.FieldValidation;
import io.github.reconciler4j.client.Throttle;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.cluster.KubeconfigSecrets;
import io.github.reconciler4j.installer.CrdInstallerOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.recorder.EventOptions;
import io.github.reconciler4j.spring.autoconfigure.ControllerSettings.Layer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the operator. A nullable part is null if no property of it is set, because creating its defaults
 * by reflection would be a part of each start.
 *
 * @param enabled Whether to configure the operator.
 * @param autoStartup Whether the operator starts with the application.
 * @param exitOnFailure Whether the process ends with a non-zero exit code after the operator has failed. Applies to
 *     applications that the JVM was started for, not to tests and embedded applications.
 * @param name Name of the operator in logs, threads, metrics and the user agent. Defaults to the name of the application.
 * @param version Version of the operator in the user agent. Defaults to the version of the application.
 * @param mode Whether writes take effect.
 * @param apiServerTimeout Maximum time to wait at startup for the API server to respond.
 * @param gracePeriod Maximum time that running reconciliations have to finish at shutdown. A negative value disables the
 *     limit.
 * @param startJitter Maximum random delay before each controller starts.
 * @param preflight What to do at startup if permissions of the controllers are missing.
 * @param enabledControllers Controllers to run. An asterisk stands for all controllers that are enabled by default, a name
 *     enables a controller, and a name after a hyphen disables it.
 * @param client Connection to the API server.
 * @param cache Watched objects.
 * @param events Kubernetes events that reconcilers record.
 * @param clusters Other clusters, which join and leave at runtime.
 * @param crds CustomResourceDefinitions that the operator installs when it starts.
 * @param leaderElection Leader election.
 * @param sharding Shards that the replicas share.
 * @param brake The brake, which stops a controller that deletes too much.
 * @param management Access to the actuator endpoints.
 * @param plan Report of a plan.
 * @param tracing Spans of reconciliations.
 * @param allControllers Settings of all controllers.
 * @param controllers Settings of single controllers by name.
 */
@ConfigurationProperties(OperatorProperties.PREFIX)
record OperatorProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean autoStartup,
        @DefaultValue("true") boolean exitOnFailure,
        @Nullable String name,
        @Nullable String version,
        @DefaultValue("normal") WriteMode mode,
        @DefaultValue("2m") Duration apiServerTimeout,
        @DefaultValue("30s") Duration gracePeriod,
        @DefaultValue("0s") Duration startJitter,
        @DefaultValue("report") Preflight preflight,
        @DefaultValue("*") List<String> enabledControllers,
        @DefaultValue Client client,
        @NestedConfigurationProperty @DefaultValue CacheProperties cache,
        @Nullable Events events,
        @Nullable Clusters clusters,
        @Nullable Crds crds,
        @Nullable LeaderElection leaderElection,
        @NestedConfigurationProperty @Nullable ShardingProperties sharding,
        @NestedConfigurationProperty @Nullable BrakeProperties brake,
        @Nullable Management management,
        @DefaultValue Planning plan,
        @Nullable Tracing tracing,
        @NestedConfigurationProperty @Nullable ControllerProperties allControllers,
        @DefaultValue Map<String, ControllerProperties> controllers) {

    static final String PREFIX = "reconciler4j";
    static final String ENABLED_CONTROLLERS = PREFIX + ".enabled-controllers";

    /**
     * Connection to the API server.
     *
     * @param kubeconfig Path of the kubeconfig file. Defaults to the KUBECONFIG environment variable, ~/.kube/config, or
     *     the service account of the pod.
     * @param context Context of the kubeconfig. Defaults to its current context.
     * @param pluginTimeout Maximum duration of one run of the exec plug-in of the kubeconfig.
     * @param qps Maximum average number of requests per second. Unlimited by default.
     * @param burst Number of requests that may exceed the average rate in a burst.
     * @param maxConcurrentRequests Maximum number of requests in progress at the same time, without watches. Unlimited by
     *     default.
     * @param requestTimeout Maximum duration of each attempt of a request.
     * @param fieldManager Field manager of writes. Defaults to the name of the controller that writes.
     * @param fieldValidation Whether the API server rejects unknown and duplicate fields in writes. Defaults to the API
     *     server's own default.
     * @param uncached Kinds that are read from the API server instead of the cache.
     */
    record Client(
            @Nullable String kubeconfig,
            @Nullable String context,
            @DefaultValue("1m") Duration pluginTimeout,
            @Nullable Double qps,
            @Nullable Integer burst,
            @Nullable Integer maxConcurrentRequests,
            @DefaultValue("30s") Duration requestTimeout,
            @Nullable String fieldManager,
            @Nullable FieldValidation fieldValidation,
            @DefaultValue Set<String> uncached) {

        private ClientOptions toOptions(WriteMode mode, KindNames kinds) {
            String prefix = PREFIX + ".client.";
            ClientOptions options = ClientOptions.defaults().withMode(mode);
            options = set(prefix + "request-timeout", options, requestTimeout, ClientOptions::withTimeout);
            options = set(prefix + "field-manager", options, fieldManager, ClientOptions::withFieldManager);
            options = set(prefix + "field-validation", options, fieldValidation, ClientOptions::withFieldValidation);
            options = options.withThrottle(throttle());
            return uncached.isEmpty() ? options : options.withUncached(kinds.findAll(prefix + "uncached", uncached));
        }

        private Throttle throttle() {
            Throttle throttle = Throttle.off();
            if (qps != null) {
                int atOnce = burst != null ? burst : Math.max(1, (int) Math.ceil(qps));
                throttle = fromProperty(
                        PREFIX + ".client.qps", () -> Throttle.off().withRate(qps, atOnce));
            } else if (burst != null) {
                throw OperatorConfigurationException.property(
                        PREFIX + ".client.burst", "has no effect without 'reconciler4j.client.qps'", null);
            }
            return set(
                    PREFIX + ".client.max-concurrent-requests",
                    throttle,
                    maxConcurrentRequests,
                    Throttle::withMaxConcurrent);
        }
    }

    /**
     * Access to the actuator endpoints.
     *
     * @param authorization Whether the API server decides who may access the actuator endpoints except health, by the token of
     *     the request and the user's permission for the path.
     */
    record Management(@DefaultValue("false") boolean authorization) {}

    /**
     * Report of a plan, which {@code reconciler4j.mode=plan} makes.
     *
     * @param format Format of the report.
     * @param file Path of the file that the report is written to. Written to standard output by default.
     * @param timeout Maximum duration of the plan.
     */
    record Planning(
            @DefaultValue("text") Format format,
            @Nullable String file,
            @DefaultValue("10m") Duration timeout) {

        /** The format of a report. */
        enum Format {
            /** For people. */
            TEXT,
            /** For programs. */
            JSON
        }
    }

    /**
     * Spans of reconciliations.
     *
     * @param linkAnnotation Annotation with the W3C trace context of the writer of an object, to which the spans of
     *     reconciliations that the object triggers are linked. Without links by default.
     */
    record Tracing(@Nullable String linkAnnotation) {}

    /**
     * Kubernetes events that reconcilers record.
     *
     * @param domain Domain of the reporting controllers; the controller 'webapp' reports as '<domain>/webapp'.
     * @param burst Number of different events that one controller may record about one object at once.
     * @param refill Time after which a controller that has used up its burst may record one more event about the object.
     * @param seriesEnd Time without an equal event after which a series of events ends.
     * @param queueSize Maximum number of events that wait to be written.
     * @param flushTimeout Maximum time to wait at shutdown until all events are written.
     */
    record Events(
            @DefaultValue("reconciler4j.io") String domain,
            @DefaultValue("25") int burst,
            @DefaultValue("5m") Duration refill,
            @DefaultValue("6m") Duration seriesEnd,
            @DefaultValue("1000") int queueSize,
            @DefaultValue("5s") Duration flushTimeout) {

        private EventOptions toOptions() {
            String prefix = PREFIX + ".events.";
            EventOptions options = set(prefix + "domain", EventOptions.defaults(), domain, EventOptions::withDomain);
            options = set(prefix + "burst", options, burst, (events, most) -> events.withRate(most, events.refill()));
            options = set(prefix + "refill", options, refill, (events, time) -> events.withRate(burst, time));
            options = set(prefix + "series-end", options, seriesEnd, EventOptions::withSeriesEnd);
            options = set(prefix + "queue-size", options, queueSize, EventOptions::withQueueSize);
            return set(prefix + "flush-timeout", options, flushTimeout, EventOptions::withFlushTimeout);
        }
    }

    /**
     * Other clusters, which join and leave at runtime.
     *
     * @param folder Path of a folder. Each kubeconfig in it is a cluster. None by default.
     * @param interval Interval at which the folder is read.
     * @param secrets Secrets that contain a kubeconfig.
     */
    record Clusters(
            @Nullable String folder,
            @DefaultValue("10s") Duration interval,
            @DefaultValue Secrets secrets) {

        static final String PREFIX = OperatorProperties.PREFIX + ".clusters.";

        /**
         * Secrets that contain a kubeconfig.
         *
         * @param enabled Whether each Secret that the label selector selects is a cluster.
         * @param namespace Namespace of the Secrets. Defaults to the namespace of the pod.
         * @param labelSelector Label selector of the Secrets.
         * @param key Key of the kubeconfig in a Secret.
         */
        record Secrets(
                @DefaultValue("false") boolean enabled,
                @Nullable String namespace,

                @DefaultValue("reconciler4j.io/kubeconfig=true")
                String labelSelector,

                @DefaultValue("kubeconfig") String key) {

            KubeconfigSecrets in(Manager manager, @Nullable String ownNamespace) {
                String chosen = namespace != null ? namespace : ownNamespace;
                if (chosen == null || chosen.isBlank()) {
                    throw OperatorConfigurationException.property(
                            PREFIX + "secrets.namespace",
                            "must be set, because the namespace of the pod is unknown",
                            null);
                }
                KubeconfigSecrets secrets = KubeconfigSecrets.in(manager, chosen);
                secrets = set(
                        PREFIX + "secrets.label-selector",
                        secrets,
                        labelSelector,
                        KubeconfigSecrets::withLabelSelector);
                return set(PREFIX + "secrets.key", secrets, key, KubeconfigSecrets::withKey);
            }
        }
    }

    /**
     * CustomResourceDefinitions that the operator installs when it starts.
     *
     * @param install Whether to install and upgrade the definitions before the operator watches their kinds.
     * @param locations Locations of the definitions.
     * @param timeout Maximum time to wait until all definitions are established and served.
     * @param migrateStorage Whether to rewrite objects that are stored in former versions. Defaults to 'install'. If others
     *     install the definitions, the operator only rewrites the objects.
     */
    record Crds(
            @DefaultValue("false") boolean install,

            @DefaultValue({"classpath*:META-INF/crds/*.yaml", "classpath*:META-INF/crds/*.yml"})
            List<String> locations,

            @DefaultValue("1m") Duration timeout,
            @Nullable Boolean migrateStorage) {

        static final String PREFIX = OperatorProperties.PREFIX + ".crds.";

        /** Return the options of the installer. */
        CrdInstallerOptions toOptions() {
            CrdInstallerOptions options = CrdInstallerOptions.defaults()
                    .withInstall(install)
                    .withMigrateStorage(migrateStorage == null ? install : migrateStorage);
            return set(PREFIX + "timeout", options, timeout, CrdInstallerOptions::withTimeout);
        }
    }

    /**
     * Leader election.
     *
     * @param enabled Whether one of several replicas is elected as the leader.
     * @param name Name of the Lease. Defaults to the name of the operator.
     * @param namespace Namespace of the Lease. Defaults to the namespace of the pod.
     * @param identity Identity of this replica. Defaults to the host name with a random suffix.
     * @param labels Labels of the Lease.
     * @param leaseDuration Time without a renewal after which other replicas acquire the lease.
     * @param renewDeadline Time without a successful renewal after which the leader regards the lease as lost.
     * @param retryPeriod Interval between two attempts to acquire or renew the lease.
     * @param onLost What happens when the lease is lost.
     * @param releaseOnStop Whether the lease is released at shutdown.
     */
    record LeaderElection(
            @DefaultValue("false") boolean enabled,
            @Nullable String name,
            @Nullable String namespace,
            @Nullable String identity,
            @DefaultValue Map<String, String> labels,
            @DefaultValue("15s") Duration leaseDuration,
            @DefaultValue("10s") Duration renewDeadline,
            @DefaultValue("2s") Duration retryPeriod,
            @DefaultValue("shutdown") LeaderElectionOptions.OnLost onLost,
            @DefaultValue("true") boolean releaseOnStop) {

        private LeaderElectionOptions toOptions(String operator) {
            String prefix = PREFIX + ".leader-election.";
            LeaderElectionOptions options = LeaderElectionOptions.named(name == null ? operator : name)
                    .withLabels(labels)
                    .withOnLost(onLost)
                    .withReleaseOnStop(releaseOnStop)
                    .withTiming(fromProperty(
                            prefix + "lease-duration",
                            () -> LeaseTiming.of(leaseDuration, renewDeadline, retryPeriod)));
            NamespaceNames.check(prefix + "namespace", namespace);
            options = set(prefix + "namespace", options, namespace, LeaderElectionOptions::withLeaseNamespace);
            return set(prefix + "identity", options, identity, LeaderElectionOptions::withIdentity);
        }
    }

    /**
     * Return options with these settings.
     *
     * @param before the options with the name and the version of the application
     * @param kinds finds the kinds that properties name
     */
    ManagerOptions toManagerOptions(ManagerOptions before, KindNames kinds) {
        String operator = name == null ? before.name() : name;
        ManagerOptions options = set(PREFIX + ".version", before, version, ManagerOptions::withVersion);
        options = set(PREFIX + ".name", options, operator, ManagerOptions::withName)
                .withLifecycle(lifecycle())
                .withClient(client.toOptions(mode, kinds))
                .withCache(cache.toOptions(kinds));
        options = events == null ? options : options.withEvents(events.toOptions());
        options = leaderElection != null && leaderElection.enabled()
                ? options.withLeaderElection(leaderElection.toOptions(operator))
                : options;
        options = brake == null ? options : brake.applyTo(options);
        return sharding == null ? options : sharding.applyTo(options);
    }

    private LifecycleOptions lifecycle() {
        LifecycleOptions options = LifecycleOptions.defaults().withPreflight(preflight);
        options = set(PREFIX + ".grace-period", options, gracePeriod, LifecycleOptions::withGracefulShutdown);
        options =
                set(PREFIX + ".api-server-timeout", options, apiServerTimeout, LifecycleOptions::withApiServerTimeout);
        return set(PREFIX + ".start-jitter", options, startJitter, LifecycleOptions::withStartJitter);
    }

    /** Return the definitions to install, of which a property is set if they are asked for. */
    Crds requiredCrds() {
        return Objects.requireNonNull(crds, "'reconciler4j.crds' is not set");
    }

    /** Return the other clusters, of which a property is set if they are asked for. */
    Clusters requiredClusters() {
        return Objects.requireNonNull(clusters, "'reconciler4j.clusters' is not set");
    }

    /** Return the layer of settings of all controllers. */
    Layer allControllersLayer() {
        return Layer.ofProperties(PREFIX + ".all-controllers", false, allControllers);
    }

    /** Return the layer of settings of one controller, without values if no property names it. */
    Layer controllerLayer(String controller) {
        return Layer.ofProperties(PREFIX + ".controllers." + controller, true, controllers.get(controller));
    }
}
