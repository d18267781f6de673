package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.SubresourceClient;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that writes nothing but remembers what it should write, as the fakes of Kubernetes' tests do. */
final class RecordedWrites {

    /** Fails all writes of pods if it is not null. */
    private final @Nullable String error;

    /** How many pods can be created, 0 for any number. */
    private final int createLimit;

    private int createCalls;
    private final List<Pod> created = new ArrayList<>();
    private final List<String> deleted = new ArrayList<>();
    private final List<Object> patches = new ArrayList<>();
    private final List<Job> updates = new ArrayList<>();

    RecordedWrites(@Nullable String error, int createLimit) {
        this.error = error;
        this.createLimit = createLimit;
    }

    List<Pod> created() {
        return created;
    }

    List<String> deleted() {
        return deleted;
    }

    List<Object> patches() {
        return patches;
    }

    List<Job> updates() {
        return updates;
    }

    Job update(Job job) {
        updates.add(new JobBuilder(job).build());
        return job;
    }

    Client client() {
        SubresourceClient status = proxy(SubresourceClient.class, (method, arguments) -> update((Job) arguments[0]));
        return proxy(Client.class, (method, arguments) -> switch (method) {
            case "status" -> status;
            case "create" -> create((Pod) arguments[0]);
            case "delete" -> delete((Pod) arguments[0]);
            case "patch" -> patch((Pod) arguments[0], arguments[1]);
            default -> throw new AssertionError("unexpected call of " + method);
        });
    }

    private interface Call {
        Object run(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.run(method.getName(), arguments)));
    }

    private synchronized Pod create(Pod pod) {
        createCalls++;
        if (createLimit > 0 && createCalls > createLimit) {
            throw new IllegalStateException("not creating pod, limit " + createLimit + " already reached");
        }
        pod.getMetadata().setName(pod.getMetadata().getGenerateName() + createCalls);
        created.add(pod);
        fail();
        return pod;
    }

    private synchronized boolean delete(Pod pod) {
        deleted.add(pod.getMetadata().getName());
        fail();
        return true;
    }

    private synchronized Pod patch(Pod pod, Object patch) {
        patches.add(patch);
        fail();
        return pod;
    }

    private void fail() {
        if (error != null) {
            throw new IllegalStateException(error);
        }
    }
}
