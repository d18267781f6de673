package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.Preflight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Settings of the operator. What is not set has the default of the option record it ends in.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("reconciler4j")
public class OperatorProperties {

    /** The property that chooses controllers. */
    static final String ENABLED_CONTROLLERS = "reconciler4j.enabled-controllers";

    /** Whether the operator is set up at all. */
    private boolean enabled = true;

    /** Whether the operator starts with the application. */
    private boolean autoStartup = true;

    /** Name of the operator in logs, threads and the user agent; the application's name unless set. */
    private @Nullable String name;

    /** Version of the operator in the user agent; that of the build, or of the application's jar, unless set. */
    private @Nullable String version;

    /** Whether writes take effect: normal, dry-run, or observe, which also logs what each would change. */
    private WriteMode mode = WriteMode.NORMAL;

    /** Longest time to wait at start for the API server to answer; 2 minutes unless set. */
    private @Nullable Duration apiServerTimeout;

    /** Longest time that running reconciles are given at stop; 30 seconds unless set, negative is without end. */
    private @Nullable Duration gracePeriod;

    /** Longest time that controllers wait before their start, at random for each; none unless set. */
    private @Nullable Duration startJitter;

    /** Whether to ask at start for the rights of all controllers, and what to do if some are missing; report unless set. */
    private @Nullable Preflight preflight;

    /** Controllers to run: * is all that are on by default, name turns one on, -name turns one off; * unless set. */
    private List<String> enabledControllers = new ArrayList<>(List.of("*"));

    @NestedConfigurationProperty
    private final ClientProperties client = new ClientProperties();

    @NestedConfigurationProperty
    private final CacheProperties cache = new CacheProperties();

    @NestedConfigurationProperty
    private final LeaderElectionProperties leaderElection = new LeaderElectionProperties();

    @NestedConfigurationProperty
    private final ControllerProperties allControllers = new ControllerProperties();

    /** Settings of single controllers by their name. */
    private final Map<String, NamedControllerProperties> controllers = new LinkedHashMap<>();

    /** Creates the defaults. */
    public OperatorProperties() {}

    /** The options with these settings in place of what was set before. */
    ManagerOptions toManagerOptions(ManagerOptions before) {
        String operatorName = name == null ? before.name() : name;
        ManagerOptions options = Setting.set("reconciler4j.version", before, version, ManagerOptions::withVersion)
                .withName(operatorName)
                .withEngine(client.getEngine())
                .withLifecycle(lifecycle())
                .withClient(ClientOptions.defaults().withMode(mode))
                .withCache(cache.toOptions());
        return leaderElection
                .toOptions(operatorName)
                .map(options::withLeaderElection)
                .orElse(options);
    }

    private LifecycleOptions lifecycle() {
        LifecycleOptions options = LifecycleOptions.defaults();
        options =
                Setting.set("reconciler4j.grace-period", options, gracePeriod, LifecycleOptions::withGracefulShutdown);
        options = Setting.set(
                "reconciler4j.api-server-timeout", options, apiServerTimeout, LifecycleOptions::withApiServerTimeout);
        options = Setting.set("reconciler4j.preflight", options, preflight, LifecycleOptions::withPreflight);
        return Setting.set("reconciler4j.start-jitter", options, startJitter, LifecycleOptions::withStartJitter);
    }

    /** Whether the operator is set up at all, true by default. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Sets whether the operator is set up at all. */
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    /** Whether the operator starts with the application, true by default. */
    public boolean isAutoStartup() {
        return autoStartup;
    }

    /** Sets whether the operator starts with the application. */
    public void setAutoStartup(boolean autoStartup) {
        this.autoStartup = autoStartup;
    }

    /** The name of the operator, null for the application's name. */
    public @Nullable String getName() {
        return name;
    }

    /** Sets the name of the operator. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** The version of the operator, null for that of the application. */
    public @Nullable String getVersion() {
        return version;
    }

    /** Sets the version of the operator. */
    public void setVersion(@Nullable String version) {
        this.version = version;
    }

    /** Whether writes take effect, normal by default. */
    public WriteMode getMode() {
        return mode;
    }

    /** Sets whether writes take effect. */
    public void setMode(WriteMode mode) {
        this.mode = mode;
    }

    /** The longest time to wait at start for the API server, null for the default. */
    public @Nullable Duration getApiServerTimeout() {
        return apiServerTimeout;
    }

    /** Sets the longest time to wait at start for the API server. */
    public void setApiServerTimeout(@Nullable Duration apiServerTimeout) {
        this.apiServerTimeout = apiServerTimeout;
    }

    /** The longest time that running reconciles are given at stop, null for the default. */
    public @Nullable Duration getGracePeriod() {
        return gracePeriod;
    }

    /** Sets the longest time that running reconciles are given at stop. */
    public void setGracePeriod(@Nullable Duration gracePeriod) {
        this.gracePeriod = gracePeriod;
    }

    /** The longest time that controllers wait before their start, null for none. */
    public @Nullable Duration getStartJitter() {
        return startJitter;
    }

    /** Sets the longest time that controllers wait before their start. */
    public void setStartJitter(@Nullable Duration startJitter) {
        this.startJitter = startJitter;
    }

    /** What to do about missing rights at start, null for the default. */
    public @Nullable Preflight getPreflight() {
        return preflight;
    }

    /** Sets what to do about missing rights at start. */
    public void setPreflight(@Nullable Preflight preflight) {
        this.preflight = preflight;
    }

    /** The controllers to run, those that are on by default unless set. */
    public List<String> getEnabledControllers() {
        return enabledControllers;
    }

    /** Sets the controllers to run. */
    public void setEnabledControllers(List<String> enabledControllers) {
        this.enabledControllers = enabledControllers;
    }

    /** How the API server is reached. */
    public ClientProperties getClient() {
        return client;
    }

    /** What is watched. */
    public CacheProperties getCache() {
        return cache;
    }

    /** Whether and how one leader among several replicas is chosen. */
    public LeaderElectionProperties getLeaderElection() {
        return leaderElection;
    }

    /** Settings of all controllers. */
    public ControllerProperties getAllControllers() {
        return allControllers;
    }

    /** Settings of single controllers by name; they come before those of all. */
    public Map<String, NamedControllerProperties> getControllers() {
        return controllers;
    }
}
