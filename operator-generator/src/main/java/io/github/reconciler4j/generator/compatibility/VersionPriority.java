package io.github.reconciler4j.generator.compatibility;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of API versions in Kubernetes: v1alpha1, v1beta1, v1, v2; names of another form come first. */
final class VersionPriority {

    static final Comparator<String> ASCENDING = Comparator.<String>comparingInt(name -> key(name)[0])
            .thenComparingInt(name -> key(name)[1])
            .thenComparingInt(name -> key(name)[2])
            .thenComparing(Comparator.reverseOrder());

    private static final Pattern FORM = Pattern.compile("v([0-9]{1,6})(?:(alpha|beta)([0-9]{1,6}))?");

    private VersionPriority() {}

    /** Stability, major and minor. */
    private static int[] key(String name) {
        Matcher form = FORM.matcher(name);
        if (!form.matches()) {
            return new int[] {0, 0, 0};
        }
        String stability = form.group(2);
        int rank = stability == null ? 3 : stability.equals("beta") ? 2 : 1;
        return new int[] {rank, Integer.parseInt(form.group(1)), stability == null ? 0 : Integer.parseInt(form.group(3))
        };
    }
}
