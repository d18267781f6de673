package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A whole process that caches one kind of a real API server and says what it cost: time and processor time from the
 * start of the process until synced, peak resident memory, live heap, requests. Arguments: a kubeconfig, a kind of
 * objects, a form of storage, and {@code list} or {@code watchlist}. The script {@code cache} runs it.
 */
final class CacheProcess {

    /** Where the ticks in user mode stand in {@code stat}, counted after the name of the thread. */
    private static final int USER_TICKS = 11;

    private CacheProcess() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        KindInfo kind = switch (SampleObjects.Kind.valueOf(arguments[1])) {
            case CUSTOM -> new KindInfo(new GroupVersionKind("apps.example.io", "v1", "WebApp"), "webapps", true);
            case CONFIG_MAP -> new KindInfo(GroupVersionKind.of("v1", "ConfigMap"), "configmaps", true);
            case POD -> new KindInfo(GroupVersionKind.of("v1", "Pod"), "pods", true);
        };
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withStorage(StorageForm.valueOf(arguments[2])))
                .withWatch(WatchOptions.defaults().withWatchList(arguments[3].equals("watchlist")));
        RequestCounts requests = new RequestCounts();
        ConnectionOptions http = ConnectionOptions.defaults().withMetrics(requests);
        try (ApiConnection connection = ApiConnection.open(config(Path.of(arguments[0])), http);
                Cache cache = Cache.create(connection, Scheme.create().register(kind), options)) {
            cache.informer(kind.kind());
            cache.start();
            cache.awaitSync(Duration.ofMinutes(5));
            report(cache, kind, String.join("/", arguments[1], arguments[2]), requests.all());
        }
    }

    /** Reads a kubeconfig of one user without a YAML parser, as a process in a cluster needs none either. */
    static Config config(Path kubeconfig) throws IOException {
        String text = Files.readString(kubeconfig);
        Config config = Config.empty();
        config.setMasterUrl(value(text, "server"));
        config.setCaCertData(value(text, "certificate-authority-data"));
        config.setClientCertData(value(text, "client-certificate-data"));
        config.setClientKeyData(value(text, "client-key-data"));
        return config;
    }

    private static String value(String text, String name) {
        int start = text.indexOf(name + ": ") + name.length() + 2;
        return text.substring(start, text.indexOf('\n', start)).strip();
    }

    private static void report(Cache cache, KindInfo kind, String variant, long requests)
            throws IOException, InterruptedException {
        double seconds = (System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime())
                / 1e3;
        double cpu = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
        String peak = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .findFirst()
                .orElse("?");
        if (Boolean.getBoolean("threads")) {
            reportThreads();
        }
        long objects = cache.headers(kind.kind(), ListOptions.all()).size();
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf(
                Locale.ROOT,
                "RESULT work=cache peer=reconciler4j variant=%s objects=%d seconds=%.2f processor=%.2f peakMB=%d"
                        + " heapMB=%.1f requests=%d%n",
                variant,
                objects,
                seconds,
                cpu,
                Long.parseLong(peak.replaceAll("\\D", "")) / 1024,
                heap / 1048576.0,
                requests);
        if (Boolean.getBoolean("histogram")) {
            reportClasses();
        }
    }

    /** Says which classes have taken the heap. */
    private static void reportClasses() throws IOException {
        try {
            String[] none = {};
            Object classes = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {none},
                            new String[] {String[].class.getName()});
            classes.toString().lines().limit(40).forEach(System.out::println);
        } catch (JMException e) {
            throw new IOException(e);
        }
    }

    /** Says which threads of the process took processor time, in hundredths of seconds. */
    private static void reportThreads() throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                String stat = Files.readString(task.resolve("stat"));
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1]);
                if (ticks > 5) {
                    System.out.printf("  %-16s %5d%n", name, ticks);
                }
            }
        }
    }
}
