package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.github.reconciler4j.client.connection.HttpEngine;

/** Makes transports from what fabric8 makes of a configuration. */
final class Transports {

    private final Config config;
    private final HttpEngine engine;
    private final StandardHttpClientBuilder<?, ?, ?> settings;

    Transports(Config config, HttpEngine engine) {
        this.config = config;
        this.engine = engine;
        this.settings = (StandardHttpClientBuilder<?, ?, ?>)
                new ApiHttpFactory(engine == HttpEngine.JDK_HTTP_2).newBuilder(config);
    }

    /** TLS, proxy, interceptors and tags as fabric8 set them. */
    StandardHttpClientBuilder<?, ?, ?> settings() {
        return settings;
    }

    Transport open() {
        return switch (engine) {
            case JDK, JDK_HTTP_2 -> new JdkTransport((StandardHttpClient<?, ?, ?>) settings.build());
            case SOCKETS -> new SocketTransport(new SocketOpener(config, settings));
        };
    }
}
