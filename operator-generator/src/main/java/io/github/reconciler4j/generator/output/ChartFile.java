package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code Chart.yaml} that people have edited. Its versions are set in its text, because reading and writing it as YAML would lose
 * their comments, order and quotes.
 */
final class ChartFile {

    private static final Pattern VERSION = Pattern.compile("(?m)^version:.*$");
    private static final Pattern APP_VERSION = Pattern.compile("(?m)^appVersion:.*$");

    private ChartFile() {}

    /**
     * Returns a text with other versions; an empty one leaves what is there.
     *
     * @throws GeneratorException if the text has no version of the application
     */
    static String withVersions(String text, String version, String appVersion) {
        if (!APP_VERSION.matcher(text).find()) {
            throw new GeneratorException("Chart.yaml has no appVersion, which is the default tag of the image");
        }
        String changed = version.isEmpty() ? text : with(text, VERSION, "version: " + version);
        return appVersion.isEmpty() ? changed : with(changed, APP_VERSION, "appVersion: \"" + appVersion + '"');
    }

    private static String with(String text, Pattern line, String wanted) {
        return line.matcher(text).replaceAll(Matcher.quoteReplacement(wanted));
    }
}
