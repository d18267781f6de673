package io.github.reconciler4j.controllers.upstream;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** How calls of functions of Kubernetes are repeated with ours, by the name of the function. */
public final class Replays {

    /** Repeats one call and compares the outcome. */
    public interface Replay {
        void run(UpstreamCase call) throws Exception;
    }

    private record Exclusion(Predicate<UpstreamCase> cases, String reason) {}

    private final Map<String, Replay> replays = new LinkedHashMap<>();
    private final Map<String, Exclusion> exclusions = new LinkedHashMap<>();

    public Replays replay(String function, Replay replay) {
        replays.put(function, replay);
        return this;
    }

    /** Say why some calls of a function cannot be repeated. */
    public Replays except(String function, Predicate<UpstreamCase> cases, String reason) {
        exclusions.put(function, new Exclusion(cases, reason));
        return this;
    }

    /** Say why no call of a function can be repeated. */
    public Replays without(String function, String reason) {
        return except(function, call -> true, reason);
    }

    public Replays addAll(Replays others) {
        replays.putAll(others.replays);
        exclusions.putAll(others.exclusions);
        return this;
    }

    /** The reason why a call cannot be repeated; an empty text if it can. */
    public String reasonAgainst(UpstreamCase call) {
        Exclusion exclusion = exclusions.get(call.function());
        return exclusion != null && exclusion.cases().test(call) ? exclusion.reason() : "";
    }

    /** Return how to repeat a call. */
    public Replay of(UpstreamCase call) {
        Replay replay = replays.get(call.function());
        if (replay == null) {
            throw new AssertionError("There is neither a replay of " + call.function() + " nor a reason against one");
        }
        return replay;
    }
}
