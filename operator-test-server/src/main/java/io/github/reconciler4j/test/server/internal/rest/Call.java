package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.control.RequestSummary;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.ArrayList;
import java.util.List;

/** One request for a resource on its way through the server. For one thread. */
public final class Call {
    private static final int MAX_WARNINGS = 4096;
    private static final int MAX_WARNING = 256;

    private final User user;
    private final ApiRequest request;
    private final RequestInfo info;
    private final ResourceType type;
    private final RequestSummary summary;
    private final List<String> warnings = new ArrayList<>();
    private String created = "";

    public Call(User user, ApiRequest request, RequestInfo info, ResourceType type, RequestSummary summary) {
        this.user = user;
        this.request = request;
        this.info = info;
        this.type = type;
        this.summary = summary;
    }

    public User user() {
        return user;
    }

    public ApiRequest request() {
        return request;
    }

    public RequestInfo info() {
        return info;
    }

    public ResourceType type() {
        return type;
    }

    public ObjectName object() {
        return new ObjectName(type.namespaced() ? info.namespace() : "", info.name());
    }

    /** Return the subject of the request for fault rules and logs. */
    public RequestSummary summary() {
        return summary;
    }

    /** Return the same request as if it were about another object in the same namespace. */
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

    /** Return the name of the object that the request created; empty when it created none or named it itself. */
    public String created() {
        return created;
    }

    void created(String name) {
        created = name;
    }

    /** Return the warnings, cut like those of kube-apiserver, without those that no header can have. */
    public List<String> warnings() {
        int all = warnings.stream()
                .mapToInt(text -> text.codePointCount(0, text.length()))
                .sum();
        List<String> sent = new ArrayList<>();
        int sum = 0;
        for (String text : warnings) {
            boolean cut = all > MAX_WARNINGS && text.codePointCount(0, text.length()) > MAX_WARNING;
            String shown = cut ? text.substring(0, text.offsetByCodePoints(0, MAX_WARNING)) : text;
            if (sum < MAX_WARNINGS && shown.codePoints().noneMatch(Character::isISOControl)) {
                sum += shown.codePointCount(0, shown.length());
                sent.add(shown);
            }
        }
        return sent;
    }

    /** Add a warning to the response, unless it has been added before. */
    public void warn(String text) {
        if (!text.isEmpty() && !warnings.contains(text)) {
            warnings.add(text);
        }
    }
}
