package io.github.reconciler4j.test.server.internal.dispatch;

import io.github.reconciler4j.test.server.internal.control.RequestSummary;

/** What a request is about, as far as that is known: the name of a new object comes late. Safe for use by many threads. */
final class Asked {
    private volatile RequestSummary request;

    Asked(RequestSummary request) {
        this.request = request;
    }

    RequestSummary request() {
        return request;
    }

    /** Says what the object that was created is called; nothing for an empty name. */
    void createdAs(String name) {
        if (!name.isEmpty()) {
            request = request.about(request.namespace(), name);
        }
    }
}
