package io.github.reconciler4j.test.internal.server;

import io.github.reconciler4j.test.request.ServerRequest;

/** What a request is about, as far as that is known: the name of a new object comes late. Safe for use by many threads. */
final class Asked {
    private volatile ServerRequest request;

    Asked(ServerRequest request) {
        this.request = request;
    }

    ServerRequest request() {
        return request;
    }

    /** Says what the object that was created is called; nothing for an empty name. */
    void createdAs(String name) {
        if (!name.isEmpty()) {
            request = request.about(request.namespace(), name);
        }
    }
}
