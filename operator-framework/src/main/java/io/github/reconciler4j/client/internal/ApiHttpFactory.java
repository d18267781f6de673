package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * fabric8's factory with three changes: threads have names, HTTP/2 is an option, and redirects are not followed, since
 * an API server sends none and the credentials would go along to wherever they point.
 */
final class ApiHttpFactory extends JdkHttpClientFactory {

    private static final AtomicInteger THREADS = new AtomicInteger();

    private final boolean http2;
    private final ExecutorService executor = Executors.newCachedThreadPool(ApiHttpFactory::thread);

    ApiHttpFactory(boolean http2) {
        this.http2 = http2;
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "reconciler4j-http-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        return HttpClient.newBuilder().executor(executor);
    }

    @Override
    protected void additionalConfig(HttpClient.Builder builder) {
        builder.followRedirects(HttpClient.Redirect.NEVER);
        builder.version(http2 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
    }

    @Override
    protected void closeHttpClient(JdkHttpClientImpl client) {
        executor.shutdownNow();
    }
}
