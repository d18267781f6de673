package io.github.reconciler4j.test.internal.rest;

import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.Answer;
import io.github.reconciler4j.test.internal.registry.ResourceType;
import io.github.reconciler4j.test.internal.registry.Subresource;
import io.github.reconciler4j.test.internal.render.Renderers;
import java.time.Clock;
import java.time.Duration;

/** Answers requests for resources: finds the verb and does it. Safe for use by many threads. */
public final class ResourceHandler {
    private final Reading reading;
    private final Watching watching;
    private final Writing writing;

    /** A handler over stored objects; {@code bookmarkInterval} is the time between the bookmarks of a watch. */
    public ResourceHandler(ObjectAccess access, Clock clock, Duration bookmarkInterval) {
        Renderers renderers = new Renderers(clock);
        reading = new Reading(access.store(), renderers);
        watching = new Watching(access.store(), renderers, bookmarkInterval);
        writing = new Writing(access, renderers, reading);
    }

    /** Does what the request asks. */
    public Answer handle(Call call) {
        String subresource = call.info().subresource();
        if (!subresource.isEmpty()) {
            return part(call, subresource);
        }
        if (!call.type().verbs().contains(call.info().verb())) {
            throw StatusException.methodNotAllowed();
        }
        return whole(call);
    }

    private Answer part(Call call, String name) {
        ResourceType type = call.type();
        Subresource subresource = type.subresources().get(name);
        if (subresource == null) {
            throw StatusException.noSuchPath();
        }
        if (!subresource.verbs().contains(call.info().verb())) {
            throw StatusException.methodNotAllowed();
        }
        return whole(call);
    }

    private Answer whole(Call call) {
        return switch (call.info().verb()) {
            case "get" -> reading.get(call);
            case "list" -> reading.list(call);
            case "watch" -> watching.watch(call);
            case "create" -> {
                if (!call.info().name().isEmpty()) {
                    throw StatusException.methodNotAllowed();
                }
                yield writing.create(call);
            }
            case "update" -> writing.update(call);
            case "patch" -> writing.patch(call);
            case "delete" -> writing.delete(call);
            case "deletecollection" -> writing.deleteCollection(call);
            default -> throw StatusException.methodNotAllowed();
        };
    }
}
