package io.github.reconciler4j.controllers.internal.cronjob;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import io.github.reconciler4j.recorder.EventRecorder;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client that has the objects of a case of Kubernetes' tests, and remembers what is written. */
final class RecordedJobs {

    private final UpstreamCase call;
    private final List<Job> created = new ArrayList<>();
    private final List<String> deleted = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();

    RecordedJobs(UpstreamCase call) {
        this.call = call;
    }

    List<Job> created() {
        return created;
    }

    List<String> deleted() {
        return deleted;
    }

    List<String> reasons() {
        return reasons;
    }

    EventRecorder events() {
        return entry -> reasons.add(entry.reason());
    }

    Client client() {
        LiveReader live = proxy(LiveReader.class, (method, arguments) -> get(arguments[0]));
        return proxy(Client.class, (method, arguments) -> switch (method) {
            case "live" -> live;
            case "create" -> create((Job) arguments[0]);
            case "delete" -> deleted.add(((Job) arguments[0]).getMetadata().getName());
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

    private Object get(Object type) {
        if (type == CronJob.class) {
            return Optional.ofNullable(UpstreamCase.read(call.note("cronJob"), CronJob.class));
        }
        String error = call.note("error").asText("");
        if (error.contains("not found") || call.note("job").isNull()) {
            return Optional.empty();
        }
        if (!call.note("error").isNull()) {
            throw new ApiException(error, ErrorDetails.of(500, ""));
        }
        return Optional.ofNullable(UpstreamCase.read(call.note("job"), Job.class));
    }

    private Job create(Job job) {
        if (!call.note("createError").isNull()) {
            String error = call.note("createError").asText();
            throw error.contains("already exists")
                    ? new AlreadyExistsException(error)
                    : new ApiException(
                            error,
                            ErrorDetails.of(403, "Forbidden")
                                    .withCauses(List.of(new ApiException.Cause(
                                            "metadata.namespace", "NamespaceTerminating", error))));
        }
        created.add(job);
        job.getMetadata().setUid("test-uid");
        return job;
    }
}
