package io.github.reconciler4j.sample;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Texts of {@link WebApp} objects. */
final class WebApps {

    private WebApps() {}

    /** A WebApp with an image and these lines of the spec. */
    static String yaml(String name, String... spec) {
        return """
               apiVersion: apps.reconciler4j.io/v1
               kind: WebApp
               metadata:
                 name: %s
               spec:
                 image: web:1
               %s
               """.formatted(name, Arrays.stream(spec).map(line -> "  " + line).collect(Collectors.joining("\n")));
    }
}
