package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * Heap per object and time per object of each form of storage, without a server: the list comes out of memory. Arguments:
 * kinds of objects, forms of storage and counts, each separated by commas.
 */
final class StoreMemory {

    private static final int READS = 20_000;

    private StoreMemory() {}

    /** Runs it. */
    public static void main(String[] arguments) throws InterruptedException {
        String[] kinds = arguments.length > 0 ? arguments[0].split(",") : new String[] {"CUSTOM", "CONFIG_MAP", "POD"};
        String[] forms = arguments.length > 1 ? arguments[1].split(",") : new String[] {"ENCODED", "COMPACT"};
        String[] counts = arguments.length > 2 ? arguments[2].split(",") : new String[] {"20000"};
        System.out.printf(
                "%-12s %-9s %8s %12s %12s %12s%n", "objects", "form", "count", "heap B/obj", "in us/obj", "read us");
        for (String kind : kinds) {
            for (String form : forms) {
                for (String count : counts) {
                    measure(SampleObjects.Kind.valueOf(kind), StorageForm.valueOf(form), Integer.parseInt(count));
                }
            }
        }
    }

    private static void measure(SampleObjects.Kind kind, StorageForm form, int count) throws InterruptedException {
        load(kind, form, Math.min(count, 5000)).close(); // warm up
        long before = usedHeap();
        long start = System.nanoTime();
        Cache cache = load(kind, form, count);
        double in = (System.nanoTime() - start) / 1e3 / count;
        long heap = usedHeap() - before;
        double read = form == StorageForm.METADATA ? 0 : read(cache, kind.info().kind());
        System.out.printf("%-12s %-9s %8d %12d %12.1f %12.1f%n", kind, form, count, heap / count, in, read);
        cache.close();
    }

    private static Cache load(SampleObjects.Kind kind, StorageForm form, int count) throws InterruptedException {
        Scheme scheme = Scheme.create().register(kind.info());
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withStorage(form))
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE));
        Cache cache = Cache.create(new MemoryConnection(kind, count), scheme, options);
        cache.informer(Kind.of(kind.info().kind()));
        cache.start();
        cache.awaitSync(Duration.ofMinutes(5));
        return cache;
    }

    private static double read(Cache cache, KindName kind) {
        List<ObjectKey> keys = cache.list(Kind.of(kind).metadata(), Selection.all()).stream()
                .map(ObjectHeader::key)
                .toList();
        long sum = 0;
        long start = 0;
        for (int i = -READS; i < READS; i++) {
            if (i == 0) {
                start = System.nanoTime();
            }
            GenericKubernetesResource object = cache.get(Kind.of(kind), keys.get(Math.floorMod(i * 7919, keys.size())))
                    .orElseThrow();
            sum += object.getMetadata().getName().length();
        }
        return sum == 0 ? 0 : (System.nanoTime() - start) / 1e3 / READS;
    }

    private static long usedHeap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
