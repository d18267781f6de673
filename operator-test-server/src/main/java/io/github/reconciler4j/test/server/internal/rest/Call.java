package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.control.RequestSummary;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.ArrayList;
import java.util.List;

/**
 * One request for a resource on its way through the server. For one thread.
 *
 * @since 0.1.0
 */
public final class Call {
    private final User user;
    private final ApiRequest request;
    private final RequestInfo info;
    private final ResourceType type;
    private final RequestSummary summary;
    private final List<String> warnings = new ArrayList<>();
    private String created = "";

    /** A request of a user for a kind. */
    public Call(User user, ApiRequest request, RequestInfo info, ResourceType type, RequestSummary summary) {
        this.user = user;
        this.request = request;
        this.info = info;
        this.type = type;
        this.summary = summary;
    }

    /** Who asks. */
    public User user() {
        return user;
    }

    /** The request itself. */
    public ApiRequest request() {
        return request;
    }

    /** What it is about. */
    public RequestInfo info() {
        return info;
    }

    /** The kind it is about. */
    public ResourceType type() {
        return type;
    }

    /** The object it is about. */
    public ObjectName object() {
        return new ObjectName(type.namespaced() ? info.namespace() : "", info.name());
    }

    /** What it is about, in the words of fault rules and logs. */
    public RequestSummary summary() {
        return summary;
    }

    /** The same request as if it were about another object in the same namespace. */
    Call about(ResourceType otherType, String name) {
        RequestInfo other = new RequestInfo(
                true,
                info.verb(),
                otherType.group(),
                otherType.version(),
                info.namespace(),
                otherType.plural(),
                name,
                info.subresource(),
                info.path());
        return new Call(user, request, other, otherType, summary);
    }

    /** The name of the object that the request created; empty when it created none or named it itself. */
    public String created() {
        return created;
    }

    /** Says which object the request created. */
    void created(String name) {
        created = name;
    }

    /** What the client is told besides the answer. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Tells the client something besides the answer; the same text is sent once. */
    public void warn(String text) {
        if (!warnings.contains(text)) {
            warnings.add(text);
        }
    }
}
